import { mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { JudgeModel, JudgeRequest } from "../../config/judge-options.ts";
import { readRateLimit } from "../../judge/model-limits.ts";
import type { Clock } from "../../util/clock.ts";
import { isRecord } from "../../util/values.ts";
import type { Place } from "../check/finding.ts";
import { UsageError } from "../parse-arguments.ts";
import type { Question } from "./questions.ts";
import type { RecordedReply } from "./replay.ts";
import { toRequestLine, type RequestSettings } from "./request-line.ts";

/** Names of the files in a folder of recorded requests and replies. */
export const RECORDED_FILES = { requests: "requests.jsonl", replies: "replies.jsonl" } as const;

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** UTF-16 units of JSON: the judge reads half of it. */
const MAX_REPLY = 128 * 1024;

/** Records requests and replies of a model. */
export interface Recording {
  /** Records a request, once for all equal exchanges. */
  noteRequest(question: Question, place: Place): void;
  /** Returns the model with each of its replies recorded. */
  recordReplies(model: JudgeModel): JudgeModel;
}

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
    ...(isRecord(usage) && { usage: usage as unknown as NonNullable<RecordedReply["usage"]> }),
  };
}

function openNew(folder: string, name: string): (value: object) => void {
  const path = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    // Written at once and completely: replies have cost something.
    const file = openSync(path, "wx", FILE_MODE);
    return (value) => void writeSync(file, `${JSON.stringify(value)}\n`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const problem =
      code === "EEXIST" ? "is there already; --replay repeats it" : `can't be made (${code})`;
    throw new UsageError(`--record: ${path} ${problem}`);
  }
}

/** Starts a recording in a folder. @throws UsageError when there is one, or it can't be written. */
export function openRecording(folder: string, settings: RequestSettings, clock: Clock): Recording {
  const writeRequest = openNew(folder, RECORDED_FILES.requests);
  const writeReply = openNew(folder, RECORDED_FILES.replies);
  const asked = new Set<string>();
  const record = async (
    model: JudgeModel,
    request: JudgeRequest,
    call: Parameters<JudgeModel>[1],
  ): Promise<string | object> => {
    const { id, family } = request;
    const startedAt = clock.monotonic();
    let isNoted = false;
    const note = (outcome: Outcome): void => {
      // A reply after the deadline has no reader any more.
      if (isNoted) return;
      isNoted = true;
      const latency = Math.round(clock.monotonic() - startedAt);
      writeReply({ id, family, ...outcome, latency, date: new Date(clock.now()).toISOString() });
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
  };
  return {
    noteRequest(question, place) {
      if (asked.has(question.request.id)) return;
      asked.add(question.request.id);
      writeRequest(toRequestLine(question, place, settings));
    },
    recordReplies: (model) => async (request, call) => record(model, request, call),
  };
}
