import { ExportResultCode } from "@opentelemetry/core";
import { OpenInferenceBatchSpanProcessor } from "@arizeai/openinference-vercel";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import {
  BasicTracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import type { toDetailedEvent } from "../../src/bridge/bridged-event.ts";
import type { EventBridge } from "../../src/bridge/event-bridge.ts";
import { createAiSdkSamples, createLlmSamples, toEndedSpan } from "./llm-spans.ts";
import { median } from "./statistics.ts";

const SPANS = 2000;
/** Far below every queue's bound. */
const FLUSH_EVERY = 100;
const PLAIN_SPANS = 20_000;
const WARM_UP = 3;
const ROUNDS = 15;

/** Figures of the bridge, times in us for each span. */
export interface BridgeFigures {
  /** From an ended span to its finished events, beside `JSON.parse` and `JSON.stringify` of the span's content. */
  readonly vsJson: number;
  /** Beside OpenInference's processor, which reads messages as well but makes no events, on spans of the AI SDK. */
  readonly vsPeers: number;
  /** Beside Langfuse's, which hands spans on unread. */
  readonly vsForwarding: number;
  /** Start and end of a span that is not of a model, with the monitor's processor and with one that does nothing. */
  readonly nonLlmVsNoop: number;
  readonly micros: {
    readonly json: number;
    readonly bridge: number;
    readonly bridgeOfAiSdk: number;
    readonly langfuse: number;
    readonly openInference: number;
    readonly plain: number;
    readonly noop: number;
  };
}

type Ended = ReturnType<typeof toEndedSpan>;

interface Built {
  readonly EventBridge: typeof EventBridge;
  readonly toDetailedEvent: typeof toDetailedEvent;
}

/** Joined from the built modules: the bridge alone is no part of the public interface. */
const CODE = new URL("./bridge-code.cjs", import.meta.url);
const built = (await import(CODE.href)) as Built;

const EVENT_OPTIONS = { eventId: "event", environment: "production", maxLength: 262_144 } as const;

/** Takes CPU time, so that what else runs here counts less; in us. */
async function time(run: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Runs sides in turn and gives for each the times of its rounds, in us for each of `count`. */
async function compare<Side extends string>(
  count: number,
  sides: Readonly<Record<Side, () => () => void | Promise<void>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Side,
    number[]
  >;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of names) {
      // What a side works on is made before the time is taken.
      const micros = await time(sides[name]());
      if (round >= 0) times[name].push(micros / count);
    }
  }
  return times;
}

function ratio(times: readonly number[], others: readonly number[]): number {
  return median(times.map((micros, round) => micros / (others[round] ?? Number.NaN)));
}

/** Bridges spans to finished events; every call brings a question and an answer. */
function bridge(spans: readonly Ended[]): void {
  let events = 0;
  const eventBridge = new built.EventBridge({
    onEvent(event) {
      built.toDetailedEvent(event, EVENT_OPTIONS);
      events++;
    },
  });
  for (const [index, span] of spans.entries()) {
    eventBridge.onStart(span);
    eventBridge.onEnd(span);
    if (index % FLUSH_EVERY === 0) eventBridge.flush();
  }
  eventBridge.shutdown();
  if (events !== 2 * spans.length) throw new Error(`bench: ${events} events of the bridge`);
}

/**
 * What has to be parsed of a span, parsed and written again: that much a reader of its content cannot do without.
 *
 * Five instrumentations each get a bridge of their own, as a process has one or two of them.
 */
async function compareWithJson(): Promise<{ json: number[]; bridge: number[] }> {
  const samples = createLlmSamples(SPANS);
  const scopes = [...new Set(samples.map(({ scope }) => scope))];
  const sets = scopes.map((wanted) =>
    samples.filter(({ scope }) => scope === wanted).map(toEndedSpan),
  );
  let length = 0;
  return compare(SPANS, {
    json: () => () => {
      for (const { texts } of samples) {
        for (const text of texts) length += JSON.stringify(JSON.parse(text)).length;
      }
      if (length === 0) throw new Error("bench: nothing was parsed");
    },
    // Made once, as the texts are: what the spans themselves cost is not the bridge's.
    bridge: () => () => {
      for (const spans of sets) bridge(spans);
    },
  });
}

const nowhere: SpanExporter = {
  export: (_, done) => done({ code: ExportResultCode.SUCCESS }),
  shutdown: () => Promise.resolve(),
};

async function end(processor: SpanProcessor, spans: readonly Ended[]): Promise<void> {
  for (const [index, span] of spans.entries()) {
    processor.onEnd(span);
    if (index % FLUSH_EVERY === 0) await processor.forceFlush();
  }
  await processor.forceFlush();
}

async function compareWithPeers(): Promise<
  Record<"bridge" | "langfuse" | "openInference", number[]>
> {
  const samples = createAiSdkSamples(SPANS);
  const langfuse = new LangfuseSpanProcessor({
    exporter: nowhere,
    publicKey: "bench",
    secretKey: "bench",
    mediaUploadEnabled: false,
  });
  const openInference = new OpenInferenceBatchSpanProcessor({ exporter: nowhere });
  const sideOf = (processor: SpanProcessor) => () => {
    const spans = samples.map(toEndedSpan);
    return () => end(processor, spans);
  };
  const times = await compare(SPANS, {
    bridge: () => {
      const spans = samples.map(toEndedSpan);
      return () => bridge(spans);
    },
    langfuse: sideOf(langfuse),
    openInference: sideOf(openInference),
  });
  await Promise.all([langfuse.shutdown(), openInference.shutdown()]);
  return times;
}

const noop: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** Makes spans of an HTTP client, as most spans of a service are. */
function makePlainSpans(processor: SpanProcessor): () => void {
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer("http");
  return () => {
    for (let index = 0; index < PLAIN_SPANS; index++) {
      const attributes = {
        "http.request.method": "GET",
        "url.full": `https://bank.example/accounts/${index}`,
        "server.address": "bank.example",
        "server.port": 443,
      };
      const span = tracer.startSpan("GET", { attributes });
      span.setAttribute("http.response.status_code", 200);
      span.end();
    }
  };
}

async function compareWithNoop(): Promise<Record<"plain" | "noop", number[]>> {
  const monitor = new AgentMonitor({
    apiKey: "bench",
    organizationId: "bench",
    endpoint: "http://127.0.0.1:9",
    enableLogging: false,
  });
  const plain = makePlainSpans(monitor.spanProcessor);
  const nothing = makePlainSpans(noop);
  const times = await compare(PLAIN_SPANS, { plain: () => plain, noop: () => nothing });
  await monitor.shutdown();
  return times;
}

/** Measures the bridge beside JSON, beside the processors of Langfuse and OpenInference, and on spans that are none of its own. */
export async function measureBridge(): Promise<BridgeFigures> {
  const own = await compareWithJson();
  const peers = await compareWithPeers();
  const others = await compareWithNoop();
  return {
    vsJson: ratio(own.bridge, own.json),
    vsPeers: ratio(peers.bridge, peers.openInference),
    vsForwarding: ratio(peers.bridge, peers.langfuse),
    nonLlmVsNoop: ratio(others.plain, others.noop),
    micros: {
      json: median(own.json),
      bridge: median(own.bridge),
      bridgeOfAiSdk: median(peers.bridge),
      langfuse: median(peers.langfuse),
      openInference: median(peers.openInference),
      plain: median(others.plain),
      noop: median(others.noop),
    },
  };
}
