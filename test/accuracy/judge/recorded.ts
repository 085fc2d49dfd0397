import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { RecordedReply } from "../../../src/cli/judge/recording.ts";
import {
  groupReplies,
  toRecordedReply,
  type RecordedReplies,
} from "../../../src/cli/judge/replay.ts";

/** What a language model replied to the requests of one text. */
export interface TextReply extends RecordedReply {
  readonly textId: string;
}

/** Replies by request, and whose they are. */
export interface RecordedTexts {
  readonly replies: RecordedReplies;
  /** Ids of the requests about each text that was asked about. */
  readonly byText: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of requests by model. */
  readonly models: Readonly<Record<string, number>>;
  /** `YYYY-MM-DD` of the first and the last. */
  readonly dates: { readonly from: string; readonly to: string } | undefined;
}

const ENDING = ".jsonl.gz";

function readLine(line: string): TextReply {
  const value = JSON.parse(line) as { readonly textId?: unknown };
  if (typeof value.textId !== "string") throw new Error("recorded reply: expected a textId");
  return { ...toRecordedReply(value), textId: value.textId };
}

/**
 * Reads the recorded replies of a folder, which need not be there: `*.jsonl.gz`, a line `{ id, textId, family, reply, model, date }`
 * for each request. The requests themselves are not stored: they are made again.
 */
export function readRecordedTexts(folder: string): RecordedTexts {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const lines = names
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString("utf8")
        .split("\n"),
    )
    .filter((line) => line.trim() !== "")
    .map(readLine);
  const byText = new Map<string, Set<string>>();
  for (const { textId, id } of lines)
    byText.set(textId, (byText.get(textId) ?? new Set<string>()).add(id));
  const models: Record<string, number> = {};
  for (const { model = "not told" } of lines) models[model] = (models[model] ?? 0) + 1;
  const dates = lines.flatMap(({ date }) => (date === undefined ? [] : [date.slice(0, 10)]));
  const [from, to] = [dates.toSorted().at(0), dates.toSorted().at(-1)];
  return {
    replies: groupReplies(lines),
    byText,
    models,
    dates: from !== undefined && to !== undefined ? { from, to } : undefined,
  };
}
