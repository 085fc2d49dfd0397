import { describe, expect, it } from "vitest";
import {
  compareVersions,
  describeClient,
  isWithin,
  KNOWN_CLIENTS,
  reportClient,
} from "../../src/instrumentation/known-clients.ts";

describe("the table of clients", () => {
  it("names each package once, with a range that is one", () => {
    expect(new Set(KNOWN_CLIENTS.map(({ name }) => name)).size).toBe(KNOWN_CLIENTS.length);
    for (const { tested } of KNOWN_CLIENTS) expect(compareVersions(...tested)).toBeLessThan(0);
  });

  it.each([
    ["openai", "6.49.0", "tested"],
    ["openai", "8.0.0-beta.1", "untested"],
    ["openai", "8.0.0", "untested"],
    ["openai", "4.104.0", "uncovered"],
    ["openai", "latest", "untested"],
    ["@anthropic-ai/sdk", "0.137.0", "tested"],
    ["@anthropic-ai/sdk", "0.136.9", "untested"],
    ["ai", "7.0.173", "tested"],
  ])("tells of %s %s: %s", (name, version, verdict) => {
    const report = reportClient(name, version);
    expect(report?.verdict).toBe(verdict);
    expect(report && describeClient(report)).toMatch(new RegExp(`^${name} ${version}`));
  });

  it("does not know other packages", () => {
    expect(reportClient("express", "5.0.0")).toBeUndefined();
    expect(reportClient("__proto__", "1.0.0")).toBeUndefined();
  });
});

describe("versions", () => {
  it.each([
    ["1.2.3", "1.2.3", 0],
    ["1.10.0", "1.9.0", 1],
    ["2.0.0", "10.0.0", -1],
    ["1.0.0-rc.1", "1.0.0", -1],
    ["1.0.0+build", "1.0.0", 0],
  ])("%s to %s", (one, other, order) => {
    expect(Math.sign(compareVersions(one, other) ?? Number.NaN)).toBe(order);
  });

  it.each(["", "1", "1.2", "v1.2.3", "latest", "99999999999.0.0"])("%j is none", (text) => {
    expect(compareVersions(text, "1.0.0")).toBeUndefined();
    expect(isWithin(text, ["0.0.0", "9.0.0"])).toBe(false);
  });
});
