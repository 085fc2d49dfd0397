import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_SERVER_ADDRESS } from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { readMember } from "../../util/untrusted-values.ts";
import {
  isObject,
  isRecord,
  parseJson,
  toNumber,
  toRecord,
  toText,
  type JsonRecord,
} from "../../util/values.ts";
import { Completion } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import { bedrockInvoke, readInvokeChunk } from "../protocols/bedrock-invoke.ts";
import { bedrock } from "../protocols/bedrock.ts";
import {
  toContentAttributes,
  toEndAttributes,
  toStartAttributes,
  type CallOutcome,
  type KnownCall,
} from "../spans/call-span.ts";
import { createGuard, runInside, startHookSpan, type Guard, type HookSpan } from "./hook-span.ts";

/** The part of a client of `@aws-sdk/client-bedrock-runtime` that is used. */
export interface BedrockClient {
  /** Holds the middleware that observes the calls. */
  readonly middlewareStack: {
    readonly add: (...args: never[]) => void;
    readonly remove: (...args: never[]) => boolean;
  };
}

interface MiddlewareResult {
  readonly output: object;
}
type Handler = (args: { readonly input: unknown }) => Promise<MiddlewareResult>;
type Middleware = (next: Handler, context: { readonly commandName?: unknown }) => Handler;
interface Stack {
  add(middleware: Middleware, options: object): void;
  remove(name: string): boolean;
}

const NAME = "agentMonitorObserver";
/** Most open calls at a time; above it the oldest call is abandoned. */
const MAX_OPEN = 1000;

/** How a command is read. */
interface CommandKind {
  /** Whether `body` holds a JSON message of the model's own protocol. */
  readonly isRaw: boolean;
  /** Member of the command's output that holds a stream. */
  readonly streamMember?: "stream" | "body";
}

/** Commands that call a model. */
const COMMANDS: ReadonlyMap<unknown, CommandKind> = new Map([
  ["ConverseCommand", { isRaw: false }],
  ["ConverseStreamCommand", { isRaw: false, streamMember: "stream" }],
  ["InvokeModelCommand", { isRaw: true }],
  ["InvokeModelWithResponseStreamCommand", { isRaw: true, streamMember: "body" }],
]);

/** Reads JSON from text or bytes; an empty record for anything else. */
function readBytes(body: unknown): JsonRecord {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : body;
  return toRecord(typeof text === "string" ? parseJson(text) : undefined);
}

/** Reads a command as a call of a model. */
function toKnownCall({ isRaw, streamMember }: CommandKind, input: JsonRecord): KnownCall {
  const model = toText(input["modelId"]);
  const protocol = isRaw ? bedrockInvoke : bedrock;
  // Only the path's ending is read.
  const method = streamMember ? "converse-stream" : "converse";
  const path = `/model/${encodeURIComponent(model ?? "")}/${method}`;
  const target = { path, host: "", port: undefined, provider: undefined };
  const request = protocol.readRequest(isRaw ? readBytes(input["body"]) : input, target);
  return { protocol, target, request: request && { ...request, model: model ?? request.model } };
}

type OpenCommands = BoundedMap<ObservedCommand, ObservedCommand>;

/** One open call of a model. No method but the constructor throws. */
class ObservedCommand {
  readonly span: HookSpan;
  readonly #kind: CommandKind;
  readonly #known: KnownCall;
  readonly #answer = new Completion();
  readonly #guard: Guard;
  readonly #open: OpenCommands;
  #metadata: unknown;

