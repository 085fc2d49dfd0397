import {
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { AlwaysRecordSampler } from "../../src/telemetry/samplers.ts";

/** A provider with a processor that sees what is recorded and an exporter that gets what is sampled. */
function createPipeline(root: Sampler) {
  const recorded: string[] = [];
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => void recorded.push(span.name),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    sampler: new AlwaysRecordSampler(root),
    spanProcessors: [processor, new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("app");
  return {
    recorded,
    span: (name: string, context: Context = ROOT_CONTEXT): Span => {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, context);
      span.setAttribute("seen", true).end();
      return span;
    },
    exported: async (): Promise<string[]> => {
      await provider.forceFlush();
      return exporter.getFinishedSpans().map(({ name }) => name);
    },
  };
}

const remoteParent = (traceFlags: TraceFlags): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    isRemote: true,
    traceFlags,
  });

const failing: Sampler = {
  shouldSample() {
    throw new Error("no");
  },
  toString: () => "failing",
};

describe("at 0 %", () => {
  it.each([
    ["always off", new AlwaysOffSampler()],
    ["a ratio of 0", new TraceIdRatioBasedSampler(0)],
    ["parent based", new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(0) })],
    ["a sampler that throws", failing],
  ])("records every span and exports none: %s", async (_, root) => {
    const { span, recorded, exported } = createPipeline(root);
    const parent = span("parent");
    expect(parent.isRecording()).toBe(false);
    span("child", trace.setSpan(ROOT_CONTEXT, parent));
    expect(recorded).toEqual(["parent", "child"]);
    expect(await exported()).toEqual([]);
    expect(parent.spanContext().traceFlags).toBe(TraceFlags.NONE);
  });
});

describe("a remote parent", () => {
  const root = new ParentBasedSampler({ root: new AlwaysOnSampler() });

  it("that is not sampled leaves its children recorded and not exported", async () => {
    const { span, recorded, exported } = createPipeline(root);
    span("child", remoteParent(TraceFlags.NONE));
    expect(recorded).toEqual(["child"]);
    expect(await exported()).toEqual([]);
  });

  it("that is sampled has its children exported", async () => {
    const { span, recorded, exported } = createPipeline(root);
    span("child", remoteParent(TraceFlags.SAMPLED));
    expect(recorded).toEqual(["child"]);
    expect(await exported()).toEqual(["child"]);
  });
});

it("keeps what the wrapped sampler adds", () => {
  const sampler = new AlwaysRecordSampler({
    shouldSample: () => ({ decision: 0, attributes: { rule: "health" } }),
    toString: () => "own",
  });
  expect(sampler.shouldSample(ROOT_CONTEXT, "", "", SpanKind.INTERNAL, {}, [])).toEqual({
    decision: 1,
    attributes: { rule: "health" },
  });
  expect(String(sampler)).toBe("AlwaysRecordSampler{own}");
});

it("records what a sampler without an answer is asked for", () => {
  const silent = { shouldSample: () => undefined as never, toString: () => "silent" };
  const sampler = new AlwaysRecordSampler(silent);
  expect(sampler.shouldSample(ROOT_CONTEXT, "", "", SpanKind.INTERNAL, {}, [])).toEqual({
    decision: 1,
  });
});
