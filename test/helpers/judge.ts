import {
  judgeOptionsSchema,
  type JudgeModel,
  type JudgeOptions,
} from "../../src/config/judge-options.ts";
import type { JudgeRule, JudgeTask } from "../../src/judge/judge-task.ts";
import type { JudgeWork, Judged } from "../../src/judge/judgement.ts";
import { Judge } from "../../src/judge/judge.ts";
import { createBurstLogger } from "../../src/util/logger.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";

/** A reply that finds nothing. */
export const CLEAN = JSON.stringify({ findings: [] });

const toRule = (category: JudgeRule["category"]): JudgeRule => ({
  id: `${category.replaceAll("_", "-")}-rule`,
  title: "A rule",
  category,
  severity: "warning",
  description: "Promise nothing.",
  violating: [],
  compliant: [],
});

/** One rule of each family that tasks name. */
export const JUDGE_RULES = [toRule("bsa_aml"), toRule("privacy"), toRule("custom")];

/** Makes an answer that is to be judged. */
export function toTask(number: number, overrides: Partial<JudgeTask> = {}): JudgeTask {
  return {
    answer: {
      eventId: `event-${number}`,
      agentId: "agent",
      sessionId: "session",
      requestId: "request",
    },
    reason: "finding",
    families: ["bsa_aml"],
    exchange: { earlier: [], userMessage: "May I?", agentResponse: `Answer number ${number}.` },
    at: 1_700_000_000_000,
    ...overrides,
  };
}

/** A judge with a scripted model, on a clock that a test moves. */
export interface JudgeSetUp {
  readonly judge: Judge;
  readonly clock: FakeClock;
  readonly judged: Judged[];
  readonly lines: string[];
}

/** Makes a judge. Default: it tells of what it has judged, and counts nothing. */
export function setUpJudge(
  model: JudgeModel,
  options: Partial<JudgeOptions> = {},
  work: Partial<JudgeWork> = {},
): JudgeSetUp {
  const clock = createFakeClock();
  const lines: string[] = [];
  const judged: Judged[] = [];
  const write = (message: string): void => void lines.push(message);
  const log = createBurstLogger({ debug: write, info: write, warn: write, error: write }, clock);
  const judge = new Judge({
    options: judgeOptionsSchema.parse({ model, ...options }),
    clock,
    log,
    rules: () => JUDGE_RULES,
    toVisible: (exchange) => exchange,
    onJudged: (one) => {
      judged.push(one);
      return { findings: one.judgement.claims.length, confirmed: 0, contradicted: 0 };
    },
    isolate: (run) => run(),
    ...work,
  });
  return { judge, clock, judged, lines };
}
