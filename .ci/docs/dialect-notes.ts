/** What says of a span that it is of a dialect; one of these is enough. `*` stands for anything. */
export interface DialectEvidence {
  /** Names of instrumentation scopes. */
  readonly scopes?: readonly string[];
  /** Attributes, with the value they must have if it matters. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
}

/** What docs/bridge.md says of a dialect. */
export interface DialectNote {
  readonly producers: string;
  readonly evidence: DialectEvidence;
  /** What its spans report, beside model, provider, errors and times. */
  readonly reports: string;
  /** Beginnings of the names of its captures in `test/fixtures/dialects`. */
  readonly captures: readonly string[];
}

const ALL = "messages, tools, tokens";

/** Every dialect by its name in the registry of `src/bridge/dialects`. */
export const DIALECT_NOTES: Readonly<Record<string, DialectNote>> = {
  openinference: {
    producers: "OpenInference (Arize Phoenix): OpenAI, Anthropic, Bedrock, LangChain, agents",
    evidence: { attributes: { "openinference.span.kind": undefined } },
    reports: `${ALL}; \`session.id\`, \`user.id\`, name of the agent`,
    captures: ["arizeai+openinference"],
  },
  "vercel-ai-sdk": {
    producers: "Vercel AI SDK 5 and 6, and 7 with its legacy telemetry",
    evidence: { attributes: { "ai.operationId": "ai.generateText" } },
    reports: `${ALL}; session, conversation and user out of \`ai.telemetry.metadata.*\``,
    captures: ["ai-sdk+otel-legacy", "vercel-ai-sdk"],
  },
  "anthropic-sdk": {
    producers: "Anthropic's own client",
    evidence: { scopes: ["com.anthropic.sdk.*"] },
    reports: ALL,
    captures: ["native-anthropic-sdk"],
  },
  "vercel-ai-sdk-7": {
    producers: "Vercel AI SDK 7",
    evidence: { scopes: ["gen_ai"] },
    reports: `${ALL}; session, conversation and user out of \`ai.settings.context.*\``,
    captures: ["ai-sdk+otel__"],
  },
  langsmith: {
    producers: "LangSmith's export to OpenTelemetry",
    evidence: {
      attributes: { "langsmith.span.kind": undefined, "langsmith.traceable": undefined },
    },
    reports: `${ALL}; conversation and user out of \`langsmith.metadata.*\``,
    captures: ["langsmith"],
  },
  langfuse: {
    producers: "Langfuse: its SDK, its OpenAI wrapper, its LangChain handler",
    evidence: { attributes: { "langfuse.observation.type": undefined } },
    reports: `${ALL}; \`session.id\`, \`user.id\`, name of the agent`,
    captures: ["langfuse"],
  },
  mastra: {
    producers: "Mastra",
    evidence: { attributes: { "mastra.span.type": undefined } },
    reports: `${ALL}; session, conversation and user out of \`mastra.metadata.*\``,
    captures: ["mastra"],
  },
  "google-adk": {
    producers: "Google's Agent Development Kit",
    evidence: {
      scopes: ["gcp.vertex.agent"],
      attributes: {
        "gcp.vertex.agent.invocation_id": undefined,
        "gcp.vertex.agent.llm_request": undefined,
      },
    },
    reports: `${ALL}; session, user, name of the agent`,
    captures: ["google-adk"],
  },
  genkit: {
    producers: "Genkit",
    evidence: {
      attributes: { "genkit:type": undefined, "genkit:metadata:subtype": undefined },
    },
    reports: `${ALL}; session and thread`,
    captures: ["genkit"],
  },
  strands: {
    producers: "Strands Agents",
    evidence: {
      scopes: ["strands-*", "strands.*"],
      attributes: { "gen_ai.system": "strands-agents" },
    },
    reports: `${ALL}; name of the agent`,
    captures: ["strands"],
  },
  "agent-365": {
    producers: "Microsoft Agent 365",
    evidence: { scopes: ["Agent365Sdk"] },
    reports: `${ALL}; agent, session, conversation, the calling user`,
    captures: ["microsoft-agents-a365"],
  },
  sentry: {
    producers: "Sentry's integrations, up to Sentry 10",
    evidence: {
      attributes: { "sentry.op": "gen_ai.chat", "sentry.origin": "auto.ai.openai" },
    },
    reports: `${ALL}; session, name of the agent`,
    captures: ["sentry"],
  },
  traceloop: {
    producers: "OpenLLMetry (Traceloop), its indexed and its newer attributes",
    evidence: {
      scopes: ["@traceloop/*"],
      attributes: {
        "traceloop.span.kind": undefined,
        "llm.request.type": undefined,
        "gen_ai.prompt.0.role": undefined,
      },
    },
    reports: `${ALL}; session, conversation and user out of \`traceloop.association.properties.*\``,
    captures: ["traceloop"],
  },
  openlit: {
    producers: "OpenLIT",
    evidence: {
      scopes: ["openlit", "@openlit/*"],
      attributes: { "telemetry.sdk.name": "openlit", "gen_ai.usage.cost": undefined },
    },
    reports: `${ALL}; session, name of the agent`,
    captures: ["openlit"],
  },
  mistral: {
    producers: "Mistral's own client",
    evidence: { scopes: ["mistralai*", "@mistralai*"] },
    reports: ALL,
    captures: ["mistral-native"],
  },
  mcp: {
    producers: "Clients of the Model Context Protocol, with any instrumentation",
    evidence: { attributes: { "mcp.method.name": "tools/call" } },
    reports: "tools",
    captures: [],
  },
  voltagent: {
    producers: "VoltAgent",
    evidence: { scopes: ["@voltagent/*"] },
    reports: `${ALL} of the whole run, for its model calls have no answers; conversation, user, agent`,
    captures: [],
  },
  "otel-gen-ai": {
    producers:
      "OpenTelemetry's GenAI conventions, 1.26 and later: attributes, span events, log records; also Elastic's instrumentation",
    evidence: {
      attributes: {
        "gen_ai.operation.name": undefined,
        "gen_ai.provider.name": undefined,
        "gen_ai.system": undefined,
        "gen_ai.request.model": undefined,
        "gen_ai.tool.name": undefined,
      },
    },
    reports: `${ALL}; agent, \`session.id\`, \`gen_ai.conversation.id\`, \`user.id\``,
    captures: ["opentelemetry+", "elastic+"],
  },
};
