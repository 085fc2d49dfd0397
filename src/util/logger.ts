import type { Logger } from "../events/utility.ts";
import type { Clock } from "./clock.ts";
import { isError, isThenable, readMember } from "./untrusted-values.ts";

/** Log levels, the least first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
/** Level of a log line. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Repetitions of one line within this time become one summary line. */
const BURST_MILLIS = 10_000;
const MAX_BURSTS = 100;

/** A logger whose lines have a code, so that repetitions of one kind can be summed up. */
export interface BurstLogger {
  /**
   * Logs the first line of a code at once and counts the rest until the burst is over; debug lines are never summed up.
   *
   * @param code - Kind of line, `retry`, `invalid_argument`; lines of one code form a burst.
   * @param count - How many things the line reports, which the summary adds up. Default: 1.
   */
  log(level: LogLevel, code: string, message: string, data?: unknown, count?: number): void;
  /** Writes the summaries of running bursts. */
  flush(): void;
}

interface Burst {
  readonly level: LogLevel;
  /** The newest message: the summary must not log an outdated state. */
  message: string;
  readonly startedAt: number;
  suppressed: number;
  cancel: () => void;
}

const PREFIX = "[agent-monitor] ";

function toLogger(write: (level: LogLevel) => Logger[LogLevel]): Logger {
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Drops every line. */
export const silentLogger: Logger = toLogger(() => () => undefined);

const consoleLogger = toLogger((level) => (message, data) => {
  // stdout belongs to the program.
  const out = console[level === "warn" ? "warn" : "error"];
  if (data === undefined) out(PREFIX + message);
  else out(PREFIX + message, data);
});

function hasOwnLevel(logger: Logger): boolean {
  try {
    return logger.level !== undefined && logger.level !== null;
  } catch {
    return false;
  }
}

/** Passes on lines of at least `minimumLevel`, or all of them to a logger that has a level of its own. */
export function withLevel(logger: Logger, minimumLevel: LogLevel): Logger {
  if (hasOwnLevel(logger)) return logger;
  const minimum = LOG_LEVELS.indexOf(minimumLevel);
  return toLogger((level) => {
    if (LOG_LEVELS.indexOf(level) < minimum) return () => undefined;
    // As few arguments as there are: some loggers write the second even if it is `undefined`.
    return (...line) => logger[level](...line);
  });
}

/** Writes lines of at least `minimumLevel` to the console. */
export function createConsoleLogger(minimumLevel: LogLevel): Logger {
  return withLevel(consoleLogger, minimumLevel);
}

/** Names of error classes; anything may be assigned to `name`, content included. */
const ERROR_CLASS =
  /^(?:[A-Z][A-Za-z0-9]{0,48})?(?:Error|Exception|Failure|Fault|Warning|Timeout|Abort|Aborted)$/;

/** Reads the class of an error, if its name looks like one. */
export function toErrorName(error: unknown): string {
  if (!isError(error)) return typeof error;
  const name = readMember(error, "name", "Error");
  return typeof name === "string" && ERROR_CLASS.test(name) ? name : "Error";
}

/** Returns the frames of an error's stack without its message, which may hold content. */
export function toErrorFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}

/** Writes a line to a logger that may throw or return a rejected promise. */
function writeSafely(logger: Logger, level: LogLevel, message: string, data: unknown): void {
  try {
    const answer: unknown =
      data === undefined ? logger[level](message) : logger[level](message, data);
    // No `instanceof Promise`: in Jest, promises may be of another realm.
    if (isThenable(answer)) answer.then(undefined, () => undefined);
  } catch {
    // A logger that fails must not fail the caller, and there is nowhere left to log it.
  }
}

/** Wraps a logger so that a burst of one kind costs two lines, and no call throws. */
export function createBurstLogger(logger: Logger, clock: Clock): BurstLogger {
  const bursts = new Map<string, Burst>();

  const finish = (code: string): void => {
    const burst = bursts.get(code);
    if (!burst) return;
    bursts.delete(code);
    burst.cancel();
    if (burst.suppressed === 0) return;
    const seconds = Math.max(1, Math.round((clock.monotonic() - burst.startedAt) / 1000));
    const summary = `${burst.suppressed} more of this kind within ${seconds} s: ${burst.message}`;
    writeSafely(logger, burst.level, summary, undefined);
  };

  return {
    log(level, code, message, data, count = 1) {
      // A debug log must show each line.
      if (level === "debug") return writeSafely(logger, level, message, data);
      const burst = bursts.get(code);
      if (burst) {
        burst.suppressed += count;
        burst.message = message;
        return;
      }
      if (bursts.size >= MAX_BURSTS) {
        const oldest = bursts.keys().next();
        if (!oldest.done) finish(oldest.value);
      }
      const cancel = clock.schedule(() => finish(code), BURST_MILLIS);
      bursts.set(code, { level, message, startedAt: clock.monotonic(), suppressed: 0, cancel });
      writeSafely(logger, level, message, data);
    },
    flush() {
      // Lines logged while a summary is written start a burst of their own.
      const running = [...bursts.keys()];
      for (const code of running) finish(code);
    },
  };
}