  constructor(host: FetchObserverHost, kind: CommandKind, input: JsonRecord, open: OpenCommands) {
    this.#kind = kind;
    this.#known = toKnownCall(kind, input);
    this.#guard = createGuard(host, "hook:bedrock", "a call of Bedrock could not be recorded");
    const attributes = toStartAttributes(this.#known);
    // The path was made up, and so its server is unknown.
    delete attributes[ATTR_SERVER_ADDRESS];
    attributes[ATTR_GEN_AI_PROVIDER_NAME] = bedrock.provider;
    this.span = startHookSpan(host, { operation: "chat", attributes, library: "bedrock" });
    this.#open = open;
    open.set(this, this);
  }

  /** Reads a result; returns it with its stream observed, or unchanged. */
  onResult(result: MiddlewareResult): MiddlewareResult {
    const observed = this.#guard(() => {
      const { output } = result;
      const { isRaw, streamMember } = this.#kind;
      this.#metadata = readMember(output, "$metadata");
      const stream = streamMember === undefined ? undefined : readMember(output, streamMember);
      if (streamMember !== undefined && isObject(stream)) {
        const seen = observeIterable(stream, this);
        return { ...result, output: { ...output, [streamMember]: seen } };
      }
      const body = toRecord(output);
      this.#known.protocol.readBody(isRaw ? readBytes(body["body"]) : body, this.#answer);
      this.end("complete");
      return result;
    });
    return observed ?? result;
  }

  /** Reads one event of a stream. */
  onValue(event: unknown): void {
    this.#guard(() => {
      const [name = "", data] =
        Object.entries(toRecord(event)).find(([, value]) => isRecord(value)) ?? [];
      if (this.#kind.isRaw) readInvokeChunk(readBytes(toRecord(data)["bytes"]), this.#answer);
      else bedrock.readEvent({ name, data: toRecord(data) }, this.#answer);
    });
  }

  onError(error: unknown): void {
    this.#guard(() => {
      this.#metadata = readMember(error, "$metadata") ?? this.#metadata;
      this.span.fail(error);
      this.end("failed");
    });
  }

  /** Ends the call; `cancelled` when the reader of its stream has stopped. */
  end(kind: CallOutcome["kind"]): void {
    this.#open.delete(this);
    this.#guard(() => {
      const { httpStatusCode, attempts } = toRecord(this.#metadata);
      const outcome: CallOutcome = {
        kind,
        answer: this.#answer,
        failure: undefined,
        status: toNumber(httpStatusCode),
        resends: (toNumber(attempts) ?? 1) - 1,
      };
      this.span.set(toEndAttributes(outcome), toContentAttributes(this.#known, outcome));
    });
    this.span.end();
  }
}

type Step = Promise<IteratorResult<unknown>>;

function observeIterator(
  iterator: AsyncIterator<unknown>,
  command: ObservedCommand,
): AsyncIterableIterator<unknown> {
  const settle = async (step: Step): Step => {
    try {
      const result = await step;
      if (result.done === true) command.end("complete");
      else command.onValue(result.value);
      return result;
    } catch (error) {
      command.onError(error);
      throw error;
    }
  };
  const observed: AsyncIterableIterator<unknown> = {
    next: (...args: [] | [unknown]) => settle(iterator.next(...args)),
    async return(value?: unknown) {
      command.end("cancelled");
      return iterator.return ? iterator.return(value) : { done: true, value };
    },
    async throw(error?: unknown) {
      command.onError(error);
      if (iterator.throw) return iterator.throw(error);
      throw error;
    },
    [Symbol.asyncIterator]: () => observed,
  };
  return observed;
}

/**
 * Returns a view of an object whose values are observed as they are read, one at a time, when the reader asks.
 *
 * Reads only what the reader reads, and keeps nothing.
 */
function observeIterable<T extends object>(iterable: T, command: ObservedCommand): T {
  const iterate = (iterable as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  if (typeof iterate !== "function") return iterable;
  return new Proxy(iterable, {
    get(target, key) {
      if (key === Symbol.asyncIterator) {
        return () => observeIterator(iterate.call(target), command);
      }
      const value: unknown = Reflect.get(target, key, target);
      // Methods of built-in streams require their own object as `this`.
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function createMiddleware(host: FetchObserverHost): Middleware {
  const open: OpenCommands = new BoundedMap(MAX_OPEN, ({ span }) => span.abandon());
  const guard = createGuard(host, "hook:bedrock", "a call of Bedrock could not be read");
  return (next, { commandName }) =>
    async (args) => {
      const kind = COMMANDS.get(commandName);
      const command =
        kind && guard(() => new ObservedCommand(host, kind, toRecord(args.input), open));
      if (!command) return next(args);
      try {
        const result = await runInside(command.span.context, () => next(args));
        return command.onResult(result);
      } catch (error) {
        command.onError(error);
        throw error;
      }
    };
}

/**
 * Observes the calls of a Bedrock client: Converse, ConverseStream, InvokeModel and InvokeModelWithResponseStream.
 *
 * Adds itself to the client's own middleware stack, once however often it is called. Only the application reads
 * streams.
 *
 * @param client - A `BedrockRuntimeClient` or `BedrockRuntime` of version 3.
 * @returns A function that stops observing.
 */
export function observeBedrockClient(host: FetchObserverHost, client: BedrockClient): () => void {
  const stack = client.middlewareStack as unknown as Stack;
  const place = { step: "initialize", priority: "low", name: NAME, override: true };
  stack.add(createMiddleware(host), place);
  return () => void stack.remove(NAME);
}
