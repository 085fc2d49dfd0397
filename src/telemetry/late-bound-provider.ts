import type { Context, Span, SpanOptions, Tracer, TracerProvider } from "@opentelemetry/api";
import type { Logger, LoggerProvider, LogRecord } from "@opentelemetry/api-logs";

type TracerScope = Parameters<TracerProvider["getTracer"]>;
type LoggerScope = Parameters<LoggerProvider["getLogger"]>;

/** Looks a tracer or logger up again whenever its provider has been replaced. */
function createLookUp<Provider, Found>(
  current: () => Provider,
  find: (provider: Provider) => Found,
): () => Found {
  let known: { readonly provider: Provider; readonly found: Found } | undefined;
  return () => {
    const provider = current();
    if (known?.provider !== provider) known = { provider, found: find(provider) };
    return known.found;
  };
}

/** Gives tracers that follow when the application registers a provider of its own. */
export class LateBoundTracerProvider implements TracerProvider {
  #current: TracerProvider;
  readonly #beforeUse: () => void;

  /**
   * Creates the provider.
   *
   * @param beforeUse - Called before every span of a tracer, while the first provider is used.
   */
  constructor(first: TracerProvider, beforeUse: () => void) {
    this.#current = first;
    this.#beforeUse = () => {
      if (this.#current === first) beforeUse();
    };
  }

  /** Makes every tracer, those given out before included, one of this provider. */
  switchTo(provider: TracerProvider): void {
    this.#current = provider;
  }

  getTracer(...scope: TracerScope): Tracer {
    const look = createLookUp(
      () => this.#current,
      (provider) => provider.getTracer(...scope),
    );
    const find = (): Tracer => {
      this.#beforeUse();
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

/** Gives loggers that follow when the application registers a provider of its own. */
export class LateBoundLoggerProvider implements LoggerProvider {
  #current: LoggerProvider;

  constructor(first: LoggerProvider) {
    this.#current = first;
  }

  /** Makes every logger, those given out before included, one of this provider. */
  switchTo(provider: LoggerProvider): void {
    this.#current = provider;
  }

  getLogger(...scope: LoggerScope): Logger {
    const find = createLookUp(
      () => this.#current,
      (provider) => provider.getLogger(...scope),
    );
    return {
      emit: (record: LogRecord) => find().emit(record),
      // Loggers of older copies of the API have no such method.
      enabled: (options) => (find() as Partial<Logger>).enabled?.(options) ?? true,
    };
  }
}
