import { BoundedMap } from "../../util/bounded-map.ts";
import { toErrorName } from "../../util/logger.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { toRecord } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import type { CallOutcome } from "../spans/call-span.ts";
import {
  observeIterable,
  readBedrockCall,
  type BedrockCall,
  type StreamReader,
} from "./bedrock-call.ts";
import { runInside, startHookSpan, type HookSpan } from "./hook-span.ts";

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

/** One open call. */
class ObservedCommand implements StreamReader {
  readonly span: HookSpan;
  readonly #host: FetchObserverHost;
  readonly #call: BedrockCall;
  readonly #onEnd: (command: ObservedCommand) => void;
  #metadata: unknown;

  constructor(
    host: FetchObserverHost,
    call: BedrockCall,
    onEnd: (command: ObservedCommand) => void,
  ) {
    this.#host = host;
    this.#call = call;
    this.#onEnd = onEnd;
    const attributes = call.toStart();
    this.span = startHookSpan(host, { operation: "chat", attributes, library: "bedrock" });
  }

  /** Reads a result; returns it with its stream observed, or unchanged. */
  onResult(result: MiddlewareResult): MiddlewareResult {
    let observed = result;
    this.#guard(() => {
      const { output } = result;
      const { streamMember } = this.#call;
      this.#metadata = readMember(output, "$metadata");
      const stream = streamMember === undefined ? undefined : readMember(output, streamMember);
      if (streamMember !== undefined && typeof stream === "object" && stream !== null) {
        const seen = observeIterable(stream, this);
        observed = { ...result, output: { ...output, [streamMember]: seen } };
        return;
      }
      this.#call.readOutput(toRecord(output));
      this.#end("complete");
    });
    return observed;
  }

  onValue(event: unknown): void {
    this.#guard(() => this.#call.readEvent(event));
  }

  onDone(): void {
    this.#guard(() => this.#end("complete"));
  }

  onCancel(): void {
    this.#guard(() => this.#end("cancelled"));
  }

  onError(error: unknown): void {
    this.#guard(() => {
      this.#metadata = readMember(error, "$metadata") ?? this.#metadata;
      this.span.fail(error);
      this.#end("failed");
    });
  }

  #end(kind: CallOutcome["kind"]): void {
    this.#onEnd(this);
    try {
      const { attributes, content } = this.#call.toEnd(kind, this.#metadata);
      this.span.set(attributes, content);
    } finally {
      this.span.end();
    }
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#host.log?.log("warn", "hook:bedrock", "a call of Bedrock could not be recorded", {
        error: toErrorName(error),
      });
    }
  }
}

function createMiddleware(host: FetchObserverHost): Middleware {
  const open = new BoundedMap<ObservedCommand, ObservedCommand>(MAX_OPEN, ({ span }) =>
    span.abandon(),
  );
  const start = (commandName: unknown, input: unknown): ObservedCommand | undefined => {
    try {
      const call = readBedrockCall(commandName, input);
      const command = call && new ObservedCommand(host, call, (ended) => void open.delete(ended));
      if (command) open.set(command, command);
      return command;
    } catch (error) {
      host.log?.log("warn", "hook:bedrock", "a call of Bedrock could not be read", {
        error: toErrorName(error),
      });
      return undefined;
    }
  };
  return (next, { commandName }) =>
    async (args) => {
      const command = start(commandName, args.input);
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
  stack.add(createMiddleware(host), {
    step: "initialize",
    priority: "low",
    name: NAME,
    override: true,
  });
  return () => void stack.remove(NAME);
}
