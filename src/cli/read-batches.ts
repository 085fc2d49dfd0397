import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiableBatch } from "../delivery/chain/chain-report.ts";
import { readBatchLines, type OnUnreadable } from "./batch-lines.ts";
import { isPlatformUrl, type PlatformAccess } from "./platform-access.ts";
import { readPlatformBatches } from "./platform-batches.ts";

/** Where batches are, and what is needed to read them. */
export interface BatchSource extends PlatformAccess {
  /** A file, a directory, the URL of a platform, or `-` for the standard input. */
  readonly target: string;
  readonly onUnreadable: OnUnreadable;
}

type Batches = AsyncIterable<VerifiableBatch>;

const STANDARD_INPUT = "-";
const BATCH_FILE = /\.(?:json|jsonl|ndjson)$/;

function toCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

async function* readFileBatches(path: string, onUnreadable: OnUnreadable): Batches {
  try {
    yield* readBatchLines(createReadStream(path), path, onUnreadable);
  } catch (error) {
    onUnreadable(`${path}: can't be read (${toCode(error)})`);
  }
}

async function* readDirectoryBatches(path: string, onUnreadable: OnUnreadable): Batches {
  const names = (await readdir(path)).filter((name) => BATCH_FILE.test(name)).toSorted();
  if (names.length === 0) onUnreadable(`${path}: has no file *.json, *.jsonl or *.ndjson`);
  for (const name of names) yield* readFileBatches(join(path, name), onUnreadable);
}

async function* readPathBatches({ target, onUnreadable }: BatchSource): Batches {
  try {
    // Another kind of directory is told apart here, by what lies in it.
    const isDirectory = (await stat(target)).isDirectory();
    yield* (isDirectory ? readDirectoryBatches : readFileBatches)(target, onUnreadable);
  } catch (error) {
    onUnreadable(`${target}: can't be read (${toCode(error)})`);
  }
}

/**
 * Reads batches from wherever they are, in no certain order.
 *
 * What can't be read is reported to `onUnreadable`, and the rest is read; it never throws for anything that
 * is in a source.
 *
 * @throws UsageError for a URL that may not be read.
 */
export function readBatches(source: BatchSource): Batches {
  const { target, onUnreadable } = source;
  if (isPlatformUrl(target)) return readPlatformBatches(target, source, onUnreadable);
  if (target === STANDARD_INPUT) return readBatchLines(process.stdin, "stdin", onUnreadable);
  return readPathBatches(source);
}
