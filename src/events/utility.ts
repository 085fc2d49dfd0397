import * as z from "zod";
import { lazyObject, lazySchema } from "./lazy-schema.ts";

/** Accepts a function; the error shows its signature. */
export const functionSchema = <T extends (...given: never[]) => unknown>(signature: string) =>
  z.custom<T>((value) => typeof value === "function", {
    error: `expected a function ${signature}`,
  });

const logMethod = lazySchema(() => functionSchema<Logger["info"]>("(message, data?) => void"));

/** Receives the SDK's own log lines. */
export interface Logger {
  /**
   * The logger's own level, as pino, winston and bunyan have one: then it decides itself what it writes, and `logLevel`
   * does not apply to it.
   */
  readonly level?: unknown;
  /** Logs details for developers. */
  debug(message: string, data?: unknown): void;
  /** Logs normal operation. */
  info(message: string, data?: unknown): void;
  /** Logs what somebody should look at. */
  warn(message: string, data?: unknown): void;
  /** Logs losses and failures. */
  error(message: string, data?: unknown): void;
}

// z.custom keeps the caller's object as it is: a copy would lose the methods of a class instance.
export const loggerSchema = lazySchema(() =>
  z.custom<Logger>(
    (value) =>
      z
        .looseObject({ debug: logMethod, info: logMethod, warn: logMethod, error: logMethod })
        .safeParse(value).success,
    { error: "expected a logger with the methods debug, info, warn and error" },
  ),
);

export const httpOptionsSchema = lazyObject(() => ({
  method: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  timeout: z.number().optional().describe("ms"),
  retries: z.number().optional(),
  retryDelay: z.number().optional().describe("ms"),
}));
/**
 * One HTTP request, in the words of the interface.
 *
 * Nothing of the SDK takes one: how it sends is set by `requestTimeout`, `retryAttempts`, `retryDelay` and `agent` of the
 * configuration. For applications that describe requests of their own.
 */
export type HttpOptions = z.infer<typeof httpOptionsSchema>;
