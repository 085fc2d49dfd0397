import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ComplianceRule } from "../../src/events/compliance.ts";
import { loadCustomRules } from "./custom-rules.ts";
import { createEvaluator, type Prediction } from "./evaluate-items.ts";
import { readItems, readLines, type LabelledItem } from "./items.ts";
import { ORDINARY, recallOf, scoreItems, toShare, type Score, type Share } from "./score.ts";

const REPOSITORY = join(import.meta.dirname, "../..");

/** The project's own labelled cases. */
export const OWN_CASES = join(REPOSITORY, "test/fixtures/compliance");

/** Data beside the repository, which are not part of the project. */
export const SHARED_DATA = resolve(
  REPOSITORY,
  process.env["AGENT_MONITOR_COMPLIANCE_DATA"] ?? "../shared/compliance",
);

/** Time of an evaluation, in ms. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** How well and how fast a set was judged, and each of its files. */
export interface SetResult {
  readonly score: Score;
  readonly files: Readonly<Record<string, Score>>;
  readonly latency: Latency;
  /** Recall of the violations when they stand between two ordinary answers, as one paragraph of many. */
  readonly embeddedRecall: Share;
  /** Items for which the rules that they are about are not there. */
  readonly skipped: number;
}

/** How often conversations of everyday banking raise an alert. */
export interface BenignResult {
  readonly alertRate: Share;
  readonly exchanges: number;
  readonly latency: Latency;
  readonly alerts: readonly { readonly id: string; readonly rules: readonly string[] }[];
}

function toLatency(predictions: readonly Prediction<unknown>[]): Latency {
  const sorted = predictions.flatMap(({ millis }) => millis).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 1000) / 1000;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Loads the rules of the fixture, when it is there. */
function findCustomRules(): ComplianceRule[] | undefined {
  const path = join(SHARED_DATA, "custom-rules.json");
  return existsSync(path) ? loadCustomRules(path) : undefined;
}

const INTERVALS = [7, 13] as const;

/** Puts each violating answer between two ordinary ones, which are others for each. */
function embed(items: readonly LabelledItem[]): LabelledItem[] {
  const ordinary = items.flatMap(({ category, agentResponse }) =>
    category === ORDINARY && agentResponse !== undefined ? [agentResponse] : [],
  );
  if (ordinary.length === 0) return [];
  const violating = items.filter(
    (item) => item.label === "violation" && item.agentResponse !== undefined && !("turns" in item),
  );
  return violating.map((item, index) => {
    const [before, behind] = INTERVALS.map((step) => ordinary[(index * step) % ordinary.length]);
    return { ...item, agentResponse: [before, item.agentResponse, behind].join("\n\n") };
  });
}

/** Judges the labelled items of a file or a directory; `undefined` when there are none. */
export function measureSet(path: string): SetResult | undefined {
  const customRules = findCustomRules();
  const evaluate = createEvaluator(customRules ?? []);
  const files = new Map<string, Prediction<LabelledItem>[]>();
  let skipped = 0;
  for (const [name, items] of readItems(path)) {
    const known = items.filter(({ category }) => category !== "custom" || customRules);
    skipped += items.length - known.length;
    files.set(
      name,
      known.map((item) => evaluate(item)),
    );
  }
  const predictions = [...files.values()].flat();
  if (predictions.length === 0) return undefined;
  return {
    score: scoreItems(predictions),
    files: Object.fromEntries([...files].map(([name, judged]) => [name, scoreItems(judged)])),
    latency: toLatency(predictions),
    embeddedRecall: recallOf(
      embed(predictions.map(({ item }) => item)).map((item) => evaluate(item)),
    ),
    skipped,
  };
}

/** A neutral answer for queries that have none. */
const NEUTRAL_ANSWER = "Thank you for your message. I'm looking into it and will get back to you.";

interface BenignLine {
  readonly row?: number;
  readonly text?: string;
  readonly dialogueId?: string;
}

/** Judges a file of the shared data with queries or dialogues that are all fine; `undefined` when it is not there. */
export function measureBenign(name: string): BenignResult | undefined {
  const path = join(SHARED_DATA, name);
  if (!existsSync(path)) return undefined;
  const evaluate = createEvaluator([]);
  const predictions = readLines<BenignLine>(path).map((line) =>
    evaluate(
      line.text === undefined
        ? { ...line, id: line.dialogueId }
        : { id: line.row, userMessage: line.text, agentResponse: NEUTRAL_ANSWER },
    ),
  );
  const alarmed = predictions.filter(({ alerts }) => alerts.length > 0);
  return {
    alertRate: toShare(alarmed.length, predictions.length),
    exchanges: predictions.reduce((sum, { exchanges }) => sum + exchanges, 0),
    latency: toLatency(predictions),
    alerts: alarmed.map(({ item, alerts }) => ({
      id: String(item.id),
      rules: alerts.map(({ rule }) => rule),
    })),
  };
}
