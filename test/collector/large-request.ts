import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { withChain, type Scenario } from "./scenario.ts";

const SPANS = 400;
/** Of the messages in one span; all together are twice what the receiver takes at once. */
const CONTENT_BYTES = 100 * 1024;
const MEBIBYTE = 1024 * 1024;

function toSpan(index: number, traceId: string): object {
  const value = { stringValue: String(index).padEnd(CONTENT_BYTES, ".") };
  const time = String(BigInt(Date.now()) * 1_000_000n);
  return {
    traceId,
    spanId: randomBytes(8).toString("hex"),
    name: "chat gpt-5",
    kind: 3,
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: [{ key: "note", value }],
  };
}

/** An SDK counts spans, not bytes: one request of it may be more than the next hop takes. */
export const largeRequestScenario: Scenario = {
  name: "one large request is passed on in parts",
  isSmall: true,
  run: (binary) =>
    withChain(binary, "http/json", async ({ agent, receiver }) => {
      const traceId = randomBytes(16).toString("hex");
      const spans = Array.from({ length: SPANS }, (_, index) => toSpan(index, traceId));
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${agent.url}/v1/traces`, { method: "POST", headers, body });
      assert.equal(response.status, 200, await response.text());
      assert.equal(await receiver.countSpans(), SPANS);
      return `${SPANS} spans, ${Math.round(body.length / MEBIBYTE)} MiB`;
    }),
};
