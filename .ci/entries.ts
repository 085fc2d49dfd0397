// What an application can import of the package, the only list of it. `npm run docs:generate` writes what follows from it:
// `exports` and `typesVersions` of package.json, `paths` of tsconfig.json, and the guide to clients. Builds, API reports, knip
// and tests read it.

/** How the guide to clients shows the hook of a library. */
interface Guide {
  /** Packages of the library, and what is to stand behind their names and versions. */
  readonly clients: readonly string[];
  readonly behind?: string;
  readonly write: string;
  readonly get: string;
}

/** One entry of the package. */
interface Entry {
  /** Its sub-path, empty for the package itself. */
  readonly name: string;
  /** Its file below src. */
  readonly source: string;
  /** Values that an application imports from it: taking one away breaks applications. */
  readonly shows: readonly string[];
  readonly guide?: Guide;
}

/** Describes the entry of a library's hook, whose file is `src/integrations/<name>.ts`. */
function hook(name: string, shown: string, guide?: Guide): Entry {
  return { name, source: `integrations/${name}.ts`, shows: [shown], ...(guide && { guide }) };
}

/** Every entry, the package itself first. */
export const ENTRIES: readonly Entry[] = [
  { name: "", source: "index.ts", shows: ["AgentMonitor", "VERSION"] },
  { name: "packs", source: "packs.ts", shows: ["PackError", "readRulePack", "readRulePackFile"] },
  { name: "platform", source: "platform/index.ts", shows: ["startPlatform"] },
  { name: "register", source: "register.ts", shows: ["monitor"] },
  { name: "testing", source: "testing.ts", shows: ["defineRule", "verifyRule"] },
  hook("ai-sdk", "createAiSdkHook", {
    clients: ["ai"],
    write:
      'fetch, and from `agent-monitor/ai-sdk`: 7 `instrumentations: ["fetch", "ai-sdk"]`; 5 and 6 `experimental_telemetry: { isEnabled: true, tracer: createAiSdkHook(monitor).tracer }` for each call; 6 alternatively `registerTelemetryIntegration(createAiSdkHook(monitor).integration)`, for tools alone',
    get: "Agents, and tools with time and success; the model calls within",
  }),
  hook("langchain", "createLangChainHandler", {
    clients: ["@langchain/core"],
    behind: " and LangGraph",
    write:
      '`instrumentations: ["fetch", "langchain"]`, or `callbacks: [createLangChainHandler(monitor)]` of `agent-monitor/langchain`',
    get: "Agents and graphs, tools with time and success, model calls of every provider; `thread_id`, `session_id` and `user_id` of a run say whose they are",
  }),
  hook("openai-agents", "createAgentsTraceProcessor", {
    clients: ["@openai/agents"],
    write:
      "fetch, and `addTraceProcessor(createAgentsTraceProcessor(monitor))` of `agent-monitor/openai-agents`",
    get: "Agents, hand-offs, tools with time and success; `groupId` is the conversation. The library's own exporter goes on sending traces to OpenAI; `setTraceProcessors([...])` replaces it",
  }),
  hook("bedrock", "observeBedrockClient", {
    clients: ["@aws-sdk/client-bedrock-runtime"],
    write: "`observeBedrockClient(monitor, client)` of `agent-monitor/bedrock`",
    get: "Converse and InvokeModel, streamed or not, as above: it does not use `fetch`",
  }),
  hook("mcp", "observeMcpClient", {
    clients: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client"],
    write: "`observeMcpClient(monitor, client)` of `agent-monitor/mcp`",
    get: "Tool calls with arguments, result, time and success",
  }),
  hook("claude-agent", "observeClaudeMessages", {
    clients: ["@anthropic-ai/claude-agent-sdk"],
    write:
      "`observeClaudeMessages(monitor, query({ prompt }), { prompt })` of `agent-monitor/claude-agent`, in the place of the query",
    get: "Turns, answers, tools, helping agents, tokens, cost: its calls are made by another process",
  }),
  // Its client goes through fetch, and stands in the guide with others of that kind.
  hook("anthropic", "createAnthropicTelemetry"),
].toSorted((one, other) => one.name.localeCompare(other.name));

/** Returns what an application imports: `agent-monitor/mcp`. */
export function toSpecifier({ name }: Entry): string {
  return name === "" ? "agent-monitor" : `agent-monitor/${name}`;
}

/** Returns where the build puts an entry below dist, and below dist/cjs, without the ending. */
export function toBuilt({ source }: Entry): string {
  return source.replace(/\.ts$/, "");
}

/** Returns the name of the API report of an entry, in test/api. */
export function toReport({ name }: Entry): string {
  return `${name === "" ? "agent-monitor" : name}.api.md`;
}
