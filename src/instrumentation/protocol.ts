import type { Completion, ProviderError } from "./completion.ts";
import type { Message, Part } from "./message.ts";
import type { JsonRecord } from "../util/values.ts";

/** Destination of a request. */
export interface Target {
  /** Without query. */
  readonly path: string;
  /** In lower case, without port. */
  readonly host: string;
  readonly port: number | undefined;
  /** The host's provider, by the name of the conventions; `undefined` for an unknown host. */
  readonly provider: string | undefined;
}

/** Content of a request to a model. */
export interface CallContent {
  readonly input: readonly Message[];
  readonly system?: readonly Part[] | undefined;
  /** Tools in the provider's format. */
  readonly tools?: unknown;
}

/** A call as its request describes it. */
export interface CallRequest {
  readonly model: string | undefined;
  readonly isStreamed: boolean;
  /** Attributes of the conventions. */
  readonly settings: Readonly<Record<string, number | string | string[]>>;
  /** Reads the content, on demand. */
  readonly toContent: () => CallContent;
}

/** One parsed event of a stream. */
export interface StreamEvent {
  /** Name of the event where the encoding has one, else `""`. */
  readonly name: string;
  readonly data: JsonRecord;
}

/** Returns the index or name of a completion's part as a key. */
export function toKey(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "0";
}

/** A model API over HTTP; pure functions that never throw on any JSON. */
export interface Protocol {
  readonly name: string;
  /** Endings of the paths of its requests. */
  readonly endings: readonly string[];
  /** Whether the end of the path identifies a call when the body can't be read. */
  readonly isPathEnough: boolean;
  /** Checks the request's destination. @defaultValue every destination matches */
  matches?(target: Target): boolean;
  /** Name of the operation. @defaultValue `chat` */
  readonly operation?: string;
  /** Name of the provider for an unknown host. */
  readonly provider: string;
  /** Reads a request; `undefined` for a request of another protocol. */
  readRequest(body: JsonRecord, target: Target): CallRequest | undefined;
  /** Returns the model and the streaming flag of a request whose body can't be read. @defaultValue neither is known */
  readTarget?(target: Target): {
    readonly model?: string | undefined;
    readonly isStreamed?: boolean;
  };
  /** Reads a response that came as a whole. */
  readBody(body: JsonRecord, answer: Completion): void;
  /** Reads one event of a stream. */
  readEvent(event: StreamEvent, answer: Completion): void;
  /** Reads the body of an error response. */
  readError(body: JsonRecord): ProviderError;
}
