import { mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JudgeModel } from "../../config/judge-options.ts";
import { toErrorCode } from "../../delivery/spool/file-system.ts";
import type { JudgeUsage } from "../../judge/judge-reply.ts";
import type { JudgeReason } from "../../judge/judge-task.ts";
import type { JudgeFailure } from "../../judge/judgement.ts";
import { readRateLimit } from "../../judge/model-limits.ts";
import type { Clock } from "../../util/clock.ts";
import { isRecord, toRecord } from "../../util/values.ts";
import type { Place } from "../check/finding.ts";
import { UsageError } from "../parse-arguments.ts";
import { LineProblem } from "../read-lines.ts";
import type { Question, QuestionOptions } from "./questions.ts";

/** Files of recorded requests and replies. */
export interface RecordedFiles {
  readonly requests: string;
  readonly replies: string;
}

/** Returns the files in a folder of recorded requests and replies. */
export function toRecordedFiles(folder: string): RecordedFiles {
  return { requests: join(folder, "requests.jsonl"), replies: join(folder, "replies.jsonl") };
}

/** Settings of the judge that choose and shape requests: the reader of the replies recreates the requests with them. */
export type RequestSettings = Pick<
  QuestionOptions,
  "gate" | "sampleRate" | "sampleSeed" | "content" | "maxTextLength"
>;

/** Returns the line of `requests.jsonl` with a request, and its exchange. */
export function toRequestLine(
  { request, reason }: Question,
  place: Place,
  { gate, sampleRate, sampleSeed, content, maxTextLength }: RequestSettings,
) {
  const { line, conversation, userTurn, agentTurn = userTurn } = place;
  return {
    ...request,
    /** Id of the conversation, else number of its line. */
    case: conversation ?? `line ${line}`,
    /** Number of the answer's message in the conversation, from 1. */
    exchange: agentTurn ?? 1,
    reason,
    settings: { gate, sampleRate, sampleSeed, content, maxTextLength },
  };
}

const REASONS: ReadonlySet<unknown> = new Set(["finding", "candidate", "sample", "everything"]);

/** Reads the members of a line beside the request's texts, which are created anew. @throws LineProblem */
export function readRequestLine(value: unknown) {
  if (!isRecord(value)) throw new LineProblem("", "an object with id", value);
  const { id, reason, settings } = value;
  if (typeof id !== "string" || id === "") throw new LineProblem("id", "the id of a request", id);
  return {
    id,
    reason: REASONS.has(reason) ? (reason as JudgeReason) : "everything",
    /** As written in the line. */
    settings: toRecord(settings),
  };
}

/** The outcome of a model's call, its reply or failure: a line of `replies.jsonl`. */
export interface RecordedReply {
  /** Id of the request. */
  readonly id: string;
  /** The JSON as text, or parsed; absent where there is none. */
  readonly reply?: unknown;
  /** Why there is no reply, `timeout`. */
  readonly failure?: JudgeFailure;
  readonly model?: string;
  readonly finishReason?: string;
  readonly usage?: JudgeUsage;
  /** ms */
  readonly latency?: number;
  /** Date of the reply, in the recorder's format. */
  readonly date?: string;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** UTF-16 units of JSON: the judge reads half of it. */
const MAX_REPLY = 128 * 1024;

type Outcome = Omit<RecordedReply, "id">;

/** Returns the length of a value as JSON; `undefined` for one that JSON can't hold. */
function measure(content: unknown): number | undefined {
  try {
    return JSON.stringify(content)?.length;
  } catch {
    return undefined;
  }
}

/** Reads the result of a model's function. */
function toOutcome(reply: unknown): Outcome {
  const isEnvelope = isRecord(reply) && "content" in reply;
  const { content, finishReason, model, usage } = isEnvelope ? reply : { content: reply };
  const length = measure(content);
  if (length === undefined || length > MAX_REPLY)
    return { failure: length === undefined ? "not_schema" : "too_long" };
  return {
    reply: content,
    ...(typeof model === "string" && { model }),
    ...(typeof finishReason === "string" && { finishReason }),
    ...(isRecord(usage) && { usage: usage as unknown as JudgeUsage }),
  };
}

function openNew(path: string): (value: object) => void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    // Written at once and completely: replies have cost something.
    const file = openSync(path, "wx", FILE_MODE);
    return (value) => void writeSync(file, `${JSON.stringify(value)}\n`);
  } catch (error) {
    const code = toErrorCode(error);
    const problem =
      code === "EEXIST" ? "is there already; --replay repeats it" : `can't be made (${code})`;
    throw new UsageError(`--record: ${path} ${problem}`);
  }
}

/** Starts a recording in a folder. @throws UsageError when there is one, or it can't be written. */
export function openRecording(folder: string, settings: RequestSettings, clock: Clock) {
  const files = toRecordedFiles(folder);
  const writeRequest = openNew(files.requests);
  const writeReply = openNew(files.replies);
  const asked = new Set<string>();
  return {
    /** Records a request, once for all equal exchanges. */
    noteRequest(question: Question, place: Place): void {
      if (asked.has(question.request.id)) return;
      asked.add(question.request.id);
      writeRequest(toRequestLine(question, place, settings));
    },
    /** Returns the model with each of its replies recorded. */
    recordReplies:
      (model: JudgeModel): JudgeModel =>
      async (request, call) => {
        const { id, family } = request;
        const startedAt = clock.monotonic();
        let isNoted = false;
        const note = (outcome: Outcome): void => {
          // A reply after the deadline has no reader any more.
          if (isNoted) return;
          isNoted = true;
          const latency = Math.round(clock.monotonic() - startedAt);
          const date = new Date(clock.now()).toISOString();
          writeReply({ id, family, ...outcome, latency, date });
        };
        call.signal.addEventListener("abort", () => note({ failure: "timeout" }), { once: true });
        try {
          const reply = await model(request, call);
          note(toOutcome(reply));
          return reply;
        } catch (error) {
          // A rate limit is no outcome of the request: it is asked again.
          if (!readRateLimit(error, clock.now())) note({ failure: "error" });
          throw error;
        }
      },
  };
}
