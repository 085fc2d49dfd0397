import type { ComplianceViolation } from "../../events/compliance.ts";
import { listAreas, type Area, type ModelFacts, type RulePlane } from "./learned-model.ts";
import type { WeightTable } from "./weight-table.ts";
import type { Window, WindowedText } from "./windows.ts";
import type { WordingMap } from "./wording-features.ts";

/** A message of so many sentences says little beside what a tool contradicts in it. */
const MAX_PROVEN = 2;

/** Returns whether what wording finds stands as it is: an answer of one sentence says nothing else that could have been meant. */
function isProven({ confirmsOnly }: RulePlane, { text, length }: Window): boolean {
  const isAlone = length === 1 && text.source === "agentResponse";
  return isAlone || (confirmsOnly && length <= MAX_PROVEN);
}

/** A window, and how much in it speaks for a rule. */
export interface Spot {
  readonly text: WindowedText;
  /** Index of its first sentence. */
  readonly first: number;
  /** Number of its sentences. */
  readonly count: number;
  readonly sum: number;
}

/** What the model makes of an exchange. */
export interface Scores {
  /** For each rule, by its plane, the likeliest of the windows in which it is the likeliest of its area. */
  readonly spots: (Spot | undefined)[];
  /** For each finding of wording the likeliest of the windows that have a part of it. */
  readonly findings: Map<ComplianceViolation, Spot>;
}

/** A message that is being scored. */
interface Message {
  readonly text: WindowedText;
  readonly wording: WordingMap;
  /** Taken off each sum, for the length of the message. */
  readonly penalty: number;
  /** What an area and one of its rules must come to before that is taken off. */
  readonly least: number;
  readonly scores: Scores;
}

/** A window that comes this close to what is asked for is looked at: sums of fractions are rounded. */
const ROUNDING = 1e-6;

/**
 * Sums up what speaks for each rule in the windows of messages.
 *
 * Weights are summed in whole steps, so that the same words have the same sum in whatever order they stand.
 */
export class WindowScorer {
  readonly #table: WeightTable;
  readonly #rules: ReadonlyMap<string, RulePlane>;
  readonly #areas: readonly Area[];
  readonly #lengthPenalty: number;
  readonly #biases: Float64Array;
  readonly #nothing: Float64Array;
  readonly #scales: Float64Array;
  /** Steps for each plane: of what goes with each window, of the sentence before, of the sentence, and of the window. */
  readonly #around: Int32Array;
  #before: Int32Array;
  #own: Int32Array;
  readonly #steps: Int32Array;
  /** For each area the most that these can add to it and one of its rules: of all, of the sentence before, of the sentence. */
  readonly #mostAround: Float64Array;
  #mostBefore: Float64Array;
  #mostOwn: Float64Array;

  constructor(
    { planes, lengthPenalty }: ModelFacts,
    table: WeightTable,
    rules: ReadonlyMap<string, RulePlane>,
  ) {
    this.#table = table;
    this.#rules = rules;
    this.#areas = listAreas(rules.values());
    this.#lengthPenalty = lengthPenalty;
    this.#biases = Float64Array.from(planes, ({ bias }) => bias);
    this.#scales = Float64Array.from(planes, ({ scale }) => scale);
    this.#nothing = new Float64Array(planes.length);
    this.#around = new Int32Array(planes.length);
    this.#before = new Int32Array(planes.length);
    this.#own = new Int32Array(planes.length);
    this.#steps = new Int32Array(planes.length);
    this.#mostAround = new Float64Array(this.#areas.length);
    this.#mostBefore = new Float64Array(this.#areas.length);
    this.#mostOwn = new Float64Array(this.#areas.length);
  }

