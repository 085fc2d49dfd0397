import { createHash, type Hash } from "node:crypto";
import { EXPORT_FORMAT } from "../../events/wire.ts";
import type { ExportCounts, ExportedConversation, ExportHead } from "./export-source.ts";

/** Counts and digests lines. */
function createDigest() {
  const hash: Hash = createHash("sha256");
  let lines = 0;
  return {
    add(line: Uint8Array): void {
      hash.update(line);
      lines++;
    },
    finish: () => ({ lines, sha256: hash.digest("hex") }),
  };
}

function toLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

async function* writeConversation(
  { conversation, item, findings, evaluations, events }: ExportedConversation,
  counts: ExportCounts,
): AsyncGenerator<Buffer> {
  const { key } = conversation;
  const digest = createDigest();
  const before = counts.events;
  const add = (line: Buffer): Buffer => {
    digest.add(line);
    return line;
  };
  yield add(toLine({ kind: "conversation", conversation, item }));
  for await (const json of events()) {
    counts.events++;
    yield add(Buffer.from(`{"kind":"event","key":${JSON.stringify(key)},"event":${json}}\n`));
  }
  for (const finding of findings) yield add(toLine({ kind: "finding", key, finding }));
  let decided = 0;
  for await (const evaluation of evaluations()) {
    decided++;
    yield add(toLine({ kind: "evaluation", key, evaluation }));
  }
  counts.conversations++;
  counts.findings += findings.length;
  const sums = {
    events: counts.events - before,
    findings: findings.length,
    evaluations: decided,
  };
  yield toLine({ kind: "conversation_end", key, ...sums, ...digest.finish() });
}

/**
 * Writes JSON Lines: what is exported, then for each conversation a line for itself, for each event, each finding and each decision, and one with
 * the SHA-256 of these lines; at last a manifest with the SHA-256 of all bytes before it.
 */
export async function* writeJsonl(
  conversations: AsyncIterable<ExportedConversation>,
  head: ExportHead,
  counts: ExportCounts,
): AsyncGenerator<Uint8Array> {
  const digest = createDigest();
  const first = toLine({ kind: "export", format: EXPORT_FORMAT, ...head });
  digest.add(first);
  yield first;
  for await (const conversation of conversations)
    for await (const line of writeConversation(conversation, counts)) {
      digest.add(line);
      yield line;
    }
  const sums = { ...counts, ...digest.finish() };
  yield toLine({ kind: "manifest", format: EXPORT_FORMAT, ...head, ...sums });
}
