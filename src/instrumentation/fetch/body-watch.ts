import { isThenable, readMember } from "../../util/untrusted-values.ts";
import type { AnswerReader } from "../streams/answer-reader.ts";

/** Who reads what passes. */
export type BodyReader = Pick<AnswerReader, "push" | "end" | "readValue">;

/** Who is told how a copy of a body is read; `C` tells copies apart. */
export interface BodyListener<C> {
  /** The caller waits for more of the body. */
  onAsked(copy: C): void;
  /** A part of the body was read. */
  onRead(copy: C): void;
  /** The body is at its end. */
  onEnd(copy: C): void;
  /** The body can't be read to its end. */
  onFail(copy: C, error: unknown): void;
  /** The caller does not want the rest. */
  onCancel(copy: C): void;
  /** Is told of a failure of ours. */
  onProblem(copy: C, error: unknown): void;
  /** Watches another copy. */
  onFork(copy: C): BodyWatch | undefined;
}

/** Names of the readers that give the whole body at once. */
export const WHOLE_READERS = ["json", "text", "arrayBuffer", "blob", "bytes", "formData"] as const;
export type WholeReader = (typeof WHOLE_READERS)[number];

type Result = { readonly done: boolean; readonly value?: unknown };

/** What stands between a read and its caller: it gives on what it gets. */
interface ReadHandlers {
  readonly take: <T extends Result>(result: T) => T;
  readonly fail: (error: unknown) => never;
}

/** Node's code for reading from a stream in a wrong state. */
const INVALID_STATE = "ERR_INVALID_STATE";

/** How the platform says that a body was read, or is being read, by somebody else. */
const USED = /unusable|already|locked|disturbed/i;

/** Tells whether a body could not be read as it was asked for, which says nothing of the body. */
function isMisuse(error: unknown): boolean {
  if (readMember(error, "code") === INVALID_STATE) return true;
  const message = readMember(error, "message");
  return error instanceof TypeError && typeof message === "string" && USED.test(message);
}

/** What a watch works with until it is over: who keeps a response must not keep the request and the answer. */
interface Watched<C> {
  readonly copy: C;
  readonly reader: BodyReader;
  readonly listener: BodyListener<C>;
}

/** Watches one copy of a body while the caller reads it. Never throws. */
export class BodyWatch<C = unknown> {
  /** Whether a reader of the whole body runs, so that what passes below it does not count. */
  isTakenWhole = false;
  /** Whether the response is just being cloned, which takes its stream apart. */
  isCopying = false;
  /** Whether nothing has passed yet. */
  isFresh = true;
  #watched: Watched<C> | undefined;
  #handlers: ReadHandlers | undefined;

  constructor(copy: C, reader: BodyReader, listener: BodyListener<C>) {
    this.#watched = { copy, reader, listener };
  }

  get isOver(): boolean {
    return this.#watched === undefined;
  }

  /** Watches a second copy of the body; `undefined` when there are enough. */
  fork(): BodyWatch | undefined {
    return this.#watched?.listener.onFork(this.#watched.copy);
  }

  asked(): void {
    if (!this.isTakenWhole) this.#watched?.listener.onAsked(this.#watched.copy);
  }

  /** Gives what a read is to pass, made once. */
  get handlers(): ReadHandlers {
    return (this.#handlers ??= {
      take: (result) => {
        if (!this.isTakenWhole) this.#take(result);
        return result;
      },
      fail: (error) => {
        if (!this.isTakenWhole) this.failWhole(error);
        throw error;
      },
    });
  }

  /** Gives what a reader of the whole body gives to its caller: the very value passes, or the very failure. */
  followWhole(name: WholeReader, reading: unknown): unknown {
    this.asked();
    this.isTakenWhole = true;
    // Mocks give the value itself.
    if (!isThenable(reading)) {
      this.takeWhole(name, reading);
      return reading;
    }
    return reading.then(
      (value) => {
        this.takeWhole(name, value);
        return value;
      },
      (error: unknown) => {
        this.failWhole(error);
        throw error;
      },
    );
  }

  /** Takes the failure of a reader of the whole body. */
  failWhole(error: unknown): void {
    if (isMisuse(error)) {
      // Somebody else may be reading it.
      this.#guard((watched) => watched.listener.onRead(watched.copy));
      return;
    }
    this.#guard((watched) => {
      this.#watched = undefined;
      watched.listener.onFail(watched.copy, error);
    });
  }

  cancel(): void {
    if (this.isTakenWhole) return;
    this.#guard((watched) => {
      this.#watched = undefined;
      watched.listener.onCancel(watched.copy);
    });
  }

  /** Takes what a reader of the whole body has given. */
  takeWhole(name: WholeReader, value: unknown): void {
    this.#guard((watched) => {
      const { reader } = watched;
      if (name === "blob") {
        // A blob can be read again and again.
        (value as Blob).text().then(
          (text) => this.takeWhole("text", text),
          (error: unknown) => this.failWhole(error),
        );
        return;
      }
      if (name === "json") reader.readValue(value);
      else if (name === "arrayBuffer") reader.push(new Uint8Array(value as ArrayBuffer));
      else if (name === "text" || name === "bytes") reader.push(value);
      this.#end(watched);
    });
  }

  /** Once for each piece, so that it makes no function of its own as the others do. */
  #take({ done, value }: Result): void {
    const watched = this.#watched;
    if (!watched) return;
    this.isFresh = false;
    try {
      if (value !== undefined) watched.reader.push(value);
      if (done) this.#end(watched);
      else watched.listener.onRead(watched.copy);
    } catch (error) {
      this.#fail(watched, error);
    }
  }

  #end({ reader, listener, copy }: Watched<C>): void {
    this.#watched = undefined;
    reader.end();
    listener.onEnd(copy);
  }

  #guard(action: (watched: Watched<C>) => void): void {
    const watched = this.#watched;
    if (!watched) return;
    try {
      action(watched);
    } catch (error) {
      this.#fail(watched, error);
    }
  }

  #fail({ listener, copy }: Watched<C>, error: unknown): void {
    this.#watched = undefined;
    listener.onProblem(copy, error);
  }
}
