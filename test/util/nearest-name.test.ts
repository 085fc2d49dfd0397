import { describe, expect, it } from "vitest";
import { agentMonitoringConfigSchema } from "../../src/config/config.ts";
import { findNearestName, findSlip } from "../../src/util/nearest-name.ts";

const FIELDS = Object.keys(agentMonitoringConfigSchema.shape);

describe("findNearestName", () => {
  const OPTIONS = ["port", "otlpPort", "host", "apiKey", "organizationId", "database"];
  it.each([
    ["prot", "port"],
    ["Port", "port"],
    ["apikey", "apiKey"],
    ["api_key", "apiKey"],
    ["organisationId", "organizationId"],
    ["databse", "database"],
    ["retention", undefined],
  ])("takes %s among a few for %s", (given, known) => {
    expect(findNearestName(given, OPTIONS)).toBe(known);
  });

  it.each([
    ["redacted", "redact"],
    ["redaction", "redact"],
    ["contents", "content"],
    ["contentPolicy", "content"],
    ["encryptoin", "encryption"],
    ["encrypt", "encryption"],
    ["batchsize", "batchSize"],
    ["batch_size", "batchSize"],
    ["flushIntervall", "flushInterval"],
    ["apikey", "apiKey"],
    ["endpiont", "endpoint"],
    ["organisationId", "organizationId"],
    ["retryDelays", "retryDelay"],
  ])("takes %s for %s", (given, known) => {
    expect(findNearestName(given, FIELDS)).toBe(known);
  });

  it.each(["", "x", "constructor", "__proto__", "team", "region", "e".repeat(10_000)])(
    "takes %j for none",
    (given) => {
      expect(findNearestName(given, FIELDS)).toBeUndefined();
    },
  );

  it("finds every field with two letters swapped or one left out", () => {
    for (const field of FIELDS.filter(({ length }) => length > 3)) {
      expect(findNearestName(field.slice(0, 2) + field.slice(3), FIELDS), field).toBe(field);
      const swapped = field.slice(0, 1) + field[2] + field[1] + field.slice(3);
      expect(findNearestName(swapped, FIELDS), field).toBe(field);
    }
  });
});

describe("findSlip", () => {
  const KNOWN = ["content", "cost", "model", "channel", "customerTier", "sessionId", "llmLatency"];

  it.each([
    ["contnet", "content"],
    ["Content", "content"],
    ["csot", "cost"],
    ["channels", "channel"],
    ["llm_latency", "llmLatency"],
    ["llmLatncy", "llmLatency"],
    ["custmerTeir", "customerTier"],
    ["sessionID", "sessionId"],
  ])("takes %s for %s", (given, known) => {
    expect(findSlip(given, KNOWN)).toBe(known);
  });

  it.each([
    "host",
    "costs",
    "mode",
    "customer",
    "customerName",
    "costCenter",
    "channelId",
    "contact",
    "lesson",
    "x".repeat(10_000),
  ])("takes %s for a name of the caller's own", (given) => {
    expect(findSlip(given, KNOWN)).toBeUndefined();
  });
});
