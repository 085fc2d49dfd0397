import * as api from "@opentelemetry/api";
import type { Context, Span, SpanOptions, Tracer, TracerProvider } from "@opentelemetry/api";
import { logs, type Logger, type LoggerProvider, type LogRecord } from "@opentelemetry/api-logs";
import { SCOPE_NAME } from "../semconv.ts";
import { newerLogs } from "./providers.ts";

type TracerScope = Parameters<TracerProvider["getTracer"]>;
type LoggerScope = Parameters<LoggerProvider["getLogger"]>;

/** The offered provider, or the application's once that is registered. */
class LateBound<Provider> {
  #current: Provider;

  constructor(first: Provider) {
    this.#current = first;
  }

  /** Switches every tracer or logger, including earlier ones, to this provider. */
  switchTo(provider: Provider): void {
    this.#current = provider;
  }

  /** Returns a lookup of a tracer or logger that is repeated when the provider was replaced. */
  lookUp<Found>(find: (provider: Provider) => Found): () => Found {
    let known: { readonly provider: Provider; readonly found: Found } | undefined;
    return () => {
      const provider = this.#current;
      if (known?.provider !== provider) known = { provider, found: find(provider) };
      return known.found;
    };
  }
}

/** Provides tracers that switch to the application's provider once that is registered. */
class LateBoundTracerProvider extends LateBound<TracerProvider> implements TracerProvider {
  /** Creates the context manager, which is registered with the first span of the offered provider. */
  #createContextManager: (() => api.ContextManager) | undefined;

  constructor(first: TracerProvider, createContextManager: () => api.ContextManager) {
    super(first);
    this.#createContextManager = createContextManager;
  }

  override switchTo(provider: TracerProvider): void {
    this.#createContextManager = undefined;
    super.switchTo(provider);
  }

  getTracer(...scope: TracerScope): Tracer {
    const look = this.lookUp((provider) => provider.getTracer(...scope));
    const find = (): Tracer => {
      const create = this.#createContextManager;
      this.#createContextManager = undefined;
      if (create) api.context.setGlobalContextManager(create());
      return look();
    };
    return {
      startSpan: (name: string, options?: SpanOptions, context?: Context): Span =>
        find().startSpan(name, options, context),
      startActiveSpan: ((...given: Parameters<Tracer["startActiveSpan"]>) =>
        find().startActiveSpan(...given)) as Tracer["startActiveSpan"],
    };
  }
}

/** Provides loggers that switch to the application's provider once that is registered. */
class LateBoundLoggerProvider extends LateBound<LoggerProvider> implements LoggerProvider {
  getLogger(...scope: LoggerScope): Logger {
    const find = this.lookUp((provider) => provider.getLogger(...scope));
    return {
      emit: (record: LogRecord) => find().emit(record),
      // Loggers of older copies of the API lack this method.
      enabled: (options) => (find() as Partial<Logger>).enabled?.(options) ?? true,
    };
  }
}

/** Members of the API's proxy, through which a tracer provider is reached before and after registration. */
interface TracerProxy {
  getDelegate?: () => TracerProvider;
  getDelegateTracer?: (name: string) => api.Tracer | undefined;
  setDelegate?: (provider: TracerProvider) => void;
}

interface LoggerProxy {
  _setDelegate?: (provider: LoggerProvider) => void;
}

/** The offered provider, and a callback for the application's own one. */
interface Offer<Provider> {
  /** Creates the offered provider when none is registered yet. */
  readonly create: () => Provider;
  /** Called with the provider that the application registers, at once if it has registered one. */
  readonly onTheirs: (provider: Provider) => void;
}

/**
 * Offers a tracer provider for as long as the application registers none.
 *
 * Nothing is registered: OpenTelemetry's API refuses a second registration, so ours would keep the application's
 * `NodeSDK.start()` from working. The provider becomes the delegate of the API's own proxy instead, where a
 * registration replaces it; earlier tracers then switch over.
 *
 * @param createContextManager - Creates the context manager, which is registered with the first span of ours.
 */
