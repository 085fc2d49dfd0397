import { findIdentitySwitch } from "../tools/report-tools.ts";
import type { Check } from "./check.ts";

/** Finds tool calls with a setting that leaves out the identification of a customer. */
export const identitySwitch: Check = {
  *find({ toolsUsed = [] }) {
    for (const call of toolsUsed) {
      const evidence = findIdentitySwitch(call);
      if (evidence === undefined) continue;
      yield {
        pattern: "check-switched-off",
        confidence: 0.9,
        evidence,
        description:
          "A tool was called with a setting that skips the identification of a customer.",
      };
    }
  },
};
