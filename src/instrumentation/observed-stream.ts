import { createHiddenMember } from "../util/hidden-member.ts";
import type { BodyWatch } from "./body-watch.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Reader = ReadableStreamDefaultReader<unknown>;
type Result = { readonly done: boolean; readonly value?: unknown };

/** Who looks at a stream, or at a reader. */
const WATCH = createHiddenMember<BodyWatch>();

/** Gives the method of an object's class, which one of ours stands before. */
function nativeOf(target: unknown, name: PropertyKey): Method {
  return Reflect.get(Object.getPrototypeOf(target) as object, name) as Method;
}

function toDescriptors(methods: Readonly<Record<PropertyKey, Method>>): PropertyDescriptorMap {
  const descriptors: PropertyDescriptorMap = {};
  for (const name of Reflect.ownKeys(methods)) {
    const value: unknown = Reflect.get(methods, name);
    descriptors[name as string] = { value, writable: true, configurable: true, enumerable: false };
  }
  return descriptors;
}

/** Hands a read through; the caller gets the very result, or the very failure. */
function watchRead(watch: BodyWatch | undefined, read: () => unknown): unknown {
  if (!watch || watch.isOver) return read();
  watch.asked();
  const { handlers } = watch;
  return (read() as Promise<Result>).then(handlers.take, handlers.fail);
}

const READER = toDescriptors({
  read(...args) {
    return watchRead(WATCH.get(this), () => nativeOf(this, "read").apply(this, args));
  },
  cancel(...args) {
    WATCH.get(this)?.cancel();
    return nativeOf(this, "cancel").apply(this, args);
  },
});

/** A stream that reads from another one only as it is read itself; for pipes, which read behind our back. */
interface Through {
  readonly stream: ReadableStream;
  /** Gives the other one free, as a pipe does when it is over. */
  release(): void;
}

function pullThrough(source: ReadableStream): Through {
  const reader = source.getReader() as Reader;
  const release = (): void => reader.releaseLock();
  const stream = new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
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

/** Replaces methods as they are: to define what an object has already would change it, and slow it down. */
function replace(target: object, methods: Readonly<Record<string, Method>>): void {
  for (const [name, method] of Object.entries(methods)) {
    if (Object.hasOwn(target, name)) Reflect.set(target, name, method);
    else Object.defineProperties(target, toDescriptors({ [name]: method }));
  }
}

/** Iterators have their methods themselves, or from their class. */
function iterate(this: unknown, ...args: unknown[]): unknown {
  const watch = WATCH.get(this);
  const iterator = nativeOf(this, "values").apply(this, args) as AsyncIterator<unknown>;
  if (!watch) return iterator;
  const { next, return: end } = iterator as unknown as { next: Method; return: Method };
  const keeps = (args[0] as { preventCancel?: unknown } | undefined)?.preventCancel === true;
  replace(iterator, {
    next(...values) {
      return watchRead(watch, () => next.apply(iterator, values));
    },
    return(...values) {
      if (!keeps) watch.cancel();
      return end.apply(iterator, values);
    },
  });
  return iterator;
}

const STREAM = toDescriptors({
  getReader(...args) {
    const reader = nativeOf(this, "getReader").apply(this, args) as object;
    const watch = WATCH.get(this);
    if (watch) {
      WATCH.set(reader, watch);
      Object.defineProperties(reader, READER);
    }
    return reader;
  },
  cancel(...args) {
    const stream = this as ReadableStream;
    // One that somebody reads can't be cancelled so.
    if (!stream.locked) WATCH.get(stream)?.cancel();
    return nativeOf(this, "cancel").apply(this, args);
  },
  tee(...args) {
    const branches = nativeOf(this, "tee").apply(this, args) as [ReadableStream, ReadableStream];
    const watch = WATCH.get(this);
    if (watch && !watch.isCopying) {
      // Of one that was read in part, a second copy would begin in the middle.
      const second = watch.isFresh && !watch.isTakenWhole ? watch.fork() : undefined;
      if (second) observeStream(branches[1], second);
      observeStream(branches[0], watch);
    }
    return branches;
  },
  pipeTo(...args) {
    const stream = this as ReadableStream;
    if (!WATCH.get(stream) || stream.locked) return nativeOf(this, "pipeTo").apply(this, args);
    const through = pullThrough(stream);
    const piping = nativeOf(stream, "pipeTo").apply(through.stream, args) as Promise<void>;
    return piping.finally(() => through.release());
  },
  pipeThrough(...args) {
    const stream = this as ReadableStream;
    const native = nativeOf(this, "pipeThrough");
    if (!WATCH.get(stream) || stream.locked) return native.apply(this, args);
    const through = pullThrough(stream);
    try {
      return native.apply(through.stream, args);
    } catch (error) {
      through.release();
      throw error;
    }
  },
  values: iterate,
  [Symbol.asyncIterator]: iterate,
});

/** Tells whether a value is a stream of the platform. */
export function isReadableStream(value: unknown): value is ReadableStream {
  return typeof ReadableStream === "function" && value instanceof ReadableStream;
}

/**
 * Lets a watch see what is read from a stream.
 *
 * The stream stays the one it is, with every kind of reader, its pace and its failures: only its methods have a
 * look at what they give. Reads that bypass them (a transfer to another thread) are not seen.
 */
export function observeStream(stream: ReadableStream, watch: BodyWatch): void {
  if (WATCH.get(stream) || !Object.isExtensible(stream)) return;
  WATCH.set(stream, watch);
  Object.defineProperties(stream, STREAM);
}
