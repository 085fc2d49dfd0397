import * as api from "@opentelemetry/api";
import type { Context, Span, SpanOptions, Tracer, TracerProvider } from "@opentelemetry/api";
import { logs, type Logger, type LoggerProvider, type LogRecord } from "@opentelemetry/api-logs";
import { SCOPE_NAME } from "../semconv.ts";

type TracerScope = Parameters<TracerProvider["getTracer"]>;
type LoggerScope = Parameters<LoggerProvider["getLogger"]>;

/** The offered provider, or the application's once that is registered. */
class LateBound<Provider> {
  readonly #first: Provider;
  #current: Provider;

  constructor(first: Provider) {
    this.#first = first;
    this.#current = first;
  }

  /** Whether the offered provider is still used. */
  get isOffered(): boolean {
    return this.#current === this.#first;
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
  readonly #beforeUse: () => void;

  /**
   * Creates the provider.
   *
   * @param beforeUse - Called before every span of a tracer, while the first provider is used.
   */
  constructor(first: TracerProvider, beforeUse: () => void) {
    super(first);
    this.#beforeUse = beforeUse;
  }

  getTracer(...scope: TracerScope): Tracer {
    const look = this.lookUp((provider) => provider.getTracer(...scope));
    const find = (): Tracer => {
      if (this.isOffered) this.#beforeUse();
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

interface LogsApi {
  getLoggerProvider(): LoggerProvider;
}

/** The offered provider, and a callback for the application's own one. */
interface Offer<Provider> {
  /** Creates the offered provider when none is registered yet. */
  readonly create: () => Provider;
  /** Called with the provider that the application registers, at once if it has registered one. */
  readonly onTheirs: (provider: Provider) => void;
}

/** OTel 3.x moved the logs API into `@opentelemetry/api`, with a global of its own. */
// Looked up by a name that bundlers don't resolve.
const newerLogs = Reflect.get(api, "logs") as LogsApi | undefined;

/** Returns a function that registers the context manager once, unless the application has registered one. */
function createContextSetup(create: () => api.ContextManager): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    api.context.setGlobalContextManager(create());
  };
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
  const switching = new LateBoundTracerProvider(create(), createContextSetup(createContextManager));
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

/** Internal members of OpenTelemetry's providers, which are the same in 2.x and 3.x; 1.x has a method. */
interface TracerProviderInsides {
  addSpanProcessor?: (processor: object) => void;
  readonly _activeSpanProcessor?: Record<string, unknown>;
}

interface LoggerProviderInsides {
  addLogRecordProcessor?: (processor: object) => void;
  readonly _sharedState?: { readonly activeProcessor?: Record<string, unknown> };
}

/** Adds a processor to the list that a member holds. */
function joinList(
  holder: Record<string, unknown> | undefined,
  member: string,
  processor: object,
): boolean {
  const list = holder?.[member];
  if (!holder || !Array.isArray(list)) return false;
  // The application may have added it already. The list is copied because it may be frozen or shared by two providers.
  if (!list.includes(processor)) holder[member] = [...(list as unknown[]), processor];
  return true;
}

/** Runs an action whose errors must not fail the registration of a provider. */
function attempt(join: () => boolean): boolean {
  try {
    return join();
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
  return attempt(() => {
    const insides = (provider ?? {}) as TracerProviderInsides;
    if (typeof insides.addSpanProcessor !== "function")
      return joinList(insides._activeSpanProcessor, "_spanProcessors", processor);
    insides.addSpanProcessor(processor);
    return true;
  });
}

/** Adds a log record processor to a provider that is running; see `attachSpanProcessor`. */
export function attachLogRecordProcessor(provider: unknown, processor: object): boolean {
  return attempt(() => {
    const insides = (provider ?? {}) as LoggerProviderInsides;
    if (typeof insides.addLogRecordProcessor !== "function")
      return joinList(insides._sharedState?.activeProcessor, "processors", processor);
    insides.addLogRecordProcessor(processor);
    return true;
  });
}
