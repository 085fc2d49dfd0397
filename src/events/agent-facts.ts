import { cutString } from "../util/cut-string.ts";
import type { AgentInfo, ToolInfo } from "./agent.ts";
import type { AgentCategory, BankingSpecialty } from "./agent-kind.ts";
import { MAX_IDENTIFIER_LENGTH, type RiskLevel } from "./base-event.ts";

/** Longest name of a tool, and longest type and code of an error, in UTF-16 units. */
export const MAX_NAME_LENGTH = 1024;

/** What events say of a tool, as its agent's profile has it. */
export interface ToolFacts {
  readonly category: string;
  readonly riskLevel: RiskLevel;
  readonly version: string | undefined;
}

/** What events say of an agent, as its profile has it. */
export interface AgentFacts {
  readonly version: string;
  readonly category: AgentCategory;
  readonly specialty: BankingSpecialty | undefined;
  /** By the name of the tool. */
  readonly tools: ReadonlyMap<string, ToolFacts>;
}

/** A profile with what events say of it, worked out once: a later registration is another one of these. */
export interface RegisteredAgent extends AgentInfo {
  readonly facts: AgentFacts;
}

function toToolFacts({ category, riskLevel, version }: ToolInfo): ToolFacts {
  return {
    category: cutString(category, MAX_NAME_LENGTH),
    riskLevel,
    version: version === undefined ? undefined : cutString(version, MAX_IDENTIFIER_LENGTH),
  };
}

/** Works out what events say of an agent. */
export function toRegisteredAgent(agent: AgentInfo): RegisteredAgent {
  const tools = new Map<string, ToolFacts>();
  for (const tool of agent.availableTools ?? []) {
    const name = cutString(tool.name, MAX_NAME_LENGTH);
    // Of two tools of one name the first counts.
    if (!tools.has(name)) tools.set(name, toToolFacts(tool));
  }
  const { version, category, specialty } = agent;
  const facts = { version: cutString(version, MAX_IDENTIFIER_LENGTH), category, specialty, tools };
  return { ...agent, facts };
}
