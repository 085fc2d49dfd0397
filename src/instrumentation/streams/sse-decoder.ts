import type { TextDelta } from "../completion.ts";

/** Longest event, in UTF-16 units; a longer one is dropped. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/** Start of an event of one line, which most are: such an event is read at once. */
const BARE_EVENT = "data: ";
const LINE_FEED = 0x0a;

/**
 * Parses server-sent events.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class SseDecoder {
  readonly #onEvent: (name: string, data: string) => void;
  readonly #skim: (text: string, start: number) => number;
  /** The unfinished line. */
  #rest = "";
  #isRestTooLong = false;
  #skipsLineFeed = false;
  #name = "";
  #data: string | undefined;

  /**
   * @param skim - Reads whole events itself from the start of one, and returns the position where it stopped; their
   * lines end with line feeds. Default: none
   */
  constructor(
    onEvent: (name: string, data: string) => void,
    skim: (text: string, start: number) => number = (_text, start) => start,
  ) {
    this.#onEvent = onEvent;
    this.#skim = skim;
  }

  push(given: string): void {
    let text = given;
    if (this.#skipsLineFeed && text !== "") {
      this.#skipsLineFeed = false;
      if (text.startsWith("\n")) text = text.slice(1);
    }
    if (text.includes("\r")) {
      this.#skipsLineFeed = text.endsWith("\r");
      text = text.replaceAll(/\r\n?/g, "\n");
    }
    let start = this.#skimFrom(text, 0);
    for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
      start = this.#skimFrom(text, this.#takeLine(text, start, end));
    }
    if (start < text.length) this.#keep(start === 0 ? text : text.slice(start));
  }

  /** Dispatches the pending event at the end of the body, although the standard requires an empty line. */
  end(): void {
    if (this.#rest !== "") this.push("\n");
    this.#dispatch();
  }

  get #isBetweenEvents(): boolean {
    const isAtLine = this.#rest === "" && !this.#isRestTooLong;
    return isAtLine && this.#name === "" && this.#data === undefined;
  }

  #skimFrom(text: string, start: number): number {
    return this.#isBetweenEvents ? this.#skim(text, start) : start;
  }

  /** Reads a finished line or an event of one line, and returns the start of the next line. */
  #takeLine(text: string, start: number, end: number): number {
    if (this.#isBareEvent(text, start, end)) {
      this.#onEvent("", text.slice(start + BARE_EVENT.length, end));
      return end + 2;
    }
    const line = text.slice(start, end);
    if (!this.#isRestTooLong) this.#readLine(this.#rest + line);
    this.#rest = "";
    this.#isRestTooLong = false;
    return end + 1;
  }

  #isBareEvent(text: string, start: number, end: number): boolean {
    return (
      this.#isBetweenEvents &&
      end - start <= MAX_EVENT_LENGTH &&
      text.charCodeAt(end + 1) === LINE_FEED &&
      text.startsWith(BARE_EVENT, start)
    );
  }

  #keep(text: string): void {
    if (this.#rest.length + text.length > MAX_EVENT_LENGTH) {
      this.#isRestTooLong = true;
      this.#rest = "";
    } else if (!this.#isRestTooLong) this.#rest += text;
  }

  #readLine(line: string): void {
    if (line === "") this.#dispatch();
    else if (line.startsWith("data:")) {
      const data = line.slice(line.startsWith(" ", 5) ? 6 : 5);
      const isFirst = this.#data === undefined;
      const length = (this.#data?.length ?? 0) + data.length;
      if (length <= MAX_EVENT_LENGTH) this.#data = isFirst ? data : `${this.#data}\n${data}`;
    } else if (line.startsWith("event:")) this.#name = line.slice(6).trim();
  }

  #dispatch(): void {
    const [name, data] = [this.#name, this.#data];
    this.#name = "";
    this.#data = undefined;
    if (data !== undefined) this.#onEvent(name, data);
  }
}

/** Member by which OpenAI pads its events to hide their length; its own length varies. */
const PADDING = '"obfuscation":"';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Consecutive events of the same form, read at once. */
interface EventRun extends TextDelta {
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
    const { key, choice } = this.#delta;
    return end === start ? undefined : { piece, key, choice, end };
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
