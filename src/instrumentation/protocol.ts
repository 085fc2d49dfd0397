import type { Completion, ProviderError } from "./completion.ts";
import type { Message, Part } from "./message.ts";
import type { JsonRecord } from "../util/values.ts";

/** Where a request goes to. */
export interface Target {
  /** Without query. */
  readonly path: string;
  /** In lower case, without port. */
  readonly host: string;
  readonly port: number | undefined;
  /** Whose host it is, by the name of the conventions; `undefined` when the host does not tell. */
  readonly provider: string | undefined;
}

/** What is said to the model. */
export interface CallContent {
  readonly input: readonly Message[];
  readonly system?: readonly Part[] | undefined;
  /** Tools as the provider takes them. */
  readonly tools?: unknown;
}

/** A call as its request tells it. */
export interface CallRequest {
  readonly model: string | undefined;
  readonly isStreamed: boolean;
  /** Attributes of the conventions. */
  readonly settings: Readonly<Record<string, number | string | string[]>>;
  /** Reads the content, when it is needed. */
  readonly toContent: () => CallContent;
}

/** One message of a stream, parsed. */
export interface StreamEvent {
  /** Name of the event where the encoding has one, else `""`. */
  readonly name: string;
  readonly data: JsonRecord;
}

/** Gives the number or name that a part of an answer is known by, as a key. */
export function toKey(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "0";
}

/** One way to talk to models over HTTP; pure functions that never throw on any JSON. */
export interface Protocol {
  readonly name: string;
  /** How the paths of its requests end. */
  readonly endings: readonly string[];
  /** Whether the end of the path tells enough when the body can't be read. */
  readonly isPathEnough: boolean;
  /** Looks closer at where a request goes to. @defaultValue any will do */
  matches?(target: Target): boolean;
  /** Name of the operation. @defaultValue `chat` */
  readonly operation?: string;
  /** Name of the provider, when the host does not tell. */
  readonly provider: string;
  /** Reads a request; `undefined` when it is none of this protocol. */
  readRequest(body: JsonRecord, target: Target): CallRequest | undefined;
  /** Tells what is known of a request whose body can't be read. @defaultValue nothing */
  readTarget?(target: Target): {
    readonly model?: string | undefined;
    readonly isStreamed?: boolean;
  };
  /** Reads an answer that came as a whole. */
  readBody(body: JsonRecord, answer: Completion): void;
  /** Reads one event of a stream. */
  readEvent(event: StreamEvent, answer: Completion): void;
  /** Reads the body of an answer that is a refusal. */
  readError(body: JsonRecord): ProviderError;
}
