/** An event that is longer than this, in UTF-16 units, is left out. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/** How an event begins that is one line, as most are: it can be taken at one go. */
const BARE_EVENT = "data: ";
const LINE_FEED = 0x0a;

/**
 * Takes server-sent events apart.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class SseDecoder {
  readonly #onEvent: (name: string, data: string) => void;
  readonly #skim: (text: string, start: number) => number;
  /** A line that is not at its end. */
  #rest = "";
  #isRestTooLong = false;
  #skipsLineFeed = false;
  #name = "";
  #data: string | undefined;

  /**
   * @param skim - Reads whole events itself, from a place where one begins, and gives where it stopped; their lines
   *   end with line feeds. Default: none
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

  /** Takes what has come as the end, although the protocol wants an empty line. */
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

  /** Takes a line that is at its end, or an event of one line, and gives where the next one begins. */
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
