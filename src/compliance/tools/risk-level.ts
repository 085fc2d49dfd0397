import type { ToolUsageInfo } from "../../events/compliance.ts";

function readLevel(source: unknown): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const { riskLevel, risk_level: snake, risk } = source as Readonly<Record<string, unknown>>;
  const level = [riskLevel, snake, risk].find((one) => typeof one === "string");
  return typeof level === "string" ? level.toLowerCase() : undefined;
}

/** Gives the risk level that stands on a tool call or among its parameters, in small letters. */
export function riskLevelOf(tool: ToolUsageInfo): string | undefined {
  return readLevel(tool) ?? readLevel(tool.parameters);
}
