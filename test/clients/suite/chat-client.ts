import type { Kit } from "./scenario.ts";

/** How a call is made. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the client gives up. */
  readonly timeoutMillis?: number;
  /** How often the client tries again; by default never. */
  readonly retries?: number;
}

/** What every chat client can do, each in its own way. */
export interface ChatClient {
  chat(question: string, options?: CallOptions): Promise<unknown>;
  stream(
    question: string,
    options?: CallOptions,
  ): AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>;
  /** Asks, runs the tool that the model wants, and asks again with its result. */
  tools?(question: string): Promise<unknown>;
  /** The same, streamed. */
  streamedTools?(question: string): Promise<unknown>;
  /** Asks two questions, the second one with the first and its answer before it. */
  turns?(first: string, second: string): Promise<unknown>;
}

/** Makes the client of a driver. */
export type CreateChatClient = (kit: Kit) => ChatClient;
