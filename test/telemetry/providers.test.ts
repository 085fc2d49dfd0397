import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import * as apiLogs from "@opentelemetry/api-logs";
import { afterEach, describe, expect, it } from "vitest";
import { createSignalSource } from "../../src/telemetry/providers.ts";
import { createProviders } from "../helpers/otel.ts";

/** OpenTelemetry's SDK for Node brings a copy of the logs API of its own. */
const COPY = join(
  import.meta.dirname,
  "../../node_modules/@opentelemetry/sdk-node/node_modules/@opentelemetry/api-logs",
);

/** Another copy of the logs API, with the global it shares with ours. */
function loadSecondCopy(): typeof apiLogs {
  const require = createRequire(import.meta.url);
  if (existsSync(COPY)) return require(COPY) as typeof apiLogs;
  // Without a nested copy: the same files once more, past the cache.
  const main = require.resolve("@opentelemetry/api-logs");
  for (const file of Object.keys(require.cache))
    if (file.includes("api-logs")) delete require.cache[file];
  return require(main) as typeof apiLogs;
}

afterEach(() => {
  trace.disable();
  apiLogs.logs.disable();
});

const emit = (source: ReturnType<typeof createSignalSource>): void => {
  source.tracer()?.startSpan("span").end();
  source.logger()?.emit({ eventName: "record" });
};

describe("given providers", () => {
  it("are used, under our name and version", () => {
    const providers = createProviders();
    emit(createSignalSource(providers));
    expect(providers.span("span").instrumentationScope).toMatchObject({
      name: "agent-monitor",
      version: expect.stringMatching(/^\d/) as string,
    });
    expect(providers.records()[0]?.instrumentationScope).toMatchObject({
      name: "agent-monitor",
      version: expect.stringMatching(/^\d/) as string,
    });
  });

  it("are used instead of the global ones", () => {
    const [given, global] = [createProviders(), createProviders()];
    trace.setGlobalTracerProvider(global.tracerProvider);
    apiLogs.logs.setGlobalLoggerProvider(global.loggerProvider);
    emit(createSignalSource(given));
    expect([given.spans().length, given.records().length]).toEqual([1, 1]);
    expect([global.spans().length, global.records().length]).toEqual([0, 0]);
  });

  it("are asked for a tracer and a logger once", () => {
    const providers = createProviders();
    let asked = 0;
    const source = createSignalSource({
      tracerProvider: {
        getTracer: (...scope) => (asked++, providers.tracerProvider.getTracer(...scope)),
      },
      loggerProvider: {
        getLogger: (...scope) => (asked++, providers.loggerProvider.getLogger(...scope)),
      },
    });
    for (let round = 0; round < 5; round++) emit(source);
    expect(asked).toBe(2);
    expect(providers.spans().length).toBe(5);
  });
});

describe("global providers", () => {
  it("are not there before somebody registers them", () => {
    const source = createSignalSource({});
    expect(source.tracer()).toBeUndefined();
    expect(source.logger()).toBeUndefined();
  });

  it("are found although they are registered after the first event", () => {
    const source = createSignalSource({});
    emit(source);
    const providers = createProviders();
    trace.setGlobalTracerProvider(providers.tracerProvider);
    apiLogs.logs.setGlobalLoggerProvider(providers.loggerProvider);
    emit(source);
    expect(providers.spans().length).toBe(1);
    expect(providers.records().length).toBe(1);
  });

  it("are found when a second copy of the logs API registers them", () => {
    const copy = loadSecondCopy();
    expect(copy.logs).not.toBe(apiLogs.logs);
    const source = createSignalSource({});
    emit(source);
    const providers = createProviders();
    copy.logs.setGlobalLoggerProvider(providers.loggerProvider);
    emit(source);
    expect(providers.records().length).toBe(1);
    copy.logs.disable();
  });

  it("of which one is there are used, one by one", () => {
    const source = createSignalSource({});
    const providers = createProviders();
    apiLogs.logs.setGlobalLoggerProvider(providers.loggerProvider);
    emit(source);
    expect([providers.spans().length, providers.records().length]).toEqual([0, 1]);
    trace.setGlobalTracerProvider(providers.tracerProvider);
    emit(source);
    expect([providers.spans().length, providers.records().length]).toEqual([1, 2]);
  });
});

describe("the logs API of OpenTelemetry 3", () => {
  /** `@opentelemetry/api` 1.10 has `logs`: a proxy until somebody registers a provider. */
  function createNewerLogs() {
    const proxy = {
      getLogger: (): never => {
        throw new Error("a proxy's logger would stay dead");
      },
      _getDelegateLogger: () => undefined,
    };
    let registered: apiLogs.LoggerProvider | undefined;
    return {
      getLoggerProvider: () => registered ?? proxy,
      register: (provider: apiLogs.LoggerProvider) => void (registered = provider),
    };
  }

  it("is asked first", () => {
    const [newer, older] = [createProviders(), createProviders()];
    apiLogs.logs.setGlobalLoggerProvider(older.loggerProvider);
    const logs = createNewerLogs();
    logs.register(newer.loggerProvider);
    emit(createSignalSource({}, logs));
    expect([newer.records().length, older.records().length]).toEqual([1, 0]);
  });

  it("without a provider leaves the older one its turn", () => {
    const { loggerProvider, records } = createProviders();
    apiLogs.logs.setGlobalLoggerProvider(loggerProvider);
    emit(createSignalSource({}, createNewerLogs()));
    expect(records().length).toBe(1);
  });

  it("is found although its provider is registered late", () => {
    const { loggerProvider, records } = createProviders();
    const logs = createNewerLogs();
    const source = createSignalSource({}, logs);
    emit(source);
    expect(source.logger()).toBeUndefined();
    logs.register(loggerProvider);
    emit(source);
    expect(records().length).toBe(1);
  });
});

describe("a provider that throws", () => {
  it("is asked again at the next event", () => {
    const { tracerProvider } = createProviders();
    let broken = true;
    const source = createSignalSource({
      tracerProvider: {
        getTracer(...scope) {
          if (broken) throw new Error("not yet");
          return tracerProvider.getTracer(...scope);
        },
      },
    });
    expect(() => source.tracer()).toThrow("not yet");
    broken = false;
    expect(source.tracer()).toBeDefined();
  });
});
