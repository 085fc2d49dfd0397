import { once } from "node:events";
import type { Logger } from "../events/utility.ts";

/** Prints the lines of a service, those for debugging left out. */
export const lineLogger: Logger = {
  debug: () => undefined,
  info: (message) => void process.stdout.write(`${message}\n`),
  warn: (message) => void process.stdout.write(`${message}\n`),
  error: (message) => void process.stderr.write(`${message}\n`),
};

/** Resolves once somebody ends the process. */
export async function waitForInterrupt(): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(process, "SIGINT", { signal }), once(process, "SIGTERM", { signal })]);
  // Restores the default handling of signals: a second one ends the process at once.
  stop.abort();
}
