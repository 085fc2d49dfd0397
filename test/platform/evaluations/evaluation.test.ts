import fc from "fast-check";
import { expect, it } from "vitest";
import { toEvaluation, toLogsRequest } from "../../../src/platform/evaluations/evaluation.ts";
import { decodeLogs } from "../../../src/platform/otlp/decode-telemetry.ts";
import { runSteps } from "../../../src/platform/turns.ts";

const DECIDED = {
  organizationId: "first-bank",
  key: "key-1",
  conversationId: "session-1",
  agentId: "agent-1",
  findingId: "finding-1",
  disposition: "violation",
  reasonCode: null,
  at: 1_795_000_000_123,
  auditSequence: 7,
  rule: "a-rule",
  category: "privacy",
  agentVersion: "",
  environment: "production",
  answerId: "answer-1",
  metadata: {},
};

it("takes ids alone out of an application's metadata, whatever is in it", () => {
  const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constant("0".repeat(32)));
  const metadata = fc.record({ traceId: value, spanId: value, responseId: value });
  fc.assert(
    fc.property(metadata, (given) => {
      const { traceId, spanId, attributes } = toEvaluation({ ...DECIDED, metadata: given });
      expect(traceId ?? "a".repeat(32)).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId ?? "a".repeat(16)).toMatch(/^[0-9a-f]{16}$/);
      expect(attributes["gen_ai.response.id"] ?? "id").toMatch(/^[\w.:/-]+$/);
    }),
  );
});

it("is known by what was decided, when and where, and by nothing else", () => {
  const id = (more: object) => toEvaluation({ ...DECIDED, ...more }).attributes["log.record.uid"];
  expect(id({ metadata: { traceId: "a" }, agentVersion: "2" })).toBe(id({}));
  for (const other of [
    { organizationId: "b" },
    { key: "b" },
    { findingId: "" },
    { at: 2 },
    { auditSequence: 8 },
  ])
    expect(id(other)).not.toBe(id({}));
});

it("is read by a receiver as it was written", () => {
  const ids = { traceId: "a".repeat(32), spanId: "b".repeat(16) };
  const evaluations = [ids, {}].map((metadata) => toEvaluation({ ...DECIDED, metadata }));
  const received = runSteps(decodeLogs(JSON.parse(toLogsRequest(evaluations, "first-bank"))));
  expect(received.rejected).toBe(0);
  expect(received.items).toMatchObject([
    { attributes: evaluations[0]?.attributes, spanContext: ids, hrTime: [1_795_000_000, 123e6] },
    { attributes: evaluations[1]?.attributes, eventName: "gen_ai.evaluation.result" },
  ]);
});
