const POLL_MILLIS = 2;
const DEADLINE_MILLIS = 180_000;

/** Waits. */
export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Waits until something is so. @throws when it is not within three minutes. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + DEADLINE_MILLIS; !(await isSo()); await pause(POLL_MILLIS)) {
    if (performance.now() > end) throw new Error(`not so within ${DEADLINE_MILLIS} ms: ${what}`);
  }
}
