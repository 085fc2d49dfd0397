/** Frames of ours, and of what is called for us, that may stand between the application and what it calls. */
const FRAMES = 16;

/**
 * Has errors keep some frames more while something is called, so that ours push none of the application's out of
 * their stacks. What is called must not wait.
 */
export function withFrameRoom<T>(run: () => T): T {
  const limit: unknown = Error.stackTraceLimit;
  // Nobody wants stacks, or nobody may say how long they are.
  const isRoomMade =
    typeof limit === "number" && limit > 0 && Reflect.set(Error, "stackTraceLimit", limit + FRAMES);
  if (!isRoomMade) return run();
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
