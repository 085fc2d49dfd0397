import { expect, it } from "vitest";
import { findNearestName } from "../../src/util/nearest-name.ts";

const KNOWN = ["port", "otlpPort", "host", "apiKey", "organizationId", "database"];

it.each([
  ["prot", "port"],
  ["Port", "port"],
  ["apikey", "apiKey"],
  ["api_key", "apiKey"],
  ["organisationId", "organizationId"],
  ["databse", "database"],
])("takes %s for %s", (given, meant) => {
  expect(findNearestName(given, KNOWN)).toBe(meant);
});

it.each(["", "x", "retention", "p".repeat(10_000)])("takes %j for nothing", (given) => {
  expect(findNearestName(given, KNOWN)).toBeUndefined();
});
