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
  /** A line that is not at its end. */
  #rest = "";
  #isRestTooLong = false;
  #skipsLineFeed = false;
  #name = "";
  #data: string | undefined;

  constructor(onEvent: (name: string, data: string) => void) {
    this.#onEvent = onEvent;
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
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      if (this.#isBareEvent(text, start, end)) {
        this.#onEvent("", text.slice(start + BARE_EVENT.length, end));
        start = end + 2;
        continue;
      }
      const line = text.slice(start, end);
      start = end + 1;
      if (!this.#isRestTooLong) this.#readLine(this.#rest + line);
      this.#rest = "";
      this.#isRestTooLong = false;
    }
    if (start < text.length) this.#keep(start === 0 ? text : text.slice(start));
  }

  /** Takes what has come as the end, although the protocol wants an empty line. */
  end(): void {
    if (this.#rest !== "") this.push("\n");
    this.#dispatch();
  }

  #isBareEvent(text: string, start: number, end: number): boolean {
    const isBetweenEvents = this.#name === "" && this.#data === undefined && this.#rest === "";
    return (
      isBetweenEvents &&
      !this.#isRestTooLong &&
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
