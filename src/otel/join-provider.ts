/** Insides of OpenTelemetry's providers, which are the same in 2.x and 3.x; 1.x has a method. */
interface TracerProviderInsides {
  addSpanProcessor?: (processor: object) => void;
  readonly _activeSpanProcessor?: { readonly _spanProcessors?: unknown };
}

interface LoggerProviderInsides {
  addLogRecordProcessor?: (processor: object) => void;
  readonly _sharedState?: {
    readonly activeProcessor?: { readonly processors?: unknown };
  };
}

function joinList(list: unknown, processor: unknown): boolean {
  if (!Array.isArray(list)) return false;
  // The application may have added it already.
  if (!list.includes(processor)) list.push(processor);
  return true;
}

/**
 * Adds a span processor to a provider that is running.
 *
 * OpenTelemetry 2.0 removed `addSpanProcessor` and offers nothing in its place, so the list itself is looked for.
 *
 * @returns Whether that was possible; if not, nothing was changed.
 */
export function joinTracerProvider(provider: unknown, processor: object): boolean {
  const insides = (provider ?? {}) as TracerProviderInsides;
  if (typeof insides.addSpanProcessor === "function") {
    insides.addSpanProcessor(processor);
    return true;
  }
  return joinList(insides._activeSpanProcessor?._spanProcessors, processor);
}

/** Adds a log record processor to a provider that is running; see `joinTracerProvider`. */
export function joinLoggerProvider(provider: unknown, processor: object): boolean {
  const insides = (provider ?? {}) as LoggerProviderInsides;
  if (typeof insides.addLogRecordProcessor === "function") {
    insides.addLogRecordProcessor(processor);
    return true;
  }
  return joinList(insides._sharedState?.activeProcessor?.processors, processor);
}
