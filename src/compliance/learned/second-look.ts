import type {
  ComplianceResult,
  ComplianceViolation,
  ViolationContext,
} from "../../events/compliance.ts";
import type { DefinedRule } from "../define-rule.ts";
import { overlaps, passageOf } from "../passages.ts";
import { toRuleResult, withEvasions } from "../rule-result.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import {
  probabilityOf,
  sumOf,
  toRulePlanes,
  type ModelFacts,
  type RulePlane,
} from "./learned-model.ts";
import { LEARNED_PATTERN, toLearnedPattern } from "./learned-pattern.ts";
import { FeatureReader } from "./sentence-features.ts";
import type { WeightRecords } from "./weight-records.ts";
import { WeightTable } from "./weight-table.ts";
import { WindowScorer, type Scores, type Spot } from "./window-scorer.ts";
import { readWindows } from "./windows.ts";
import {
  listFound,
  listWordingFindings,
  WordingMap,
  type HeardResult,
} from "./wording-features.ts";

/** Looks again at what the built-in rules found, when all of them have been heard. */
export interface SecondLook {
  /** Returns the results as they are after the second look, in the same order. */
  revise(heard: readonly HeardResult[], exchange: Exchange): readonly HeardResult[];
}

const DIGITS = 1000;

function overlap(one: ComplianceViolation, other: ComplianceViolation): boolean {
  const [first, second] = [passageOf(one), passageOf(other)];
  return first !== undefined && second !== undefined && overlaps(first, second);
}

function mayAdd({ id, patternOverrides }: DefinedRule): boolean {
  return patternOverrides?.get(toLearnedPattern(id))?.active !== false;
}

/**
 * Looks again with weights that were learned of labelled texts: confirms what wording found, makes it a candidate or drops it,
 * and finds passages of its own.
 *
 * What digits or tools prove, and what is in no message, needs no second look.
 */
export class LearnedSecondLook implements SecondLook {
  readonly #facts: ModelFacts;
  readonly #rules: ReadonlyMap<string, RulePlane>;
  readonly #scorer: WindowScorer;
  readonly #reader = new FeatureReader();
  /** Says on each finding that it has judged which model it was. */
  readonly #origin: ViolationContext;

  /** @param sha256 - Digest of the model's files, by which findings name it. */
  constructor(facts: ModelFacts, records: WeightRecords, sha256?: string) {
    this.#facts = facts;
    this.#origin = {
      secondLookVersion: facts.version,
      ...(sha256 !== undefined && { secondLookSha256: sha256 }),
    };
    this.#rules = toRulePlanes(facts.planes);
    this.#scorer = new WindowScorer(facts, new WeightTable(records), this.#rules);
  }

  revise(heard: readonly HeardResult[], exchange: Exchange): readonly HeardResult[] {
    if (!heard.some(({ rule }) => this.#planeOf(rule))) return heard;
    const scores = this.#score(heard, exchange);
    return heard.map((one) => {
      const { rule, result } = one;
      const plane = this.#planeOf(rule);
      const spot = plane && scores.spots[plane.own];
      const wording = listFound(result);
      if (!plane || (wording.length === 0 && !spot)) return one;
      return { rule, result: this.#weigh(rule, wording, spot, scores) };
    });
  }

  #planeOf({ id, withoutSecondLook }: DefinedRule): RulePlane | undefined {
    return withoutSecondLook ? undefined : this.#rules.get(id);
  }

  #score(heard: readonly HeardResult[], exchange: Exchange): Scores {
    const scores: Scores = { spots: [], findings: new Map() };
    const findings = listWordingFindings(heard);
    const least = this.#leastSumIn(exchange);
    for (const text of readWindows(exchange, this.#reader))
      this.#scorer.score(text, new WordingMap(text, findings), least, scores);
    return scores;
  }

  /** Returns a sum below which nothing is a candidate; none is too low where words were hidden. */
  #leastSumIn({ userMessage, agentResponse }: Exchange): number {
    const isHidden = [userMessage, agentResponse].some((text) => (text?.evasions.length ?? 0) > 0);
    const { curve, candidateThreshold } = this.#facts;
    // A confidence has been rounded.
    const least = sumOf(curve, candidateThreshold - 1 / DIGITS);
    return isHidden || least === undefined ? -Infinity : least;
  }

  /** @param wording - What the rule found. */
  #weigh(
    rule: DefinedRule,
    wording: readonly ComplianceViolation[],
    spot: Spot | undefined,
    { findings }: Scores,
  ): ComplianceResult {
    const { candidateThreshold } = this.#facts;
    const found = wording.flatMap((violation) => {
      const likeliest = findings.get(violation);
      // What is in no message, or behind the sentences that are looked at, keeps its confidence.
      if (!likeliest) return [violation];
      const confidence = this.#confidenceOf(likeliest);
      return confidence < candidateThreshold ? [] : [this.#judge(violation, confidence)];
    });
    const confidence = spot ? this.#confidenceOf(spot) : 0;
    if (spot && confidence >= candidateThreshold && mayAdd(rule)) {
      const learned = this.#describe(rule, spot, confidence);
      // A cue that is only shown must not stand for a warning.
      const isKnown = found.some((one) => one.severity !== "info" && overlap(one, learned));
      if (!isKnown) found.push(learned);
    }
    return toRuleResult(rule, found);
  }

  #confidenceOf({ text, sum }: Spot): number {
    const probability = probabilityOf(this.#facts.curve, sum);
    return Math.round(withEvasions(probability, text.text) * DIGITS) / DIGITS;
  }

  #describe(rule: DefinedRule, spot: Spot, confidence: number): ComplianceViolation {
    const { text, start, end } = spot.text.windowAt(spot.first, spot.count);
    const found = rule.describe({
      pattern: LEARNED_PATTERN,
      confidence: 0,
      // A model alone never says more.
      severity: rule.severity === "info" ? "info" : "warning",
      text,
      range: { start, end },
    });
    return this.#judge(found, confidence);
  }

  /** Adds the probability of its window, and the name of the model, to a finding. */
  #judge(violation: ComplianceViolation, confidence: number): ComplianceViolation {
    return { ...violation, confidence, context: { ...violation.context, ...this.#origin } };
  }
}
