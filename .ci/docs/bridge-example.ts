import { EventBatchSpanExporter } from "../../src/event-batch/exporters.ts";
import type { EventBatch } from "../../src/events/batch.ts";
import { decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import { runSteps } from "../../src/platform/turns.ts";
import { createIdFixer, START, startReceiver, toFixedBatch, withFixedTime } from "./example-kit.ts";
import { toJsonBlock } from "./markdown.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_IDS = {
  run: "b7ad6b7169203331",
  asking: "00f067aa0ba902b7",
  tool: "53995c3f42cd8ad8",
  answering: "c0e1d2f3a4b59687",
};

type Value = string | number | readonly string[];

/** Writes a value as OTLP has it. */
function toAnyValue(value: Value): object {
  if (typeof value === "number") return { intValue: String(value) };
  if (typeof value === "string") return { stringValue: value };
  return { arrayValue: { values: value.map(toAnyValue) } };
}

function toAttributes(values: Readonly<Record<string, Value>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

interface SpanNote {
  readonly id: keyof typeof SPAN_IDS;
  readonly name: string;
  readonly kind: number;
  /** Milliseconds since the start of the example. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, Value>>;
}

function toNanos(millis: number): string {
  return String(BigInt(START + millis) * 1_000_000n);
}

function toOtlpSpan({ id, name, kind, from, to, attributes }: SpanNote): object {
  return {
    traceId: TRACE_ID,
    spanId: SPAN_IDS[id],
    ...(id !== "run" && { parentSpanId: SPAN_IDS.run }),
    flags: 1,
    name,
    kind,
    startTimeUnixNano: toNanos(from),
    endTimeUnixNano: toNanos(to),
    attributes: toAttributes(attributes),
    status: {},
  };
}

const QUESTION = { role: "user", parts: [{ type: "text", content: "What is my balance?" }] };
const ASKED = {
  role: "assistant",
  parts: [{ type: "tool_call", id: "call_1", name: "get_balance", arguments: { account: "4821" } }],
};
const RETURNED = {
  role: "tool",
  parts: [{ type: "tool_call_response", id: "call_1", response: { balance: 3182.4 } }],
};
const ANSWER = {
  role: "assistant",
  parts: [{ type: "text", content: "Your account ending in 4821 stands at $3,182.40." }],
  finish_reason: "stop",
};

const toChat = (
  input: readonly object[],
  output: object,
  [inputTokens, outputTokens]: readonly [number, number],
): Readonly<Record<string, Value>> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  "gen_ai.input.messages": JSON.stringify(input),
  "gen_ai.output.messages": JSON.stringify([output]),
});

/** An agent's run with two model calls and a tool between them, as an exporter sends it: ended first, first. */
const SPANS: readonly SpanNote[] = [
  {
    id: "asking",
    name: "chat gpt-5",
    kind: 3,
    from: 20,
    to: 940,
    attributes: toChat([QUESTION], { ...ASKED, finish_reason: "tool_call" }, [412, 18]),
  },
  {
    id: "tool",
    name: "execute_tool get_balance",
    kind: 1,
    from: 950,
    to: 1036,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "get_balance",
      "gen_ai.tool.call.id": "call_1",
      "gen_ai.tool.call.arguments": JSON.stringify({ account: "4821" }),
      "gen_ai.tool.call.result": JSON.stringify({ balance: 3182.4 }),
    },
  },
  {
    id: "answering",
    name: "chat gpt-5",
    kind: 3,
    from: 1040,
    to: 2280,
    attributes: toChat([QUESTION, ASKED, RETURNED], ANSWER, [468, 21]),
  },
  {
    id: "run",
    name: "invoke_agent personal-banking",
    kind: 1,
    from: 0,
    to: 2300,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": "personal-banking",
      "gen_ai.conversation.id": "conversation-77",
      "session.id": "session-2042",
      "user.id": "customer-88213",
    },
  },
];

const REQUEST = {
  resourceSpans: [
    {
      resource: { attributes: toAttributes({ "service.name": "mobile-banking-api" }) },
      scopeSpans: [
        {
          scope: { name: "some-instrumentation", version: "1.0.0" },
          spans: SPANS.map(toOtlpSpan),
        },
      ],
    },
  ],
};

/** Sends the spans of an OTLP request through the bridge, to a platform. */
async function toBatch(request: unknown): Promise<EventBatch> {
  const receiver = await startReceiver();
  const exporter = new EventBatchSpanExporter({
    endpoint: receiver.url,
    apiKey: "example-key",
    organizationId: "first-bank",
    environment: "staging",
    compression: "none",
    enableLogging: false,
  });
  await withFixedTime(async (advance) => {
    advance(2300);
    const spans = runSteps(decodeSpans(request)).items;
    exporter.export(spans as unknown as Parameters<typeof exporter.export>[0], () => undefined);
    await exporter.shutdown();
  });
  receiver.close();
  const [body, ...others] = receiver.bodies;
  if (body === undefined || others.length > 0)
    throw new Error(`expected one batch of the spans, got ${receiver.bodies.length}`);
  return toFixedBatch(createIdFixer()(body));
}

/** Generates the example of bridged spans: what another instrumentation exports, and the events of it. */
export async function toBridgeExampleParts(): Promise<Record<string, string>> {
  const batch = await toBatch(REQUEST);
  return {
    "semconv:example-otlp": toJsonBlock(REQUEST),
    "semconv:example-bridged": toJsonBlock(batch),
  };
}
