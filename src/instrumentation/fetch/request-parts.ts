import { readMember } from "../../util/untrusted-values.ts";
import { BodyWatch } from "./body-watch.ts";
import { isReadableStream, observeStream } from "./observed-stream.ts";

/** Longest body that is parsed, in UTF-16 units or bytes: parsing takes some milliseconds per MiB. */
const MAX_BODY_LENGTH = 8 * 1024 * 1024;

/** The arguments of `fetch`. */
export interface RequestParts {
  readonly input: unknown;
  readonly init: unknown;
}

/** A body whose text is known later. */
export interface LateBody {
  /** Calls `onText` with the text, or `undefined`, as soon as it is known. */
  readonly read: (onText: (text: string | undefined) => void) => void;
  /** Whether the body is read as it is sent, so that it is known, if ever, before the response. */
  readonly isSent: boolean;
}

/** Returns the URL of a request without parsing it. */
export function readUrl(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return undefined;
  const address = input instanceof URL ? input.href : readMember(input, "url");
  return typeof address === "string" ? address : undefined;
}

/** Reads an option of `fetch`, or the same member of a `Request`. */
export function readOption({ input, init }: RequestParts, name: string): unknown {
  return readMember(init, name) ?? readMember(input, name);
}

/** Returns whether a request is a POST. */
export function isPost(parts: RequestParts): boolean {
  const method = readOption(parts, "method");
  return typeof method === "string" && (method === "POST" || method.toUpperCase() === "POST");
}

function findHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (typeof (headers as Partial<Headers>).get === "function")
    return (headers as Headers).get(name);
  const entries: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  for (const entry of entries) {
    if (Array.isArray(entry) && String(entry[0]).toLowerCase() === name) return entry[1];
  }
  return undefined;
}

/** Reads a header of a request. @param name - In lower case. */
export function readHeader(parts: RequestParts, name: string): string | undefined {
  const value = findHeader(readOption(parts, "headers"), name);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Header in which clients that Stainless generates (OpenAI, Anthropic, Groq) count their attempts, from 0. */
const RETRY_HEADER = "x-stainless-retry-count";

/** Reads the client's count of retries; `undefined` when the client does not count. */
export function readResends(parts: RequestParts): number | undefined {
  const count = Number(readHeader(parts, RETRY_HEADER) ?? Number.NaN);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

function decodeBytes(bytes: NodeJS.ArrayBufferView | ArrayBuffer): string | undefined {
  return bytes.byteLength > MAX_BODY_LENGTH ? undefined : new TextDecoder().decode(bytes);
}

/**
 * Reports the text of a stream that another party sends, once all of it was sent; `undefined` when sending failed or
 * the text is too long.
 *
 * Nothing is copied or read ahead: the stream observes its own chunks.
 *
 * @returns Whether the stream can be observed.
 */
function observeSentBody(
  stream: ReadableStream,
  onText: (text: string | undefined) => void,
): boolean {
  const decoder = new TextDecoder();
  let text: string | undefined = "";
  const push = (piece: string): void => {
    const isKept = text !== undefined && text.length + piece.length <= MAX_BODY_LENGTH;
    text = isKept ? text + piece : undefined;
  };
  const giveUp = (): void => onText(undefined);
  const reader = {
    push(chunk: unknown): void {
      if (chunk instanceof Uint8Array) push(decoder.decode(chunk, { stream: true }));
    },
    end: () => push(decoder.decode()),
    readValue: () => undefined,
  };
  const listener = {
    onEnd: () => onText(text),
    onFail: giveUp,
    onCancel: giveUp,
    onProblem: giveUp,
  };
  return observeStream(stream, new BodyWatch(undefined, reader, listener));
}

/** Returns a reader of a `Request`'s body, which must be observed before it is sent. */
function readRequestObject(parts: RequestParts): LateBody | undefined {
  const body = readMember(parts.input, "body");
  const isUsed = readMember(parts.input, "bodyUsed") === true;
  const isJson = /json/i.test(readHeader(parts, "content-type") ?? "");
  if (isUsed || !isJson || !isReadableStream(body) || body.locked) return undefined;
  return {
    isSent: true,
    read(onText) {
      if (!observeSentBody(body, onText)) onText(undefined);
    },
  };
}

/**
 * Reads the body of a request without consuming it: a stream stays untouched.
 *
 * @returns The text, or a way to get it; `undefined` for a body that can't be read.
 */
export function readBody(parts: RequestParts): string | LateBody | undefined {
  const body = readMember(parts.init, "body");
  if (body === undefined || body === null) {
    return typeof parts.input === "object" && !(parts.input instanceof URL)
      ? readRequestObject(parts)
      : undefined;
  }
  if (typeof body === "string") return body.length > MAX_BODY_LENGTH ? undefined : body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return decodeBytes(body as NodeJS.ArrayBufferView | ArrayBuffer);
  if (!(body instanceof Blob) || body.size > MAX_BODY_LENGTH) return undefined;
  const read: LateBody["read"] = (onText) => void body.text().then(onText, () => onText(undefined));
  return { isSent: false, read };
}
