import type { KeyObject } from "node:crypto";
import type { ChainAnchor, ChainReport, WriterReport } from "../delivery/chain/chain.ts";
import { verifyBatches } from "../delivery/chain/verify-chain.ts";
import { verifySpool } from "../delivery/spool/verify-spool.ts";
import { countNoun } from "../util/count-noun.ts";
import { readSigningKey } from "../util/http-signature.ts";
import { type ArchiveReport, formatArchiveReport } from "./archive-report.ts";
import {
  type Command,
  UsageError,
  parseArguments,
  readKeyFiles,
  takeOnly,
} from "./parse-arguments.ts";
import { ACCESS_OPTIONS, isPlatformUrl, readAccess } from "./read-platform.ts";
import { openArchive } from "./read-archive.ts";
import { readBatches } from "./read-batches.ts";
import { countProgress, createProgress } from "./progress.ts";
import { createProblems, runWork } from "./run-command.ts";
import { readSpoolKey } from "./spool/arguments.ts";
import { joinParts } from "./spool/output.ts";
import type { AuditReport } from "../platform/review/audit-trail.ts";
import { formatAuditReport, splitAuditTrail } from "./verify-audit.ts";
import { isExport, verifyExport } from "./verify-export.ts";
import { createPurgeCheck, formatPurgeReport, type PurgeReport } from "./verify-purges.ts";

const NUMBER = new Intl.NumberFormat("en-US");

function countBatches(number: number): string {
  return countNoun(number, "batch", "batches");
}

function toFinding({ status, firstBreak, breakCount, doubts }: WriterReport): string {
  if (firstBreak) {
    const { sequence, batchId, detail } = firstBreak;
    const place = sequence === undefined ? "at a batch" : `at batch ${sequence}`;
    const id = batchId === undefined ? "" : ` (${batchId})`;
    const more = breakCount > 1 ? `, and ${NUMBER.format(breakCount - 1)} more` : "";
    return `BROKEN ${place}${id}: ${detail}${more}`;
  }
  return status === "verified" ? "verified" : `not proven: ${doubts.join("; ")}`;
}

function toCounts({ batches, repeated, absent, events, dropped, last }: WriterReport): string {
  const givenUp = Object.entries(dropped)
    .map(([reason, number]) => `${NUMBER.format(number)} ${reason}`)
    .join(", ");
  return joinParts([
    countBatches(batches),
    repeated > 0 && `${NUMBER.format(repeated)} repeated`,
    absent > 0 && `${NUMBER.format(absent)} planned and not there`,
    countNoun(events, "event"),
    givenUp !== "" && `given up: ${givenUp}`,
    last && `last batch ${last.sequence} ${last.hash}`,
  ]);
}

/** Writers with facts beyond those in their batches. */
export interface KnownWriters {
  /** Writers whose end is known from elsewhere. */
  readonly anchored?: ReadonlySet<string>;
  /** Writers whose batches are missing on purpose. */
  readonly without?: ReadonlySet<string>;
}

/** Lists what no chain can prove by itself: what is missing without a trace. */
export function findUnproven(
  { writers }: ChainReport,
  { anchored, without }: KnownWriters = {},
): string[] {
  const open = writers.filter(({ writerId, successor, last }) => {
    const isEndNamed = successor !== undefined && successor.sequence >= (last?.sequence ?? 0);
    return anchored?.has(writerId) !== true && !isEndNamed;
  }).length;
  const left = without?.size ?? 0;
  return [
    "that no whole writer was removed which no later one names",
    ...(left === 0 ? [] : [`anything of ${countNoun(left, "writer")} (--without)`]),
    ...(open === 0 ? [] : [`that the newest batches of ${countNoun(open, "writer")} are there`]),
  ];
}

