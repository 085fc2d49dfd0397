import type { AgentInfo, ToolInfo } from "../../events/agent.ts";
import type { Slots } from "./slots.ts";

/** A tool that an agent has, and what it gives for the slots of an exchange. */
export interface SeedTool extends ToolInfo {
  readonly parametersOf: (slots: Slots) => Readonly<Record<string, unknown>>;
  readonly resultOf: (slots: Slots) => Readonly<Record<string, unknown>>;
  /** What it says when it fails. */
  readonly failure: string;
  /** Usual duration in ms. */
  readonly millis: number;
}

/** What a customer says and what the agent makes of it, with slots as `{amount}`; one of each is taken. */
export interface Exchange {
  readonly user: readonly string[];
  readonly answer: readonly string[];
  /** Name of the tool that the agent calls before it answers. */
  readonly tool?: string;
  /** The tool fails, and the agent answers as if it had not. */
  readonly toolFails?: boolean;
}

/** Where exchanges of one subject come one after the other. */
export interface Topic {
  readonly exchanges: readonly Exchange[];
}

/** A version of an agent that ran until the next one. */
export interface SeedVersion {
  readonly version: string;
  /** Days ago. */
  readonly since: number;
  readonly systemPrompt: string;
  readonly model: string;
  /** Share of its conversations in which it says what it should not. */
  readonly lapses: number;
  /** Usual time of the model in ms. */
  readonly latency: number;
}

/** All that makes the conversations of one agent. */
export interface AgentScript {
  readonly profile: Pick<
    AgentInfo,
    "id" | "name" | "category" | "specialty" | "llmProvider" | "description"
  >;
  /** US dollars for a million tokens. */
  readonly price: { readonly input: number; readonly output: number };
  /** Share of all conversations. */
  readonly weight: number;
  readonly channels: Readonly<Record<string, number>>;
  readonly versions: readonly SeedVersion[];
  readonly tools: readonly SeedTool[];
  readonly topics: readonly Topic[];
  /** What it should not say. The rules decide whether they find it. */
  readonly lapses: readonly Exchange[];
}

const STRING = { type: "string" };

/** Describes a tool whose parameters are strings. */
export function createTool(
  facts: Pick<
    SeedTool,
    "name" | "description" | "category" | "riskLevel" | "failure" | "millis" | "resultOf"
  >,
  parameters: Readonly<Record<string, string>>,
  parametersOf: SeedTool["parametersOf"],
): SeedTool {
  const properties = Object.entries(parameters).map(([name, description]) => [
    name,
    { ...STRING, description },
  ]);
  return {
    ...facts,
    version: "1.0",
    parameters: {
      type: "object",
      properties: Object.fromEntries(properties) as Record<
        string,
        { type: string; description: string }
      >,
      required: Object.keys(parameters),
    },
    parametersOf,
  };
}

/** Returns a version's profile as it was registered. */
export function toProfile(
  { profile, tools }: AgentScript,
  { version, model, systemPrompt }: SeedVersion,
): AgentInfo {
  const availableTools = tools.map(
    ({ name, description, category, riskLevel, version: toolVersion = "1.0", parameters }) => ({
      name,
      description,
      category,
      riskLevel,
      version: toolVersion,
      ...(parameters && { parameters }),
    }),
  );
  const complianceSettings = {
    sr11_7_enabled: true,
    fair_lending_monitoring: true,
    bsa_aml_checks: true,
  };
  return { ...profile, version, model, systemPrompt, availableTools, complianceSettings };
}
