/** Stack frames of this package, and of its callbacks, that may lie between the application and what it calls. */
const FRAMES = 16;

/**
 * Raises the stack limit of errors during a call, so that our frames push none of the application's out of
 * their stacks. The called function must be synchronous.
 */
export function withFrameRoom<T>(run: () => T): T {
  const limit: unknown = Error.stackTraceLimit;
  // The application wants no stacks, or the limit is read-only.
  const isRoomMade =
    typeof limit === "number" && limit > 0 && Reflect.set(Error, "stackTraceLimit", limit + FRAMES);
  if (!isRoomMade) return run();
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