/** Writes the result for people: a line per writer, then the sum, then the facts that are not proven. */
export function formatChainReport(
  report: ChainReport,
  unreadable: number,
  known: KnownWriters = {},
): string {
  const lines = report.writers.map(
    (writer) => `writer ${writer.writerId}: ${toFinding(writer)}; ${toCounts(writer)}`,
  );
  const sum = joinParts([
    countBatches(report.batches),
    countNoun(report.writers.length, "writer"),
    report.unchained > 0 && `${NUMBER.format(report.unchained)} without a chain`,
    unreadable > 0 && `${NUMBER.format(unreadable)} unreadable`,
  ]);
  lines.push(`${report.status}: ${sum}`);
  // For broken chains, or writers without one, further missing parts are of no interest.
  if (report.status !== "broken" && report.writers.length > 0)
    lines.push(`not proven: ${findUnproven(report, known).join(", nor ")} (--expect-last tells)`);
  return lines.map((line) => `${line}\n`).join("");
}

const HELP = `Usage: agent-monitor verify <file|directory|url|-> [options]

Verifies the chains of batches, and the audit trail of a platform's decisions: tells whether anything was changed, removed,
moved or added.

  file        an EventBatch as JSON, or one per line; an audit trail as /api/audit/export gives it; an export of conversations
              as JSON Lines: whether it is as its manifest says
  directory   every *.json, *.jsonl and *.ndjson in it; of a spool directory, the batches and events that wait; of an archive
              ("gateway archive"), whether each object is as its index says, and the batches in them
  url         a local platform: its batches and its audit trail
  -           the standard input, as a file

Options:
  --expect-last <writer>=<n>[,<hash>]  the writer got as far as batch n, with this hash (repeatable)
  --without <writer>                   its batches are not given on purpose, though a later writer names it (repeatable)
  --key <id>=<file>                    key of the chain (repeatable); with any, hashes without a key prove nothing
  --audit-key <file>                   key of the audit trail's hashes; with it, hashes without a key prove nothing
  --spool-key <file>                   key of an encrypted spool directory (default: AGENT_MONITOR_SPOOL_KEY)
  --api-key <key>                      key of the platform (default: AGENT_MONITOR_API_KEY)
  --organization <id>                  batches of this organization only (platform)
  --json                               print the whole report as JSON
  --help                               show this
  --version                            show the version

Examples:
  agent-monitor verify http://127.0.0.1:4319
  agent-monitor verify archive/ --expect-last 01a1fdcc-f1e5-7001-8a18-823a941809a2=120

What is there is verified, and what later writers of the same spool directory say of the end of earlier ones. Beyond
that, a whole writer that was removed, or the newest batches of one, leave no trace in the rest: name every writer that
is known from elsewhere (stats().chain, an earlier run) with --expect-last.

Exit code: 0 verified, 1 broken, 2 wrong usage, 3 not everything could be verified.
`;

const PARSE_OPTIONS = {
  "expect-last": { type: "string", multiple: true },
  without: { type: "string", multiple: true },
  key: { type: "string", multiple: true },
  "audit-key": { type: "string" },
  "spool-key": { type: "string" },
  ...ACCESS_OPTIONS,
  json: { type: "boolean" },
} as const;

const EXIT_CODES = { verified: 0, broken: 1, incomplete: 3 } as const;

function parseAnchors(texts: readonly string[]): Map<string, ChainAnchor> {
  const anchors = new Map<string, ChainAnchor>();
  for (const text of texts) {
    const [, writerId, digits, hash] =
      /^([^=]+)=(\d{1,15})(?:,((?:hmac-)?sha256:[0-9a-f]{64}))?$/.exec(text) ?? [];
    if (writerId === undefined || !(Number(digits) > 0))
      throw new UsageError(
        `--expect-last must be <writer>=<n> or <writer>=<n>,<hash> (got ${text})`,
      );
    if (anchors.has(writerId))
      throw new UsageError(`--expect-last names the writer ${writerId} twice`);
    anchors.set(writerId, { sequence: Number(digits), hash });
  }
  return anchors;
}

function readKeys(pairs: readonly string[]): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const [id, text] of readKeyFiles("key", pairs)) {
    const key = readSigningKey(text);
    if (!key) throw new UsageError(`--key ${id}: expected at least 32 bytes, as Base64 or text`);
    keys.set(id, key);
  }
  return keys;
}

