import type { TextDelta } from "../completion.ts";

/** What OpenAI pads its events with, so that their lengths tell nothing; of another length each time. */
const PADDING = '"obfuscation":"';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Events in a row that look the same, read at one go. */
export interface EventRun extends TextDelta {
  /** Where the first event begins that is none of them. */
  readonly end: number;
}

/** Splits what follows the text around the padding. */
function splitPadding(rest: string): readonly [string, string] {
  const start = rest.indexOf(PADDING);
  if (start < 0) return [rest, ""];
  const end = rest.indexOf('"', start + PADDING.length);
  return end < 0 ? [rest, ""] : [rest.slice(0, start + PADDING.length), rest.slice(end)];
}

/** Finds the quote that ends a string of JSON; -1 for one with an escape, which may hide its end. */
function findQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH || code < SPACE) return -1;
  }
  return -1;
}

/** Gives where a part ends that a text has at a place; -1 when it has another one there. */
function skip(text: string, start: number, part: string): number {
  const end = start + part.length;
  // Comparing a slice takes half the time of `startsWith`.
  return text.slice(start, end) === part ? end : -1;
}

/**
 * Knows how the last event of a stream looked that added text and nothing else: those that differ by their text only
 * need be neither taken apart nor parsed, which is most of what watching a stream costs.
 */
export class DeltaTemplate {
  /** All of an event up to its text. */
  #opening: string | undefined;
  /** All that follows its text. */
  #closing = "";
  #padded: readonly [before: string, after: string] = ["", ""];
  #delta: TextDelta = { piece: "", key: "", choice: 0 };

  /** Learns from an event of one line that added this text, and nothing else. */
  learn(name: string, data: string, delta: TextDelta): void {
    this.#opening = undefined;
    const json = JSON.stringify(delta.piece);
    const start = data.indexOf(json);
    // The text may stand in the event twice, or be written in another way.
    if (start < 0 || data.includes(json, start + 1) || data.includes("\n")) return;
    const named = name === "" ? "" : `event: ${name}\n`;
    this.#opening = `${named}data: ${data.slice(0, start + 1)}`;
    this.#closing = `${data.slice(start + json.length - 1)}\n\n`;
    this.#padded = splitPadding(this.#closing);
    this.#delta = delta;
  }

  forget(): void {
    this.#opening = undefined;
  }

  /** Reads the events that look the same, from a place where one begins; `undefined` when there is none. */
  read(text: string, start: number): EventRun | undefined {
    const opening = this.#opening;
    if (opening === undefined) return undefined;
    let [piece, end] = ["", start];
    for (;;) {
      const from = skip(text, end, opening);
      const to = from < 0 ? -1 : findQuote(text, from);
      const next = to < 0 ? -1 : this.#skipRest(text, to);
      if (next < 0) break;
      piece += text.slice(from, to);
      end = next;
    }
    return end === start
      ? undefined
      : { piece, key: this.#delta.key, choice: this.#delta.choice, end };
  }

  #skipRest(text: string, start: number): number {
    const end = skip(text, start, this.#closing);
    const [before, after] = this.#padded;
    if (end >= 0 || after === "") return end;
    const from = skip(text, start, before);
    const to = from < 0 ? -1 : findQuote(text, from);
    return to < 0 ? -1 : skip(text, to, after);
  }
}
