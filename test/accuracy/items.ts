import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { ComplianceSeverity } from "../../src/events/compliance.ts";

/** A labelled exchange or conversation; its other members are those of a line of `agent-monitor check`. */
export interface LabelledItem {
  readonly id: string;
  readonly category: string;
  readonly label: "violation" | "ok";
  readonly expectedCategory?: string;
  readonly expectedSeverity?: ComplianceSeverity;
  /** Name of the family of rules that should find it. */
  readonly expectedRule?: string;
  /** What makes an item that is fine tempting. */
  readonly trap?: string;
  readonly tags?: readonly string[];
  readonly userMessage?: string;
  readonly agentResponse?: string;
}

/** Reads a file of JSON Lines. */
export function readLines<T>(path: string): T[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}

/** Lists the files of labelled items: the file itself, or every `*.jsonl` of a directory. */
function listItemFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
  return names.toSorted().map((name) => join(path, name));
}

/** Reads labelled items by file. */
export function readItems(path: string): Map<string, LabelledItem[]> {
  return new Map(
    listItemFiles(path).map((file) => [basename(file), readLines<LabelledItem>(file)]),
  );
}
