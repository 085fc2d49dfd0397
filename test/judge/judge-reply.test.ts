import { describe, expect, it } from "vitest";
import { readReply } from "../../src/judge/judge-reply.ts";

const FINDING = { ruleId: "privacy-secret", quote: "hunter2", reason: "a secret", confidence: 0.9 };
const WHOLE = JSON.stringify({ findings: [FINDING] });

describe("readReply", () => {
  it.each([
    ["text", WHOLE],
    ["an object", { findings: [FINDING] }],
    ["text in a fence", `\`\`\`json\n${WHOLE}\n\`\`\``],
    ["text with what the provider says", { content: WHOLE, finishReason: "stop" }],
    ["an object with what the provider says", { content: { findings: [FINDING] } }],
  ])("reads %s", (_, reply) => {
    expect(readReply(reply)).toMatchObject({ claims: [FINDING] });
  });

  it("takes an empty list for nothing found", () => {
    const reply = readReply('{"findings": []}');
    expect(reply.claims).toEqual([]);
    expect(reply.failure).toBeUndefined();
  });

  it.each([
    ["empty", ""],
    ["not_json", WHOLE.slice(0, -5)],
    ["not_json", "I found nothing wrong with this answer."],
    ["not_json", "<html><body>502 Bad Gateway</body></html>"],
    ["not_schema", "[]"],
    ["not_schema", "{}"],
    ["not_schema", '{"findings": null}'],
    ["not_schema", { findings: [{ ...FINDING, confidence: "high" }] }],
    ["not_schema", undefined],
    ["not_schema", { content: undefined }],
    ["too_long", `{"findings": [], "more": "${"x".repeat(10_000_000)}"}`],
    ["truncated", { content: '{"findings": []}', finishReason: "length" }],
    ["truncated", { content: '{"findings": []}', finishReason: "max_tokens" }],
  ])("says why it is none: %s", (failure, reply) => {
    const read = readReply(reply);
    expect(read.failure).toBe(failure);
    expect(read.claims).toBeUndefined();
  });

  it("keeps what the provider says", () => {
    const usage = { inputTokens: 4000, outputTokens: 30, cost: 0.002 };
    const reply = readReply({ content: WHOLE, finishReason: "stop", model: "m-1", usage });
    expect(reply).toMatchObject({
      finishReason: "stop",
      model: "m-1",
      usage,
      length: WHOLE.length,
    });
  });

  it("reads a reply whose usage is nonsense", () => {
    const reply = readReply({ content: WHOLE, usage: { inputTokens: "many" } });
    expect(reply.claims).toHaveLength(1);
    expect(reply.usage).toBeUndefined();
  });

  it("reads what breaks off in a fence, however long, without looking at it time and again", () => {
    expect(readReply(`\`\`\`json${"\n".repeat(60_000)}x`).failure).toBe("not_json");
    expect(readReply(`\`\`\`json\n${WHOLE}\n\n\`\`\`  `).claims).toHaveLength(1);
  });

  it("keeps the tokens of a reply whose cost is nonsense", () => {
    const usage = { inputTokens: 4000, outputTokens: 30, cost: null };
    expect(readReply({ content: WHOLE, usage }).usage).toEqual({
      inputTokens: 4000,
      outputTokens: 30,
    });
  });

  it("survives a reply that throws when it is read", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        has: () => {
          throw new Error("no");
        },
      },
    );
    expect(readReply(hostile).failure).toBe("not_schema");
  });
});
