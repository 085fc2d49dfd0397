import { readMember } from "../../util/untrusted-values.ts";
import { WHOLE_READERS, type BodyWatch, type WholeReader } from "./body-watch.ts";
import { isReadableStream, observeStream } from "./observed-stream.ts";
import { createHiddenMember, createOverlays, type Method, type Methods } from "./overlays.ts";

/** The watch of a response none of whose members was accessed yet. */
const WATCH = createHiddenMember<BodyWatch | undefined>();

/**
 * Returns the watch of a response, once, and restores the response's prototype: from here on the class itself handles
 * every access, with its own errors and stacks.
 */
function release(response: unknown, native: Methods): BodyWatch | undefined {
  const watch = WATCH.get(response);
  if (!watch) return undefined;
  WATCH.set(response as object, undefined);
  // Not if another prototype was set since, nor if the response was frozen.
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

/** Returns the stream of a response, observed by its watch, together with its copies. */
function takeStream(response: unknown, native: Methods): unknown {
  const watch = release(response, native);
  const body: unknown = Reflect.get(native, "body", response);
  if (watch && isReadableStream(body)) observeStream(body, watch);
  return body;
}

/** Creates the members that replace those of a response's class until one of them is called. */
function createResponseMethods(native: Methods): Methods {
  return {
    ...Object.fromEntries(WHOLE_READERS.map((name) => [name, createReader(native, name)])),
    body() {
      return takeStream(this, native);
    },
    clone(...args) {
      // The class tees the stream, which the watch sees.
      if (WATCH.get(this)) takeStream(this, native);
      return Reflect.apply(native["clone"] as Method, this, args);
    },
  };
}

const overlayResponse = createOverlays(["Response"], createResponseMethods);

/**
 * Observes the body of a platform response: the result of one of its methods, else its stream once that is accessed.
 *
 * @returns Whether the body can be observed; `none` when there is no body, `undefined` for any other object.
 */
function observePlatformResponse(
  response: Response,
  watch: BodyWatch,
): boolean | "none" | undefined {
  if (typeof Response !== "function" || !(response instanceof Response)) return undefined;
  // An object with the prototype of a response that is not one has a getter that throws.
  const body = readMember(response, "body");
  if (body === null) return "none";
  if (!isReadableStream(body)) return undefined;
  if (!Object.isExtensible(response)) return observeStream(body, watch);
  // The watch is set first: adding a member after the prototype was changed takes four times as long.
  WATCH.set(response, watch);
  overlayResponse(response);
  return true;
}

interface Observed {
  readonly watch: BodyWatch;
  /** Own members of the response, which ours replace. */
  readonly own: Readonly<Record<string, PropertyDescriptor>>;
}

const OBSERVED = createHiddenMember<Observed>();

/** Returns a member's value as it is without observation. */
function nativeOf(response: object, name: string): unknown {
  const own = OBSERVED.get(response)?.own[name];
  if (own) return own.get ? own.get.call(response) : (own.value as unknown);
  const parent = Object.getPrototypeOf(response) as object | null;
  return parent ? Reflect.get(parent, name, response) : undefined;
}

/** Returns whether nothing has been read, without observing the stream. */
function isUntouched(response: object): boolean {
  try {
    const body = nativeOf(response, "body");
    return readMember(response, "bodyUsed") !== true && readMember(body, "locked") !== true;
  } catch {
    // A mock whose body can't be inspected is read all the same.
    return true;
  }
}

function toReader(name: WholeReader): Method {
  return function read(this: unknown, ...args) {
    const response = this as object;
    const known = OBSERVED.get(response);
    // The method was taken from a response and called on another object: the class throws its own error.
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
  // After `clone` the body is another stream.
  if (watch && isReadableStream(body)) {
    observeStream(body, watch);
  }
  return body;
}

function clone(this: unknown, ...args: unknown[]): unknown {
  const known = OBSERVED.get(this);
  if (!known) return (Reflect.get(Response.prototype, "clone") as Method).apply(this, args);
  const { watch } = known;
  watch.isCopying = true;
  try {
    const copy = (nativeOf(this as object, "clone") as Method).apply(this, args);
    const second = watch.fork();
    if (second) observeResponse(copy as Response, second);
    return copy;
  } finally {
    watch.isCopying = false;
  }
}

function toMember(value: Method): PropertyDescriptor {
  return { value, writable: true, configurable: true };
}

/** Own members of responses that are not the platform's. */
const MEMBERS: Readonly<Record<string, PropertyDescriptor>> = {
  ...Object.fromEntries(WHOLE_READERS.map((name) => [name, toMember(toReader(name))])),
  clone: toMember(clone),
  body: { get: readBody, configurable: true },
};

/** Observes a response of a mock or of another `fetch` implementation, whose methods may read anything. */
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
 * Observes the body of a response as the caller reads it. Nothing else is read.
 *
 * @returns Whether the body can be observed; `none` when there is no body.
 */
export function observeResponse(response: Response, watch: BodyWatch): boolean | "none" {
  // A mock may return anything.
  if (typeof response !== "object" || response === null) return false;
  if (OBSERVED.get(response) || WATCH.get(response)) return false;
  return observePlatformResponse(response, watch) ?? observeOther(response, watch);
}
