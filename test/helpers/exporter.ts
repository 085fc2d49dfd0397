import { gunzipSync } from "node:zlib";
import type { EventBatch } from "../../src/events/batch.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { PendingEvent } from "../../src/delivery/pending-event.ts";
import type {
  Transport,
  TransportAnswer,
  TransportRequest,
} from "../../src/delivery/http-transport.ts";
import { PlatformPath, type PlatformPathOptions } from "../../src/delivery/platform-path.ts";
import { createBurstLogger, type BurstLogger } from "../../src/util/logger.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";

/** A request as the scripted transport saw it. */
export interface SeenRequest extends TransportRequest {
  readonly batch: EventBatch;
  /** The body, decoded. */
  readonly text: string;
}

/** Answers a request: a status, a whole answer, or a failure; `undefined` means 202. */
export type Script = (
  request: SeenRequest,
  index: number,
) =>
  | number
  | Partial<Extract<TransportAnswer, { kind: "answer" }>>
  | "failure"
  | "hang"
  | undefined;

export interface ScriptedTransport extends Transport {
  readonly requests: SeenRequest[];
  /** Event ids in the order in which they were accepted. */
  readonly accepted: string[];
  script: Script;
  /** Requests that were under way at one time, at most. */
  maxConcurrency: number;
}

function createScriptedTransport(script: Script = () => undefined): ScriptedTransport {
  let running = 0;
  const transport: ScriptedTransport = {
    url: "https://platform.example",
    requests: [],
    accepted: [],
    script,
    maxConcurrency: 0,
    async send(request, signal) {
      running++;
      transport.maxConcurrency = Math.max(transport.maxConcurrency, running);
      const isGzip = request.headers["content-encoding"] === "gzip";
      const text = (isGzip ? gunzipSync(request.body) : request.body).toString("utf8");
      const seen = { ...request, text, batch: JSON.parse(text) as EventBatch };
      transport.requests.push(seen);
      const answer = transport.script(seen, transport.requests.length - 1);
      if (answer === "hang") {
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      } else {
        await Promise.resolve();
      }
      running--;
      if (answer === "failure" || answer === "hang")
        return { kind: "failure", reason: "ECONNREFUSED" };
      const whole = typeof answer === "number" ? { status: answer } : answer;
      const status = whole?.status ?? 202;
      if (status < 300) transport.accepted.push(...seen.batch.events.map(({ eventId }) => eventId));
      return { kind: "answer", status, headers: whole?.headers ?? {}, body: whole?.body ?? "" };
    },
    close: () => undefined,
  };
  return transport;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
}

/** Collects log lines. */
export function createCollectingLog(clock: FakeClock): { log: BurstLogger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: string) =>
    (message: string, data?: unknown): void => {
      lines.push({ level, message, data });
    };
  const logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  return { log: createBurstLogger(logger, clock), lines };
}

/** An event as the pipeline hands it over; only its size and its id matter here. */
export function createPendingEvent(number: number, padding = ""): PendingEvent {
  const event: DetailedEvent = {
    interactionType: "conversation_start",
    eventId: `event-${number}`,
    timestamp: number,
    sessionId: "session",
    agentId: "agent",
    environment: "development",
    requestId: `request-${number}`,
    metadata: { padding },
  };
  return new PendingEvent(event, 200 + padding.length, 256 * 1024);
}

export interface TestPath {
  readonly path: PlatformPath;
  readonly transport: ScriptedTransport;
  readonly clock: FakeClock;
  readonly lines: LogLine[];
  /** Records so many events; returns their ids. */
  record(count: number, padding?: string): string[];
}

/** A platform path with a scripted transport and a clock that stands still. */
export function createTestPath(
  options: Partial<PlatformPathOptions> & { retryAttempts?: number; retryDelay?: number } = {},
): TestPath {
  const clock = createFakeClock();
  const transport = createScriptedTransport();
  const { log, lines } = createCollectingLog(clock);
  const { retryAttempts = 3, retryDelay = 1000, ...rest } = options;
  const path = new PlatformPath({
    organizationId: "bank",
    batchSize: 100,
    // The clock of size and interval is OTel's and runs on real timers: out of the way here.
    flushInterval: 1_000_000,
    maxQueueSize: 20_000,
    maxQueueBytes: 64 * 1024 * 1024,
    maxBatchBytes: 1024 * 1024,
    // gzip runs on threads, and a clock that stands still does not wait for them.
    compression: "none",
    shutdownTimeout: 10_000,
    retry: { retryAttempts, retryDelay, clock, random: () => 0 },
    transport,
    clock,
    log,
    ...rest,
  });
  let recorded = 0;
  return {
    path,
    transport,
    clock,
    lines,
    record(count, padding) {
      const ids: string[] = [];
      for (let index = 0; index < count; index++) {
        const event = createPendingEvent(recorded++, padding);
        ids.push(event.eventId);
        path.record("test", event);
      }
      return ids;
    },
  };
}

/** Tells whether the books balance. */
export function isBalanced(path: PlatformPath): boolean {
  const { tracked, recovered, acked, pending, dead, dropped } = path.stats();
  return tracked + recovered === acked + pending + dead + dropped;
}
