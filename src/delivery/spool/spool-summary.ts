import { countIntegers } from "../../util/ranges.ts";
import type { SpoolSource } from "./event-scan.ts";
import { readLetters } from "./letter-view.ts";
import {
  createPendingFindings,
  readPending,
  readWhole,
  type PendingFindings,
  type WriterView,
} from "./writer-view.ts";

/** What is told of a writer; never content. */
export interface WriterSummary {
  readonly writerId: string;
  readonly owner: WriterView["owner"];
  readonly pid: number | null;
  /** `null` when `writer.json` does not tell it. */
  readonly organizationId: string | null;
  readonly record: WriterView["record"]["status"];
  readonly journal: WriterView["journal"]["kind"];
  /** Events that wait; where the journal can't be read, delivered ones may be among them. */
  readonly pending: number;
  /** How many of them are in batches, and in how many. */
  readonly planned: number;
  readonly batches: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** When the oldest event happened, milliseconds since the Unix epoch. */
  readonly oldestAt: number | null;
  readonly encrypted: boolean;
  /** Events that can't be decrypted. */
  readonly locked: number;
  /** Events that are in no file any more. */
  readonly missing: number;
  readonly damagedBytes: number;
  readonly newerFrames: number;
  /** Codes of system calls, one for each file that could not be read. */
  readonly unreadable: readonly string[];
}

/** What is told of the dead letters; never content. */
export interface LetterSummary {
  readonly count: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** Letters that can't be decrypted, and letters that can't be read at all. */
  readonly locked: number;
  readonly damaged: number;
}

/** Beyond so many reasons, the rest is summed up. */
const MAX_REASONS = 100;
const OTHER_REASON = "other";

function toSummary(view: WriterView, findings: PendingFindings): WriterSummary {
  const { entry, owner, pid, record, journal, bytes } = view;
  const { pending, planned, oldestAt, locked, damagedBytes, newerFrames, unreadable } = findings;
  return {
    writerId: entry.writerId,
    owner,
    pid: pid ?? null,
    organizationId: record.status === "valid" ? record.record.organizationId : null,
    record: record.status,
    journal: journal.kind,
    pending,
    planned,
    batches: journal.kind === "state" ? journal.state.open.length : 0,
    bytes,
    oldestAt: oldestAt ?? null,
    encrypted: findings.isEncrypted || journal.kind === "locked",
    locked,
    missing: countIntegers(findings.missing),
    damagedBytes,
    newerFrames,
    unreadable,
  };
}

/** Reads all events of a writer and sums them up. */
export async function summariseWriter(
  source: SpoolSource,
  view: WriterView,
): Promise<WriterSummary> {
  const read = async (): Promise<PendingFindings> => {
    const findings = createPendingFindings();
    const events = readPending(source, view, findings);
    while ((await events.next()).done !== true);
    return findings;
  };
  const mayBeTorn = view.owner !== "dead";
  const findings = await readWhole(read, ({ damagedBytes }) => mayBeTorn && damagedBytes > 0);
  return toSummary(view, findings);
}

/** Tells whether more is wrong with a writer than a key that was not given. */
export function isDamaged(summary: WriterSummary): boolean {
  const { record, journal, missing, damagedBytes, newerFrames, unreadable } = summary;
  const isReadable = record === "valid" && journal !== "unreadable";
  return !isReadable || missing + damagedBytes + newerFrames + unreadable.length > 0;
}

/** Reads all dead letters and counts them. @throws what the file system throws. */
export async function summariseLetters(source: SpoolSource): Promise<LetterSummary> {
  const byReason = new Map<string, number>();
  const summary = { count: 0, locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    summary.count++;
    if (view.status !== "letter") {
      summary[view.status]++;
      continue;
    }
    const { reason } = view.letter;
    const key = byReason.has(reason) || byReason.size < MAX_REASONS ? reason : OTHER_REASON;
    byReason.set(key, (byReason.get(key) ?? 0) + 1);
  }
  return { ...summary, byReason: Object.fromEntries(byReason) };
}
