import { readStartIdentity } from "../bridge/bridge-identity.ts";
import { readRole } from "../bridge/dialects/index.ts";
import type { ResolvedConfig } from "../config/config.ts";
import {
  FetchObserver,
  installFetchObserver,
  isSecondObserver,
  type Fetch,
} from "../instrumentation/fetch/fetch-observer.ts";
import { watchMissedCalls } from "../instrumentation/fetch/addresses.ts";
import { createAiSdkHook } from "../instrumentation/hooks/ai-sdk.ts";
import { registerLangChain } from "../instrumentation/hooks/langchain-register.ts";
import { createLangChainHandler } from "../instrumentation/hooks/langchain.ts";
import { OpenRuns, type CallStats, type FetchObserverHost } from "../instrumentation/host.ts";
import {
  describeClient,
  findInstalledClients,
  type ClientReport,
} from "../instrumentation/known-clients.ts";
import type { Clock } from "../util/clock.ts";
import { DeferredTasks } from "../util/deferred-tasks.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { ForeignTelemetry, ObservedCalls } from "./foreign-telemetry.ts";
import type { Pipeline } from "./pipeline.ts";

/** What observing model calls for a monitor takes. */
export interface ModelCallsOptions {
  readonly foreign: ForeignTelemetry;
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Joins what observes model calls with the bridge, the rules and the telemetry path. */
function createHost(
  { foreign, pipeline, clock, log }: ModelCallsOptions,
  later: DeferredTasks,
  openRuns: OpenRuns,
): FetchObserverHost {
  const { signals, toPublicContent } = pipeline.telemetryPath;
  return {
    tracer: () => signals.tracer(),
    onStart: (toSpan, context) => {
      const started = readStartIdentity(context);
      later.add(() => foreign.bridge.onStarted(toSpan(), started));
    },
    // Not before its start.
    onEnd: (span) => later.add(() => foreign.takeSpan(span)),
    onAbandon: (span) => later.add(() => foreign.bridge.onAbandoned(span)),
    keepOpen: (run) => openRuns.add(run),
    isModelCall: (span) => readRole(span) === "call",
    findOpenCall: (toSpan) => foreign.bridge.findOpenCall(toSpan),
    toPublicContent,
    annotate: foreign.compliance && ((span) => foreign.assess(span)),
    defer: (task, isSoon) => later.add(task, isSoon),
    clock,
    log,
  };
}

const SECOND_OBSERVER =
  "another monitor of this process observes fetch (agent-monitor/register?): it gets the model calls, this one none; use that monitor, or give clients monitor.fetch";

/** Model calls over HTTP that a monitor observes. */
export class ModelCalls implements ObservedCalls {
  /** Takes what library hooks report as well. */
  readonly host: FetchObserverHost;
  /** Does what the global `fetch` does at the time, observed. */
  readonly fetch: Fetch;
  readonly #observer: FetchObserver;
  readonly #log: BurstLogger;
  readonly #later: DeferredTasks;
  readonly #openRuns = new OpenRuns();
  #uninstall: (() => void) | undefined;
  #unwatch: (() => void) | undefined;
  #missed = 0;
  #isClosed = false;

  constructor(options: ModelCallsOptions) {
    this.#log = options.log;
    this.#later = new DeferredTasks(options.clock, (error) =>
      options.log.log("warn", "model_calls", "a model call could not be told", {
        error: toErrorName(error),
      }),
    );
    const host = createHost(options, this.#later, this.#openRuns);
    // Hooks that nobody can take out again go on reporting.
    this.host = { ...host, tracer: () => (this.#isClosed ? undefined : host.tracer()) };
    this.#observer = new FetchObserver(this.host);
    this.fetch = this.#observer.observe((...args) => globalThis.fetch(...args));
  }

  /** Observes the global `fetch` from now on; again is no more than once, and nothing after `close`. */
  install(): void {
    if (this.#isClosed) return;
    try {
      this.#uninstall ??= installFetchObserver(this.#observer);
      if (isSecondObserver(this.#observer))
        this.#log.log("warn", "fetch_observer:second", SECOND_OBSERVER);
      this.#unwatch ??= watchMissedCalls((host) => this.#noteMissed(host));
    } catch (error) {
      this.#log.log("warn", "fetch_observer:install", "the global fetch can't be observed", {
        error: toErrorName(error),
      });
    }
  }

  /** Observes the global `fetch` no longer. */
  uninstall(): void {
    this.#unwatch?.();
    this.#uninstall?.();
    this.#unwatch = undefined;
    this.#uninstall = undefined;
  }

  stats(): CallStats {
    const isSecond = isSecondObserver(this.#observer);
    return { open: this.#observer.open, missed: this.#missed, isSecond };
  }

  #noteMissed(host: string): void {
    // The other observer reports it.
    if (isSecondObserver(this.#observer)) return;
    this.#missed++;
    const message = `a model call to ${host} was not observed: its client was built before the monitor and keeps the fetch of then; make the monitor first, use --import agent-monitor/register, or give the client monitor.fetch`;
    this.#log.log("warn", `fetch_observer:missed:${host}`, message);
  }

  settle(): void {
    this.#later.run();
  }

  drain(): void {
    this.#observer.drain();
    this.#later.run();
  }

  /** Ends the spans of calls of which nothing more is to be expected. */
  flush(): void {
    this.#observer.flush();
    this.#later.run();
  }

  /** Ends the spans of every open call with what is known of it, and observes nothing more. */
  close(): void {
    this.uninstall();
    this.#observer.close();
    this.#openRuns.abandon();
    this.#later.run();
    this.#isClosed = true;
  }
}

type Name = NonNullable<ResolvedConfig["instrumentations"]>[number];

/** Returns the folder that the application runs in; the root when that was deleted. */
function findFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** Logs once which clients were found, and which of them are not covered or not tested. */
function report(names: readonly Name[], clients: readonly ClientReport[], log: BurstLogger): void {
  const found = clients.map(({ client, version }) => `${client.name} ${version}`).join(", ");
  const message = `instrumentations: ${names.join(", ")}; clients found: ${found || "none"}`;
  log.log("info", "instrumentations", message);
  const odd = clients.filter(({ verdict }) => verdict !== "tested");
  if (odd.length > 0)
    log.log("warn", "instrumentations:clients", odd.map(describeClient).join("; "));
}

/**
 * Turns on what the configuration names. One that fails leaves the others, and the application, as they are.
 *
 * @returns Turns them off again.
 */
export function turnOnInstrumentations(
  names: readonly Name[],
  calls: ModelCalls,
  log: BurstLogger,
): () => void {
  const folder = findFolder();
  const clients = findInstalledClients(folder);
  const undo: (() => void)[] = [];
  const starts: Record<Name, () => void> = {
    fetch() {
      calls.install();
      undo.push(() => calls.uninstall());
    },
    "ai-sdk"() {
      const hook = createAiSdkHook(calls.host);
      hook.enable();
      undo.push(() => hook.disable());
    },
    langchain() {
      // Offering LangChain a storage loads a part of it, which takes time.
      if (!clients.some(({ client }) => client.name === "@langchain/core")) return;
      registerLangChain(createLangChainHandler(calls.host), folder);
    },
  };
  for (const name of names) {
    try {
      starts[name]();
    } catch (error) {
      const message = `instrumentation ${name} is off (${toErrorName(error)})`;
      log.log("warn", `instrumentations:${name}`, message);
    }
  }
  report(names, clients, log);
  return () => {
    for (const off of undo) off();
  };
}
