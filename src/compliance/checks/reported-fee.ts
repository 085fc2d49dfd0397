import { findReportedFee } from "../tools/fees.ts";
import type { Check } from "./check.ts";

/** Finds answers that deny a fee which a tool reported. */
export const reportedFee: Check<"free"> = {
  probes: ["free"],
  *find(context, exchange, { probes }) {
    const answer = exchange.agentResponse?.folded ?? "";
    if (findReportedFee(context, answer) === undefined) return;
    for (const match of probes.free(exchange))
      yield {
        pattern: "tool-fee",
        confidence: 0.85,
        description: "The agent says that there is no fee, and a tool reported one.",
        riskFactors: ["toolsUsed.result.fee"],
        ...match,
      };
  },
};
