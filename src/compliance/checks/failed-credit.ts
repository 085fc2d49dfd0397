import { findFailedCredit } from "../tools/failed-credit.ts";
import type { Check } from "./check.ts";

/** Finds refunds and waivers that the agent reports although the tool for them failed. */
export const failedCredit: Check<"done"> = {
  probes: ["done"],
  *find(context, exchange, { probes }) {
    if (findFailedCredit(context) === undefined) return;
    for (const match of probes.done(exchange))
      yield {
        pattern: "failed-tool",
        confidence: 0.9,
        description: "The agent reports a refund or waiver although the tool for it failed.",
        riskFactors: ["toolsUsed.success=false"],
        ...match,
      };
  },
};
