import type { TextDelta } from "../completion.ts";

/** Member by which OpenAI pads its events to hide their length; its own length varies. */
const PADDING = '"obfuscation":"';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Consecutive events of the same form, read at once. */
export interface EventRun extends TextDelta {
  /** Position of the first event of another form. */
  readonly end: number;
}

/** Splits the end of an event around the padding. */
function splitPadding(rest: string): readonly [string, string] {
  const start = rest.indexOf(PADDING);
  if (start < 0) return [rest, ""];
  const end = rest.indexOf('"', start + PADDING.length);
  return end < 0 ? [rest, ""] : [rest.slice(0, start + PADDING.length), rest.slice(end)];
}

/**
 * Returns the position of the quote that ends a JSON string; -1 for a string with an escape, which may hide its end.
 */
function findQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH || code < SPACE) return -1;
  }
  return -1;
}

/** Returns the end of `part` if the text has it at `start`; else -1. */
function skip(text: string, start: number, part: string): number {
  const end = start + part.length;
  // Comparing a slice takes half the time of `startsWith`.
  return text.slice(start, end) === part ? end : -1;
}

/**
 * Keeps the form of a stream's last event that added text and nothing else: events that differ from it only by their
 * text need no decoding and no parsing, which is most of the cost of observing a stream.
 */
export class DeltaTemplate {
  /** The event up to its text. */
  #opening: string | undefined;
  /** The event after its text. */
  #closing = "";
  #padded: readonly [before: string, after: string] = ["", ""];
  #delta: TextDelta = { piece: "", key: "", choice: 0 };

  /** Keeps the form of a one-line event that added this text and nothing else. */
  learn(name: string, data: string, delta: TextDelta): void {
    this.#opening = undefined;
    const json = JSON.stringify(delta.piece);
    const start = data.indexOf(json);
    // The text may occur in the event twice, or in another encoding.
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

  /** Reads the events of the same form from the start of one; `undefined` when there is none. */
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
