import * as z from "zod";
import { cutString } from "../util/cut-string.ts";
import {
  agentCategorySchema,
  agentIdSchema,
  bankingSpecialtySchema,
  MAX_IDENTIFIER_LENGTH,
  riskLevelSchema,
} from "./base-event.ts";
import { lazyLooseObject, lazyObject } from "./lazy-schema.ts";

export const toolParametersSchema = lazyLooseObject(() => ({
  type: z.literal("object"),
  properties: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      description: z.string(),
      required: z.boolean().optional(),
      default: z.unknown().optional(),
    }),
  ),
  required: z.array(z.string()).optional().describe("Names of the required parameters."),
}));
/** Parameters that a tool takes, in the manner of JSON Schema; `enum`, `items` and other members of a schema are kept. */
export type ToolParameters = z.infer<typeof toolParametersSchema>;

export const toolInfoSchema = lazyLooseObject(() => ({
  name: z.string().min(1),
  description: z.string(),
  category: z.string(),
  riskLevel: riskLevelSchema,
  version: z.string().optional(),
  parameters: toolParametersSchema.optional(),
}));
/** A tool that an agent can call; members of the application's own are kept. */
export type ToolInfo = z.infer<typeof toolInfoSchema>;

export const complianceSettingsSchema = lazyObject(() => ({
  sr11_7_enabled: z
    .boolean()
    .describe("Checks for model risk management (SR 26-2, which superseded SR 11-7)."),
  fair_lending_monitoring: z.boolean().describe("Fair lending checks."),
  bsa_aml_checks: z.boolean().describe("Bank Secrecy Act and anti-money-laundering checks."),
  custom_rules: z
    .array(z.string())
    .optional()
    .describe("Ids of the custom rules to apply; absent: all active ones, empty: none."),
  risk_threshold: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      "Risk score from which an answer requires review, 50 by default: every warning and violation. 0: every finding.",
    ),
}));
/** Compliance configuration of one agent. */
export type ComplianceSettings = z.infer<typeof complianceSettingsSchema>;

export const agentInfoSchema = lazyLooseObject(() => ({
  id: agentIdSchema.describe("Unique within the organization."),
  name: z.string().min(1).describe("Human-readable name."),
  category: agentCategorySchema,
  specialty: bankingSpecialtySchema.optional(),
  version: z.string().min(1).describe("Version of the agent, to compare releases."),
  llmProvider: z.string().min(1).describe("Name of the LLM provider."),
  model: z.string().min(1).describe("Model name or version."),
  description: z.string().describe("Purpose and capabilities."),
  systemPrompt: z.string().optional(),
  availableTools: z.array(toolInfoSchema).optional(),
  complianceSettings: complianceSettingsSchema.optional(),
}));
/** Profile of an agent, given to `registerAgent`; members of the application's own are kept. */
export type AgentInfo = z.infer<typeof agentInfoSchema>;

/** Longest name of a tool, and longest type and code of an error, in UTF-16 units. */
export const MAX_NAME_LENGTH = 1024;

/** Fields of events about a tool, from its agent's profile. */
export type ToolFacts = Pick<ToolInfo, "category" | "riskLevel" | "version">;

/** Fields of events about an agent, from its profile. */
export interface AgentFacts extends Pick<AgentInfo, "version" | "category" | "specialty"> {
  /** By the name of the tool. */
  readonly tools: ReadonlyMap<string, ToolFacts>;
}

/** A profile with the fields of its events, computed once: each registration makes a new one. */
export interface RegisteredAgent extends AgentInfo {
  readonly facts: AgentFacts;
}

function toToolFacts({ category, riskLevel, version }: ToolInfo): ToolFacts {
  return {
    category: cutString(category, MAX_NAME_LENGTH),
    riskLevel,
    version: version && cutString(version, MAX_IDENTIFIER_LENGTH),
  };
}

/** Computes the fields of an agent's events. */
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
