import { expect } from "vitest";
import type { DetailedEvent } from "../../../src/events/detailed-event.ts";
import { readJudgeResult, type JudgeResult } from "../../../src/events/judge-result.ts";
import type { JudgeStats } from "../../../src/judge/judge-stats.ts";
import type { JudgedPlan } from "../../fixtures/faults/judged.ts";
import { startChild, type Child, type StartOptions } from "./child.ts";
import type { JudgingModel, ModelCall, ModelReply } from "./judging-model.ts";
import type { Receiver } from "./receiver.ts";
import { expectBalanced, expectIntact } from "./verdict.ts";

/** What the first stage finds in every answer. */
const RULE = "consumer-protection-guaranteed-returns";
export const QUOTE = "can't lose money";
/** Stands in every answer; no log line may hold it. */
export const SECRET = "Wintergarden";

/** A reply of a model that shares the finding. */
export const CONFIRMS: ModelReply = {
  body: {
    content: JSON.stringify({
      findings: [{ ruleId: RULE, quote: QUOTE, reason: "It promises.", confidence: 0.9 }],
    }),
    model: "scripted-1",
  },
};

/** Id that an application has promised of an answer, as it stands in the question of the judge. */
export const toAnswerId = ({ user }: ModelCall): string => /\S+\.answer-\d+/.exec(user)?.[0] ?? "";

/** What changes of a life. */
export interface LifeChanges extends Partial<Omit<JudgedPlan, "monitor" | "judge">> {
  readonly monitor?: JudgedPlan["monitor"];
  readonly judge?: JudgedPlan["judge"];
}

/** A life that tracks three answers, each with a finding, keeps them in memory and shuts down. */
export function toJudgedPlan(
  { url: endpoint }: Receiver,
  { url: modelUrl }: JudgingModel,
  { monitor, judge, ...changes }: LifeChanges = {},
): JudgedPlan {
  return {
    name: "life",
    count: 3,
    question: "Is the fund safe?",
    answer: `You ${QUOTE} in the ${SECRET} fund.`,
    modelUrl,
    monitor: {
      endpoint,
      flushInterval: 100,
      retryAttempts: 1,
      retryDelay: 20,
      shutdownTimeout: 30_000,
      enableLogging: true,
      logLevel: "debug",
      ...monitor,
    },
    judge: { gate: "findings", sampleRate: 0, ...judge },
    end: "shutdown",
    ...changes,
  };
}

export function startJudged(plan: JudgedPlan, options?: StartOptions): Child {
  return startChild(plan, { program: "judged", ...options });
}

/** Events that the platform has, each once. */
export function readEvents({ batches }: Pick<Receiver, "batches">): DetailedEvent[] {
  const events = batches.flatMap(
    ({ batch }) => (batch as { readonly events: readonly DetailedEvent[] }).events,
  );
  return [...new Map(events.map((event) => [event.eventId, event])).values()];
}

/** What the judge says, as the platform has it. */
export const readJudgeResults = (receiver: Receiver): JudgeResult[] =>
  readEvents(receiver)
    .map(readJudgeResult)
    .filter((result) => result !== undefined);

/** Checks that every answer ended as judged or dropped, or waits. */
export function expectJudgeBalanced(judge: JudgeStats | undefined): void {
  expect(judge, "the process has told the books of its judge").toBeDefined();
  const { submitted = 0, recovered = 0, judged = 0, pending = 0, dropped = {} } = judge ?? {};
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  expect(judged + pending + lost).toBe(submitted + recovered);
}

/** Checks what a process has told of its judge; an object there is all that there may be. */
export function expectJudge({ stats }: Pick<Child, "stats">, expected: Partial<JudgeStats>): void {
  expectJudgeBalanced(stats?.judge);
  expect(stats?.judge).toEqual(expect.objectContaining(expected));
}

/** Checks that a life has ended as its application wanted, in no log line with what was said, and its books in balance. */
export async function expectEnded(child: Child, code = 5): Promise<string> {
  const ending = await child.ended;
  expect(ending, ending.stderr).toMatchObject({ code, signal: null });
  expectDiscreet(ending.stderr);
  return ending.stderr;
}

/** Checks that a log holds nothing of what was said. */
export function expectDiscreet(stderr: string): void {
  for (const said of [SECRET, QUOTE, "Is the fund safe"]) expect(stderr).not.toContain(said);
}

/**
 * Checks that the platform has everything that was promised, each answer with what the first stage found in it, and that the books
 * balance.
 *
 * @param last - The one that has delivered the rest.
 */
export async function expectAllThere(
  receiver: Receiver,
  lives: readonly Pick<Child, "promised">[],
  { stats }: Pick<Child, "stats">,
): Promise<void> {
  const said = readEvents(receiver).filter(
    (event) =>
      event.interactionType === "user_message" || event.interactionType === "agent_response",
  );
  const ids = new Set(said.map(({ content }) => content.split(" ", 1)[0]));
  expect(ids.size, "events that are stored under two ids").toBe(said.length);
  expect(ids).toEqual(new Set(lives.flatMap(({ promised }) => promised)));
  for (const event of said) {
    if (event.interactionType !== "agent_response") continue;
    expect(event.complianceFlags?.map(({ rule }) => rule)).toEqual([RULE]);
    expect(event.requiresReview).toBe(true);
  }
  await expectIntact(receiver);
  expectBalanced(stats);
  expect(stats).toMatchObject({ pending: 0, dead: 0, dropped: 0 });
  expectJudgeBalanced(stats?.judge);
}
