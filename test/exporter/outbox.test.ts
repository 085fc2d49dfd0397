import { expect, it } from "vitest";
import { Ledger } from "../../src/exporter/ledger.ts";
import { openMemoryStorage } from "../../src/exporter/storage.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createPendingEvent } from "../helpers/exporter.ts";

it("tells whether there is something to send at any moment, also while a batch is being made", async () => {
  const { store, outbox } = openMemoryStorage({
    origin: { organizationId: "bank", platform: "https://platform.example", compression: "none" },
    maxQueueSize: 100,
    maxQueueBytes: 1e6,
    ledger: new Ledger(),
    clock: createFakeClock(),
    onLoss: () => undefined,
    onDeadLetter: () => undefined,
  });
  outbox.noteAppended(store.append(createPendingEvent(1)) as number, 1);
  outbox.release(1);
  const next = outbox.next({ batchSize: 10, maxBatchBytes: 1e6 });
  const seen: boolean[] = [];
  for (let turn = 0; turn < 100; turn++) {
    seen.push(outbox.hasNext);
    await Promise.resolve();
  }
  expect(new Set(seen)).toEqual(new Set([true]));
  await next;
});
