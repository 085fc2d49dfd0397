import { context, type SpanContext, trace, type Tracer } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  BasicTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { pause } from "../../collector/wait.ts";

/** Model calls in each request of a customer, hence in each trace. */
const CALLS = 2;
/** Requests under way at a time. */
const WIDTH = 4;
const PAUSE_MILLIS = 25;
/** An exporter gives up by itself; nothing of what it was asked for is given up here. */
const MAX_TRIES = 60;

const toMessage = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

/** An application with OpenTelemetry's own SDK and exporter, and what was acknowledged to it. */
export interface TelemetryApplication {
  /** Spans that were acknowledged. */
  readonly spans: readonly SpanContext[];
  /** First words of the messages in them, by which events are known. */
  readonly messages: readonly string[];
  /** Sends traces until it is told to stop, and each again until it is acknowledged. */
  run(until: Promise<unknown>): Promise<void>;
  /** Sends everything again, as whoever has got no answer. */
  repeat(): Promise<void>;
  close(): Promise<void>;
}

/** Handles one request of a customer. */
function handleRequest(tracer: Tracer, request: string): string[] {
  const root = tracer.startSpan("POST /chat");
  const inside = trace.setSpan(context.active(), root);
  const messages = Array.from({ length: CALLS }, (_, call) => {
    const [question, answer] = [`question-${request}.${call}`, `answer-${request}.${call}`];
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.conversation.id": `conversation-${request}.${call}`,
      "gen_ai.input.messages": toMessage("user", `${question} Did my payment arrive?`),
      "gen_ai.output.messages": toMessage("assistant", `${answer} It arrived.`),
    };
    tracer.startSpan("chat gpt-5", { attributes }, inside).end();
    return [question, answer];
  });
  root.end();
  return messages.flat();
}

/**
 * Starts an application.
 *
 * @param name - Makes its messages others than those of another application.
 * @param url - Base URL of the collector on its machine.
 */
export function startTelemetryApplication(name: string, url: string): TelemetryApplication {
  let ended: ReadableSpan[] = [];
  const collect: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const provider = new BasicTracerProvider({ spanProcessors: [collect] });
  const tracer = provider.getTracer("assistant");
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const sent: SpanContext[] = [];
  const messages: string[] = [];
  const acknowledged: ReadableSpan[][] = [];

  const send = async (spans: ReadableSpan[]): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const code = await new Promise((resolve) =>
        exporter.export(spans, (result) => resolve(result.code)),
      );
      if (code === ExportResultCode.SUCCESS) return;
    }
    throw new Error(`${name}: a trace was not acknowledged, however often it was sent`);
  };
  let requests = 0;
  const handleAndSend = async (): Promise<void> => {
    const written = handleRequest(tracer, `${name}.${requests++}`);
    const spans = ended;
    ended = [];
    await send(spans);
    acknowledged.push(spans);
    messages.push(...written);
    sent.push(...spans.map((span) => span.spanContext()));
  };
  const inParallel = (work: () => Promise<void>): Promise<unknown> =>
    Promise.all(Array.from({ length: WIDTH }, work));

  return {
    spans: sent,
    messages,
    async run(until) {
      const stop = new AbortController();
      const over = until.finally(() => stop.abort());
      const work = inParallel(async () => {
        for (; !stop.signal.aborted; await pause(PAUSE_MILLIS)) await handleAndSend();
      });
      await Promise.all([over, work]);
    },
    async repeat() {
      const again = [...acknowledged];
      await inParallel(async () => {
        for (let spans = again.pop(); spans; spans = again.pop()) await send(spans);
      });
    },
    async close() {
      await exporter.shutdown();
      await provider.shutdown();
    },
  };
}
