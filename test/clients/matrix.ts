import type { DriverName } from "./suite/drivers/index.ts";

/** How a program is loaded: `bundle` has everything in one file, the client and us. */
export const FORMATS = ["esm", "cjs", "tsx", "bundle"] as const;
export type Format = (typeof FORMATS)[number];

/** A client in one of its versions. */
export interface Client {
  /** Name and version line. */
  readonly name: string;
  readonly driver: DriverName;
  /** What the driver imports, by the names that it has for them. */
  readonly modules: Readonly<Record<string, string>>;
  /** Packages by the names under which they are installed, each with its own name and its version. */
  readonly packages: Readonly<Record<string, readonly [name: string, version: string]>>;
  /** Major versions of Node.js, each with the formats that run on it. */
  readonly runs: Readonly<Partial<Record<20 | 22 | 24, readonly Format[]>>>;
}

const BOTH = { 20: ["cjs"], 24: ["esm"] } as const;
const ESM = { 20: ["esm"], 24: ["esm"] } as const;
/** For versions that need Node.js 22. */
const NEW = { 24: ["cjs", "esm"] } as const;

function toOpenai(major: number, version: string, runs: Client["runs"]): Client {
  const alias = `openai-${major}`;
  return {
    name: `openai ${major}`,
    driver: "openai",
    modules: { sdk: alias, parser: `${alias}/lib/parser`, version: `${alias}/version` },
    packages: { [alias]: ["openai", version] },
    runs,
  };
}

function toAnthropic(major: number, version: string): Client {
  const alias = `anthropic-${major}`;
  return {
    name: `@anthropic-ai/sdk ${major}`,
    driver: "anthropic",
    modules: {
      sdk: alias,
      helpers: `${alias}/helpers/beta/json-schema`,
      version: `${alias}/version`,
    },
    packages: { [alias]: ["@anthropic-ai/sdk", version] },
    runs: BOTH,
  };
}

function toGenai(major: number, version: string, runs: Client["runs"]): Client {
  const alias = `genai-${major}`;
  return {
    name: `@google/genai ${major}`,
    driver: "genai",
    modules: { sdk: alias },
    packages: { [alias]: ["@google/genai", version] },
    runs,
  };
}

function toAiSdk(major: number, version: string, provider: string, runs: Client["runs"]): Client {
  const [alias, openai] = [`ai-${major}`, `ai-sdk-openai-for-${major}`];
  return {
    name: `ai ${major}`,
    driver: "aiSdk",
    modules: { sdk: alias, openai, hook: "agent-monitor/ai-sdk" },
    packages: { [alias]: ["ai", version], [openai]: ["@ai-sdk/openai", provider] },
    runs,
  };
}

const MCP = "@modelcontextprotocol/sdk";
const MCP_SERVER = {
  server: `${MCP}/server/mcp.js`,
  serverTransport: `${MCP}/server/streamableHttp.js`,
  zod: "zod",
};

/** A client of which one version is tried, under its own name. */
function toOnly(
  driver: DriverName,
  name: string,
  version: string,
  runs: Client["runs"] = BOTH,
): Client {
  const packages = { [name]: [name, version] } as const;
  return {
    name: `${name} ${version.split(".")[0]}`,
    driver,
    modules: { sdk: name },
    packages,
    runs,
  };
}

/** The clients, those of one driver from the oldest to the newest. */
export const CLIENTS: readonly Client[] = [
  toOpenai(5, "5.23.2", BOTH),
  toOpenai(6, "6.49.0", { 20: FORMATS, 22: ["cjs", "esm"], 24: FORMATS }),
  toOpenai(7, "7.55.0", NEW),
  toAnthropic(0, "0.137.0"),
  toAnthropic(1, "1.11.0"),
  toOnly("anthropicBedrock", "@anthropic-ai/bedrock-sdk", "1.1.3"),
  toGenai(1, "1.52.0", BOTH),
  toGenai(2, "2.32.0", BOTH),
  toGenai(3, "3.1.0", NEW),
  toOnly("groq", "groq-sdk", "1.6.0"),
  toOnly("mistral", "@mistralai/mistralai", "2.7.0", ESM),
  toOnly("cohere", "cohere-ai", "8.1.0"),
  toOnly("ollama", "ollama", "0.6.4"),
  {
    name: "@langchain/openai 1",
    driver: "langchain",
    modules: {
      sdk: "@langchain/openai",
      messages: "@langchain/core/messages",
      tools: "@langchain/core/tools",
      hook: "agent-monitor/langchain",
    },
    packages: {
      "@langchain/openai": ["@langchain/openai", "1.6.0"],
      "@langchain/core": ["@langchain/core", "1.2.13"],
    },
    runs: NEW,
  },
  toAiSdk(5, "5.0.277", "2.0.131", BOTH),
  toAiSdk(6, "6.0.322", "3.0.141", BOTH),
  toAiSdk(7, "7.0.173", "4.0.118", { 24: ["esm"] }),
  {
    name: "@openai/agents 0",
    driver: "openaiAgents",
    modules: { sdk: "@openai/agents", openai: "openai", hook: "agent-monitor/openai-agents" },
    packages: { "@openai/agents": ["@openai/agents", "0.20.0"], openai: ["openai", "7.55.0"] },
    runs: NEW,
  },
  {
    name: "@aws-sdk/client-bedrock-runtime 3",
    driver: "bedrock",
    modules: {
      sdk: "@aws-sdk/client-bedrock-runtime",
      handler: "@smithy/fetch-http-handler",
      nodeHandler: "@smithy/node-http-handler",
      hook: "agent-monitor/bedrock",
    },
    packages: {
      "@aws-sdk/client-bedrock-runtime": ["@aws-sdk/client-bedrock-runtime", "3.1162.0"],
      "@smithy/fetch-http-handler": ["@smithy/fetch-http-handler", "5.8.1"],
      "@smithy/node-http-handler": ["@smithy/node-http-handler", "4.14.2"],
    },
    runs: BOTH,
  },
  {
    name: "@modelcontextprotocol/sdk 1",
    driver: "mcp",
    modules: {
      sdk: `${MCP}/client/index.js`,
      transport: `${MCP}/client/streamableHttp.js`,
      ...MCP_SERVER,
      hook: "agent-monitor/mcp",
    },
    packages: { [MCP]: [MCP, "1.32.2"] },
    runs: BOTH,
  },
  {
    name: "@modelcontextprotocol/client 2",
    driver: "mcp",
    modules: {
      sdk: "@modelcontextprotocol/client",
      transport: "@modelcontextprotocol/client",
      ...MCP_SERVER,
      hook: "agent-monitor/mcp",
    },
    packages: {
      "@modelcontextprotocol/client": ["@modelcontextprotocol/client", "2.4.0"],
      [MCP]: [MCP, "1.32.2"],
    },
    runs: BOTH,
  },
];
