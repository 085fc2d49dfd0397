import { createHiddenMember } from "../../util/hidden-member.ts";
import { WHOLE_READERS, type BodyWatch, type WholeReader } from "./body-watch.ts";
import { isReadableStream, observeStream } from "./observed-stream.ts";
import type { Methods, Overlay } from "./overlay-prototype.ts";
import { Overlays } from "./overlays.ts";

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
export function isWatched(response: object): boolean {
  return WATCH.get(response) !== undefined;
}

/**
 * Lets a watch see the body of a response of the platform: what one of its methods gives as a whole, else its stream,
 * when somebody takes that.
 *
 * @returns Whether it can be seen; `none` when there is none, `undefined` for what is no such response.
 */
export function observePlatformResponse(
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
