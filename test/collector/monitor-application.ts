import assert from "node:assert/strict";
import { AgentMonitor } from "../../src/index.ts";
import { breathe, SPAN_COUNT, type Destination, type Ended } from "./application.ts";
import { CREDENTIALS, type ArrivedSpan } from "./receiver.ts";

const AGENT = "teller";
const CONVERSATIONS = 1000;
/** Beside the span of the conversation, there is one for each. */
const TURNS = SPAN_COUNT / CONVERSATIONS - 1;
/** Of a service that has more to keep than the default for one minute. */
const BOUNDS = { maxQueueSize: 100_000, maxQueueBytes: 512 * 1024 * 1024 };

/** Names a span of this application after what it stands for. */
export function nameMonitorSpan({ name, attributes }: ArrivedSpan): string {
  return `${String(attributes["session.id"])} ${name}`;
}

function listSpanNames(session: string): string[] {
  const turns = Array.from({ length: TURNS }, () => `${session} invoke_agent ${AGENT}`);
  return [`${session} conversation ${AGENT}`, ...turns];
}

/**
 * Runs a service with `AgentMonitor`: it sends OpenTelemetry data to a collector, and its events to a platform.
 *
 * @param readEventIds - Tells which events the platform got; their ids are those of the log records as well.
 */
export async function runMonitorApplication(
  { url, protocol }: Destination,
  endpoint: string,
  readEventIds: () => Promise<string[]>,
): Promise<Ended> {
  const monitor = new AgentMonitor({
    ...CREDENTIALS,
    ...BOUNDS,
    endpoint,
    environment: "development",
    batchSize: 1000,
    // As the other application has it.
    requestTimeout: 30_000,
    enableLogging: false,
    enableComplianceChecks: false,
    otlp: [{ url, protocol, content: "full" }],
  });
  const sessions = Array.from({ length: CONVERSATIONS }, (_, index) => `session-${index}`);
  for (const session of sessions) {
    for (let turn = 0; turn < TURNS; turn++) {
      monitor.trackUserMessage(AGENT, session, `Did payment ${turn} arrive?`);
      monitor.trackAgentResponse(AGENT, session, `Payment ${turn} arrived this morning.`);
    }
    monitor.trackConversationEnd(AGENT, session, { resolutionStatus: "resolved" });
    await breathe();
  }
  await monitor.flush();
  const [ledger] = monitor.stats().otlp ?? [];
  await monitor.shutdown();
  const records = await readEventIds();
  // Whatever a collector does, the platform has everything by now.
  assert.equal(records.length, CONVERSATIONS * (2 * TURNS + 1));
  assert.equal(monitor.stats().acked, records.length);
  return { spans: sessions.flatMap(listSpanNames), records, ledger };
}
