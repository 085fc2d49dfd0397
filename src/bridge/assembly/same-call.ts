import { FETCH_SCOPE_NAME } from "../../semconv.ts";
import { toAnswerText } from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";

/** Clocks of two instrumentations of one process differ by less. */
const TOLERANCE_MILLIS = 5;
/** So long after a framework's call that never ends its client may begin: it may wait for a place, or for a token. */
const MAX_DELAY_MILLIS = 10_000;

/** How the fetch observer and the hooks say that a call was left before it was over. */
const LEFT: ReadonlySet<string | undefined> = new Set(["incomplete", "cancelled"]);

/** Returns whether nobody knows what would have come of a call: it never ended, or was left before it was over. */
export const isOpenEnded = ({ isAbandoned, settings }: SpanRecord): boolean =>
  isAbandoned || LEFT.has(settings.finishReason);

/** Returns whether a call or a run was made during another; of one that was left only the start counts. */
export function contains(outer: SpanRecord, inner: SpanRecord): boolean {
  return (
    outer.start - TOLERANCE_MILLIS <= inner.start &&
    (isOpenEnded(inner) ? inner.start : inner.end) <= outer.end + TOLERANCE_MILLIS
  );
}

/** Returns whether a call began soon enough after another, whose end says nothing, to have been made for it. */
export function beganIn(outer: SpanRecord, inner: SpanRecord): boolean {
  return contains(outer, inner) && inner.start - outer.start <= MAX_DELAY_MILLIS;
}

/** Returns whether two were there at the same time. */
export function overlap(one: SpanRecord, other: SpanRecord): boolean {
  return one.start <= other.end + TOLERANCE_MILLIS && other.start <= one.end + TOLERANCE_MILLIS;
}

/** Returns whether two calls may be of one model: some name its version, some none at all. */
export function isSameModel(one: SpanRecord, other: SpanRecord): boolean {
  const [first = "", second = ""] = [one.identity.model, other.identity.model];
  return first === "" || second === "" || first.startsWith(second) || second.startsWith(first);
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Returns whether two are known to be of different conversations: customers ask the same at the same time. */
export function areApart(one: SpanRecord, other: SpanRecord): boolean {
  const [scope, otherScope] = [one.started?.scope, other.started?.scope];
  return (
    differ(scope?.sessionId, otherScope?.sessionId) ||
    differ(scope?.conversationId, otherScope?.conversationId) ||
    differ(one.identity.sessionId, other.identity.sessionId) ||
    differ(one.identity.conversationId, other.identity.conversationId)
  );
}

/** Returns whether what one has seen of an answer may be the beginning of what the other has. */
export function mayBeginAlike(one: SpanRecord, other: SpanRecord): boolean {
  if (!isOpenEnded(one) && !isOpenEnded(other)) return false;
  const messages = [...one.output.messages, ...other.output.messages];
  if (messages.some(({ toolCalls }) => toolCalls.length > 0)) return false;
  const [first = "", second = ""] = [one, other].map(({ output }) => toAnswerText(output)?.trim());
  return first.startsWith(second) || second.startsWith(first);
}

/** Returns how long a span took, in ms; 0 when its end is unknown. */
function durationOf({ start, end, isAbandoned }: SpanRecord): number {
  return isAbandoned ? 0 : end - start;
}

/**
 * Orders spans of one call from the inner one to the outer: what watches HTTP is the nearest to the facts, of others the
 * shorter one is. When a span began says less: many say it in whole ms, often the same.
 */
export function fromInner(one: SpanRecord, other: SpanRecord): number {
  const [isInner, isOtherInner] = [one, other].map(({ scope }) => scope === FETCH_SCOPE_NAME);
  if (isInner !== isOtherInner) return isInner ? -1 : 1;
  return durationOf(one) - durationOf(other);
}
