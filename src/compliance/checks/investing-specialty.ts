import type { Check } from "./check.ts";

const INVESTING = new Set(["wealth_management", "investment_services"]);

/** Finds promises that say enough where the agent's specialty is investing. */
export const investingSpecialty: Check<"barePromise"> = {
  probes: ["barePromise"],
  *find(context, exchange, { probes }) {
    if (!INVESTING.has(context.agentSpecialty ?? "")) return;
    for (const match of probes.barePromise(exchange))
      yield { pattern: "no-loss", confidence: 0.75, ...match };
  },
};
