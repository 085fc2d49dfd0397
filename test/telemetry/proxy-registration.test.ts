import { context, trace, type TracerProvider } from "@opentelemetry/api";
import { logs, type LoggerProvider } from "@opentelemetry/api-logs";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { LoggerProvider as SdkLoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import {
  attachLogRecordProcessor,
  attachSpanProcessor,
  registerLoggerProxy,
  registerTracerProxy,
} from "../../src/telemetry/proxy-registration.ts";
import { createProviders } from "../helpers/otel.ts";

afterEach(() => {
  trace.disable();
  logs.disable();
  context.disable();
});

function offer() {
  const own = createProviders();
  const theirs: (TracerProvider | LoggerProvider)[] = [];
  let made = 0;
  const onTheirs = (provider: TracerProvider | LoggerProvider): void => void theirs.push(provider);
  registerTracerProxy({ create: () => (made++, own.tracerProvider), onTheirs }, () =>
    new AsyncLocalStorageContextManager().enable(),
  );
  const check = registerLoggerProxy({
    create: () => (made++, own.loggerProvider),
    onTheirs,
  });
  return { own, theirs, check, made: () => made };
}

describe("offered providers", () => {
  it("are used while nobody registers any, and nothing is registered", () => {
    const early = trace.getTracer("early");
    const { own, theirs } = offer();
    early.startSpan("early").end();
    trace.getTracer("late").startActiveSpan("parent", { attributes: { a: 1 } }, (parent) => {
      early.startSpan("child").end();
      parent.end();
    });
    logs.getLogger("late").emit({ eventName: "record" });
    expect(own.spans().map(({ name }) => name)).toEqual(["early", "child", "parent"]);
    expect(own.span("child").parentSpanContext?.spanId).toBe(
      own.span("parent").spanContext().spanId,
    );
    expect(own.records()).toHaveLength(1);
    expect(theirs).toEqual([]);
    expect(trace.setGlobalTracerProvider(new BasicTracerProvider())).toBe(true);
  });

  it("give way to the application's, tracers and loggers given out before included", () => {
    const { own, theirs } = offer();
    const [tracer, logger] = [trace.getTracer("early"), logs.getLogger("early")];
    tracer.startSpan("ours").end();
    logger.emit({ eventName: "ours" });
    const application = createProviders();
    expect(trace.setGlobalTracerProvider(application.tracerProvider)).toBe(true);
    logs.setGlobalLoggerProvider(application.loggerProvider);
    tracer.startSpan("theirs").end();
    trace.getTracer("late").startSpan("theirs, too").end();
    logger.emit({ eventName: "theirs" });
    logs.getLogger("late").emit({ eventName: "theirs, too" });
    expect(own.spans().map(({ name }) => name)).toEqual(["ours"]);
    expect(own.records().map(({ eventName }) => eventName)).toEqual(["ours"]);
    expect(application.spans().map(({ name }) => name)).toEqual(["theirs", "theirs, too"]);
    expect(application.records().map(({ eventName }) => eventName)).toEqual([
      "theirs",
      "theirs, too",
    ]);
    expect(theirs).toEqual([application.tracerProvider, application.loggerProvider]);
  });

  it("leave the context manager to an application that starts first", () => {
    offer();
    const manager = new AsyncLocalStorageContextManager().enable();
    expect(context.setGlobalContextManager(manager)).toBe(true);
    trace.getTracer("app").startSpan("span").end();
  });

  it("are not made where the application has registered some", () => {
    const application = createProviders();
    trace.setGlobalTracerProvider(application.tracerProvider);
    logs.setGlobalLoggerProvider(application.loggerProvider);
    const { theirs, made, check } = offer();
    check();
    expect(made()).toBe(0);
    expect(theirs).toEqual([application.tracerProvider, application.loggerProvider]);
    trace.getTracer("app").startSpan("theirs").end();
    expect(application.spans()).toHaveLength(1);
  });
});

describe("joining a provider that runs", () => {
  it("adds a processor, once", () => {
    const ended: string[] = [];
    const done = (): Promise<void> => Promise.resolve();
    const processor = {
      onStart: () => undefined,
      onEnd: ({ name }: { name: string }) => void ended.push(name),
      onEmit: ({ eventName }: { eventName?: string | undefined }) =>
        void ended.push(eventName ?? ""),
      forceFlush: done,
      shutdown: done,
    };
    const { tracerProvider, loggerProvider } = createProviders();
    const tracer = tracerProvider.getTracer("app");
    for (let round = 0; round < 2; round++) {
      expect(attachSpanProcessor(tracerProvider, processor)).toBe(true);
      expect(attachLogRecordProcessor(loggerProvider, processor)).toBe(true);
    }
    tracer.startSpan("span").end();
    loggerProvider.getLogger("app").emit({ eventName: "record" });
    expect(ended).toEqual(["span", "record"]);
  });

  it("leaves the application's own lists as they are, and takes frozen ones", () => {
    const spanProcessors = Object.freeze<object[]>([]);
    const processors = Object.freeze<object[]>([]);
    const tracerProvider = { _activeSpanProcessor: { _spanProcessors: spanProcessors } };
    const loggerProvider = { _sharedState: { activeProcessor: { processors } } };
    const added = {};
    expect(attachSpanProcessor(tracerProvider, added)).toBe(true);
    expect(attachLogRecordProcessor(loggerProvider, added)).toBe(true);
    expect(tracerProvider._activeSpanProcessor._spanProcessors).toEqual([added]);
    expect(loggerProvider._sharedState.activeProcessor.processors).toEqual([added]);
    expect([spanProcessors, processors]).toEqual([[], []]);
    expect(attachSpanProcessor(Object.freeze({ _activeSpanProcessor: 1 }), added)).toBe(false);
    const closed = Object.freeze({ _spanProcessors: spanProcessors });
    expect(attachSpanProcessor({ _activeSpanProcessor: closed }, added)).toBe(false);
  });

  it.each([
    ["nothing", undefined],
    ["no SDK", { getTracer: () => trace.getTracer("x") }],
    ["a logger provider without processors", new SdkLoggerProvider()],
  ])("says that it can't: %s", (_, provider) => {
    expect(attachSpanProcessor(provider, {})).toBe(false);
    expect(attachLogRecordProcessor(provider, {})).toBe(false);
  });

  it("uses the method of OpenTelemetry 1.x", () => {
    const added: object[] = [];
    const add = (processor: object): void => void added.push(processor);
    const provider = { addSpanProcessor: add, addLogRecordProcessor: add };
    expect(attachSpanProcessor(provider, { a: 1 })).toBe(true);
    expect(attachLogRecordProcessor(provider, { b: 1 })).toBe(true);
    expect(added).toEqual([{ a: 1 }, { b: 1 }]);
  });
});
