import { BATCH_EXPORT_PATH, BATCH_LINES_MEDIA_TYPE } from "../events/batch-export.ts";
import type { VerifiableBatch } from "../delivery/chain/chain-report.ts";
import { readBatchLines, type OnUnreadable } from "./batch-lines.ts";
import {
  findAnswerProblem,
  toFailure,
  toPlatformHeaders,
  toPlatformUrl,
  type PlatformAccess,
} from "./platform-access.ts";

/** How long a platform may be silent. */
const IDLE_TIMEOUT_MILLIS = 60_000;

/** Reads every batch that a platform has, as it was received. @throws UsageError for a URL that is none. */
export async function* readPlatformBatches(
  target: string,
  access: PlatformAccess,
  onUnreadable: OnUnreadable,
): AsyncGenerator<VerifiableBatch> {
  const url = toPlatformUrl(target, access, BATCH_EXPORT_PATH);
  if (access.organizationId !== undefined)
    url.searchParams.set("organization", access.organizationId);
  const name = url.origin;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), IDLE_TIMEOUT_MILLIS);
  const watch = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  };
  try {
    const headers = toPlatformHeaders(access, BATCH_LINES_MEDIA_TYPE);
    const answer = await fetch(url, { headers, redirect: "manual", signal: silence.signal });
    const problem = findAnswerProblem(answer, BATCH_LINES_MEDIA_TYPE, "an export of batches");
    if (problem === undefined && answer.body)
      yield* readBatchLines(watch(answer.body), name, onUnreadable);
    else onUnreadable(`${name}: ${problem}`);
  } catch (error) {
    onUnreadable(`${name}: ${toFailure(error, silence.signal.aborted)}`);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
