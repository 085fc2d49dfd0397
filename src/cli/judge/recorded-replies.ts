import type { JudgeUsage } from "../../judge/judge-reply.ts";
import type { JudgeFailure } from "../../judge/judgement.ts";
import { LineProblem } from "../check/line-problem.ts";
import { isRecord } from "../../util/values.ts";

/** What a call of a model gave, or why it gave nothing: a line of `replies.jsonl`. */
export interface RecordedReply {
  /** Of the request. */
  readonly id: string;
  /** The JSON as text, or parsed; absent where there is none. */
  readonly reply?: unknown;
  /** Why there is none, `timeout`. */
  readonly failure?: JudgeFailure;
  readonly model?: string;
  readonly finishReason?: string;
  readonly usage?: JudgeUsage;
  /** ms */
  readonly latency?: number;
  /** When it was given, as whoever recorded it writes dates. */
  readonly date?: string;
}

/** Replies by request, the first call first. */
export type RecordedReplies = ReadonlyMap<string, readonly RecordedReply[]>;

const FAILURES: ReadonlySet<unknown> = new Set([
  "closed",
  "error",
  "not_schema",
  "timeout",
  "too_long",
]);

/** Reads a line. @throws LineProblem */
export function toRecordedReply(value: unknown): RecordedReply {
  if (!isRecord(value)) throw new LineProblem("", "an object with id and reply", value);
  const { id, reply, failure, latency, usage } = value;
  if (typeof id !== "string" || id === "") throw new LineProblem("id", "the id of a request", id);
  const hasFailed = FAILURES.has(failure);
  if (!hasFailed && typeof reply !== "string" && !isRecord(reply))
    throw new LineProblem("reply", "a string or an object", reply);
  const texts = ["model", "finishReason", "date"].filter((name) => typeof value[name] === "string");
  return {
    id,
    ...(hasFailed ? { failure: failure as JudgeFailure } : { reply }),
    ...Object.fromEntries(texts.map((name) => [name, value[name]])),
    // What is wrong with it, the reader of replies ignores.
    ...(isRecord(usage) && { usage: usage as unknown as JudgeUsage }),
    ...(typeof latency === "number" && latency >= 0 && { latency }),
  };
}

/** Puts replies together by their requests. */
export function groupReplies(replies: readonly RecordedReply[]): RecordedReplies {
  const groups = new Map<string, RecordedReply[]>();
  for (const reply of replies) {
    const group = groups.get(reply.id);
    if (group) group.push(reply);
    else groups.set(reply.id, [reply]);
  }
  return groups;
}

/** Gives a reply as a model's function gives it. */
export function toEnvelope({ reply, model, finishReason, usage }: RecordedReply): object {
  return {
    content: reply,
    ...(finishReason !== undefined && { finishReason }),
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
  };
}
