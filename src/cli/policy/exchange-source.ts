import { createReadStream } from "node:fs";
import type { LineSource } from "../check/check-lines.ts";
import { isPlatformUrl, toPlatformUrl, type PlatformAccess } from "../platform-access.ts";
import { readPlatformConversations } from "../platform-conversations.ts";

type Hear = (problem: string) => void;

/** Where exchanges come from: a file, `-` for the standard input, or the URL of a platform. */
export interface ExchangeTarget extends PlatformAccess {
  readonly target: string;
}

/** Writes the events of a platform as `check` reads them from a file, one a line. */
async function* toLines(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages)
    for (const event of page) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

async function* watchFile(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  onUnreadable: Hear,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    onUnreadable(`${name}: can't be read (${"code" in error ? String(error.code) : "unknown"})`);
  }
}

/**
 * Opens what exchanges are read from.
 *
 * @param onProblem - Hears of lines that can't be read; they are counted where they are read.
 * @param onUnreadable - Hears that the rest can't be read.
 * @throws UsageError for a URL, a key or an organization that is none.
 */
export function openExchanges(
  { target, ...access }: ExchangeTarget,
  onProblem: Hear,
  onUnreadable: Hear,
): LineSource {
  if (isPlatformUrl(target)) {
    const { origin } = toPlatformUrl(target, access, "/");
    const pages = readPlatformConversations(target, access, onUnreadable);
    return { name: origin, chunks: toLines(pages), onProblem };
  }
  const name = target === "-" ? "stdin" : target;
  const chunks: AsyncIterable<Uint8Array> =
    target === "-" ? process.stdin : createReadStream(target);
  return { name, chunks: watchFile(name, chunks, onUnreadable), onProblem };
}
