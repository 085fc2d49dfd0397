import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";

/** "Releases a held wire, riskLevel: high": the level stands in the words that describe the tool. */
const DESCRIBED = linear(
  /\brisk[\s_-]?level["']?\s{0,2}(?:[:=]|is)?\s{0,2}["']?(low|medium|moderate|high|critical)\b/i,
);
const MAX_LENGTH = 2000;

interface Source {
  readonly riskLevel?: unknown;
  readonly risk_level?: unknown;
  readonly risk?: unknown;
  readonly description?: unknown;
  readonly metadata?: unknown;
}

function readLevel(source: unknown): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const { riskLevel, risk_level: snake, risk, description }: Source = source;
  const level = [riskLevel, snake, risk].find((one) => typeof one === "string");
  if (typeof level === "string") return level.toLowerCase();
  if (typeof description !== "string") return undefined;
  return DESCRIBED.exec(description.slice(0, MAX_LENGTH))?.[1]?.toLowerCase();
}

/** Returns the risk level that stands on a tool call, in its description or among its parameters, in small letters. */
export function riskLevelOf(tool: ToolUsageInfo): string | undefined {
  const { metadata }: Source = tool as Source;
  return readLevel(tool) ?? readLevel(metadata) ?? readLevel(tool.parameters);
}
