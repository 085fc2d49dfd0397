import type { PolicyPack } from "../../packs.ts";
import type { ComplianceEngine, ComplianceFlag, InteractionContext } from "../../testing.ts";
import { maskText } from "../masking.ts";
import { listFindings } from "../store/finding-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import { createEngine, loadRules } from "./rule-engine.ts";
import {
  type AnswerPeriod,
  findAnswers,
  readExchange,
  type StoredAnswer,
} from "./stored-answers.ts";

/** Hits that are shown, of each rule and of all together. */
const MAX_HITS_OF_RULE = 5;
const MAX_HITS = 100;
const PER = 1000;

/** What a rule of a pack finds in stored answers. */
export interface RuleOutcome {
  readonly rule: string;
  readonly name: string;
  /** Whether the pack brings the rule, changes a built-in one, or switches it off. */
  readonly change: "added" | "changed" | "switched_off";
  /** Answers in which it finds something with the pack, and without; `null` for a rule that the pack brings. */
  hits: number;
  hitsBefore: number | null;
  /** Findings of it that people have decided to be violations, and how many of these it finds again. */
  violations: number;
  violationsFound: number;
  /** Findings of it that people have decided to be false, and how many of these it repeats. */
  falsePositives: number;
  falsePositivesRepeated: number;
}

/** Something that the pack finds. */
export interface Hit {
  readonly rule: string;
  readonly severity: string;
  readonly confidence: number | null;
  readonly eventId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly at: number;
  /** Passage of the answer, masked. */
  readonly quote: string;
  /** Whether it is found without the pack as well. */
  readonly isKnown: boolean;
}

/** What a pack does to stored answers. */
export interface BackTestResult {
  /** Answers that were evaluated. */
  readonly answers: number;
  /** Answers whose text was not stored. */
  readonly skipped: number;
  /** Answers in which one of the pack's rules finds something, with it and without. */
  readonly alarms: number;
  readonly alarmsBefore: number;
  readonly alarmsPer1000: number;
  readonly alarmsPer1000Before: number;
  readonly rules: readonly RuleOutcome[];
  readonly hits: readonly Hit[];
}

/** How far a test is. */
export interface BackTestProgress {
  /** Answers to be evaluated; `null` while they are looked for. */
  total: number | null;
  done: number;
}

/** Rules with a pack and without. */
export interface Trial {
  readonly after: ComplianceEngine;
  readonly before: ComplianceEngine;
  readonly outcomes: ReadonlyMap<string, RuleOutcome>;
  /** Sets the time by which the engines forget sessions. */
  readonly setTime: (millis: number) => void;
}

/** Creates the engines of a test: of the rules alone that the pack brings or changes. @throws ValidationError of a pack that doesn't fit */
export async function createTrial(pack: PolicyPack): Promise<Trial> {
  const { builtInRules, isDefinedRule } = await loadRules();
  let time = 0;
  const now = (): number => time;
  const whole = await createEngine(builtInRules, now);
  whole.addRulePack(pack);
  const isOf = (origin: { readonly id: string } | undefined): boolean => origin?.id === pack.id;
  const touched = whole.rules
    .filter((rule) => isDefinedRule(rule))
    .filter((rule) => [rule.pack, rule.changedBy, rule.withoutSecondLook].some(isOf));
  const known = new Map(builtInRules.map((rule) => [rule.id, rule]));
  const former = touched.flatMap(({ id }) => known.get(id) ?? []);
  const none = { hits: 0, violations: 0, violationsFound: 0 };
  const outcomes = touched.map(({ id, name, isActive }): [string, RuleOutcome] => {
    const isKnown = known.has(id);
    const change = isKnown ? (isActive ? "changed" : "switched_off") : "added";
    const counts = { ...none, falsePositives: 0, falsePositivesRepeated: 0 };
    return [id, { rule: id, name, change, hitsBefore: isKnown ? 0 : null, ...counts }];
  });
  return {
    after: await createEngine(touched, now),
    before: await createEngine(former, now),
    outcomes: new Map(outcomes),
    setTime: (millis) => void (time = millis),
  };
}

function toHit(flag: ComplianceFlag, { eventId, key, at }: StoredAnswer, isKnown: boolean): Hit {
  const { rule, severity, confidence = null, context } = flag;
  const quote = maskText(context?.detectedContent ?? "");
  return { rule, severity, confidence, eventId, key, at, quote, isKnown };
}

