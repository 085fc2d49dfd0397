import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pii, PIIConfig } from "@openai/guardrails/dist/checks/pii.js";
import { builtInRules, ComplianceEngine } from "agent-monitor/testing";
import { createRandom, createText, type TextKind } from "./banking-texts.ts";
import { KEYWORDS } from "./keywords.ts";
import { median } from "./statistics.ts";

const SHORT = 2 * 1024;
const LONG = 32 * 1024;
const WARM_UP = 500;
const LONG_WARM_UP = 200;
const SHORT_RUNS = 3000;
const LONG_RUNS = 400;
const ROUNDS = 15;
const TEXTS_PER_ROUND = 100;
const PROCESSES = 7;
/** Every so many texts have something to find. */
const FINDING_EVERY = 4;

/** Figures of the compliance engine, times in ms. */
export interface ComplianceFigures {
  /** In a process that has judged a few thousand answers, as one has that runs for minutes. */
  readonly p50Ms2k: number;
  readonly p99Ms2k: number;
  /** Behind the first 500 answers of a process, while V8 still compiles. */
  readonly youngP50Ms2k: number;
  readonly youngP99Ms2k: number;
  readonly p99Ms32k: number;
  /** The 99th percentile beside the median, for 2 KB. */
  readonly p99Vs50: number;
  /** Making an engine in a new process. */
  readonly constructMs: number;
  /** Reading the phrases in a new process, as an evaluation at once has to: first evaluation less the second. */
  readonly prepareMs: number;
  /** Beside the PII check of `@openai/guardrails` and a loop over 300 keywords. */
  readonly vsNaive: number;
  readonly naiveMs: number;
  /** Time for 32 KB beside 16 times the time for 2 KB. */
  readonly linearity: number;
}

const random = createRandom(20_261_121);
const engine = new ComplianceEngine({
  // It stands still for the engine: a rule that is slow must count, not be skipped.
  clock: { now: () => Date.now(), monotonic: () => 0, schedule: () => () => undefined },
  log: { log: () => undefined, flush: () => undefined },
  rules: builtInRules,
});
let count = 0;

function nextText(kind: TextKind): string {
  return createText(random, { hasFindings: count % FINDING_EVERY === 0, ...kind });
}

/** Evaluates an answer with all rules and gives the time that it took, in ms. */
function evaluate(agentResponse: string): number {
  const context = {
    agentId: "assistant",
    agentCategory: "tool_calling",
    // Sessions have several turns, as they do where it runs.
    sessionId: `session-${count++ >> 2}`,
    timestamp: Date.now(),
    userMessage: "Can you tell me more about this, please?",
    agentResponse,
  } as const;
  const startedAt = performance.now();
  const { metadata } = engine.evaluate(context);
  const millis = performance.now() - startedAt;
  if (metadata.rulesEvaluated !== builtInRules.length)
    throw new Error(`bench: ${metadata.rulesEvaluated} of ${builtInRules.length} rules evaluated`);
  return millis;
}

function measure(runs: number, kind: TextKind): number[] {
  const times = Array.from({ length: runs }, () => evaluate(nextText(kind)));
  return times.toSorted((a, b) => a - b);
}

const NAIVE_CONFIG = PIIConfig.parse({ block: true });

/** What a team would write by itself: the check of a library for personal data, and words to look for. */
async function checkNaively(text: string): Promise<number> {
  const startedAt = performance.now();
  await pii({}, text, NAIVE_CONFIG);
  const lowered = text.toLowerCase();
  let found = 0;
  for (const keyword of KEYWORDS) if (lowered.includes(keyword)) found++;
  const millis = performance.now() - startedAt;
  if (found === 0) throw new Error("bench: the keywords find nothing");
  return millis;
}

/** Measures both in turn, text by text. */
async function compare(): Promise<{ vsNaive: number; naiveMs: number }> {
  const ratios: number[] = [];
  const naive: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sums = { engine: 0, naive: 0 };
    for (let index = 0; index < TEXTS_PER_ROUND; index++) {
      const text = nextText({ length: SHORT });
      sums.engine += evaluate(text);
      const millis = await checkNaively(text);
      sums.naive += millis;
      naive.push(millis);
    }
    ratios.push(sums.engine / sums.naive);
  }
  return { vsNaive: median(ratios), naiveMs: median(naive) };
}

const CONSTRUCTION = `
  const { builtInRules, ComplianceEngine } = await import("agent-monitor/testing");
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), schedule: () => () => undefined };
  const log = { log: () => undefined, flush: () => undefined };
  const context = { agentId: "a", agentCategory: "persona", sessionId: "s", timestamp: 0, agentResponse: process.argv[1] };
  const startedAt = performance.now();
  const engine = new ComplianceEngine({ clock, log, rules: builtInRules });
  const madeAt = performance.now();
  engine.evaluate(context);
  const firstAt = performance.now();
  engine.evaluate(context);
  console.log(madeAt - startedAt, firstAt - madeAt - (performance.now() - firstAt));
`;

/** Measures making an engine in a new process, and what is put off until the first evaluation or an idle moment. */
function measureConstruction(): { constructMs: number; prepareMs: number } {
  const options = { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" as const };
  const times = Array.from({ length: PROCESSES }, () => {
    const args = ["--input-type=module", "-e", CONSTRUCTION, nextText({ length: SHORT })];
    const [made = Number.NaN, prepared = Number.NaN] = execFileSync(process.execPath, args, options)
      .split(" ")
      .map(Number);
    return { made, prepared };
  });
  return {
    constructMs: median(times.map(({ made }) => made)),
    prepareMs: median(times.map(({ prepared }) => prepared)),
  };
}

/** Measures the engine with all built-in rules on answers of a bank. */
export async function measureCompliance(): Promise<ComplianceFigures> {
  measure(WARM_UP, { length: SHORT });
  const young = measure(SHORT_RUNS, { length: SHORT });
  measure(LONG_WARM_UP, { length: LONG, isInternational: true });
  const short = measure(SHORT_RUNS, { length: SHORT });
  const international = measure(LONG_RUNS, { length: LONG, isInternational: true });
  const long = measure(LONG_RUNS, { length: LONG });
  const percentile = (times: readonly number[], share: number): number =>
    times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    p50Ms2k: percentile(short, 0.5),
    p99Ms2k: percentile(short, 0.99),
    youngP50Ms2k: percentile(young, 0.5),
    youngP99Ms2k: percentile(young, 0.99),
    p99Ms32k: percentile(international, 0.99),
    p99Vs50: percentile(short, 0.99) / percentile(short, 0.5),
    ...measureConstruction(),
    ...(await compare()),
    linearity: percentile(long, 0.5) / percentile(short, 0.5) / (LONG / SHORT),
  };
}
