import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A message of a dialogue. */
export interface AuthorTurn {
  readonly role: "user" | "agent";
  readonly content: string;
}

/** What is wrong in a text: UTF-16 units of a turn's content. */
export interface Passage {
  /** From 0. */
  readonly turn: number;
  readonly start: number;
  readonly text: string;
}

/** An answer or a dialogue of an author who has seen no rule; also a line of `agent-monitor check`. */
export interface AuthorText {
  readonly id: string;
  readonly author: string;
  readonly label: "ok" | "violation";
  readonly userMessage?: string;
  readonly agentResponse: string;
  readonly turns?: readonly AuthorTurn[];
  readonly expectedCategory?: string;
  /** Name of the family of rules that should find it. */
  readonly expectedRule?: string;
  readonly kind?: string;
  readonly passage?: Passage;
}

const ENDING = ".jsonl.gz";

/** Reads the texts of every author of a folder. */
export function readAuthorTexts(folder: string): AuthorText[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString("utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as AuthorText),
    );
}

/** Lists the messages that `passage.turn` counts. */
export function turnsOf({ turns, userMessage, agentResponse }: AuthorText): readonly AuthorTurn[] {
  if (turns) return turns;
  const answer: AuthorTurn = { role: "agent", content: agentResponse };
  return userMessage === undefined ? [answer] : [{ role: "user", content: userMessage }, answer];
}

/** Counts the UTF-16 units of all answers of a text. */
export function answerLengthOf(text: AuthorText): number {
  return turnsOf(text)
    .filter(({ role }) => role === "agent")
    .reduce((sum, { content }) => sum + content.length, 0);
}
