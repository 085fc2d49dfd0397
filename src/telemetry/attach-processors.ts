/** Insides of OpenTelemetry's providers, which are the same in 2.x and 3.x; 1.x has a method. */
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
  // The application may have added it already. The list may be the application's own, frozen or of two providers.
  if (!list.includes(processor)) holder[member] = [...(list as unknown[]), processor];
  return true;
}

/** Registering a provider must not fail because of what its insides turn out to be. */
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
 * OpenTelemetry 2.0 removed `addSpanProcessor` and offers nothing in its place, so the list itself is looked for.
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
