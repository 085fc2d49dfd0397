import { StringDecoder } from "node:string_decoder";
import { isRecord, parseJson, type JsonRecord } from "../../util/values.ts";
import type { Completion } from "../completion.ts";
import type { Protocol } from "../protocol.ts";
import { createEventStreamDecoder } from "./event-stream-decoder.ts";
import { DeltaTemplate, SseDecoder } from "./sse-decoder.ts";

/** Longest body that is read as a whole, in UTF-16 units; error bodies are short. */
const MAX_BODY_LENGTH = 8 * 1024 * 1024;

/** A response's body, and the completion that is read from it. */
export interface ReadAnswer {
  readonly protocol: Protocol;
  readonly answer: Completion;
  readonly isStreamed: boolean;
  /** Whether the status announces an error body. */
  readonly isRefusal: boolean;
}

interface TextDecoding {
  push(text: string): void;
  end?(): void;
}

/** Collects a body that is one JSON text. */
function createWholeDecoder(onText: (text: string) => void): TextDecoding {
  let pieces: string[] = [];
  let length = 0;
  return {
    push(text) {
      length += text.length;
      if (length > MAX_BODY_LENGTH) pieces = [];
      else pieces.push(text);
    },
    end: () => onText(pieces.splice(0).join("")),
  };
}

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
function createSequenceDecoder(onObject: (text: string) => void): TextDecoding {
  let rest: string[] = [];
  let restLength = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const skipString = (text: string, from: number): number => {
    if (isEscaped) {
      isEscaped = false;
      return from + 1;
    }
    STRING_END.lastIndex = from;
    const found = STRING_END.exec(text);
    if (!found) return text.length;
    if (found[0] === "\\") isEscaped = true;
    else isInString = false;
    return found.index + 1;
  };
  const keep = (text: string): void => {
    restLength += text.length;
    if (restLength > MAX_OBJECT_LENGTH) rest = [];
    else rest.push(text);
  };
  const emit = (): void => {
    const whole = rest.join("");
    const isWhole = restLength <= MAX_OBJECT_LENGTH;
    rest = [];
    restLength = 0;
    if (isWhole) onObject(whole);
  };
  const push = (text: string): void => {
    let start = 0;
    for (let at = 0; at < text.length;) {
      if (isInString) {
        at = skipString(text, at);
        continue;
      }
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text);
      if (!found) break;
      at = found.index + 1;
      if (found[0] === '"') isInString = depth > 0;
      else if (found[0] === "{") {
        if (depth++ === 0) start = found.index;
      } else if (depth > 0 && --depth === 0) {
        keep(text.slice(start, at));
        emit();
        start = at;
      }
    }
    if (depth > 0) keep(text.slice(start));
  };
  return { push };
}

const LAST_ASCII = 0x7f;
const IGNORED: TextDecoding = { push: () => undefined };
/** Start of a line of server-sent events: `data`, `event`, `id`, `retry`, a comment. */
const SSE_START = /^(?:data|event|id|retry|:)/;
const SSE_STARTS = ["data", "event", "id", "retry"];

/**
 * Reads the body of a response as it comes in.
 *
 * The first characters identify the encoding: servers send wrong content types, and may stream or not, regardless of
 * the request.
 */
export class AnswerReader {
  readonly #options: ReadAnswer;
  #decoder: StringDecoder | undefined;
  #text: TextDecoding | undefined;
  #pushBinary: ((chunk: Uint8Array) => void) | undefined;
  #start = "";
  /** Set for server-sent events only. */
  #template: DeltaTemplate | undefined;

  constructor(options: ReadAnswer) {
    this.#options = options;
  }

  push(chunk: unknown): void {
    if (typeof chunk === "string") this.#pushText(chunk);
    else if (chunk instanceof Uint8Array) this.#pushBytes(chunk);
  }

  end(): void {
    const rest = this.#decoder?.end() ?? "";
    if (rest !== "") this.#pushText(rest);
    // The encoding of a short body may still be open.
    if (!this.#text && this.#start !== "") this.#open(this.#start, true);
    this.#text?.end?.();
  }

  /** Reads a body that the caller has parsed. */
  readValue(value: unknown): void {
    const { protocol, answer, isRefusal } = this.#options;
    const body: unknown = Array.isArray(value) && isRefusal ? value[0] : value;
    if (Array.isArray(body)) {
      for (const data of body) if (isRecord(data)) protocol.readEvent({ name: "", data }, answer);
    } else if (isRecord(body)) {
      if (isRefusal) answer.error = protocol.readError(body);
      else protocol.readBody(body, answer);
    }
  }

  #pushBytes(chunk: Uint8Array): void {
    if (!this.#text && !this.#pushBinary && this.#start === "" && chunk[0] === 0) {
      this.#pushBinary = createEventStreamDecoder((name, text) => this.#readEvent(name, text));
    }
    if (this.#pushBinary) {
      this.#pushBinary(chunk);
      return;
    }
    const text = this.#decode(chunk);
    if (text !== "") this.#pushText(text);
  }

  /**
   * Decodes a piece of UTF-8: nearly all pieces end with a whole character, and need no decoder that keeps the rest.
   */
  #decode(chunk: Uint8Array): string {
    const isWhole = !this.#decoder && (chunk.at(-1) ?? 0) <= LAST_ASCII;
    if (isWhole)
      return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("utf8");
    return (this.#decoder ??= new StringDecoder("utf8")).write(chunk);
  }

  #pushText(text: string): void {
    if (this.#text) this.#text.push(text);
    else {
      this.#start = (this.#start + text).trimStart();
      if (this.#start !== "") this.#open(this.#start, false);
    }
  }

  /** Selects the decoder by the start of the text. */
  #open(start: string, isAll: boolean): void {
    const { isStreamed, isRefusal } = this.#options;
    if (/^[[{]/.test(start)) {
      this.#text =
        isStreamed && !isRefusal
          ? createSequenceDecoder((text) => this.#readEvent("", text))
          : createWholeDecoder((text) => this.readValue(parseJson(text)));
    } else if (SSE_START.test(start)) {
      const template = (this.#template = new DeltaTemplate());
      this.#text = new SseDecoder(
        (name, data) => this.#readEvent(name, data),
        (all, from) => this.#skim(template, all, from),
      );
    } else if (isAll || !SSE_STARTS.some((name) => name.startsWith(start))) this.#text = IGNORED;
    else return;
    this.#start = "";
    this.#text.push(start);
  }

  #skim(template: DeltaTemplate, text: string, start: number): number {
    const run = template.read(text, start);
    if (!run) return start;
    this.#options.answer.addText(run.piece, run.key, run.choice);
    return run.end;
  }

  #readEvent(name: string, text: string): void {
    const { protocol, answer, isRefusal } = this.#options;
    if (text === "[DONE]") {
      answer.isTerminated = true;
      return;
    }
    const data = parseJson(text);
    if (!isRecord(data)) return;
    if (isRefusal) answer.error = protocol.readError(data);
    else this.#readData(name, text, data);
  }

  #readData(name: string, text: string, data: JsonRecord): void {
    const { protocol, answer } = this.#options;
    const { changes, error } = answer;
    answer.lastText = undefined;
    protocol.readEvent({ name, data }, answer);
    const isText = answer.changes === changes + 1 && !answer.isTerminated && answer.error === error;
    if (isText && answer.lastText) this.#template?.learn(name, text, answer.lastText);
    // The next event may revert other changes of this one.
    else if (answer.changes > changes) this.#template?.forget();
  }
}
