import type { AnswerReader } from "./decoding/answer-reader.ts";

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
export type WholeReader = "json" | "text" | "arrayBuffer" | "blob" | "bytes" | "formData";

type Result = { readonly done: boolean; readonly value?: unknown };

/** What stands between a read and its caller: it gives on what it gets. */
interface ReadHandlers {
  readonly take: <T extends Result>(result: T) => T;
  readonly fail: (error: unknown) => never;
}

/** Node's code for reading from a stream in a wrong state, which says nothing of the body. */
const INVALID_STATE = "ERR_INVALID_STATE";

/** Watches one copy of a body while the caller reads it. Never throws. */
export class BodyWatch<C = unknown> {
  /** Whether a reader of the whole body runs, so that what passes below it does not count. */
  isTakenWhole = false;
  /** Whether the response is just being cloned, which takes its stream apart. */
  isCopying = false;
  /** Whether nothing has passed yet. */
  isFresh = true;
  isOver = false;
  readonly #copy: C;
  readonly #reader: BodyReader;
  readonly #listener: BodyListener<C>;
  #handlers: ReadHandlers | undefined;

  constructor(copy: C, reader: BodyReader, listener: BodyListener<C>) {
    this.#copy = copy;
    this.#reader = reader;
    this.#listener = listener;
  }

  /** Watches a second copy of the body; `undefined` when there are enough. */
  fork(): BodyWatch | undefined {
    return this.#listener.onFork(this.#copy);
  }

  asked(): void {
    if (!this.isOver && !this.isTakenWhole) this.#listener.onAsked(this.#copy);
  }

  /** Gives what a read is to pass, made once. */
  get handlers(): ReadHandlers {
    return (this.#handlers ??= {
      take: (result) => {
        if (!this.isOver && !this.isTakenWhole) this.#take(result);
        return result;
      },
      fail: (error) => {
        if (!this.isOver && !this.isTakenWhole) this.failWhole(error);
        throw error;
      },
    });
  }

  /** Takes the failure of a reader of the whole body. */
  failWhole(error: unknown): void {
    if (this.isOver || (error as { code?: unknown } | undefined)?.code === INVALID_STATE) return;
    this.isOver = true;
    this.#guard(() => this.#listener.onFail(this.#copy, error));
  }

  cancel(): void {
    if (this.isOver || this.isTakenWhole) return;
    this.isOver = true;
    this.#guard(() => this.#listener.onCancel(this.#copy));
  }

  /** Takes what a reader of the whole body has given. */
  takeWhole(name: WholeReader, value: unknown): void {
    if (this.isOver) return;
    if (name === "blob") {
      // A blob can be read again and again.
      (value as Blob).text().then(
        (text) => this.takeWhole("text", text),
        (error: unknown) => this.failWhole(error),
      );
      return;
    }
    this.#guard(() => {
      if (name === "json") this.#reader.readValue(value);
      else if (name === "arrayBuffer") this.#reader.push(new Uint8Array(value as ArrayBuffer));
      else if (name === "text" || name === "bytes") this.#reader.push(value);
      this.#end();
    });
  }

  #take({ done, value }: Result): void {
    try {
      this.isFresh = false;
      if (value !== undefined) this.#reader.push(value);
      if (done) this.#end();
      else this.#listener.onRead(this.#copy);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #end(): void {
    this.isOver = true;
    this.#reader.end();
    this.#listener.onEnd(this.#copy);
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    this.isOver = true;
    this.#listener.onProblem(this.#copy, error);
  }
}
