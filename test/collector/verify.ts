import assert from "node:assert/strict";
import { SPAN_COUNT, type Ended } from "./application.ts";
import type { ArrivedSpan, Receiver } from "./receiver.ts";

/** Ids that a message shows. */
const SHOWN = 5;

/** Compares two lists, the order aside: nothing is missing, nothing is there twice or was never sent. */
function verifySame(what: string, sent: readonly string[], arrived: readonly string[]): void {
  const left = new Map<string, number>();
  for (const id of sent) left.set(id, (left.get(id) ?? 0) + 1);
  for (const id of arrived) left.set(id, (left.get(id) ?? 0) - 1);
  const missing = [...left].filter(([, count]) => count > 0).map(([id]) => id);
  const extra = [...left].filter(([, count]) => count < 0).map(([id]) => id);
  assert.equal(missing.length, 0, `${what}: missing ${missing.slice(0, SHOWN).join(", ")} ...`);
  assert.equal(extra.length, 0, `${what}: never sent ${extra.slice(0, SHOWN).join(", ")} ...`);
}

/** How many of what was sent came, for the line of a scenario. */
export interface Arrived {
  readonly spans: number;
  readonly records: number;
}

/** What tells the spans and log records of an application from each other. */
export interface Naming {
  readonly nameSpan: (span: ArrivedSpan) => string;
  /** Attribute of a log record that holds its id. */
  readonly recordId: string;
}

/** Compares what an application sent with what the receiver has. @throws for the first difference. */
export async function verifyArrived(
  receiver: Receiver,
  { spans, records, ledger }: Ended,
  { nameSpan, recordId }: Naming,
): Promise<Arrived> {
  assert.equal(spans.length, SPAN_COUNT);
  assert.ok(records.length >= SPAN_COUNT);
  const arrivedSpans = await receiver.listSpans();
  verifySame("spans", spans, arrivedSpans.map(nameSpan));
  const arrivedRecords = await receiver.listRecords();
  verifySame(
    "log records",
    records,
    arrivedRecords.map((attributes) => String(attributes[recordId])),
  );
  if (ledger) {
    const settled = { pending: 0, dropped: 0 };
    assert.deepEqual(ledger.spans, { ...settled, sent: spans.length });
    assert.deepEqual(ledger.logRecords, { ...settled, sent: records.length });
  }
  return { spans: arrivedSpans.length, records: arrivedRecords.length };
}
