import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { VerifiableBatch } from "../delivery/chain/chain.ts";
import { toErrorCode } from "../delivery/spool/file-system.ts";
import { ARCHIVE_FOLDERS, ARCHIVE_INDEX } from "../platform/archive/archive-line.ts";
import { isCount, type JsonRecord, parseJson, toRecord } from "../util/values.ts";
import {
  type ArchiveFindings,
  type ArchiveReport,
  createArchiveFindings,
} from "./archive-report.ts";
import { toBatch } from "./read-batches.ts";
import { MAX_LINE_BYTES } from "./read-lines.ts";

/** Levels of folders and files, below that of the index and those of objects. */
const LEVELS = 3;

const unzip = promisify(gunzip);

/** Name of an object, which leads nowhere else; so that an index can't name any file of this machine. */
const OBJECT = new RegExp(
  `^(?:${Object.values(ARCHIVE_FOLDERS).join("|")})/[\\w~-][\\w.~-]*/\\d{4}-\\d\\d-\\d\\d/[\\w.~-]+$`,
);
const INDEX_FILE = /^\d{20}-\d{20}\.([0-9a-f]{64})\.jsonl$/;

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Lists paths so many levels below a directory, in order. */
async function* listBelow(
  root: string,
  path: string,
  levels: number,
  doubt: ArchiveFindings["doubt"],
): AsyncGenerator<string> {
  let names: string[] = [];
  try {
    names = await readdir(join(root, path));
  } catch (error) {
    const code = toErrorCode(error);
    // Not every archive has each kind of object.
    if (code !== "ENOENT") doubt(`${path}: can't be read (${code})`);
  }
  for (const name of names.toSorted()) {
    const below = `${path}/${name}`;
    if (levels === 1) yield below;
    else yield* listBelow(root, below, levels - 1, doubt);
  }
}

/** Reads a file of a bounded size; returns why it can't otherwise. */
async function tryRead(path: string): Promise<Buffer | string> {
  try {
    const { size } = await stat(path);
    return size > MAX_LINE_BYTES ? `more than ${MAX_LINE_BYTES} bytes` : await readFile(path);
  } catch (error) {
    return toErrorCode(error);
  }
}

function toSha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads the lines of an index, partition by partition. */
async function* readIndex(
  root: string,
  { fail, doubt }: ArchiveFindings,
): AsyncGenerator<JsonRecord> {
  for await (const path of listBelow(root, ARCHIVE_INDEX, LEVELS, doubt)) {
    const sha256 = INDEX_FILE.exec(basename(path))?.[1];
    if (sha256 === undefined) {
      doubt(`${path}: is no index`);
      continue;
    }
    const bytes = await tryRead(join(root, path));
    if (typeof bytes === "string") doubt(`${path}: can't be read (${bytes})`);
    else if (toSha256(bytes) !== sha256) fail(`${path}: it is not as it was written`);
    else for (const line of bytes.toString().trimEnd().split("\n")) yield toRecord(parseJson(line));
  }
}

/** Finds records of a partition that no index has; lines may come twice, since what was not acknowledged comes again. */
function createOffsets({ counts, doubt }: ArchiveFindings) {
  const next = new Map<string, number>();
  return (line: JsonRecord): void => {
    const offset = Number(line["offset"]);
    const name = `${String(line["topic"])} ${String(line["partition"])}`;
    const expected = next.get(name) ?? offset;
    if (offset < expected) return;
    if (offset > expected) doubt(`${name}: records ${expected} to ${offset - 1} are in no index`);
    next.set(name, offset + 1);
    counts.records++;
    if (line["skipped"] !== undefined) counts.skipped++;
  };
}

/** Reads the batch in an object. */
async function openBatch(name: string, bytes: Buffer): Promise<VerifiableBatch | undefined> {
  if (!name.endsWith(".gz")) return toBatch(bytes);
  const opened = await unzip(bytes, { maxOutputLength: MAX_LINE_BYTES }).catch(() => undefined);
  return opened && toBatch(opened);
}

/** Reads an object, and compares it with what the index says of it. */
async function readObject(
  root: string,
  { object, sha256 }: JsonRecord,
  { counts, fail }: ArchiveFindings,
): Promise<Buffer | undefined> {
  const isName = typeof object === "string" && OBJECT.test(object);
  if (!isName || typeof sha256 !== "string" || !object.includes(`.${sha256}.`)) {
    fail("a line of an index names no object");
    return undefined;
  }
  const bytes = await tryRead(join(root, object));
  if (typeof bytes !== "string" && toSha256(bytes) === sha256) {
    counts.objects++;
    return bytes;
  }
  const reason = typeof bytes === "string" ? `can't be read (${bytes})` : "was changed";
  fail(`${object}: ${reason}`);
  return undefined;
}

async function* readAll(root: string, findings: ArchiveFindings): AsyncGenerator<VerifiableBatch> {
  const note = createOffsets(findings);
  const seen = new Set<unknown>();
  for await (const line of readIndex(root, findings)) {
    if (!isCount(line["offset"])) findings.fail("a line of an index names no record");
    else note(line);
    const { object } = line;
    if (line["skipped"] !== undefined || seen.has(object)) continue;
    seen.add(object);
    const bytes = await readObject(root, line, findings);
    if (!bytes || line["kind"] !== "batch/1") continue;
    const batch = await openBatch(String(object), bytes);
    if (batch) yield batch;
    else findings.doubt(`${String(object)}: expected a JSON object, encrypted ones can't be read`);
  }
  for (const folder of Object.values(ARCHIVE_FOLDERS))
    for await (const path of listBelow(root, folder, LEVELS, findings.doubt))
      if (!seen.has(path)) findings.doubt(`${path}: no index has it`);
}

/** Opens the directory of an archive; `undefined` for anything else. */
export async function openArchive(target: string) {
  if (!(await isDirectory(join(target, ARCHIVE_INDEX)))) return undefined;
  const findings = createArchiveFindings();
  return {
    /** Batches of the archive, in no certain order; those that are not as archived are left out. */
    batches: readAll(target, findings),
    /** Returns what was found, once all batches were read. */
    finish: (): ArchiveReport => findings.finish(),
  };
}
