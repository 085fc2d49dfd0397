import { readMember } from "../../util/untrusted-values.ts";
import type { BodyWatch, Result } from "./body-watch.ts";
import { createHiddenMember, createOverlays, type Method, type Methods } from "./overlays.ts";

type Reader = ReadableStreamDefaultReader<unknown>;

/** The watch of a stream or a reader. */
const WATCH = createHiddenMember<BodyWatch>();

/** Observes a read; the caller gets the identical result or error. */
function follow(watch: BodyWatch | undefined, reading: unknown): unknown {
  if (!watch || watch.isOver) return reading;
  watch.asked();
  const { take, fail } = watch.handlers;
  return (reading as Promise<Result>).then(take, fail);
}

/** Creates the members that replace those of a reader's class. */
function createReaderMethods(native: Methods): Methods {
  return {
    read(...args) {
      return follow(WATCH.get(this), Reflect.apply(native["read"] as Method, this, args));
    },
    cancel(...args) {
      WATCH.get(this)?.cancel();
      return Reflect.apply(native["cancel"] as Method, this, args);
    },
  };
}

/** A stream that reads its source only as it is read itself; for pipes, whose reads can't be observed. */
interface Through {
  readonly stream: ReadableStream;
  /** Releases the source, as a pipe does at its end. */
  release(): void;
}

/** Returns whether a pipe into a stream begins to read at once. */
function isEager(target: unknown): boolean {
  if (!(target instanceof WritableStream) || target.locked) return false;
  const writer = target.getWriter();
  try {
    return (writer.desiredSize ?? 0) > 0;
  } finally {
    writer.releaseLock();
  }
}

/** @param target - The stream that the pipe writes into. */
function pullThrough(source: ReadableStream, target: unknown): Through {
  const isRead = isEager(target);
  const reader = source.getReader() as Reader;
  // Callers check `bodyUsed` right after.
  let first = isRead ? reader.read() : undefined;
  // The error is thrown by `pull`.
  first?.catch(() => undefined);
  const release = (): void => reader.releaseLock();
  const stream = new ReadableStream(
    {
      async pull(controller) {
        try {
          const reading = first ?? reader.read();
          first = undefined;
          const { done, value } = await reading;
          if (!done) {
            controller.enqueue(value);
            return;
          }
          release();
          controller.close();
        } catch (error) {
          release();
          controller.error(error);
        }
      },
      async cancel(reason) {
        const cancelled = reader.cancel(reason);
        release();
        await cancelled;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, release };
}

/** Observes an iterator, whose methods are its own. */
function observeIterator(
  iterator: AsyncIterator<unknown>,
  watch: BodyWatch,
  isKept: boolean,
): AsyncIterator<unknown> {
  const { next, return: end } = iterator as unknown as { next: Method; return: Method };
  const methods: Methods = {
    next: (...args) => follow(watch, Reflect.apply(next, iterator, args)),
    return: (value) => {
      if (!isKept) watch.cancel();
      return Reflect.apply(end, iterator, [value]);
    },
  };
  // Plain assignment: redefining existing members would change the object and slow it down.
  for (const [name, method] of Object.entries(methods)) Reflect.set(iterator, name, method);
  return iterator;
}

/** Creates the members that replace those of a stream's class. */
function createStreamMethods(native: Methods): Methods {
  const call = (name: string, target: unknown, args: unknown[]): unknown =>
    Reflect.apply(native[name] as Method, target, args);
  const methods: Methods = {
    getReader(...args) {
      const reader = call("getReader", this, args) as object;
      const watch = WATCH.get(this);
      if (watch) observe(reader, watch, overlayReader);
      return reader;
    },
    cancel(...args) {
      const stream = this as ReadableStream;
      const watch = WATCH.get(stream);
      // A locked stream can't be cancelled this way.
      if (watch && !stream.locked) watch.cancel();
      return call("cancel", this, args);
    },
    tee(...args) {
      const branches = call("tee", this, args) as [ReadableStream, ReadableStream];
      const watch = WATCH.get(this);
      if (watch && !watch.isCopying) {
        // A second copy of a partly read stream would begin in the middle.
        const second = watch.fork();
        if (second) observeStream(branches[1], second);
        observeStream(branches[0], watch);
      }
      return branches;
    },
    pipeTo(...args) {
      const stream = this as ReadableStream;
      if (!WATCH.get(stream) || stream.locked) return call("pipeTo", this, args);
      const through = pullThrough(stream, args[0]);
      const piping = call("pipeTo", through.stream, args) as Promise<void>;
      return piping.finally(() => through.release());
    },
    pipeThrough(...args) {
      const stream = this as ReadableStream;
      if (!WATCH.get(stream) || stream.locked) return call("pipeThrough", this, args);
      const through = pullThrough(stream, readMember(args[0], "writable"));
      try {
        return call("pipeThrough", through.stream, args);
      } catch (error) {
        through.release();
        throw error;
      }
    },
    values(...args) {
      const watch = WATCH.get(this);
      const iterator = call("values", this, args) as AsyncIterator<unknown>;
      const { preventCancel } = (args[0] ?? {}) as { preventCancel?: unknown };
      return watch ? observeIterator(iterator, watch, preventCancel === true) : iterator;
    },
  };
  return { ...methods, [Symbol.asyncIterator]: Reflect.get(methods, "values") };
}

const overlayReader = createOverlays(
  ["ReadableStreamDefaultReader", "ReadableStreamBYOBReader"],
  createReaderMethods,
);
const overlayStream = createOverlays(["ReadableStream"], createStreamMethods);

/** Puts our prototype between an object and its class; `false` for an object that can't be changed. */
function observe(target: object, watch: BodyWatch, overlay: (target: object) => void): boolean {
  if (!Object.isExtensible(target)) return false;
  // The watch is set first: adding a member after the prototype was changed takes four times as long.
  WATCH.set(target, watch);
  overlay(target);
  return true;
}

/** Returns whether a value is a stream of the platform. */
export function isReadableStream(value: unknown): value is ReadableStream {
  return typeof ReadableStream === "function" && value instanceof ReadableStream;
}

/**
 * Observes the reads of a stream.
 *
 * The stream keeps its identity, with every kind of reader, its pace and its failures: only its methods report what
 * they return. Reads that bypass the methods (a transfer to another thread) are not seen.
 *
 * @returns Whether the stream can be observed: not if it is observed already, nor if it is frozen.
 */
export function observeStream(stream: ReadableStream, watch: BodyWatch): boolean {
  return !WATCH.get(stream) && observe(stream, watch, overlayStream);
}
