import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { breathe, SPAN_COUNT, type Destination, type Ended } from "./application.ts";
import type { ArrivedSpan } from "./receiver.ts";
import { until } from "./wait.ts";

const REQUESTS = 200;
/** Beside the span of the request, there is one for each. */
const CALLS = SPAN_COUNT / REQUESTS - 1;

/** Names a span of this application after its id. */
export function nameStockSpan({ spanId }: ArrivedSpan): string {
  return spanId;
}

/** Set-up of the service. By default, the processors drop what is above 2,048. */
const ENVIRONMENT = {
  OTEL_SERVICE_NAME: "mobile-banking-api",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_NODE_RESOURCE_DETECTORS: "env",
  // For an answer, and for all retries together; 10 s by default, too little where other work keeps the machine busy.
  OTEL_EXPORTER_OTLP_TIMEOUT: "30000",
  OTEL_BSP_MAX_QUEUE_SIZE: "40000",
  OTEL_BLRP_MAX_QUEUE_SIZE: "40000",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  OTEL_BLRP_SCHEDULE_DELAY: "100",
};

function toMessage(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

/** One request of a customer: model calls as OpenTelemetry describes them, with a log record each. */
function handleRequest(request: number, sent: { spans: string[]; records: string[] }): void {
  const tracer = trace.getTracer("assistant", "1.0.0");
  const logger = logs.getLogger("assistant", "1.0.0");
  tracer.startActiveSpan("POST /chat", { kind: SpanKind.SERVER }, (root) => {
    for (let call = 0; call <= CALLS; call++) {
      const id = `${request}.${call}`;
      sent.records.push(id);
      logger.emit({ eventName: "chat", attributes: { call: id }, body: `call ${id}` });
      if (call === CALLS) break;
      const span = tracer.startSpan("chat gpt-5", {
        kind: SpanKind.CLIENT,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "gpt-5",
          "gen_ai.conversation.id": `conversation-${request}`,
          "gen_ai.input.messages": toMessage("user", `Did payment ${id} arrive?`),
          "gen_ai.output.messages": toMessage("assistant", `Payment ${id} arrived.`),
          "gen_ai.usage.input_tokens": 12,
          "gen_ai.usage.output_tokens": 9,
        },
      });
      sent.spans.push(span.spanContext().spanId);
      span.end();
    }
    sent.spans.push(root.spanContext().spanId);
    root.end();
  });
}

/** Sets variables and gives what takes them back. */
function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return () => {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
}

/** Runs a service with OpenTelemetry's NodeSDK alone, set up by its environment as its documentation has it. */
export async function runStockApplication({
  url,
  protocol,
  receiver,
}: Destination): Promise<Ended> {
  const resetEnvironment = setEnvironment({
    ...ENVIRONMENT,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  });
  const sdk = new NodeSDK();
  sdk.start();
  const sent = { spans: [] as string[], records: [] as string[] };
  try {
    for (let request = 0; request < REQUESTS; request++) {
      handleRequest(request, sent);
      await breathe();
    }
    // A service goes on. At its end, the SDK would send all that waits at once, and give up some of it.
    await until("everything that OpenTelemetry's SDK sends is there", async () => {
      return (
        (await receiver.countSpans()) >= SPAN_COUNT && (await receiver.countRecords()) >= SPAN_COUNT
      );
    });
    await sdk.shutdown();
  } finally {
    for (const api of [trace, context, propagation, logs]) api.disable();
    resetEnvironment();
  }
  return sent;
}
