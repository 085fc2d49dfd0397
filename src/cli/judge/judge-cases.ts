import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { handled } from "../../util/deferred-tasks.ts";
import { checkLines, type LineSource } from "../check/check-lines.ts";
import { countFinding, type Checker } from "../check/checker.ts";
import type { Place } from "../check/finding.ts";
import type { Ask, EvaluatedExchange, Question } from "./questions.ts";
import { isCounted, listFound, type Asked, type JudgeTally } from "./tally.ts";
import { toMissed, toTieredFindings, toReported, type ReportedFinding } from "./tiered-findings.ts";

/** Runs a task for each element, a bounded number at a time, and yields the results in the order of the elements. */
export async function* mapInOrder<T, R>(
  elements: AsyncIterable<T>,
  maxRunning: number,
  run: (element: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const element of elements) {
    running.push(handled(run(element)));
    if (running.length < maxRunning) continue;
    const first = running.shift();
    if (first) yield await first;
  }
  yield* running;
}

/** An exchange of a case, evaluated by the rules. */
export interface CaseExchange extends EvaluatedExchange {
  readonly place: Place;
}

/** An exchange that was judged. */
interface JudgedExchange extends CaseExchange {
  readonly asked: readonly Asked[];
}

/** Options of judging cases. */
export interface JudgeCasesOptions {
  readonly checker: Checker;
  readonly source: LineSource;
  readonly toQuestions: (exchange: CaseExchange) => readonly Question[];
  readonly ask: Ask;
  readonly tally: JudgeTally;
  /** Exchanges that are judged at a time. */
  readonly maxRunning: number;
}

/** Reads cases, and evaluates each exchange by the rules; their findings are counted. */
export async function* readExchanges(
  checker: Checker,
  source: LineSource,
): AsyncGenerator<CaseExchange> {
  yield* checkLines(
    {
      summary: checker.summary,
      async check(context, session, place) {
        const evaluated = await checker.evaluate(context, session);
        checker.report(evaluated.evaluation.violations, place);
        const { line, conversation, userTurn, agentTurn = userTurn } = place;
        const id = place.eventId ?? `${conversation ?? line}#${agentTurn ?? 1}`;
        return [{ id, ...evaluated, place }];
      },
    },
    source,
  );
}

/** Groups the exchanges of a case, which is one line. */
async function* groupByCase(
  exchanges: AsyncIterable<JudgedExchange>,
): AsyncGenerator<readonly JudgedExchange[]> {
  let group: JudgedExchange[] = [];
  for await (const exchange of exchanges) {
    const [first = exchange] = group;
    if (first.place.line !== exchange.place.line) {
      yield group;
      group = [];
    }
    group.push(exchange);
  }
  yield group;
}

const toJudged = ({ question, answer }: Asked) =>
  typeof answer === "string" ? [] : [{ judgement: answer.judgement, texts: question.texts }];

/** Counts the findings of a case, and returns each with its place. */
function findInCase(exchanges: readonly JudgedExchange[], { checker, tally }: JudgeCasesOptions) {
  const rules = new Map(checker.rules.map((rule) => [rule.id, rule]));
  return exchanges.flatMap(({ place, evaluation, asked }) => {
    const findings = toTieredFindings(evaluation, asked.flatMap(toJudged), rules);
    tally.addExchange(asked, findings, evaluation.requiresReview);
    for (const { rule, category, flag } of findings)
      // The judge's findings are warnings: people decide what is a violation.
      if (!flag) countFinding(checker.summary, { rule, category, severity: "warning" });
    return findings.map((finding) => ({ finding, place }));
  });
}

/**
 * Counts a case, and yields its reported findings: of a lawful case those for review, of a missed violation, or a case without
 * a label, all.
 */
function* reportCase(
  exchanges: readonly JudgedExchange[],
  options: JudgeCasesOptions,
  redactor: Redactor,
): Generator<ReportedFinding> {
  const last = exchanges.at(-1);
  if (!last) return;
  const found = findInCase(exchanges, options);
  const { label } = last.place;
  const one = { label, findings: found.map(({ finding }) => finding) };
  options.tally.addCase(one);
  if (label?.isViolation === true) {
    if (listFound(one, "confirmed").length > 0) return;
    yield toMissed(last.place, last.interaction.agentResponse ?? "", redactor);
  }
  const isLawful = label?.isViolation === false;
  for (const { finding, place } of found) {
    if (isLawful && !isCounted(finding, "both")) continue;
    const alarm = finding.tier === "contradicted" ? "cleared" : "alarm";
    yield toReported(isLawful ? alarm : "finding", finding, place, redactor);
  }
}

/** Judges cases, and yields the reported findings: disagreements with labels, or all findings. */
export async function* judgeCases(options: JudgeCasesOptions): AsyncGenerator<ReportedFinding> {
  const { checker, source, toQuestions, ask, maxRunning } = options;
  const redactor = createRedactor();
  const exchanges = mapInOrder(readExchanges(checker, source), maxRunning, async (exchange) => {
    const asked = toQuestions(exchange).map(async (question) => ({
      question,
      answer: await ask(question),
    }));
    return { ...exchange, asked: await Promise.all(asked) };
  });
  for await (const group of groupByCase(exchanges)) yield* reportCase(group, options, redactor);
}
