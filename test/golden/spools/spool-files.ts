import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMachine } from "../../../src/delivery/spool/machine.ts";
import { AgentMonitor } from "../../../src/monitor/monitor.ts";
import { startSink, type Sink } from "../../helpers/sink.ts";
import { createNotingLogger, describeRequests, describeStats } from "../runs/describe-run.ts";
import type { GoldenFile } from "../golden-file.ts";
import { createNormaliser, type Normaliser } from "../runs/normalise.ts";
import { SPOOL_CASES, SPOOL_PLATFORM_PORT, type SpoolCase } from "./spool-cases.ts";
import { withStageClock } from "../runs/stage-clock.ts";

/** Each directory in it is what processes have left. */
export const SPOOLS = import.meta.dirname;

function listFiles(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .toSorted();
}

/** Has an owner be of this machine, where nobody listens on its socket. */
function moveOwner(path: string): void {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const moved = lines.map((line) => JSON.stringify({ ...JSON.parse(line), ...readMachine() }));
  writeFileSync(path, `${moved.join("\n")}\n`);
}

/** Leads a client to another port than it asks for: what is on disk names the platform. */
class LeadingAgent extends Agent {
  readonly #port: number;

  constructor(sink: Sink) {
    super({ keepAlive: true });
    this.#port = Number(new URL(sink.url).port);
  }

  override createConnection(): Socket {
    return connect(this.#port, "127.0.0.1");
  }
}

/** Says what is in a directory, and what of it is as it was. */
function describeFiles(directory: string, original: string): string[] {
  const before = new Set(listFiles(original));
  return listFiles(directory).map((path) => {
    const isSame =
      before.has(path) &&
      readFileSync(join(directory, path)).equals(readFileSync(join(original, path)));
    return `${path}${isSame ? " as it was" : ""}`;
  });
}

/** Lets a healthy process deliver what is in a directory, and an event of its own. */
async function takeOver(
  directory: string,
  { config, isRechecked }: SpoolCase,
  sink: Sink,
): Promise<{ normalise: Normaliser; lines: string[] }> {
  const endpoint = `http://127.0.0.1:${SPOOL_PLATFORM_PORT}`;
  const normalise = createNormaliser({ "<spool>": directory, "<platform>": endpoint }, true);
  for (const path of listFiles(directory)) /[0-9a-f]{32}/.exec(path)?.forEach(normalise.keep);
  const agent = new LeadingAgent(sink);
  const log: string[] = [];
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint,
    agent,
    spoolDirectory: directory,
    environment: "development",
    batchSize: 3,
    flushInterval: 1_000_000,
    enableComplianceChecks: false,
    logger: createNotingLogger((line) => log.push(line)),
    logLevel: "debug",
    ...config,
  });
  await monitor.ready();
  await monitor.flush();
  monitor.trackUserMessage("agent", "session", "next");
  await monitor.shutdown();
  agent.destroy();
  const lines = [
    ...describeRequests(sink.requests, normalise, isRechecked),
    "",
    ...log,
    "",
    ...describeStats(monitor.stats()),
  ];
  return { normalise, lines };
}

async function recoverCase(spoolCase: SpoolCase): Promise<GoldenFile> {
  const { name, about, of = name } = spoolCase;
  const original = join(SPOOLS, of);
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-golden-"));
  const sink = await startSink();
  try {
    cpSync(original, directory, { recursive: true });
    for (const path of listFiles(directory))
      if (path.endsWith(".owner.json")) moveOwner(join(directory, path));
    const { normalise, lines } = await withStageClock(() => takeOver(directory, spoolCase, sink));
    const left = describeFiles(directory, original);
    const text = [`# ${about}`, ...[...lines, "", ...left, ""].map(normalise)].join("\n");
    const details = sink.requests.map((request) => normalise(request.text));
    return { path: `spools/${name}.txt`, text, details };
  } finally {
    await sink.close();
    rmSync(directory, { recursive: true });
  }
}

/** Makes the golden files of the spools that an earlier version has left: what becomes of each. */
export async function toSpoolFiles(): Promise<GoldenFile[]> {
  const files: GoldenFile[] = [];
  for (const spoolCase of SPOOL_CASES) files.push(await recoverCase(spoolCase));
  return files;
}
