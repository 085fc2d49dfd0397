import type { SpanRecord } from "../span-record.ts";

/** Why an answer was not captured: whatever it came to, nobody has said so. */
const SPAN_NEVER_ENDED = "span_never_ended";

/** Returns whether a text is what had come of an answer when it was broken off. */
function isBrokenOff({ isAbandoned, saysWhyItEnded, settings, usage }: SpanRecord): boolean {
  if (isAbandoned) return true;
  const hasEnd = settings.finishReason !== undefined || (usage?.output ?? 0) > 0;
  return saysWhyItEnded === true && !hasEnd;
}

/** Adds how much of an answer there is, and what was judged of it: of most it is all, and nothing. */
export function markAnswer(
  metadata: Record<string, unknown>,
  record: SpanRecord,
  text: string | undefined,
): void {
  const { isAbandoned, isOutputPartial, evaluations } = record;
  if (text === undefined) metadata["captured"] = false;
  else if (isBrokenOff(record)) metadata["incomplete"] = true;
  if (isAbandoned) metadata["notCaptured"] = SPAN_NEVER_ENDED;
  if (isOutputPartial) metadata["truncated"] = true;
  if (evaluations.length > 0) metadata["evaluations"] = evaluations;
}
