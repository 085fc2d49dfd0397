import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "../../src/http/retry-wait.ts";

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-21T00:00:00Z");
  it.each([
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": " " }, undefined],
    [{ "retry-after": "999999" }, 900_000],
    [{ "retry-after": "Sat, 21 Nov 2026 00:00:10 GMT" }, 10_000],
    [
      { "retry-after": "Sat, 21 Nov 2026 05:00:10 GMT", date: "Sat, 21 Nov 2026 05:00:00 GMT" },
      10_000,
    ],
    [{ "retry-after": "Sat, 21 Nov 2020 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined],
  ])("reads %j", (headers, expected) => {
    expect(parseRetryAfter(headers, now)).toBe(expected);
  });
});
