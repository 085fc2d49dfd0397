import { type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { startFixture, type ChildResult } from "./child.ts";
import { startMonitor } from "./monitor.ts";
import type { SinkAnswer, SinkRequest } from "./sink.ts";
import { makeDirectory } from "./spool.ts";

/** Nobody listens there. */
export const NOWHERE = "http://127.0.0.1:9";
export const SPOOL_KEY = "a key of the spool, longer than 32 bytes";

/** Starts a service that writes to a spool directory, and waits until it has tracked its events. */
export async function startService(
  directory: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; result: Promise<ChildResult> }> {
  const started = startFixture("spool/monitor", {
    DIRECTORY: directory,
    ENDPOINT: NOWHERE,
    ...env,
  });
  const { child, result } = started;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await result;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", () => resolve());
    void result.then(({ stderr }) => reject(new Error(`the service ended: ${stderr}`)));
  });
  return started;
}

/** Leaves in a directory what a service leaves that is killed with 25 events, 10 of them in a batch. */
export async function leaveSpool(
  directory: string,
  env: Record<string, string> = {},
): Promise<void> {
  const variables = { DIRECTORY: directory, ENDPOINT: NOWHERE, MODE: "die", ...env };
  const { signal, stderr } = await startFixture("spool/monitor", variables).result;
  if (signal !== "SIGKILL") throw new Error(`the service was not killed: ${stderr}`);
}

/** Makes a directory for the tests of a suite. */
export function makeSuiteDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-spool-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Copies a spool as it would look after the end of whoever owns it. */
export function copySpool(directory: string): string {
  const copy = makeDirectory();
  cpSync(directory, copy, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  return copy;
}

/** Ids of the directories of writers. */
export function listWriterNames(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "dead")
    .map(({ name }) => name);
}

function rejectEvents(request: SinkRequest): SinkAnswer {
  const events = request.json.events as DetailedEvent[];
  const rejected = events.flatMap((event, index) => {
    const [, code] = /poison (\w+)/.exec(JSON.stringify(event)) ?? [];
    return code === undefined ? [] : [{ index, code }];
  });
  const accepted = events.length - rejected.length;
  return {
    status: 202,
    body: { batchId: request.json.batchId, status: "accepted", accepted, duplicates: 0, rejected },
  };
}

/** A real monitor meets a platform that refuses some events. @returns The ids of those, by reason. */
export async function bury(
  directory: string,
  reasons: readonly string[],
  config: { organizationId?: string; spoolKey?: string } = {},
): Promise<string[]> {
  const service = await startMonitor({ spoolDirectory: directory, ...config });
  const { monitor, sink } = service;
  const ids: string[] = [];
  sink.answer = (request) => {
    for (const event of request.json.events)
      if (JSON.stringify(event).includes("poison")) ids.push(event.eventId);
    return rejectEvents(request);
  };
  monitor.trackUserMessage("agent", "session", "harmless");
  for (const reason of reasons) monitor.trackUserMessage("agent", "session", `poison ${reason}`);
  await monitor.flush();
  // With this one the platform is told of those that were given up, and nothing keeps the writer's directory.
  monitor.trackUserMessage("agent", "session", "harmless, too");
  await monitor.flush();
  await service.close();
  return ids;
}

/** A later process with the same directory delivers what waits there. @returns The events. */
export async function deliver(
  directory: string,
  config: { organizationId?: string; spoolKey?: string } = {},
): Promise<any[]> {
  const service = await startMonitor({ spoolDirectory: directory, ...config });
  const { monitor, sink } = service;
  await monitor.flush();
  await service.close();
  return sink.events;
}

/** Names of the dead letters. */
export function listLetters(directory: string): string[] {
  return readdirSync(join(directory, "dead"));
}

/** The file of events of the only writer. */
export function findSegment(directory: string): string {
  const [writer = ""] = listWriterNames(directory);
  const name = readdirSync(join(directory, writer)).find((file) => file.endsWith(".seg"));
  return join(directory, writer, name ?? "");
}
