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
