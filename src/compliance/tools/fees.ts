import type { InteractionContext } from "../../events/compliance.ts";
import { linear } from "../text/pattern.ts";
import { hasFailed, listValues } from "./tool-results.ts";

const FEE = linear(/\b(?:fees?|charges?|surcharges?|commission|cost)\b/);
const NOT_DUE = linear(
  /\b(?:waived|waivable|refunded|rebated|saved|avoided|code|id|count|limit|dispute|date|schedule)\b/,
);
const MONEY_SIGNS = linear(/[$,\s]|usd/gi);

/** Finds the name of a fee above nothing that a tool reported. */
export function findReportedFee({ toolsUsed = [] }: InteractionContext): string | undefined {
  for (const tool of toolsUsed) {
    if (hasFailed(tool)) continue;
    for (const { name, value } of listValues(tool.result)) {
      if (!FEE.test(name) || NOT_DUE.test(name)) continue;
      const amount = typeof value === "string" ? Number(value.replaceAll(MONEY_SIGNS, "")) : value;
      if (typeof amount === "number" && amount > 0) return name;
    }
  }
  return undefined;
}
