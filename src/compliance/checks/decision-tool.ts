import { findUnapprovedDecision } from "../tools/decisions.ts";
import type { Check } from "./check.ts";

/** Finds tools that made a final decision about a customer without an approver. */
export const decisionTool: Check = {
  *find(context) {
    const tool = findUnapprovedDecision(context);
    if (tool === undefined) return;
    yield {
      pattern: "decision-tool",
      description:
        "A tool made a final decision about a customer, and no approver stands beside it.",
      confidence: 0.85,
      evidence: `toolsUsed: ${tool}, no approver`,
    };
  },
};
