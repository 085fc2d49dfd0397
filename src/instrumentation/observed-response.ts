import type { BodyWatch, WholeReader } from "./body-watch.ts";
import { isReadableStream, observeStream } from "./observed-stream.ts";
import { createHiddenMember } from "../util/hidden-member.ts";
import { isThenable } from "../util/is-thenable.ts";
import { readMember } from "../util/read-member.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;

interface Observed {
  readonly watch: BodyWatch;
  /** Members of a response that is none of the platform's, which ours replace. */
  readonly own: Readonly<Record<string, PropertyDescriptor>>;
}

/** Of a response of the platform, which has nothing of its own. */
const NO_OWN: Observed["own"] = {};

const OBSERVED = createHiddenMember<Observed>();

/** Gives the value of a member as it is without us. */
function nativeOf(response: object, name: string): unknown {
  const own = OBSERVED.get(response)?.own[name];
  if (own) return own.get ? own.get.call(response) : (own.value as unknown);
  const parent = Object.getPrototypeOf(response) as object | null;
  return parent ? Reflect.get(parent, name, response) : undefined;
}

/** Tells whether nobody has begun to read, without letting the stream be observed: most responses are read whole. */
function isUntouched(response: object, { own, watch }: Observed): boolean {
  // Asking takes the platform longer than all that we do with the answer.
  if (own === NO_OWN && !watch.isStreamTaken) return true;
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
    const isFirst = !watch.isOver && !watch.isTakenWhole && isUntouched(response, known);
    if (!isFirst) return native.apply(response, args);
    watch.asked();
    watch.isTakenWhole = true;
    const reading = native.apply(response, args);
    // Mocks give the value itself.
    if (!isThenable(reading)) {
      watch.takeWhole(name, reading);
      return reading;
    }
    return reading.then(
      (value) => {
        watch.takeWhole(name, value);
        return value;
      },
      (error: unknown) => {
        watch.failWhole(error);
        throw error;
      },
    );
  };
}

function readBody(this: unknown): unknown {
  const body = nativeOf(this as object, "body");
  const watch = OBSERVED.get(this)?.watch;
  // After `clone` it is another one than before.
  if (watch && isReadableStream(body)) {
    watch.isStreamTaken = true;
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

const READERS: readonly WholeReader[] = [
  "json",
  "text",
  "arrayBuffer",
  "blob",
  "bytes",
  "formData",
];

type Member = readonly [name: string, descriptor: PropertyDescriptor];

function toMethod(name: string, value: Method): Member {
  return [name, { value, writable: true, configurable: true, enumerable: false }];
}

/** What a response gets of its own. */
const MEMBERS: readonly Member[] = [
  ...READERS.map((name) => toMethod(name, toReader(name))),
  toMethod("clone", clone),
  ["body", { get: readBody, configurable: true, enumerable: false }],
];
/** Node 20 has no `bytes` on some versions; what is not there stays away. */
const NATIVE_MEMBERS = MEMBERS.filter(
  ([name]) => typeof Response === "function" && name in Response.prototype,
);

/** Defines one after the other, which is faster than all in one call. */
function define(response: object, members: readonly Member[]): void {
  for (const [name, descriptor] of members) Object.defineProperty(response, name, descriptor);
}

function pickOwn(response: object): Observed["own"] {
  const own: Record<string, PropertyDescriptor> = {};
  for (const [name] of MEMBERS) {
    const descriptor = Object.getOwnPropertyDescriptor(response, name);
    if (descriptor) own[name] = descriptor;
  }
  return own;
}

/**
 * Lets a watch see the body of a response as the caller reads it.
 *
 * The response stays the one it is: its readers and its stream only have a look at what they give. Nothing is read
 * that the caller does not read.
 *
 * @returns Whether the body can be seen.
 */
export function observeResponse(response: Response, watch: BodyWatch): boolean {
  // One that a mock gives may be anything.
  if (typeof response !== "object" || response === null || OBSERVED.get(response)) return false;
  const isNative =
    typeof Response === "function" && Object.getPrototypeOf(response) === Response.prototype;
  if (isNative) {
    OBSERVED.set(response, { watch, own: NO_OWN });
    define(response, NATIVE_MEMBERS);
    return true;
  }
  if (!Object.isExtensible(response)) return false;
  const known = MEMBERS.filter(([name]) => name in response);
  OBSERVED.set(response, { watch, own: pickOwn(response) });
  define(response, known);
  return true;
}
