import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { handled } from "../../util/deferred-tasks.ts";
import { checkLines, type LineSource } from "../check/check-lines.ts";
import { countFinding, type Checker } from "../check/checker.ts";
import type { Place } from "../check/finding.ts";
import type { Ask, EvaluatedExchange, Question } from "./questions.ts";
import { isCounted, listFound, type Asked, type JudgeTally } from "./tally.ts";
import {
  toMissed,
  toTieredFindings,
  toReported,
  type TieredFinding,
  type ReportedFinding,
} from "./tiered-findings.ts";

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
interface JudgeCasesOptions {
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

const isJudged = ({ question, answer }: Asked) =>
  typeof answer === "string" ? [] : [{ judgement: answer.judgement, texts: question.texts }];

/** Assembles the exchanges of a case, which is one line. */
class CaseReader {
  readonly #options: JudgeCasesOptions;
  readonly #redactor: Redactor = createRedactor();
  #last: JudgedExchange | undefined;
  #found: { readonly finding: TieredFinding; readonly place: Place }[] = [];

  constructor(options: JudgeCasesOptions) {
    this.#options = options;
  }

  *take(exchange: JudgedExchange): Generator<ReportedFinding> {
    if (this.#last && this.#last.place.line !== exchange.place.line) yield* this.end();
    this.#last = exchange;
    const { place, evaluation, asked } = exchange;
    const { checker, tally } = this.#options;
    const rules = new Map(checker.rules.map((rule) => [rule.id, rule]));
    const findings = toTieredFindings(evaluation, asked.flatMap(isJudged), rules);
    tally.addExchange(asked, findings, evaluation.requiresReview);
    for (const finding of findings) {
      this.#found.push({ finding, place });
      const { rule, category } = finding;
      // The judge's findings are warnings: people decide what is a violation.
      if (!finding.flag) countFinding(checker.summary, { rule, category, severity: "warning" });
    }
  }

  *end(): Generator<ReportedFinding> {
    if (!this.#last) return;
    const { place, interaction } = this.#last;
    const { label } = place;
    const one = { ...(label && { label }), findings: this.#found.map(({ finding }) => finding) };
    this.#options.tally.addCase(one);
    const isMissed = label?.isViolation === true && listFound(one, "confirmed").length === 0;
    if (isMissed) yield toMissed(place, interaction.agentResponse ?? "", this.#redactor);
    if (label?.isViolation !== true || isMissed) yield* this.#report(label !== undefined);
    this.#found = [];
    this.#last = undefined;
  }

  /** Of a lawful case, the findings for review; of a missed violation, or a case without a label, all findings. */
  *#report(isLabelled: boolean): Generator<ReportedFinding> {
    for (const { finding, place } of this.#found) {
      const isLawful = isLabelled && place.label?.isViolation === false;
      if (isLawful && !isCounted(finding, "both")) continue;
      const alarm = finding.tier === "contradicted" ? "cleared" : "alarm";
      yield toReported(isLawful ? alarm : "finding", finding, place, this.#redactor);
    }
  }
}

/** Judges cases, and yields the reported findings: disagreements with labels, or all findings. */
export async function* judgeCases(options: JudgeCasesOptions): AsyncGenerator<ReportedFinding> {
  const { checker, source, toQuestions, ask, maxRunning } = options;
  const reader = new CaseReader(options);
  const exchanges = mapInOrder(readExchanges(checker, source), maxRunning, async (exchange) => {
    const asked = toQuestions(exchange).map(async (question) => ({
      question,
      answer: await ask(question),
    }));
    return { ...exchange, asked: await Promise.all(asked) };
  });
  for await (const exchange of exchanges) yield* reader.take(exchange);
  yield* reader.end();
}