function readAuditKey(file: string | undefined): KeyObject | undefined {
  if (file === undefined) return undefined;
  const [[, text]] = [...readKeyFiles("audit-key", [`audit=${file}`])] as [[string, string]];
  const key = readSigningKey(text);
  if (!key) throw new UsageError("--audit-key: expected at least 32 bytes, as Base64 or text");
  return key;
}

/** Rejects options without effect on a spool directory, or on any other source. */
function verifySpoolUse(
  target: string,
  given: Readonly<Record<string, unknown>>,
  isSpool: boolean,
): void {
  if (!isSpool && given["spool-key"] !== undefined)
    throw new UsageError(`--spool-key is for a spool directory, and ${target} is none`);
  if (isSpool && given["without"] !== undefined)
    throw new UsageError(`--without is for batches that were delivered, and ${target} is a spool`);
}

/** All that is known of what was verified. */
interface Facts {
  readonly report: ChainReport;
  readonly unreadable: number;
  readonly known: KnownWriters;
  readonly archived: ArchiveReport | undefined;
  readonly audit: AuditReport | undefined;
  readonly purged: PurgeReport;
}

function toWhole({ report, unreadable, known, archived, audit, purged }: Facts): object {
  return {
    ...report,
    unreadable,
    notProven: findUnproven(report, known),
    ...(archived && { archive: archived }),
    ...(audit && { audit }),
    ...(purged.batches > 0 && { purges: purged }),
  };
}

function format({ report, unreadable, known, archived, audit, purged }: Facts): string {
  return (
    formatChainReport(report, unreadable, known) +
    (archived ? formatArchiveReport(archived) : "") +
    (audit ? formatAuditReport(audit) : "") +
    formatPurgeReport(purged)
  );
}

async function verify(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const needed = "verify needs one file, directory or URL, or - for the standard input";
  const target = takeOnly(positionals, needed);
  if (await isExport(target)) return verifyExport(target, values.json === true);
  const access = readAccess(target, values);
  const keys = readKeys(values.key ?? []);
  const expectLast = parseAnchors(values["expect-last"] ?? []);
  const problems = createProblems((text) => void process.stderr.write(`agent-monitor: ${text}\n`));
  const without = new Set(values.without);
  const purges = createPurgeCheck();
  const options = { keys, expectLast, without, onPurged: purges.addBatch };
  const spoolKey = readSpoolKey(values["spool-key"], "spool-key");
  const spool = await verifySpool(target, spoolKey, options);
  verifySpoolUse(target, values, spool !== undefined);
  const source = { target, ...access, onUnreadable: problems.report };
  const progress = createProgress(values.json === true);
  const archive = await openArchive(target);
  const batches = countProgress(archive?.batches ?? readBatches(source), progress, "batches");
  const auditKey = readAuditKey(values["audit-key"]);
  const split = splitAuditTrail(batches, auditKey, purges.addRecord);
  const report = spool ?? (await verifyBatches(split.batches, options));
  const audit = split.finish();
  const archived = archive?.finish();
  const purged = purges.finish({ ...access, isPlatform: isPlatformUrl(target) });
  const known = { anchored: new Set(expectLast.keys()), without };
  const facts = { report, unreadable: problems.count, known, archived, audit, purged };
  process.stdout.write(
    values.json ? `${JSON.stringify(toWhole(facts), null, 2)}\n` : format(facts),
  );
  return toExitCode(
    [report.status, archived?.status, audit?.status, purged.status],
    problems.count,
  );
}

type Status = keyof typeof EXIT_CODES;

function toExitCode(statuses: readonly (Status | undefined)[], unreadable: number): number {
  if (statuses.includes("broken")) return EXIT_CODES.broken;
  const isVerified = !statuses.includes("incomplete") && unreadable === 0;
  return isVerified ? EXIT_CODES.verified : EXIT_CODES.incomplete;
}

/** Verifies the chains of batches from any source. */
export const verifyCommand: Command = {
  help: HELP,
  // Exit code 1 would mean a broken chain, which is not known.
  run: (args) => runWork("verify", EXIT_CODES.incomplete, () => verify(args)),
};
