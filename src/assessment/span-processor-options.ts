import type { LoggerProvider } from "@opentelemetry/api-logs";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { ContentPolicy } from "../config/config.ts";
import type { Logger } from "../events/utility.ts";
import type { Clock } from "../util/clock.ts";

/** What a ComplianceSpanProcessor works with. */
export interface ComplianceSpanProcessorOptions {
  /** Checks the answers. @defaultValue an engine with the built-in rules */
  readonly engine?: ComplianceEngine | undefined;
  /** Gets the log records of findings. @defaultValue the global provider, looked up at use */
  readonly loggerProvider?: LoggerProvider | undefined;
  /** Whether findings may quote the conversation. @defaultValue "none" */
  readonly content?: ContentPolicy | undefined;
  /** Redacts quotations under the policy `redacted`; without it they are left out. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Checks spans and log records of the monitor itself as well, whose answers it has checked. @defaultValue false */
  readonly includeOwn?: boolean | undefined;
  /** Is told of failures, never of content. @defaultValue the console, from `warn` on */
  readonly logger?: Logger | undefined;
  /** Time, for the duration of rules; tests hand in their own. */
  readonly clock?: Clock | undefined;
}
