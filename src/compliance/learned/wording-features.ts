import type { ComplianceResult, ComplianceViolation } from "../../events/compliance.ts";
import type { DefinedRule } from "../define-rule.ts";
import { overlaps, passageOf, type Passage } from "../passages.ts";
import { hashOf } from "../../phrases/word-hash.ts";
import type { Range } from "../../text/pattern.ts";
import type { TextSource } from "../../phrases/source-text.ts";
import type { SentenceFeatures } from "./sentence-features.ts";
import type { Window, WindowedText } from "./windows.ts";
import { toFeature } from "./word-features.ts";

/** A message of so many sentences is short: what wording finds there is seldom said in passing. */
const MAX_SHORT = 4;

/** What a rule found, before it is looked at again. */
export interface HeardResult {
  readonly rule: DefinedRule;
  readonly result: ComplianceResult;
}

/** A finding or candidate of wording that stands in a message. */
export interface WordingFinding {
  readonly rule: DefinedRule;
  readonly violation: ComplianceViolation;
  readonly passage: Passage;
}

/** Lists what a rule found, candidates included; most rules find nothing in most answers. */
export function listFound({
  violations,
  candidates,
}: ComplianceResult): readonly ComplianceViolation[] {
  return candidates ? [...violations, ...candidates] : violations;
}

/** Lists what the rules found in messages, candidates included. */
export function listWordingFindings(heard: readonly HeardResult[]): WordingFinding[] {
  const found: WordingFinding[] = [];
  for (const { rule, result } of heard) {
    for (const violation of listFound(result)) {
      const passage = passageOf(violation);
      if (passage) found.push({ rule, violation, passage });
    }
  }
  return found;
}

const toKeyFeature = (key: string): number => toFeature(hashOf(key));

/** Returns whether a window is of a short message. */
const isShort = ({ length }: Window): boolean => length <= MAX_SHORT;

/** Returns the features that a finding of a rule adds to windows of long messages, and of short ones. */
export function ruleFeaturesOf(rule: string): number[] {
  return [`rule:${rule}`, `short:${rule}`].map(toKeyFeature);
}

function featuresOf({ rule, violation }: WordingFinding, window: Window): number[] {
  const keys = isShort(window)
    ? [`short:${rule.category}`, `short:${rule.id}`]
    : [
        `category:${rule.category}`,
        `rule:${rule.id}`,
        `pattern:${violation.context?.detectedPattern}`,
      ];
  return keys.map(toKeyFeature);
}

/** Returns which findings stand in which window of a message, by their places in the original. */
export class WordingMap {
  readonly #source: TextSource;
  readonly #findings: readonly WordingFinding[];
  /** Of each sentence in the original, by its start in the normalised text. */
  readonly #places = new Map<number, Range>();

  constructor({ text, sentences }: WindowedText, findings: readonly WordingFinding[]) {
    this.#source = text.source;
    this.#findings = findings.filter(({ passage }) => passage.source === text.source);
    if (this.#findings.length === 0) return;
    for (const { range } of sentences) this.#places.set(range.start, text.normal.toOriginal(range));
  }

  /** Returns whether a window from one sentence to another has a part of a finding. */
  touches(first: SentenceFeatures, last: SentenceFeatures): boolean {
    if (this.#findings.length === 0) return false;
    const place = this.#placeOf(first, last);
    return this.#findings.some(({ passage }) => overlaps(passage, place));
  }

  /** Lists the findings of which a window has a part. */
  in({ sentences }: Window): readonly WordingFinding[] {
    const [first, last] = [sentences[0], sentences.at(-1)];
    if (!first || !last || this.#findings.length === 0) return [];
    const place = this.#placeOf(first, last);
    return this.#findings.filter(({ passage }) => overlaps(passage, place));
  }

  /** Returns the place in the original from one sentence to another. */
  #placeOf(first: SentenceFeatures, last: SentenceFeatures): Passage {
    return {
      source: this.#source,
      start: this.#places.get(first.range.start)?.start ?? 0,
      end: this.#places.get(last.range.start)?.end ?? 0,
    };
  }

  /** Lists the features that findings add to a window, each once. */
  featuresOf(window: Window): number[] {
    return [...new Set(this.in(window).flatMap((finding) => featuresOf(finding, window)))];
  }
}
