import * as api from "@opentelemetry/api";
import type { TracerProvider } from "@opentelemetry/api";
import { logs, type LoggerProvider } from "@opentelemetry/api-logs";
import { SCOPE_NAME } from "../semconv.ts";
import { LateBoundLoggerProvider, LateBoundTracerProvider } from "./late-bound-provider.ts";

/** What stands behind the API until, and after, somebody registers a tracer provider. */
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

/** What is offered, and who is told when the application has a provider of its own, now or later. */
export interface Offer<Provider> {
  /** Made when no provider is registered yet. */
  readonly create: () => Provider;
  /** Called with the provider that the application registers, at once if it has. */
  readonly onTheirs: (provider: Provider) => void;
}

/** OTel 3.x moved the logs API into `@opentelemetry/api`, with a global of its own. */
// Looked up by a name that bundlers don't follow.
const newerLogs = Reflect.get(api, "logs") as LogsApi | undefined;

/** Registers what makes spans find their parents, unless the application has. */
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
 * `NodeSDK.start()` from working. The provider stands behind the API's own proxy instead, where a registration
 * replaces it; tracers given out before then switch over.
 *
 * @param createContextManager - Makes the context manager, which is registered with the first span of ours.
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
 * @returns Looks again whether the application has registered one: through another copy of the logs API, of which
 * there often are several, that can't be seen from here.
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
