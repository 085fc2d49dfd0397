import type { ComplianceResult, ComplianceViolation } from "../../events/compliance.ts";
import type { DefinedRule } from "../define-rule.ts";
import { overlaps, passageOf } from "../passages.ts";
import { toRuleResult, withEvasions } from "../rule-result.ts";
import type { Exchange } from "../text/exchange.ts";
import { probabilityOf, toRulePlanes, type LearnedModel, type RulePlane } from "./learned-model.ts";
import { FeatureReader } from "./sentence-features.ts";
import { WeightTable } from "./weight-table.ts";
import { readWindows, type Window, type WindowedText } from "./windows.ts";
import { isShort, listWordingFindings, WordingMap, type HeardResult } from "./wording-features.ts";

/** Looks again at what the built-in rules found, when all of them have been heard. */
export interface SecondLook {
  /** Gives the results as they are after the second look, in the same order. */
  revise(heard: readonly HeardResult[], exchange: Exchange): readonly HeardResult[];
}

/** The window in which a rule is likeliest to be broken. */
interface Spot {
  readonly window: Window;
  readonly sum: number;
}

/** What the model makes of an exchange, by the numbers of planes. */
interface Looked {
  /** For each rule, of the windows in which it is the likeliest of its area. */
  readonly spots: ReadonlyMap<number, Spot>;
  /** For each finding of wording, of the windows that have a part of it. */
  readonly findings: ReadonlyMap<ComplianceViolation, Spot>;
}

const LEARNED_PATTERN = "learned";
const DIGITS = 1000;

function overlap(one: ComplianceViolation, other: ComplianceViolation): boolean {
  const [first, second] = [passageOf(one), passageOf(other)];
  return first !== undefined && second !== undefined && overlaps(first, second);
}

function addAll(sums: Float64Array, others: Float64Array): void {
  for (let plane = 0; plane < sums.length; plane++)
    sums[plane] = (sums[plane] ?? 0) + (others[plane] ?? 0);
}

function keepHighest<Key>(spots: Map<Key, Spot>, key: Key, spot: Spot): void {
  const best = spots.get(key);
  if (!best || spot.sum > best.sum) spots.set(key, spot);
}

/**
 * Looks again with weights that were learned of labelled texts: confirms what wording found, makes it a candidate or drops it,
 * and finds passages of its own.
 *
 * What digits or tools prove, and what is in no message, needs no second look.
 */
export class LearnedSecondLook implements SecondLook {
  readonly #model: LearnedModel;
  readonly #table: WeightTable;
  readonly #rules: ReadonlyMap<string, RulePlane>;
  readonly #biases: Float64Array;
  readonly #reader = new FeatureReader();

  constructor(model: LearnedModel) {
    this.#model = model;
    this.#table = new WeightTable(model);
    this.#rules = toRulePlanes(model.facts.planes);
    this.#biases = Float64Array.from(model.facts.planes, ({ bias }) => bias);
  }

  revise(heard: readonly HeardResult[], exchange: Exchange): readonly HeardResult[] {
    if (!heard.some(({ rule }) => this.#rules.has(rule.id))) return heard;
    const looked = this.#look(heard, exchange);
    return heard.map((one) => {
      const plane = this.#rules.get(one.rule.id);
      return plane ? { rule: one.rule, result: this.#reviseOne(one, plane, looked) } : one;
    });
  }

  #look(heard: readonly HeardResult[], exchange: Exchange): Looked {
    const spots = new Map<number, Spot>();
    const looked = new Map<ComplianceViolation, Spot>();
    const findings = listWordingFindings(heard);
    for (const text of readWindows(exchange, this.#reader)) {
      const wording = new WordingMap(text, findings);
      for (const [window, sums] of this.#sumWindows(text, wording)) {
        const toSpot = ({ own, area }: RulePlane): Spot => ({
          window,
          sum: (sums[area] ?? 0) + (sums[own] ?? 0) - this.#penaltyOf(window),
        });
        for (const plane of this.#likeliestRules(sums))
          keepHighest(spots, plane.own, toSpot(plane));
        for (const { rule, violation } of wording.in(window)) {
          const plane = this.#rules.get(rule.id);
          // In a short message little else can be meant than what a tool contradicts.
          const isProven = plane?.confirmsOnly === true && isShort(window);
          if (plane && !isProven) keepHighest(looked, violation, toSpot(plane));
        }
      }
    }
    return { spots, findings: looked };
  }

  #penaltyOf({ length }: Window): number {
    return this.#model.facts.lengthPenalty * Math.log(length);
  }

  /** Gives each window with a sum for each plane. */
  *#sumWindows(
    { sentences, context, windows }: WindowedText,
    wording: WordingMap,
  ): Iterable<[Window, Float64Array]> {
    const around = Float64Array.from(this.#biases);
    this.#table.addTo(around, context);
    const bySentence = new Map(
      sentences.map((sentence) => {
        const sums = new Float64Array(this.#biases.length);
        this.#table.addTo(sums, sentence.features);
        return [sentence, sums];
      }),
    );
    for (const window of windows) {
      const sums = Float64Array.from(around);
      for (const sentence of window.sentences) {
        const own = bySentence.get(sentence);
        if (own) addAll(sums, own);
      }
      this.#table.addTo(sums, wording.featuresOf(window));
      yield [window, sums];
    }
  }

  /** Gives for each area of law the rule for which a window speaks most. */
  #likeliestRules(sums: Float64Array): Iterable<RulePlane> {
    const best = new Map<number, RulePlane>();
    for (const plane of this.#rules.values()) {
      if (plane.confirmsOnly) continue;
      const known = best.get(plane.area);
      if (!known || (sums[plane.own] ?? 0) > (sums[known.own] ?? 0)) best.set(plane.area, plane);
    }
    return best.values();
  }

  #reviseOne({ rule, result }: HeardResult, { own }: RulePlane, looked: Looked): ComplianceResult {
    const { candidateThreshold } = this.#model.facts;
    const wording = [...result.violations, ...(result.candidates ?? [])];
    const found = wording.flatMap((violation) => {
      const spot = looked.findings.get(violation);
      // What is in no message, or behind the sentences that are looked at, keeps its confidence.
      if (!spot) return [violation];
      const confidence = this.#confidenceOf(spot);
      return confidence < candidateThreshold ? [] : [{ ...violation, confidence }];
    });
    const spot = looked.spots.get(own);
    if (spot && this.#confidenceOf(spot) >= candidateThreshold) {
      const learned = this.#describe(rule, spot);
      // A cue that is only shown must not stand for a warning.
      const isKnown = found.some((one) => one.severity !== "info" && overlap(one, learned));
      if (!isKnown) found.push(learned);
    }
    return wording.length === 0 && found.length === 0 ? result : toRuleResult(rule, found);
  }

  #confidenceOf({ window, sum }: Spot): number {
    const probability = probabilityOf(this.#model.facts.curve, sum);
    return Math.round(withEvasions(probability, window.text) * DIGITS) / DIGITS;
  }

  #describe(rule: DefinedRule, spot: Spot): ComplianceViolation {
    const { text, start, end } = spot.window;
    return {
      ...rule.describe({
        pattern: LEARNED_PATTERN,
        confidence: 0,
        // A model alone never says more.
        severity: rule.severity === "info" ? "info" : "warning",
        text,
        range: { start, end },
      }),
      confidence: this.#confidenceOf(spot),
    };
  }
}
