import { expect, it } from "vitest";
import type { PlannedBatch } from "../../src/delivery/batch.ts";
import { Ledger } from "../../src/delivery/ledger.ts";
import type { Outbox } from "../../src/delivery/outbox.ts";
import { openMemoryStorage } from "../../src/delivery/storage.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createPendingEvent } from "../helpers/exporter.ts";

const LIMITS = { maxCount: 10, maxBytes: 1e6 };

/** An outbox in memory whose events may all be sent. */
function openOutbox(count: number): { outbox: Outbox; ledger: Ledger } {
  const ledger = new Ledger();
  const { store, outbox } = openMemoryStorage({
    origin: { organizationId: "bank", platform: "https://platform.example", compression: "none" },
    maxQueueSize: 100,
    maxQueueBytes: 1e6,
    ledger,
    clock: createFakeClock(),
    onLoss: () => undefined,
    onDeadLetter: () => undefined,
  });
  for (let number = 1; number <= count; number++) {
    ledger.tracked++;
    outbox.noteAppended(store.append(createPendingEvent(number)) as number, number);
  }
  outbox.release(count);
  return { outbox, ledger };
}

it("tells whether there is something to send at any moment, also while a batch is being made", async () => {
  const { outbox } = openOutbox(1);
  const next = outbox.next(LIMITS);
  const seen: boolean[] = [];
  for (let turn = 0; turn < 100; turn++) {
    seen.push(outbox.hasNext);
    await Promise.resolve();
  }
  expect(new Set(seen)).toEqual(new Set([true]));
  await next;
});

it("sends what is left of a batch whose newest events are given up as another one, whatever becomes of the first", async () => {
  const { outbox, ledger } = openOutbox(12);
  const whole = (await outbox.next(LIMITS)) as PlannedBatch;
  expect(whole.plan).toMatchObject({ first: 1, last: 10, eventCount: 10 });
  outbox.dropFrom(4, "exit");
  expect(ledger.entries(outbox.pending)).toMatchObject({ tracked: 12, pending: 3, dropped: 9 });
  // It may be on its way: an answer that comes now is of events that are given up.
  expect(outbox.isOpen(whole.plan)).toBe(false);
  outbox.dropFrom(4, "exit");
  const rest = (await outbox.next(LIMITS)) as PlannedBatch;
  expect(rest.plan).toMatchObject({ first: 1, last: 3, eventCount: 3 });
  expect(rest.plan.metadata).toMatchObject({
    chain: { sequence: 2, replaces: { batchId: whole.plan.batchId } },
    dropped: [{ reason: "exit", count: 9, firstSequence: 4, lastSequence: 12 }],
  });
  await outbox.accept(rest, [], 0);
  expect(ledger.entries(outbox.pending)).toMatchObject({ acked: 3, pending: 0, dropped: 9 });
  expect(ledger.droppedByReason()).toEqual({ exit: 9 });
  expect(outbox.hasNext).toBe(false);
});
