import { expect, it } from "vitest";
import type { OtlpDelivery } from "../../src/otlp/otlp-exporter.ts";
import { OtlpOutbox } from "../../src/otlp/otlp-outbox.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createProviders } from "../helpers/otel.ts";

const settings = { maxItems: 100, maxBytes: 1_000_000, onDropped: () => undefined };

function createSpans() {
  const own = createProviders();
  own.tracerProvider.getTracer("app").startSpan("span").end();
  return own.spans();
}

it("is flushed when what was there is sent, although more comes all the time", async () => {
  const items = createSpans();
  const outbox: OtlpOutbox = new OtlpOutbox({
    async send(sent): Promise<OtlpDelivery> {
      offer();
      await new Promise((resolve) => setImmediate(resolve));
      return { sent: sent.length };
    },
    ...settings,
    abort: () => undefined,
    clock: systemClock,
  });
  let isRunning = true;
  const offer = (): void => {
    for (const item of items)
      if (isRunning && outbox.admit(item)) outbox.export([item], () => undefined);
  };
  offer();
  offer();
  await outbox.drain(60_000);
  expect(outbox.ledger()).toMatchObject({ dropped: 0 });
  expect(outbox.ledger().sent).toBeGreaterThanOrEqual(2);
  expect(outbox.ledger().pending).toBeGreaterThan(0);
  isRunning = false;
  while (outbox.ledger().pending > 0) await outbox.drain(60_000);
});

it("counts what is given up at once, whenever the request ends, and then sends what comes", async () => {
  const items = createSpans();
  const requests: ((delivery: OtlpDelivery) => void)[] = [];
  const send = (): Promise<OtlpDelivery> => new Promise((resolve) => requests.push(resolve));
  const outbox = new OtlpOutbox({ ...settings, send, abort: () => undefined, clock: systemClock });
  const offer = (): void => {
    for (const item of items) if (outbox.admit(item)) outbox.export([item], () => undefined);
  };
  offer();
  offer();
  outbox.giveUp("shutdown");
  expect(outbox.ledger()).toEqual({ pending: 0, sent: 0, dropped: 2 });
  await outbox.drain(60_000);
  offer();
  requests[0]?.({ sent: 1 });
  await Promise.resolve();
  expect(outbox.ledger()).toEqual({ pending: 1, sent: 0, dropped: 2 });
  const drained = outbox.drain(60_000);
  requests[1]?.({ sent: 1 });
  await drained;
  expect(outbox.ledger()).toEqual({ pending: 0, sent: 1, dropped: 2 });
});

it("sends what is too large for one request in several", async () => {
  const own = createProviders();
  const tracer = own.tracerProvider.getTracer("app");
  for (let count = 0; count < 5; count++)
    tracer.startSpan("span", { attributes: { text: "x".repeat(3 * 1024 * 1024) } }).end();
  const sizes: number[] = [];
  const outbox = new OtlpOutbox({
    ...settings,
    maxBytes: 100_000_000,
    send: (items) => {
      sizes.push(items.length);
      return Promise.resolve({ sent: items.length });
    },
    abort: () => undefined,
    clock: systemClock,
  });
  const items = own.spans().filter((span) => outbox.admit(span));
  outbox.export(items, () => undefined);
  await outbox.drain(60_000);
  expect(sizes.length).toBeGreaterThan(1);
  expect(outbox.ledger()).toEqual({ pending: 0, sent: 5, dropped: 0 });
});
