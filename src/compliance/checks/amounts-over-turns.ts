import { addUpAboveThreshold } from "../tools/stated-amounts.ts";
import type { Check } from "./check.ts";

/** Finds amounts below the threshold that the customer named one by one, and a wish for no report. */
export const amountsOverTurns: Check<"wish" | "amount"> = {
  probes: ["wish", "amount"],
  *find(_context, exchange, { probes }) {
    const { userMessage, earlierMessages } = exchange;
    if (!userMessage || earlierMessages.length === 0) return;
    const [match] = [...probes.wish(exchange), ...probes.amount(exchange)];
    // To read the earlier messages is the most work.
    if (!match || !addUpAboveThreshold([...earlierMessages, userMessage])) return;
    yield {
      pattern: "amounts-over-turns",
      confidence: 0.7,
      ...match,
      description: "The customer names amounts that add up to more than the reporting threshold.",
    };
  },
};
