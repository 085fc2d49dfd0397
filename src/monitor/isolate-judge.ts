import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { withoutConversationScope } from "../scope/conversation-scope.ts";
import { runUnobserved } from "../scope/unobserved.ts";

const UNTRACED = suppressTracing(ROOT_CONTEXT);

/**
 * Runs a call of the judge's model so that nobody records it: neither what observes for the monitor, nor instrumentations that ask
 * OpenTelemetry. It belongs to no request and no conversation of the application.
 */
export function isolateJudge<T>(run: () => T): T {
  return withoutConversationScope(() => runUnobserved(() => context.with(UNTRACED, run)));
}
