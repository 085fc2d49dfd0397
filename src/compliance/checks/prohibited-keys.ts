import { findProhibitedKeys } from "../tools/prohibited-keys.ts";
import type { Check } from "./check.ts";

/** Finds tools that decide, price or select and were given a prohibited basis. */
export const prohibitedKeys: Check = {
  *find({ toolsUsed = [] }) {
    for (const { tool, key } of findProhibitedKeys(toolsUsed))
      yield {
        pattern: "tool-reads-basis",
        description: "A tool that decides, prices or selects was given a prohibited basis.",
        confidence: 0.85,
        evidence: `toolsUsed.${tool}: ${key}`,
      };
  },
};
