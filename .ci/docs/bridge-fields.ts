import type { BridgeSpan } from "../../src/bridge/bridge-span.ts";
import { type BridgedEvent, toDetailedEvent } from "../../src/bridge/bridged-event.ts";
import { EventBridge } from "../../src/bridge/event-bridge.ts";
import { toCode, toTable } from "./markdown.ts";

const toMessages = (role: string, ...parts: object[]): string => JSON.stringify([{ role, parts }]);

const WHO = {
  "gen_ai.agent.id": "agent-1",
  "session.id": "session-1",
  "gen_ai.conversation.id": "conversation-1",
  "user.id": "user-1",
};
const CALL = {
  ...WHO,
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "provider-1",
  "gen_ai.response.model": "model-1",
  "gen_ai.response.id": "response-1",
  "gen_ai.request.temperature": 0.25,
  "gen_ai.request.max_tokens": 2001,
  "gen_ai.response.finish_reasons": ["reason1"],
  "gen_ai.usage.input_tokens": 1001,
  "gen_ai.usage.output_tokens": 501,
  "gen_ai.usage.cache_read.input_tokens": 101,
  "gen_ai.usage.cache_creation.input_tokens": 51,
  "gen_ai.input.messages": toMessages("user", { type: "text", content: "question-1" }),
};

/** Spans in which every value says where it comes from; a trace each, as far as they don't belong together. */
const SPANS: readonly (readonly [name: string, attributes: object, status?: string])[] = [
  [
    "chat 1",
    {
      ...CALL,
      "gen_ai.output.messages": toMessages("assistant", { type: "text", content: "answer-1" }),
    },
  ],
  [
    "execute_tool 2",
    {
      ...WHO,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "tool-1",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.tool.call.arguments": '{"a":"argument-1"}',
      "gen_ai.tool.call.result": '{"a":"result-1"}',
    },
  ],
  ["chat 3", { ...CALL, "gen_ai.response.id": "response-3", "error.type": "error-1" }, "status-1"],
];

/** What leads from a value in an event to what the span had it in. */
const NAMES: Readonly<Record<string, string>> = {
  "question-1": "gen_ai.input.messages",
  "answer-1": "gen_ai.output.messages",
  "argument-1": "gen_ai.tool.call.arguments",
  "result-1": "gen_ai.tool.call.result",
  reason1: "gen_ai.response.finish_reasons",
};
/** What is no attribute, by field. */
const OTHERS: Readonly<Record<string, string>> = {
  errorMessage: "the exception's message, else the message of the status",
  executionTime: "duration of the tool's span",
  "llmMetadata.latency": "duration of the call's span",
  "metadata.traceId": "the span's context",
  "metadata.spanId": "the span's context",
  "metadata.instrumentation": "name of the scope",
  timestamp: "start of the span for questions and calls, end for answers, results and errors",
};

function toSpan([name, attributes, status]: (typeof SPANS)[number], index: number): BridgeSpan {
  const spanContext = { traceId: String(index).repeat(32), spanId: "1".repeat(16), traceFlags: 1 };
  return {
    name,
    spanContext: () => spanContext,
    parentSpanContext: undefined,
    startTime: [1, 0],
    endTime: [2, 0],
    status: status === undefined ? { code: 0 } : { code: 2, message: status },
    attributes: { ...attributes },
    events: [],
    instrumentationScope: { name: "scope-1" },
    resource: { attributes: {} },
  };
}

function* walk(value: unknown, path: string): Generator<[path: string, leaf: unknown]> {
  if (typeof value !== "object" || value === null) yield [path, value];
  else
    for (const [key, inner] of Object.entries(value)) {
      yield* walk(inner, path === "" || Array.isArray(value) ? path || key : `${path}.${key}`);
    }
}

function findSource(field: string, leaf: unknown): string | undefined {
  const other = OTHERS[field];
  if (other !== undefined) return other;
  const name = NAMES[String(leaf)];
  if (name !== undefined) return toCode(name);
  for (const [, attributes] of SPANS) {
    const found = Object.entries(attributes).find(([, value]) => value === leaf);
    if (found) return toCode(found[0]);
  }
  return undefined;
}

/** Shows what spans of the conventions become, by sending some through the bridge and looking where values end up. */
export function toBridgeFieldTable(): string {
  const reported: BridgedEvent[] = [];
  const bridge = new EventBridge({ onEvent: (event) => reported.push(event) });
  for (const [index, span] of SPANS.entries()) bridge.onEnd(toSpan(span, index + 1));
  bridge.shutdown();
  const kindsOf = new Map<string, Set<string>>();
  for (const bridged of reported) {
    const settings = { eventId: "", environment: "production", maxLength: 10_000 } as const;
    const event = toDetailedEvent(bridged, settings);
    for (const [path, leaf] of walk(event, "")) {
      const field = path.replace(/^(toolParameters|toolResult)\..*/, "$1");
      const source = findSource(field, leaf);
      if (source === undefined) continue;
      const key = `${toCode(field)}\n${source}`;
      const kinds = kindsOf.get(key) ?? new Set();
      kindsOf.set(key, kinds.add(event.interactionType));
    }
  }
  const all = new Set(reported.map(({ interaction }) => interaction.kind)).size;
  return toTable(
    ["EventBatch field", "From", "On"],
    Array.from(kindsOf, ([key, kinds]) => [
      ...key.split("\n"),
      kinds.size === all ? "every event" : [...kinds].map(toCode).join(", "),
    ]),
  );
}
