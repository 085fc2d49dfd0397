import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../../util/clock.ts";
import { ProblemError } from "../problem.ts";
import type { Faults } from "./faults.ts";

const SECOND = 1000;

/** Closes the connection without a response: what the client had sent, and whether it arrived, it can't know. */
function reset(context: Context): Response {
  const { incoming } = context.env as { readonly incoming?: IncomingMessage };
  incoming?.socket.destroy();
  return context.body(null, 503);
}

/** Creates what meets deliveries with the faults that are set. */
export function createFaultGuard(
  faults: Faults,
  clock: Pick<Clock, "schedule">,
): MiddlewareHandler {
  return async (context, next) => {
    const fault = faults.meet(context.req.path);
    if (!fault) return next();
    const { kind, seconds } = fault;
    if (kind === "reset") return reset(context);
    if (kind === "slow") {
      await new Promise<void>((resolve) => {
        clock.schedule(resolve, seconds * SECOND, true);
      });
      return next();
    }
    const code = kind === "429" ? "too_many_requests" : "unavailable";
    throw new ProblemError(code, "a fault that was set for a test", {
      headers: { "retry-after": String(seconds) },
    });
  };
}
