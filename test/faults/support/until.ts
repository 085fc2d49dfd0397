const POLL_MILLIS = 10;
const DEADLINE_MILLIS = 30_000;

/** Waits until something is so. @throws when it is not within half a minute, or another time. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadlineMillis = DEADLINE_MILLIS,
  pollMillis = POLL_MILLIS,
): Promise<void> {
  const end = performance.now() + deadlineMillis;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so within ${deadlineMillis} ms: ${what}`);
    await pause(pollMillis);
  }
}

export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
