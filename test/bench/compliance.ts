import type { ComplianceFigures } from "./compliance-figures.ts";
import { measureReadiness, type ReadinessFigures } from "./readiness.ts";
import { runSide } from "./run-side.ts";

/** Measures the rules in a process of their own, and what new processes feel of them. */
export async function benchCompliance(): Promise<ComplianceFigures & ReadinessFigures> {
  const figures = JSON.parse(await runSide("compliance-side")) as ComplianceFigures;
  return { ...figures, ...measureReadiness() };
}
