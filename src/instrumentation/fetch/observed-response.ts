import { readMember } from "../../util/untrusted-values.ts";
import { WHOLE_READERS, type BodyWatch, type WholeReader } from "./body-watch.ts";
import { isReadableStream, observeStream } from "./observed-stream.ts";
import { createHiddenMember, Overlays, type Methods, type Overlay } from "./overlays.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Who looks at a response of which nothing was asked yet. */
const WATCH = createHiddenMember<BodyWatch | undefined>();

/**
 * Gives who looks at a response, once, and the response back to its class: whatever is asked of it from here on, the
 * class answers, with its errors and their stacks.
 */
function release(response: unknown, native: Methods): BodyWatch | undefined {
  const watch = WATCH.get(response);
  if (!watch) return undefined;
  WATCH.set(response as object, undefined);
  // Not if somebody else has put something there, nor one that was frozen.
  const overlay = Object.getPrototypeOf(response) as object;
  if (Object.getPrototypeOf(overlay) === native) {
    Reflect.setPrototypeOf(response as object, native);
  }
  return watch;
}

function createReader(native: Methods, name: WholeReader): Method {
  const methods: Methods = {
    [name](...args) {
      const watch = release(this, native);
      const reading = Reflect.apply(native[name] as Method, this, args);
      return watch ? watch.followWhole(name, reading) : reading;
    },
  };
  return methods[name] as Method;
}

/** Lets a watch see the stream of a response: what is read of it, and what becomes of its copies. */
function takeStream(response: unknown, native: Methods): unknown {
  const watch = release(response, native);
  const body: unknown = Reflect.get(native, "body", response);
  if (watch && isReadableStream(body)) observeStream(body, watch);
  return body;
}

/** What stands before the methods of a response's class, until one of them is asked. */
function createResponseMethods(native: Methods): Overlay {
  return {
    ...Object.fromEntries(WHOLE_READERS.map((name) => [name, createReader(native, name)])),
    body() {
      return takeStream(this, native);
    },
    clone(...args) {
      // It takes the stream apart, which is seen.
      if (WATCH.get(this)) takeStream(this, native);
      return Reflect.apply(native["clone"] as Method, this, args);
    },
  };
}

const RESPONSES = new Overlays(["Response"], createResponseMethods);

/** Tells whether somebody looks at a response of the platform. */
function isWatched(response: object): boolean {
  return WATCH.get(response) !== undefined;
}

/**
 * Lets a watch see the body of a response of the platform: what one of its methods gives as a whole, else its stream,
 * when somebody takes that.
 *
 * @returns Whether it can be seen; `none` when there is none, `undefined` for what is no such response.
 */
function observePlatformResponse(
  response: Response,
  watch: BodyWatch,
): boolean | "none" | undefined {
  if (typeof Response !== "function" || !(response instanceof Response)) return undefined;
  let body: unknown;
  try {
    ({ body } = response);
  } catch {
    // It has the prototype, and is none.
    return undefined;
  }
  if (body === null) return "none";
  if (!isReadableStream(body)) return undefined;
  if (!Object.isExtensible(response)) return observeStream(body, watch);
  // First what is kept: to add a member to an object of which the prototype was changed takes four times as long.
  WATCH.set(response, watch);
  RESPONSES.put(response);
  return true;
}

interface Observed {
  readonly watch: BodyWatch;
  /** Members of the response itself, which ours replace. */
  readonly own: Readonly<Record<string, PropertyDescriptor>>;
}

const OBSERVED = createHiddenMember<Observed>();

/** Gives the value of a member as it is without us. */
function nativeOf(response: object, name: string): unknown {
  const own = OBSERVED.get(response)?.own[name];
  if (own) return own.get ? own.get.call(response) : (own.value as unknown);
  const parent = Object.getPrototypeOf(response) as object | null;
  return parent ? Reflect.get(parent, name, response) : undefined;
}

/** Tells whether nobody has begun to read, without letting the stream be observed. */
function isUntouched(response: object): boolean {
  try {
    const body = nativeOf(response, "body");
    return readMember(response, "bodyUsed") !== true && readMember(body, "locked") !== true;
  } catch {
    // A mock whose body can't be looked at is read all the same.
    return true;
  }
}

function toReader(name: WholeReader): Method {
  return function read(this: unknown, ...args) {
    const response = this as object;
    const known = OBSERVED.get(response);
    // Taken from a response and called on something else: let the class say what it thinks of that.
    if (!known) return (Reflect.get(Response.prototype, name) as Method).apply(this, args);
    const native = nativeOf(response, name) as Method;
    const { watch } = known;
    const isFirst = !watch.isOver && !watch.isTakenWhole && isUntouched(response);
    if (!isFirst) return native.apply(response, args);
    return watch.followWhole(name, native.apply(response, args));
  };
}

function readBody(this: unknown): unknown {
  const body = nativeOf(this as object, "body");
  const watch = OBSERVED.get(this)?.watch;
  // After `clone` it is another one than before.
  if (watch && isReadableStream(body)) {
    observeStream(body, watch);
  }
  return body;
}

function clone(this: unknown, ...args: unknown[]): unknown {
  const known = OBSERVED.get(this);
  if (!known) return (Reflect.get(Response.prototype, "clone") as Method).apply(this, args);
  const { watch } = known;
  const isFresh = watch.isFresh && !watch.isTakenWhole;
  watch.isCopying = true;
  try {
    const copy = (nativeOf(this as object, "clone") as Method).apply(this, args);
    const second = isFresh ? watch.fork() : undefined;
    if (second) observeResponse(copy as Response, second);
    return copy;
  } finally {
    watch.isCopying = false;
  }
}

/** What responses get of their own that are none of the platform's. */
const MEMBERS: Readonly<Record<string, PropertyDescriptor>> = {
  ...Object.fromEntries(
    WHOLE_READERS.map((name) => [
      name,
      { value: toReader(name), writable: true, configurable: true },
    ]),
  ),
  clone: { value: clone, writable: true, configurable: true },
  body: { get: readBody, configurable: true },
};

/** Observes what a mock, or another implementation of `fetch`, gives: its methods may read anything. */
function observeOther(response: object, watch: BodyWatch): boolean {
  if (!Object.isExtensible(response)) return false;
  const own: Record<string, PropertyDescriptor> = {};
  OBSERVED.set(response, { watch, own });
  for (const [name, member] of Object.entries(MEMBERS)) {
    if (!(name in response)) continue;
    const known = Object.getOwnPropertyDescriptor(response, name);
    if (known) own[name] = known;
    if (known?.configurable === false) continue;
    Object.defineProperty(response, name, { ...member, enumerable: known?.enumerable ?? false });
  }
  return true;
}

/**
 * Lets a watch see the body of a response as the caller reads it. Nothing is read that the caller does not read.
 *
 * @returns Whether the body can be seen; `none` when there is none.
 */
export function observeResponse(response: Response, watch: BodyWatch): boolean | "none" {
  // One that a mock gives may be anything.
  if (typeof response !== "object" || response === null) return false;
  if (OBSERVED.get(response) || isWatched(response)) return false;
  return observePlatformResponse(response, watch) ?? observeOther(response, watch);
}
