import { describe, expect, it } from "vitest";
import { readRateLimit } from "../../src/judge/model-limits.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const MINUTE = 60_000;

describe("readRateLimit", () => {
  it.each([
    ["status", { status: 429, retryAfter: 2 }, 2000],
    [
      "statusCode and responseHeaders",
      { statusCode: 429, responseHeaders: { "retry-after": "3" } },
      3000,
    ],
    [
      "the last of several tries",
      { lastError: { statusCode: 429, responseHeaders: { "Retry-After": "4" } } },
      4000,
    ],
    ["a response", { response: { status: 429, headers: { "retry-after": "5" } } }, 5000],
    ["a cause", { cause: { status: 429, headers: new Headers({ "retry-after": "6" }) } }, 6000],
    ["metadata", { $metadata: { httpStatusCode: 429 } }, undefined],
    [
      "an overloaded server that names a time",
      { status: 529, headers: { "retry-after": "7" } },
      7000,
    ],
    ["a date", { status: 429, retryAfter: "Mon, 23 Nov 2026 12:01:00 GMT" }, MINUTE],
    ["a date that is over", { status: 429, retryAfter: "Mon, 23 Nov 2026 11:00:00 GMT" }, 0],
    ["a time without end", { status: 429, retryAfter: "86400" }, 15 * MINUTE],
    ["no time", { status: 429, retryAfter: "-5", headers: { "retry-after": "" } }, undefined],
    ["no date", { status: 429, retryAfter: "Monday, perhaps" }, undefined],
  ])("reads %s", (_name, error, retryAfterMillis) => {
    const limit = readRateLimit(error, NOW);
    expect(limit).toEqual(retryAfterMillis === undefined ? {} : { retryAfterMillis });
  });

  it.each([
    ["another status", { status: 500, retryAfter: 1 }],
    ["an overloaded server without a time", { status: 503 }],
    ["a text", "429"],
    ["nothing", undefined],
    [
      "a getter that throws",
      Object.defineProperty({}, "status", {
        get: () => {
          throw new Error("no");
        },
      }),
    ],
    [
      "headers that throw",
      {
        status: 503,
        headers: {
          get: () => {
            throw new Error("no");
          },
        },
      },
    ],
  ])("sees none in %s", (_name, error) => {
    expect(readRateLimit(error, NOW)).toBeUndefined();
  });
});
