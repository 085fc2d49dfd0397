import { findControlSwitch } from "../tools/control-switches.ts";
import type { Check } from "./check.ts";

/** Finds tools that were called with a control switched off. */
export const controlSwitch: Check = {
  *find(context) {
    for (const { tool, key } of findControlSwitch(context))
      yield {
        pattern: "control-switch",
        description: "A tool was told to leave a control out.",
        confidence: 0.9,
        evidence: `toolsUsed: ${tool}, ${key}`,
      };
  },
};
