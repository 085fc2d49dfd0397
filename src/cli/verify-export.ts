import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { EXPORT_FORMAT } from "../events/wire.ts";
import { countNoun } from "../util/count-noun.ts";
import { parseJson, toRecord, type JsonRecord } from "../util/values.ts";
import { splitLines } from "./read-lines.ts";
import { joinParts, toPrintable } from "./spool/output.ts";

const BEGINNING = `{"kind":"export","format":"${EXPORT_FORMAT}"`;

/** Returns whether a target is a file with an export of conversations. */
export async function isExport(target: string): Promise<boolean> {
  const file = await open(target).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING.length), 0);
    return buffer.toString("utf8", 0, bytesRead) === BEGINNING;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** What is known of an export. */
interface ExportReport {
  readonly status: "verified" | "broken" | "incomplete";
  readonly conversations: number;
  readonly events: number;
  readonly findings: number;
  readonly lines: number;
  /** Digest of all lines before the manifest, as it was computed. */
  readonly sha256: string;
  /** The first line that is wrong. */
  readonly firstBreak: { readonly line: number; readonly detail: string } | undefined;
  /** Record of the platform's audit trail that says who has exported it. */
  readonly audit: unknown;
}

const LINE_BREAK = "\n";

/** Digest of the lines from a place on. */
function createRange() {
  const hash = createHash("sha256");
  let lines = 0;
  return {
    add(bytes: Uint8Array): void {
      hash.update(bytes).update(LINE_BREAK);
      lines++;
    },
    isAs: ({ lines: expected, sha256 }: JsonRecord): boolean =>
      lines === expected && hash.copy().digest("hex") === sha256,
    digest: () => hash.copy().digest("hex"),
  };
}

const COUNTED = { conversation: "conversations", event: "events", finding: "findings" } as const;

/** Checks the lines of an export, in order. */
function createExportCheck() {
  const whole = createRange();
  let range = createRange();
  const counts = { conversations: 0, events: 0, findings: 0 };
  let firstBreak: ExportReport["firstBreak"];
  let manifest: JsonRecord | undefined;
  let lines = 0;
  const fail = (detail: string): void => {
    firstBreak ??= { line: lines, detail };
  };
  const judgeManifest = (value: JsonRecord): void => {
    manifest = value;
    const isCounted = Object.entries(counts).every(([name, count]) => value[name] === count);
    if (!isCounted || !whole.isAs(value)) fail("the lines before it are not those of the manifest");
  };
  return {
    add(bytes: Uint8Array | undefined): void {
      lines++;
      const value = toRecord(bytes && parseJson(Buffer.from(bytes).toString()));
      const kind = value["kind"];
      if (!bytes || typeof kind !== "string") return fail("it is no line of an export");
      if (manifest) return fail("it stands behind the manifest");
      if (kind === "manifest") return judgeManifest(value);
      whole.add(bytes);
      if (kind === "conversation") range = createRange();
      if (kind === "conversation_end") {
        if (!range.isAs(value))
          fail("the lines of the conversation are not those that were exported");
      } else range.add(bytes);
      if (Object.hasOwn(COUNTED, kind)) counts[COUNTED[kind as keyof typeof COUNTED]]++;
    },
    finish: (): ExportReport => ({
      status: firstBreak ? "broken" : manifest ? "verified" : "incomplete",
      ...counts,
      lines,
      sha256: whole.digest(),
      firstBreak,
      audit: manifest?.["audit"],
    }),
  };
}

function format(report: ExportReport): string {
  const { status, firstBreak, conversations, events, findings, sha256 } = report;
  const counts = joinParts([
    countNoun(conversations, "conversation"),
    countNoun(events, "event"),
    countNoun(findings, "finding"),
  ]);
  if (firstBreak) return `BROKEN at line ${firstBreak.line}: ${firstBreak.detail}; ${counts}\n`;
  if (status === "incomplete") return `incomplete: ${counts}; its end is missing\n`;
  const { sequence } = toRecord(report.audit);
  return (
    `verified: ${counts}; sha256 ${sha256}\n` +
    toPrintable(
      `not proven: who wrote it; record ${String(sequence)} of the audit trail, and the one that completes it, tell`,
    ) +
    "\n"
  );
}

const EXIT_CODES = { verified: 0, broken: 1, incomplete: 3 } as const;

/** Verifies an export of conversations by its digests; returns the exit code. */
export async function verifyExport(path: string, asJson: boolean): Promise<number> {
  const check = createExportCheck();
  for await (const { bytes } of splitLines(createReadStream(path))) check.add(bytes);
  const report = check.finish();
  process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : format(report));
  return EXIT_CODES[report.status];
}