  /**
   * Scores the windows of a message: each sentence, and each two neighbours.
   *
   * @param least - Windows with less for an area and one of its rules may be left out, unless wording found something there.
   */
  score(text: WindowedText, wording: WordingMap, least: number, scores: Scores): void {
    const { sentences, context } = text;
    const penalty = this.#lengthPenalty * Math.log(sentences.length);
    const message: Message = { text, wording, penalty, least: least + penalty - ROUNDING, scores };
    this.#table.addTo(this.#around.fill(0), context);
    this.#sumMost(this.#around, this.#biases, this.#mostAround);
    let index = 0;
    for (const { features } of sentences) {
      [this.#before, this.#own] = [this.#own, this.#before];
      [this.#mostBefore, this.#mostOwn] = [this.#mostOwn, this.#mostBefore];
      this.#table.addTo(this.#own.fill(0), features);
      this.#sumMost(this.#own, this.#nothing, this.#mostOwn);
      if (index > 0) this.#scoreWindow(message, index - 1, 2);
      this.#scoreWindow(message, index++, 1);
    }
  }

  /** Sums up the most that steps, and what was there before, add to each area and one of its rules. */
  #sumMost(steps: Int32Array, before: Float64Array, most: Float64Array): void {
    const scales = this.#scales;
    const valueOf = (plane: number): number =>
      (before[plane] ?? 0) + (scales[plane] ?? 0) * (steps[plane] ?? 0);
    let area = 0;
    for (const { plane, rules } of this.#areas) {
      let best = -Infinity;
      for (const rule of rules) best = Math.max(best, valueOf(rule));
      most[area++] = valueOf(plane) + best;
    }
  }

  /** Returns whether the last sentences, one or two, may come to as much as is asked for. */
  #mayReach(least: number, count: number): boolean {
    for (let area = 0; area < this.#areas.length; area++) {
      const before = count > 1 ? (this.#mostBefore[area] ?? 0) : 0;
      if ((this.#mostAround[area] ?? 0) + before + (this.#mostOwn[area] ?? 0) >= least) return true;
    }
    return false;
  }

  #scoreWindow(message: Message, first: number, count: number): void {
    const { text, wording, scores } = message;
    const [start, last] = [text.sentences[first], text.sentences[first + count - 1]];
    const isTouched = start && last && wording.touches(start, last);
    if (!isTouched && !this.#mayReach(message.least, count)) return;
    this.#sumSentences(count);
    const window = isTouched ? text.windowAt(first, count) : undefined;
    if (window) this.#table.addTo(this.#steps, wording.featuresOf(window));
    for (const { plane, rules } of this.#areas) {
      const rule = this.#likeliest(rules);
      const sum = this.#valueOf(plane) + this.#valueOf(rule) - message.penalty;
      const known = scores.spots[rule];
      if (!known || sum > known.sum) scores.spots[rule] = { text, first, count, sum };
    }
    if (window) this.#scoreFindings(message, window, { text, first, count, sum: 0 });
  }

  /** Scores a window for what wording found in it. */
  #scoreFindings({ wording, penalty, scores }: Message, window: Window, spot: Spot): void {
    for (const { rule, violation } of wording.in(window)) {
      const plane = this.#rules.get(rule.id);
      if (!plane || isProven(plane, window)) continue;
      const sum = this.#valueOf(plane.area) + this.#valueOf(plane.own) - penalty;
      const known = scores.findings.get(violation);
      if (!known || sum > known.sum) scores.findings.set(violation, { ...spot, sum });
    }
  }

  /** Sums up the last sentences, one or two. */
  #sumSentences(count: number): void {
    const steps = this.#steps;
    for (let plane = 0; plane < steps.length; plane++)
      steps[plane] = (this.#around[plane] ?? 0) + (this.#own[plane] ?? 0);
    if (count === 1) return;
    for (let plane = 0; plane < steps.length; plane++)
      steps[plane] = (steps[plane] ?? 0) + (this.#before[plane] ?? 0);
  }

  #valueOf(plane: number): number {
    return (this.#biases[plane] ?? 0) + (this.#scales[plane] ?? 0) * (this.#steps[plane] ?? 0);
  }

  /** Returns the rule for which a window speaks most. */
  #likeliest(rules: readonly number[]): number {
    let [likeliest = 0] = rules;
    let most = this.#valueOf(likeliest);
    for (let at = 1; at < rules.length; at++) {
      const rule = rules[at] ?? 0;
      const value = this.#valueOf(rule);
      if (value > most) [likeliest, most] = [rule, value];
    }
    return likeliest;
  }
}
