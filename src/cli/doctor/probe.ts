/*
 * Runs in the processes that `doctor` starts, before the application: writes `RunningFacts` into the folder
 * of AGENT_MONITOR_DOCTOR after a while, and again when the process ends. It changes nothing, and must not fail.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { collectMonitors } from "../../util/shown-monitors.ts";
import {
  FACTS_FOLDER,
  FACTS_MILLIS,
  type RunningFacts,
  type SampledSpans,
} from "./running-facts.ts";

const API = join("node_modules", "@opentelemetry", "api") + sep;
/** Spans for which a sampler is asked; they are never ended, so that no exporter gets them. */
const TRIALS = 20;

/** Global of OpenTelemetry's API, shared by all copies of its major version. */
interface ApiGlobal {
  readonly context?: unknown;
  readonly trace?: {
    getTracer(name: string): {
      startSpan(name: string, options: object): { isRecording(): boolean };
    };
  };
}

const monitors = collectMonitors();
const folder = process.env[FACTS_FOLDER];
const api = (): ApiGlobal | undefined =>
  (globalThis as Record<symbol, ApiGlobal | undefined>)[Symbol.for("opentelemetry.js.api.1")];

function trySampler(): SampledSpans | undefined {
  const tracer = api()?.trace?.getTracer("agent-monitor.doctor");
  if (!tracer) return undefined;
  let recorded = 0;
  for (let trial = 0; trial < TRIALS; trial++)
    if (tracer.startSpan("doctor", { root: true }).isRecording()) recorded++;
  return { tried: TRIALS, recorded };
}

/** Lists the copies of the API that were loaded; ES modules load it as CommonJS as well. */
function listApiCopies(): string[] {
  const copies = Object.keys(createRequire(import.meta.url).cache)
    .filter((path) => path.includes(API))
    .map((path) => path.slice(0, path.indexOf(API) + API.length - 1));
  return [...new Set(copies)];
}

function gather(): RunningFacts {
  return {
    main: process.argv[1] ?? "",
    monitors: monitors.map(({ endpoint, stats }) => ({ ...stats(), endpoint })),
    hasContextManager: api()?.context !== undefined,
    sampledSpans: trySampler(),
    apiCopies: listApiCopies(),
  };
}

function write(): void {
  try {
    const facts = gather();
    // npm and other helpers have nothing to report.
    if (facts.monitors.length === 0 && facts.apiCopies.length === 0) return;
    writeFileSync(join(folder ?? "", `${process.pid}.json`), JSON.stringify(facts));
  } catch {
    // The doctor reports that it got no facts.
  }
}

if (folder !== undefined) {
  setTimeout(write, Number(process.env[FACTS_MILLIS])).unref();
  process.on("exit", write);
}
