import type { IncomingHttpHeaders } from "node:http";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { AgentMonitor } from "../../../src/monitor/monitor.ts";
import { startModelServer, type ModelServer } from "../../helpers/model-server/index.ts";
import { startSink } from "../../helpers/sink.ts";
import { toEventLine, type EventLine } from "./event-line.ts";
import type { Kit, Scenario } from "./scenario.ts";
import { toPlain } from "./snapshot.ts";

/** How the monitor comes to see what a client does; `lone hook` is outside of any conversation and context manager. */
export type Mode = "global" | "option" | "hook" | "lone hook";

/** What came of a scenario, as far as a caller and a server see it. */
export interface Run {
  readonly result: unknown;
  readonly requests: readonly unknown[];
  readonly outcome: string | undefined;
  readonly rejections: readonly string[];
}

const SETTLE_MILLIS = 3000;
const rejections: string[] = [];

/** Takes note of promises that nobody handles, from now on. */
export function watchRejections(): () => void {
  const take = (reason: unknown): void => void rejections.push(String(reason));
  process.on("unhandledRejection", take);
  return () => void process.off("unhandledRejection", take);
}

const wait = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));

/** Waits until every answer is at an end, as far as that ever happens. */
async function settle({ requests }: ModelServer): Promise<void> {
  const deadline = performance.now() + SETTLE_MILLIS;
  while (requests.some(({ outcome }) => outcome === "pending") && performance.now() < deadline) {
    await wait(5);
  }
  // Rejections are told behind the microtasks.
  await wait(1);
}

async function capture(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: toPlain(await action()) };
  } catch (error) {
    return { thrown: toPlain(error) };
  }
}

/** Takes out what differs from run to run: ports and dates of headers. */
const withoutChance = (plain: unknown): unknown =>
  JSON.parse(
    JSON.stringify(plain)
      .replaceAll(/(?:127\.0\.0\.1|localhost):\d+/g, "loopback")
      .replaceAll(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, "a date"),
  );

/** Headers of signed requests that tell the time, or are made by chance. */
const VARYING_HEADERS = /^(?:x-amz-date|amz-sdk-invocation-id|amz-sdk-request)$/;

function toHeaders(headers: IncomingHttpHeaders): object {
  const entries = Object.entries(headers).filter(([name]) => !VARYING_HEADERS.test(name));
  const { authorization, ...others } = Object.fromEntries(entries);
  return String(authorization).startsWith("AWS4") ? others : { ...others, authorization };
}

async function run(
  scenario: Scenario,
  kit: Kit,
  around: (action: () => Promise<unknown>) => Promise<unknown>,
): Promise<Run> {
  rejections.length = 0;
  const result = await capture(() => around(() => scenario.run(kit)));
  await settle(kit.server);
  const requests = kit.server.requests.map(({ method, path, headers, body, status }) => ({
    method,
    path,
    headers: toHeaders(headers),
    body,
    status,
  }));
  return {
    result: withoutChance(result),
    requests: withoutChance(requests) as unknown[],
    outcome: kit.server.requests.at(-1)?.outcome,
    rejections: [...rejections],
  };
}

/** Does a scenario without us. */
export async function runBare(scenario: Scenario, modules: Kit["modules"]): Promise<Run> {
  const server = await startModelServer();
  try {
    return await run(scenario, { modules, server, fetch: undefined }, (action) => action());
  } finally {
    await server.close();
  }
}

const AGENT_ID = "assistant";
/** What stands around the calls of a conversation: itself, and its turn. */
const AROUND = new Set([`conversation ${AGENT_ID}`, `invoke_agent ${AGENT_ID}`]);

/** Counts spans of model calls, tools and hooks; the others are `around`. */
function createCounter() {
  const counts = { started: 0, ended: 0, around: 0 };
  const processor: SpanProcessor = {
    onStart({ name }) {
      if (!AROUND.has(name)) counts.started++;
    },
    onEnd: ({ name }) => void (AROUND.has(name) ? counts.around++ : counts.ended++),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  return { counts, processor };
}

/** What came of a scenario that was observed. */
export interface ObservedRun extends Run {
  readonly events: readonly EventLine[];
  readonly spans: { readonly started: number; readonly ended: number; readonly around: number };
  /** Whether it ran in a conversation. */
  readonly isInTurn: boolean;
  /** Traces that still wait, and events that did not arrive. */
  readonly left: number;
  /** Warnings and errors of the monitor. */
  readonly warnings: readonly string[];
}

/** Counts traces that still wait, and events that did not arrive. */
function countLeft(monitor: AgentMonitor): number {
  const { bridge, pending } = monitor.stats();
  return (bridge?.waiting ?? 0) + pending;
}

/** Does a scenario while a monitor observes it. */
export async function runObserved(
  scenario: Scenario,
  modules: Kit["modules"],
  { Monitor, mode }: { readonly Monitor: typeof AgentMonitor; readonly mode: Mode },
): Promise<ObservedRun> {
  const [server, sink] = [await startModelServer(), await startSink()];
  const { counts, processor } = createCounter();
  const warnings: string[] = [];
  const push = (line: string): void => void warnings.push(line);
  const ignore = (): void => undefined;
  const monitor = new Monitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: sink.url,
    tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }),
    logger: { debug: ignore, info: ignore, warn: push, error: push },
  });
  try {
    if (mode !== "option") monitor.instrumentFetch();
    const fetch = mode === "option" ? monitor.fetch : undefined;
    const hooked = mode.endsWith("hook") ? monitor : undefined;
    // As applications have that hand spans on; without one, a hook and `fetch` show a span of each call.
    const isInTurn = mode !== "lone hook";
    if (mode === "hook")
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const scope = { agentId: AGENT_ID, sessionId: "session-1" };
    const seen = await run(scenario, { modules, server, fetch, monitor: hooked }, (action) =>
      isInTurn ? monitor.conversation(scope, action) : action(),
    );
    await monitor.flush();
    const left = scenario.staysOpen ? 0 : countLeft(monitor);
    if (scenario.staysOpen) await monitor.shutdown();
    const events = sink.events.map((event) => toEventLine(event));
    return { ...seen, events, spans: counts, isInTurn, left, warnings };
  } finally {
    context.disable();
    await monitor.shutdown();
    await sink.close();
    await server.close();
  }
}
