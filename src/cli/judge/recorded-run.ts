import type { ResolvedJudgeOptions } from "../../config/judge-options.ts";
import { UsageError } from "../command.ts";
import { resolveJudge } from "./load-judge.ts";
import { readJsonLines } from "./read-json-lines.ts";
import { groupReplies, toRecordedReply, type RecordedReplies } from "./recorded-replies.ts";
import { readRequestLine, type KnownRequest } from "./request-line.ts";

/** Requests that were made before, and the replies to them. */
export interface RecordedRun {
  /** Those of the requests; it has no model. */
  readonly options: ResolvedJudgeOptions;
  readonly requests: readonly KnownRequest[];
  readonly replies: RecordedReplies;
}

async function noModel(): Promise<never> {
  throw new Error("recorded replies need no model");
}

/**
 * Reads requests and replies.
 *
 * @param onProblem - Hears of lines that can't be read, and of replies to no request.
 * @throws UsageError for files that can't be read, or that hold no request.
 */
export async function readRecordedRun(
  files: { readonly requests: string; readonly replies: string },
  onProblem: (problem: string) => void,
): Promise<RecordedRun> {
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
