import { createReadStream } from "node:fs";
import { toErrorCode } from "../../delivery/spool/file-system.ts";
import { askJudge } from "../../judge/ask-judge.ts";
import type { JudgeUsage } from "../../judge/judge-reply.ts";
import type { JudgeFailure, Judgement } from "../../judge/judgement.ts";
import type { Clock } from "../../util/clock.ts";
import { isRecord, parseJson } from "../../util/values.ts";
import { UsageError } from "../parse-arguments.ts";
import { LineProblem, splitLines } from "../read-lines.ts";
import { noModel, resolveJudge } from "./judge-model.ts";
import type { Answer, Ask, Question } from "./questions.ts";
import { readRequestLine, type RecordedFiles, type RecordedReply } from "./recording.ts";

function parse(bytes: Buffer | undefined): unknown {
  if (!bytes) throw new LineProblem("", "a shorter line", bytes, "more");
  const value = parseJson(bytes.toString("utf8"));
  if (value === undefined) throw new LineProblem("", "a JSON object", bytes, "no JSON");
  return value;
}

/**
 * Reads a file of JSON Lines.
 *
 * @param read - Reads a line's value. @throws LineProblem
 * @param onProblem - Called for each line that can't be read, which is left out.
 * @throws UsageError when the file can't be read.
 */
async function readJsonLines<T>(
  path: string,
  read: (value: unknown) => T,
  onProblem: (problem: string) => void,
): Promise<T[]> {
  const values: T[] = [];
  try {
    for await (const { number, bytes } of splitLines(createReadStream(path))) {
      if (bytes?.toString("utf8").trim() === "") continue;
      try {
        values.push(read(parse(bytes)));
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        onProblem(`${path}: line ${number}: ${error.message}`);
      }
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new UsageError(`${path} can't be read (${toErrorCode(error)})`);
  }
  return values;
}

/** Replies by request, the first call first. */
export type RecordedReplies = ReadonlyMap<string, readonly RecordedReply[]>;

const FAILURES = new Set<unknown>(["closed", "error", "not_schema", "timeout", "too_long"]);

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
    // The reader of replies ignores invalid members.
    ...(isRecord(usage) && { usage: usage as unknown as JudgeUsage }),
    ...(typeof latency === "number" && latency >= 0 && { latency }),
  };
}

/** Groups replies by their requests. */
export function groupReplies(replies: readonly RecordedReply[]): RecordedReplies {
  const groups = new Map<string, RecordedReply[]>();
  for (const reply of replies) groups.set(reply.id, [...(groups.get(reply.id) ?? []), reply]);
  return groups;
}

const STILL: Clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };

function toLatency(calls: readonly RecordedReply[]): number | undefined {
  const known = calls.flatMap(({ latency }) => (latency === undefined ? [] : [latency]));
  return known.length < calls.length ? undefined : known.reduce((sum, one) => sum + one, 0);
}

/** Adds the recorded reasons to calls without a reply. */
function withReasons(judgement: Judgement, calls: readonly RecordedReply[]): Judgement {
  const { failure } = calls.at(-1) ?? {};
  return {
    ...judgement,
    ...(failure !== undefined && { failure }),
    failedCalls: judgement.failedCalls.map((call, index) => {
      const reason = calls[index]?.failure;
      return reason === undefined ? call : { ...call, failure: reason };
    }),
  };
}

async function replay(
  { request, sent }: Question,
  recorded: readonly RecordedReply[],
): Promise<Answer> {
  const rest = [...recorded];
  const calls: RecordedReply[] = [];
  const judgement = await askJudge(request, sent, {
    clock: STILL,
    timeout: 0,
    async model() {
      const next = rest.shift();
      if (next) calls.push(next);
      if (!next || next.failure !== undefined) throw new Error("no reply was recorded");
      const { reply: content, model, finishReason, usage } = next;
      return { content, model, finishReason, usage };
    },
    admitRetry: async () => rest.length > 0,
  });
  return { judgement: withReasons(judgement, calls), latency: toLatency(calls) };
}

/** Answers questions with recorded replies, which are read and checked as those of a model are. */
export function replayReplies(replies: RecordedReplies): Ask {
  return async (question) => {
    const recorded = replies.get(question.request.id);
    return recorded ? replay(question, recorded) : "not_recorded";
  };
}

/**
 * Reads recorded requests with their settings, and the replies to them.
 *
 * @param onProblem - Called for lines that can't be read, and for replies to no request.
 * @throws UsageError for files that can't be read, or that contain no request.
 */
export async function readRecordedRun(files: RecordedFiles, onProblem: (problem: string) => void) {
  const requests = await readJsonLines(files.requests, readRequestLine, onProblem);
  const replies = groupReplies(await readJsonLines(files.replies, toRecordedReply, onProblem));
  const [first] = requests;
  if (!first) throw new UsageError(`${files.requests} holds no request`);
  const ids = new Set(requests.map(({ id }) => id));
  const strays = [...replies.keys()].filter((id) => !ids.has(id)).length;
  if (strays > 0) onProblem(`${files.replies}: ${strays} of ${replies.size} ids are of no request`);
  const settings = { ...first.settings, model: noModel };
  return { options: resolveJudge(settings, files.requests), requests, replies };
}
