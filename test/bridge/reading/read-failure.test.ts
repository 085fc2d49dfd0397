import { describe, expect, it } from "vitest";
import { rateFailure } from "../../../src/bridge/reading/read-failure.ts";

const rate = (type: string, code?: string): string => {
  const { severity, recoverable } = rateFailure({ type, message: "", code });
  return `${severity} ${recoverable ? "recoverable" : "final"}`;
};

describe("rateFailure", () => {
  it.each([
    ["Error", "401", "high final"],
    ["Error", "403", "high final"],
    ["APIError", "402", "high final"],
    ["Error", "429", "medium recoverable"],
    ["insufficient_quota", "429", "high final"],
    ["Error", "400", "medium final"],
    ["Error", "404", "medium final"],
    ["Error", "408", "medium recoverable"],
    ["Error", "500", "medium recoverable"],
    ["overloaded_error", "529", "medium recoverable"],
    ["Error", "501", "medium final"],
    // A code that is no status says nothing.
    ["Error", "ECONNRESET", "medium recoverable"],
    ["Error", "200", "medium recoverable"],
  ])("%s with the status %s: %s", (type, code, expected) => {
    expect(rate(type, code)).toBe(expected);
  });

  it.each([
    ["AuthenticationError", "high final"],
    ["invalid_api_key", "high final"],
    ["AccessDeniedException", "high final"],
    ["PermissionDeniedError", "high final"],
    ["APIUserAbortError", "low recoverable"],
    ["AbortError", "low recoverable"],
    ["RateLimitError", "medium recoverable"],
    ["ThrottlingException", "medium recoverable"],
    ["APIConnectionTimeoutError", "medium recoverable"],
    ["BadRequestError", "medium final"],
    ["context_length_exceeded", "medium final"],
    ["Error", "medium recoverable"],
    ["", "medium recoverable"],
  ])("%s without a status: %s", (type, expected) => {
    expect(rate(type)).toBe(expected);
  });
});