export function registerTracerProxy(
  { create, onTheirs }: Offer<TracerProvider>,
  createContextManager: () => api.ContextManager,
): void {
  const provider = api.trace.getTracerProvider();
  const proxy = provider as TracerProxy;
  const { setDelegate } = proxy;
  if (typeof setDelegate !== "function" || proxy.getDelegateTracer?.(SCOPE_NAME)) {
    onTheirs(proxy.getDelegate?.() ?? provider);
    return;
  }
  const switching = new LateBoundTracerProvider(create(), createContextManager);
  setDelegate.call(proxy, switching);
  proxy.setDelegate = (theirs) => {
    setDelegate.call(proxy, theirs);
    switching.switchTo(theirs);
    onTheirs(theirs);
  };
}

/**
 * Offers a logger provider for as long as the application registers none; see `registerTracerProxy`.
 *
 * @returns A function that checks again whether the application has registered a provider: a registration through
 * another copy of the logs API, of which there are often several, can't be observed.
 */
export function registerLoggerProxy({ create, onTheirs }: Offer<LoggerProvider>): () => void {
  let own: LoggerProvider | undefined;
  const apis = newerLogs ? [newerLogs, logs] : [logs];
  const checks = apis.map((logsApi) => {
    let switching: LateBoundLoggerProvider | undefined;
    let known: LoggerProvider | undefined;
    const take = (theirs: LoggerProvider): void => {
      if (known === theirs) return;
      known = theirs;
      switching?.switchTo(theirs);
      onTheirs(theirs);
    };
    const proxy = logsApi.getLoggerProvider() as LoggerProxy;
    const setDelegate = proxy._setDelegate;
    if (typeof setDelegate === "function") {
      own ??= create();
      switching = new LateBoundLoggerProvider(own);
      setDelegate.call(proxy, switching);
      proxy._setDelegate = (theirs) => {
        setDelegate.call(proxy, theirs);
        take(theirs);
      };
    }
    const check = (): void => {
      const current = logsApi.getLoggerProvider();
      if (typeof (current as LoggerProxy)._setDelegate !== "function") take(current);
    };
    check();
    return check;
  });
  return () => {
    for (const check of checks) check();
  };
}

/** Members by which OpenTelemetry's providers hold processors, the same in 2.x and 3.x; 1.x has methods. */
interface ProviderInsides {
  addSpanProcessor?: (processor: object) => void;
  addLogRecordProcessor?: (processor: object) => void;
  readonly _activeSpanProcessor?: Record<string, unknown>;
  readonly _sharedState?: { readonly activeProcessor?: Record<string, unknown> };
}

/** Adds a processor by a method, else to a list; an error must not fail the registration of a provider. */
function attach(
  provider: unknown,
  processor: object,
  method: "addSpanProcessor" | "addLogRecordProcessor",
  toHolder: (insides: ProviderInsides) => Record<string, unknown> | undefined,
  list: string,
): boolean {
  try {
    const insides = (provider ?? {}) as ProviderInsides;
    if (typeof insides[method] === "function") {
      insides[method](processor);
      return true;
    }
    const holder = toHolder(insides);
    const processors = holder?.[list];
    if (!holder || !Array.isArray(processors)) return false;
    // The application may have added it already. The list is copied because it may be frozen or shared by two providers.
    if (!processors.includes(processor)) holder[list] = [...(processors as unknown[]), processor];
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a span processor to a provider that is running.
 *
 * OpenTelemetry 2.0 removed `addSpanProcessor` without a replacement, so the list itself is changed.
 *
 * @returns Whether that was possible; if not, nothing was changed.
 */
export function attachSpanProcessor(provider: unknown, processor: object): boolean {
  const toHolder = ({ _activeSpanProcessor: active }: ProviderInsides) => active;
  return attach(provider, processor, "addSpanProcessor", toHolder, "_spanProcessors");
}

/** Adds a log record processor to a provider that is running; see `attachSpanProcessor`. */
export function attachLogRecordProcessor(provider: unknown, processor: object): boolean {
  const toHolder = ({ _sharedState: state }: ProviderInsides) => state?.activeProcessor;
  return attach(provider, processor, "addLogRecordProcessor", toHolder, "processors");
}
