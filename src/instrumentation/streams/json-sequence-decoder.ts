/** Longest object, in UTF-16 units; a longer one is dropped. */
const MAX_OBJECT_LENGTH = 4 * 1024 * 1024;

/** Starts and ends of an object or a string. */
const TOKEN = /[{}"]/g;
/** Ends of a string, and escapes. */
const STRING_END = /["\\]/g;

/**
 * Splits consecutive JSON objects with any separators: lines, or the members of one list.
 *
 * Reads each character once, however the text is cut.
 */
export class JsonSequenceDecoder {
  readonly #onObject: (text: string) => void;
  #rest: string[] = [];
  #restLength = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(onObject: (text: string) => void) {
    this.#onObject = onObject;
  }

  push(text: string): void {
    let start = 0;
    for (let at = 0; at < text.length;) {
      if (this.#isInString) {
        at = this.#skipString(text, at);
        continue;
      }
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text);
      if (!found) break;
      at = found.index + 1;
      if (found[0] === '"') this.#isInString = this.#depth > 0;
      else if (found[0] === "{") {
        if (this.#depth++ === 0) start = found.index;
      } else if (this.#depth > 0 && --this.#depth === 0) {
        this.#emit(text.slice(start, at));
        start = at;
      }
    }
    if (this.#depth > 0) this.#keep(text.slice(start));
  }

  #skipString(text: string, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from + 1;
    }
    STRING_END.lastIndex = from;
    const found = STRING_END.exec(text);
    if (!found) return text.length;
    if (found[0] === "\\") this.#isEscaped = true;
    else this.#isInString = false;
    return found.index + 1;
  }

  #keep(text: string): void {
    this.#restLength += text.length;
    if (this.#restLength > MAX_OBJECT_LENGTH) this.#rest = [];
    else this.#rest.push(text);
  }

  #emit(text: string): void {
    const isTooLong = this.#restLength + text.length > MAX_OBJECT_LENGTH;
    const whole = this.#rest.join("") + text;
    this.#rest = [];
    this.#restLength = 0;
    if (!isTooLong) this.#onObject(whole);
  }
}
