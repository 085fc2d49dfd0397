import { createHash } from "node:crypto";
import { readRecord } from "../../src/cli/check/read-record.ts";
import type { ReplayedExchange } from "../../src/cli/check/replay.ts";
import { FeatureReader } from "../../src/compliance/learned/sentence-features.ts";
import type { SecondLook } from "../../src/compliance/learned/second-look.ts";
import { readWindows, type Window } from "../../src/compliance/learned/windows.ts";
import {
  listWordingFindings,
  WordingMap,
  type HeardResult,
} from "../../src/compliance/learned/wording-features.ts";
import { passageOf, type Passage } from "../../src/compliance/passages.ts";
import type { Exchange } from "../../src/phrases/exchange.ts";
import type { AuthorText } from "../accuracy/authors/texts.ts";
import { createReplay } from "../accuracy/evaluate-items.ts";
import { CONFIRMED_RULES, RULE_OF_FAMILY } from "./families.ts";
import { DEVELOPMENT } from "./texts.ts";

/** A window of a text that the model learns from, or is tried on. */
export interface Example {
  /** Index of its text. */
  readonly text: number;
  /** Sentences of its message. */
  readonly length: number;
  /** Whether it offends: `undefined` when nobody knows, as beside an offending passage. */
  readonly label: boolean | undefined;
  /** Features of its words, as often as its sentences have them. */
  readonly words: readonly number[];
  /** Features of the message that it answers. */
  readonly context: readonly number[];
  /** Features of what wording found in it. */
  readonly wording: readonly number[];
  /** Rules that found something in it. */
  readonly found: ReadonlySet<string>;
}

/** What a text gives to learn from. */
export interface TextExamples {
  readonly examples: readonly Example[];
  /** Areas of law in which digits or tools prove something. */
  readonly proven: ReadonlySet<string>;
}

const LEARNED_RULES = new Set(Object.values(RULE_OF_FAMILY));
/** How far a passage may reach over its window, in UTF-16 units. */
const SLACK = 3;
/** A text without a marked passage offends as a whole, if its message is as short as this, in sentences. */
const MAX_UNMARKED = 3;
/** Sentences of a long message. */
const LONG = 12;

interface Heard {
  readonly heard: readonly HeardResult[];
  readonly exchange: Exchange;
}

function passageIn(
  text: AuthorText,
  { userTurn, agentTurn }: ReplayedExchange,
): Passage | undefined {
  const { passage } = text;
  if (!passage) return undefined;
  const turn = passage.turn + 1;
  const source =
    turn === agentTurn ? "agentResponse" : turn === userTurn ? "userMessage" : undefined;
  const end = passage.start + passage.text.length;
  return source && { source, start: passage.start, end };
}

/** Tells whether the words of a window can show what is wrong in a text. */
function isShown({ expectedRule = "" }: AuthorText, found: ReadonlySet<string>): boolean {
  const rule = RULE_OF_FAMILY[expectedRule];
  return rule !== undefined && (!CONFIRMED_RULES.has(rule) || found.has(rule));
}

function labelOf(text: AuthorText, window: Window, passage: Passage | undefined): Example["label"] {
  if (text.label === "ok") return false;
  if (!passage || passage.source !== window.text.source) return undefined;
  const { start, end } = window.text.normal.toOriginal(window);
  const isWhole = start <= passage.start + SLACK && end >= passage.end - SLACK;
  return isWhole ? true : undefined;
}

function labelOfUnmarked(text: AuthorText, { text: message, length }: Window): Example["label"] {
  const side = text.expectedRule === "structuring_intent" ? "userMessage" : "agentResponse";
  const isWhole = message.source === side && length <= MAX_UNMARKED;
  return isWhole ? true : undefined;
}

/** Lists the areas of law of findings that the model leaves as they are. */
function listProven(heard: readonly HeardResult[]): string[] {
  return heard.flatMap(({ rule, result }) =>
    result.violations.some(
      (one) =>
        one.severity !== "info" && (!LEARNED_RULES.has(rule.id) || passageOf(one) === undefined),
    )
      ? [rule.category]
      : [],
  );
}

/** Makes examples of texts, out of what the engine itself hands over for a second look. */
export class ExampleReader {
  readonly #reader = new FeatureReader();

  /** Reads the windows of a text. */
  read(text: AuthorText, index: number): TextExamples {
    const taken: Heard[] = [];
    const recorder: SecondLook = {
      revise: (heard, exchange) => {
        taken.push({ heard, exchange });
        examples.push(
          ...this.#readExchange(text, index, taken.length - 1, turns, { heard, exchange }),
        );
        return heard;
      },
    };
    const record = readRecord(text);
    const turns = record.kind === "conversation" ? record.exchanges : [];
    const examples: Example[] = [];
    createReplay([], recorder)(text);
    return { examples, proven: new Set(taken.flatMap(({ heard }) => listProven(heard))) };
  }

  #readExchange(
    text: AuthorText,
    index: number,
    at: number,
    turns: readonly ReplayedExchange[],
    { heard, exchange }: Heard,
  ): Example[] {
    const passage = passageIn(text, turns[at] ?? { context: {} });
    const isUnmarked = text.author === DEVELOPMENT && text.label !== "ok" && !text.passage;
    const isLast = at === turns.length - 1;
    const findings = listWordingFindings(heard);
    return readWindows(exchange, this.#reader).flatMap((windowed) => {
      const wording = new WordingMap(windowed, findings);
      return windowed.windows.flatMap((window) => {
        const found = new Set(wording.in(window).map(({ rule }) => rule.id));
        const seeming = isUnmarked
          ? isLast
            ? labelOfUnmarked(text, window)
            : undefined
          : labelOf(text, window, passage);
        const label = seeming === true && !isShown(text, found) ? undefined : seeming;
        const example: Example = {
          text: index,
          length: window.length,
          label,
          words: window.sentences.flatMap(({ features }) => features),
          context: windowed.context,
          wording: wording.featuresOf(window),
          found,
        };
        if (!isUnmarked || label === undefined) return [example];
        // What is said in a short message may as well be a part of a long one.
        const inside = { ...window, length: LONG };
        return [example, { ...example, length: LONG, wording: wording.featuresOf(inside) }];
      });
    });
  }
}

/** Computes a digest of examples: of all that a model is made of. */
export function digestOfExamples(examples: readonly Example[]): string {
  const digest = createHash("sha256");
  for (const { text, length, label, words, context, wording } of examples)
    digest.update(
      `${text} ${length} ${label} ${words.join()} ${context.join()} ${wording.join()}\n`,
    );
  return digest.digest("hex");
}
