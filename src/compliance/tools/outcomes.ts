import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { wordSet } from "../../text/word-set.ts";
import { hasFailed, listValues, toWords } from "./tool-results.ts";
import { spacedWords, toolWords } from "./tool-words.ts";

/** How the calls of an interaction ended; of several calls of one tool the last counts, because agents try again. */
export interface Outcomes {
  readonly failed: readonly ToolUsageInfo[];
  readonly succeeded: readonly ToolUsageInfo[];
}

const STATUS = linear(/^(?:status|state|outcome|disposition|order status|payment status)$/);

const UNDONE = linear(
  /\b(return|cancel|void|reverse|expire|bounce|reject|decline|pending|queue|hold|held|block|suspend|incomplete|aborted|unsent|not\b)/,
);

/** What a tool's name says of its purpose by another form of the word: "request_fee_reversal", "get_hold". */
const ROOTS: Readonly<Record<string, string>> = {
  reverse: "revers",
  expire: "expir",
  held: "hold",
};

/** "wire_status: RETURNED": the call worked and says that the matter did not, unless that was its purpose. */
function reportsFailure({ name, result }: ToolUsageInfo): boolean {
  const purpose = spacedWords(name);
  return listValues(result).some((one) => {
    if (!STATUS.test(one.name)) return false;
    const stem = UNDONE.exec(toWords(one.value))?.[1];
    return stem !== undefined && !purpose.includes(ROOTS[stem] ?? stem);
  });
}

/** Sorts tool calls by how they ended. */
export function toOutcomes(tools: readonly ToolUsageInfo[]): Outcomes {
  const last = new Map(tools.map((tool) => [tool.name, tool]));
  const failed: ToolUsageInfo[] = [];
  const succeeded: ToolUsageInfo[] = [];
  for (const tool of last.values())
    (hasFailed(tool) || reportsFailure(tool) ? failed : succeeded).push(tool);
  return { failed, succeeded };
}

const MIN_WORD_LENGTH = 4;
/** Words of tool names that say nothing of what the tool is about. */
const VAGUE = wordSet(`
  create update change send make place submit request fetch check lookup list find read
  status info data details customer user
`);

function isAbout({ name }: ToolUsageInfo, words: ReadonlySet<string>): boolean {
  return toolWords(name).some(
    (word) =>
      word.length >= MIN_WORD_LENGTH &&
      // "block" is in "blocked", "refund" in "refunded".
      [...words].some(
        (other) =>
          other.startsWith(word) || (other.length >= MIN_WORD_LENGTH && word.startsWith(other)),
      ),
  );
}

/**
 * Returns the failed call that a statement is about.
 *
 * When other tools succeeded, the statement must share a word with the failed one's name and with none of theirs.
 */
export function findFailedCall(
  { failed, succeeded }: Outcomes,
  words: ReadonlySet<string>,
): ToolUsageInfo | undefined {
  if (succeeded.length === 0) return failed[0];
  if (succeeded.some((tool) => isAbout(tool, words))) return undefined;
  return failed.find((tool) => isAbout(tool, words));
}

/** Returns whether some words share one with the name of a call that says what it is about. */
export function isNamedIn(tool: ToolUsageInfo, words: ReadonlySet<string>): boolean {
  const name = toolWords(tool.name).filter((word) => !VAGUE.has(word));
  return isAbout({ ...tool, name: name.join("_") }, words);
}

/** Returns whether a call is about what the exchange is about: its name or its parameters share a word with it. */
export function concerns(tool: ToolUsageInfo, words: ReadonlySet<string>): boolean {
  if (isNamedIn(tool, words)) return true;
  return listValues(tool.parameters).some(
    ({ value }) => typeof value !== "boolean" && words.has(String(value).toLowerCase()),
  );
}
