import type { Attributes } from "@opentelemetry/api";
import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_SERVER_ADDRESS } from "../../semconv.ts";
import { isRecord, parseJson, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { Completion } from "../completion.ts";
import { bedrockInvoke, readInvokeChunk } from "../protocols/bedrock-invoke.ts";
import { bedrock } from "../protocols/bedrock.ts";
import {
  toContentAttributes,
  toEndAttributes,
  toStartAttributes,
  type CallOutcome,
  type KnownCall,
} from "../spans/call-span.ts";

/** Member of a command's output that holds a stream. */
type StreamMember = "stream" | "body";

/** How a command is read. */
interface CommandKind {
  /** Whether `body` holds a JSON message of the model's own protocol. */
  readonly isRaw: boolean;
  readonly streamMember?: StreamMember;
}

const COMMANDS: Readonly<Record<string, CommandKind>> = {
  ConverseCommand: { isRaw: false },
  ConverseStreamCommand: { isRaw: false, streamMember: "stream" },
  InvokeModelCommand: { isRaw: true },
  InvokeModelWithResponseStreamCommand: { isRaw: true, streamMember: "body" },
};

/** Reads JSON from text or bytes; an empty record for anything else. */
function readBytes(body: unknown): JsonRecord {
  if (body instanceof Uint8Array) return toRecord(parseJson(Buffer.from(body).toString("utf8")));
  return toRecord(typeof body === "string" ? parseJson(body) : undefined);
}

/** A command of the Bedrock runtime as a call of a model. */
export class BedrockCall {
  /** Name of the output's member that holds a stream. */
  readonly streamMember: StreamMember | undefined;
  readonly #known: KnownCall;
  readonly #isRaw: boolean;
  readonly #answer = new Completion();

  constructor({ isRaw, streamMember }: CommandKind, input: JsonRecord) {
    const model = toText(input["modelId"]) ?? "";
    const body = isRaw ? readBytes(input["body"]) : input;
    const protocol = isRaw ? bedrockInvoke : bedrock;
    // Only the path's ending is read.
    const method = streamMember ? "converse-stream" : "converse";
    const path = `/model/${encodeURIComponent(model)}/${method}`;
    const target = { path, host: "", port: undefined, provider: undefined };
    const request = protocol.readRequest(body, target);
    this.streamMember = streamMember;
    this.#isRaw = isRaw;
    this.#known = {
      protocol,
      target,
      request: request && { ...request, model: toText(model) ?? request.model },
    };
  }

  /** Returns the attributes at the start, without content. */
  toStart(): Attributes {
    const attributes = toStartAttributes(this.#known);
    // The path was made up, and so its server is unknown.
    delete attributes[ATTR_SERVER_ADDRESS];
    return { ...attributes, [ATTR_GEN_AI_PROVIDER_NAME]: bedrock.provider };
  }

  /** Reads an output that came as a whole. */
  readOutput(output: JsonRecord): void {
    this.#known.protocol.readBody(this.#isRaw ? readBytes(output["body"]) : output, this.#answer);
  }

  /** Reads one event of a stream. */
  readEvent(event: unknown): void {
    const [name = "", data] =
      Object.entries(toRecord(event)).find(([, value]) => isRecord(value)) ?? [];
    if (this.#isRaw) readInvokeChunk(readBytes(toRecord(data)["bytes"]), this.#answer);
    else bedrock.readEvent({ name, data: toRecord(data) }, this.#answer);
  }

  /** Returns the outcome's attributes and the content. */
  toEnd(
    kind: CallOutcome["kind"],
    metadata: unknown,
  ): { readonly attributes: Attributes; readonly content: Attributes } {
    const { httpStatusCode, attempts } = toRecord(metadata);
    const outcome: CallOutcome = {
      kind,
      answer: this.#answer,
      failure: undefined,
      status: typeof httpStatusCode === "number" ? httpStatusCode : undefined,
      resends: typeof attempts === "number" ? attempts - 1 : 0,
    };
    return {
      attributes: toEndAttributes(outcome),
      content: toContentAttributes(this.#known, outcome),
    };
  }
}

/** Reads a command; `undefined` for a command that calls no model. */
export function readBedrockCall(commandName: unknown, input: unknown): BedrockCall | undefined {
  const name = toText(commandName) ?? "";
  const kind = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return kind && new BedrockCall(kind, toRecord(input));
}

/** Receives the events of a stream as its reader reads it; no method may throw. */
export interface StreamReader {
  onValue(value: unknown): void;
  onDone(): void;
  onError(error: unknown): void;
  /** The reader has stopped. */
  onCancel(): void;
}

function observeIterator(
  iterator: AsyncIterator<unknown>,
  reader: StreamReader,
): AsyncIterableIterator<unknown> {
  const settle = async (
    step: Promise<IteratorResult<unknown>>,
  ): Promise<IteratorResult<unknown>> => {
    try {
      const result = await step;
      if (result.done === true) reader.onDone();
      else reader.onValue(result.value);
      return result;
    } catch (error) {
      reader.onError(error);
      throw error;
    }
  };
  const finish = async (value?: unknown): Promise<IteratorResult<unknown>> => {
    reader.onCancel();
    return iterator.return ? iterator.return(value) : { done: true, value };
  };
  const fail = async (error?: unknown): Promise<IteratorResult<unknown>> => {
    reader.onError(error);
    if (iterator.throw) return iterator.throw(error);
    throw error;
  };
  const observed = {
    next: (...args: [] | [unknown]) => settle(iterator.next(...args)),
    return: finish,
    throw: fail,
    [Symbol.asyncIterator]: () => observed,
  };
  return observed;
}

/**
 * Returns a view of an object whose values are observed as they are read, one at a time, when the reader asks.
 *
 * Reads only what the reader reads, and keeps nothing.
 */
export function observeIterable<T extends object>(iterable: T, reader: StreamReader): T {
  const iterate = (iterable as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  if (typeof iterate !== "function") return iterable;
  return new Proxy(iterable, {
    get(target, key) {
      if (key === Symbol.asyncIterator) {
        return () => observeIterator(iterate.call(target), reader);
      }
      const value: unknown = Reflect.get(target, key, target);
      // Methods of built-in streams require their own object as `this`.
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
