import { describe, expect, it } from "vitest";
import { AnswerMemory } from "../../src/bridge/answer-memory.ts";

describe("AnswerMemory", () => {
  const memory = new AnswerMemory<number>();
  memory.remember("t1", { userMessage: "May I?", agentResponse: "Yes." }, 1);

  it("finds the same answer in the same trace", () => {
    expect(memory.find("t1", { userMessage: "May I?", agentResponse: " Yes.\n" })).toBe(1);
    expect(memory.find("t1", { agentResponse: "Yes." })).toBe(1);
  });

  it("knows nothing of other answers, other questions and other traces", () => {
    expect(memory.find("t1", { agentResponse: "No." })).toBeUndefined();
    expect(memory.find("t1", { userMessage: "Must I?", agentResponse: "Yes." })).toBeUndefined();
    expect(memory.find("t2", { agentResponse: "Yes." })).toBeUndefined();
  });

  it("tells long answers apart by their ends and their length", () => {
    const middle = "x".repeat(100_000);
    memory.remember("t3", { agentResponse: `a${middle}b` }, 3);
    expect(memory.find("t3", { agentResponse: `a${middle}b` })).toBe(3);
    expect(memory.find("t3", { agentResponse: `a${middle}c` })).toBeUndefined();
    expect(memory.find("t3", { agentResponse: `a${middle}xb` })).toBeUndefined();
  });
});