/** Collects what is found. */
class Tally {
  answers = 0;
  skipped = 0;
  alarms = 0;
  alarmsBefore = 0;
  readonly hits: Hit[] = [];
  readonly #outcomes: ReadonlyMap<string, RuleOutcome>;
  readonly #shown = new Map<string, number>();

  constructor(outcomes: ReadonlyMap<string, RuleOutcome>) {
    this.#outcomes = outcomes;
  }

  /** Counts what was found in an answer, and returns the rules that have. */
  add(
    answer: StoredAnswer,
    found: readonly ComplianceFlag[],
    former: readonly ComplianceFlag[],
  ): ReadonlySet<string> {
    const [rules, formerRules] = [toRules(found), toRules(former)];
    this.answers++;
    if (rules.size > 0) this.alarms++;
    if (formerRules.size > 0) this.alarmsBefore++;
    for (const outcome of this.#outcomes.values()) {
      if (rules.has(outcome.rule)) outcome.hits++;
      if (formerRules.has(outcome.rule)) outcome.hitsBefore = (outcome.hitsBefore ?? 0) + 1;
    }
    for (const flag of found) this.#show(flag, answer, formerRules.has(flag.rule));
    return rules;
  }

  /** Compares with what people have decided about the findings of an answer. */
  compare(rules: ReadonlySet<string>, decided: readonly DecidedFinding[]): void {
    for (const { rule, disposition } of decided) {
      const outcome = this.#outcomes.get(rule);
      if (!outcome) continue;
      const isFound = rules.has(rule) ? 1 : 0;
      if (disposition === "violation") {
        outcome.violations++;
        outcome.violationsFound += isFound;
      } else if (disposition === "false_positive") {
        outcome.falsePositives++;
        outcome.falsePositivesRepeated += isFound;
      }
    }
  }

  finish(): BackTestResult {
    const { answers, skipped, alarms, alarmsBefore, hits } = this;
    const perThousand = (count: number): number => (answers === 0 ? 0 : (count * PER) / answers);
    return {
      answers,
      skipped,
      alarms,
      alarmsBefore,
      alarmsPer1000: perThousand(alarms),
      alarmsPer1000Before: perThousand(alarmsBefore),
      rules: [...this.#outcomes.values()],
      hits,
    };
  }

  #show(flag: ComplianceFlag, answer: StoredAnswer, isKnown: boolean): void {
    const shown = this.#shown.get(flag.rule) ?? 0;
    if (shown >= MAX_HITS_OF_RULE || this.hits.length >= MAX_HITS) return;
    this.#shown.set(flag.rule, shown + 1);
    this.hits.push(toHit(flag, answer, isKnown));
  }
}

function toRules(flags: readonly ComplianceFlag[]): ReadonlySet<string> {
  return new Set(flags.map(({ rule }) => rule));
}

/** A finding that people have decided about. */
interface DecidedFinding {
  readonly answerId: string;
  readonly rule: string;
  readonly disposition: string;
}

function* listDecided(database: SqlDatabase, key: string): Steps<DecidedFinding[]> {
  return (yield* listFindings(database, key)).flatMap(({ answerId, rule, decision }) =>
    decision ? [{ answerId, rule, disposition: decision.disposition }] : [],
  );
}

const IS_GIVEN = { isGiven: true } as const;

/** Evaluates an answer with a pack and without. */
function evaluate({ after, before, setTime }: Trial, exchange: InteractionContext) {
  setTime(exchange.timestamp);
  return {
    found: after.evaluate(exchange, IS_GIVEN).violations,
    former: before.evaluate(exchange, IS_GIVEN).violations,
  };
}

/**
 * Runs a pack over stored answers.
 *
 * @param progress - Is kept up to date.
 */
export function* backTest(
  database: SqlDatabase,
  trial: Trial,
  period: AnswerPeriod,
  progress: BackTestProgress,
): Steps<BackTestResult> {
  const answers = yield* findAnswers(database, period);
  progress.total = answers.length;
  const tally = new Tally(trial.outcomes);
  let decided: readonly DecidedFinding[] = [];
  let key: string | undefined;
  for (const answer of answers) {
    yield;
    if (answer.key !== key) decided = yield* listDecided(database, answer.key);
    key = answer.key;
    progress.done++;
    const exchange = yield* readExchange(database, answer);
    if (!exchange) {
      tally.skipped++;
      continue;
    }
    yield;
    const { found, former } = evaluate(trial, exchange);
    const rules = tally.add(answer, found, former);
    tally.compare(
      rules,
      decided.filter(({ answerId }) => answerId === answer.eventId),
    );
  }
  return tally.finish();
}
