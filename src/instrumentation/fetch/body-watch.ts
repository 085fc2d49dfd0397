import { followResult, readMember } from "../../util/untrusted-values.ts";
import type { AnswerReader } from "../streams/answer-reader.ts";

/** Reader of the observed body. */
export type BodyReader = Pick<AnswerReader, "push" | "end" | "readValue">;

/** Listener to the reading of a body; `C` identifies one copy. */
export interface BodyListener<C> {
  /** The caller waits for more of the body. */
  onAsked?(copy: C): void;
  /** A part of the body was read. */
  onRead?(copy: C): void;
  /** The body is at its end. */
  onEnd(copy: C): void;
  /** Reading the body failed. */
  onFail(copy: C, error: unknown): void;
  /** The caller cancelled the rest. */
  onCancel(copy: C): void;
  /** The watch itself failed. */
  onProblem(copy: C, error: unknown): void;
  /** Returns a watch for another copy; `undefined` when there are enough. */
  onFork?(copy: C): BodyWatch | undefined;
}

/** Methods that read the whole body at once. */
export const WHOLE_READERS = ["json", "text", "arrayBuffer", "blob", "bytes", "formData"] as const;
export type WholeReader = (typeof WHOLE_READERS)[number];

/** Result of a read. */
export type Result = { readonly done: boolean; readonly value?: unknown };

/** Callbacks between a read and its caller; they pass on the result. */
interface ReadHandlers {
  readonly take: <T extends Result>(result: T) => T;
  readonly fail: (error: unknown) => never;
}

/** Node's error code for reading from a stream in a wrong state. */
const INVALID_STATE = "ERR_INVALID_STATE";

/** The platform's message for a body that another reader has read or is reading. */
const USED = /unusable|already|locked|disturbed/i;

/** Returns whether a read failed because of how it was called, which says nothing about the body. */
function isMisuse(error: unknown): boolean {
  if (readMember(error, "code") === INVALID_STATE) return true;
  const message = readMember(error, "message");
  return error instanceof TypeError && typeof message === "string" && USED.test(message);
}

/** State of a watch until it is over: a kept response must not keep the request and the completion in memory. */
interface Watched<C> {
  readonly copy: C;
  readonly reader: BodyReader;
  readonly listener: BodyListener<C>;
}

/** Watches one copy of a body while the caller reads it. Never throws. */
export class BodyWatch<C = unknown> {
  /** Whether a method reads the whole body, so that reads of the stream below it do not count. */
  isTakenWhole = false;
  /** Whether the response is being cloned, which tees its stream. */
  isCopying = false;
  /** Whether nothing has been read yet. */
  #isFresh = true;
  #watched: Watched<C> | undefined;
  #handlers: ReadHandlers | undefined;

  constructor(copy: C, reader: BodyReader, listener: BodyListener<C>) {
    this.#watched = { copy, reader, listener };
  }

  get isOver(): boolean {
    return this.#watched === undefined;
  }

  /** Returns a watch for a second copy of the body; `undefined` when there are enough, or when it was partly read. */
  fork(): BodyWatch | undefined {
    if (!this.#isFresh || this.isTakenWhole) return undefined;
    return this.#watched?.listener.onFork?.(this.#watched.copy);
  }

  asked(): void {
    if (!this.isTakenWhole) this.#watched?.listener.onAsked?.(this.#watched.copy);
  }

  /** Returns the callbacks of a read, created once. */
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

  /** Observes a method that reads the whole body; the caller gets the identical value or error. */
  followWhole(name: WholeReader, reading: unknown): unknown {
    this.asked();
    this.isTakenWhole = true;
    // Mocks return the value, not a promise.
    return followResult(
      reading,
      (value) => this.takeWhole(name, value),
      (error) => this.failWhole(error),
    );
  }

  /** Handles the failure of a method that reads the whole body. */
  failWhole(error: unknown): void {
    this.#guard((watched) => {
      // Another reader may be active.
      if (isMisuse(error)) watched.listener.onRead?.(watched.copy);
      else {
        this.#watched = undefined;
        watched.listener.onFail(watched.copy, error);
      }
    });
  }

  cancel(): void {
    if (this.isTakenWhole) return;
    this.#guard((watched) => {
      this.#watched = undefined;
      watched.listener.onCancel(watched.copy);
    });
  }

  /** Handles the result of a method that reads the whole body. */
  takeWhole(name: WholeReader, value: unknown): void {
    this.#guard((watched) => {
      const { reader } = watched;
      if (name === "blob") {
        // A blob can be read more than once.
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

  /** Runs for each piece, so that it creates no closure as the other handlers do. */
  #take({ done, value }: Result): void {
    const watched = this.#watched;
    if (!watched) return;
    this.#isFresh = false;
    try {
      if (value !== undefined) watched.reader.push(value);
      if (done) this.#end(watched);
      else watched.listener.onRead?.(watched.copy);
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
