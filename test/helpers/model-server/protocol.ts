import type { ModelUsage } from "./script.ts";

/** What a model API was asked, in the terms that all of them share. */
export interface ModelRequest {
  readonly model: string;
  /** The last message that a user wrote; results of tools are none. */
  readonly question: string;
  /** Results of tools that came after it. */
  readonly toolResults: number;
  readonly toolNames: readonly string[];
  readonly streamed: boolean;
  /** False where the protocol sends the usage of a stream only on demand, and nobody asked. */
  readonly wantsUsage: boolean;
}

/** A tool call of the model. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says: text or tool calls. */
export interface ModelAnswer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** The text as a stream sends it. */
  pieces(): Iterable<string>;
  readonly calls: readonly ModelCall[];
  readonly usage: ModelUsage | undefined;
}

/** One message of a stream. */
export interface Frame {
  readonly wire: string | Uint8Array;
  /** The part of the answer's text that it carries. */
  readonly text?: string;
}

/** One model API as it is on the wire. */
export interface ModelProtocol {
  readonly name: string;
  /** Tells whether a path, without its query, belongs to this API. */
  matches(path: string): boolean;
  read(body: any, path: string): ModelRequest;
  /** The whole answer as one JSON body. */
  toBody(answer: ModelAnswer, request: ModelRequest): unknown;
  readonly streamType: string;
  toFrames(answer: ModelAnswer, request: ModelRequest): Iterable<Frame>;
  /** The body of an answer whose status isn't 200. */
  toError(status: number, message: string): unknown;
  /** How a stream says that it can't go on. */
  toErrorFrame(message: string): Frame;
}

/** Writes one server-sent event. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function toSse(data: unknown, event?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

const LOW_SURROGATE = /[\udc00-\udfff]/;

/** Cuts text into parts of about a size, never between the halves of a code point. */
export function* toPieces(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + size;
    while (LOW_SURROGATE.test(text.charAt(end))) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** Reads the text of a message that is a string or an array of parts with `text`. */
export function toText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (part as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string")
    .join("");
}

/** Finds the last message that asks something, and counts the tool results behind it. */
export function findQuestion(
  messages: readonly any[],
  toQuestion: (message: any) => string,
  countResults: (message: any) => number,
): Pick<ModelRequest, "question" | "toolResults"> {
  const at = messages.findLastIndex((message) => toQuestion(message) !== "");
  return {
    question: at < 0 ? "" : toQuestion(messages[at]),
    toolResults: messages
      .slice(at + 1)
      .reduce((sum: number, message) => sum + countResults(message), 0),
  };
}
