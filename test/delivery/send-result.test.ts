import { describe, expect, it } from "vitest";
import { toSendResult } from "../../src/delivery/http-transport.ts";

const answer = (status: number, body: unknown = "", headers: Record<string, string> = {}) =>
  toSendResult(
    {
      kind: "answer",
      status,
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
    1_000_000,
  );
const problem = (status: number, code: string) => ({
  type: "about:blank",
  title: "t",
  status,
  code,
});

describe("toSendResult", () => {
  it.each([200, 201, 202, 204])("takes %i for an ack, whatever its body", (status) => {
    expect(answer(status, "<html>")).toEqual({ status: "accepted", rejected: [], duplicates: 0 });
  });

  it("reads rejected events and duplicates from the ack", () => {
    const rejected = [{ index: 0, code: "invalid_event", detail: "d" }];
    const ack = { batchId: "b", status: "partial", accepted: 1, duplicates: 2, rejected };
    const expected = [{ index: 0, code: "invalid_event" }];
    expect(answer(202, ack)).toEqual({ status: "accepted", rejected: expected, duplicates: 2 });
  });

  it("reads every rejected event that it can, whatever the rest of the ack is like", () => {
    const rejected = [
      { index: 0 },
      { index: -1, code: "x" },
      null,
      { index: 2, code: "Free text\n" },
    ];
    expect(answer(202, { rejected, duplicates: -5 })).toEqual({
      status: "accepted",
      rejected: [
        { index: 0, code: "rejected" },
        { index: 2, code: "rejected" },
      ],
      duplicates: 0,
    });
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])("tries again on %i", (status) => {
    expect(answer(status).status).toBe("retryable");
  });

  it("tries again when there is no answer", () => {
    expect(toSendResult({ kind: "failure", reason: "ECONNRESET" }, 0)).toEqual({
      status: "retryable",
      reason: "ECONNRESET",
    });
  });

  it.each([400, 413, 422])("takes %i for a refusal of these bytes", (status) => {
    expect(answer(status).status).toBe("refused");
  });

  it.each([409, 422])("takes %i batch_conflict for a taken id", (status) => {
    expect(answer(status, problem(status, "batch_conflict")).status).toBe("conflict");
  });

  it("takes 409 batch_in_progress for a reason to wait", () => {
    expect(answer(409, problem(409, "batch_in_progress")).status).toBe("retryable");
  });

  it("takes 415 for a coding that is not understood", () => {
    expect(answer(415).status).toBe("not_decodable");
  });

  it.each([301, 302, 303, 307, 308, 401, 402, 403, 404, 405, 406, 410, 418, 431, 501, 505, 0])(
    "is blocked by %i",
    (status) => {
      expect(answer(status).status).toBe("blocked");
    },
  );
});
