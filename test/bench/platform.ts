import { benchIngest } from "./ingest.ts";
import { EVENTS_PER_CONVERSATION } from "./platform-load.ts";
import { benchQueries } from "./query.ts";
import { benchViewer } from "./viewer.ts";

const FULL = 100_000;

/** Reads `--conversations <number>`: with fewer than 100,000 the database of the queries is built sooner. */
function readConversations(): number {
  const at = process.argv.indexOf("--conversations");
  const number = at === -1 ? FULL : Number(process.argv[at + 1]);
  if (!Number.isInteger(number) || number < 50)
    throw new Error("bench: --conversations must be at least 50");
  return number;
}

/** Runs the benches of the platform; the figures of the queries have another name with fewer events than a million. */
export async function benchPlatform(
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const round = (figure: number): number => Math.round(figure * 100) / 100;
  const viewer = await benchViewer();
  say(`viewer        ${round(viewer.gzipKb)} KB gzipped (limit 80)`);
  const ingest = await benchIngest();
  const { platform, bare } = ingest.micros;
  say(
    `ingest        ${ingest.eventsPerSecond} events/s over HTTP with gzip, checksum, validation and index (limit 12000), ` +
      `${ingest.eventsPerCpuSecond} by the platform's CPU; ${round(ingest.vsBareInsert)} x a bare insert: ` +
      `${round(platform)} us beside ${round(bare)}`,
  );
  const conversations = readConversations();
  const { maxMs, slowest, millis } = await benchQueries(conversations);
  say(
    `queries       ${round(maxMs)} ms of CPU at most (limit 100), at ${conversations * EVENTS_PER_CONVERSATION} events: ${slowest}`,
  );
  for (const [path, figure] of Object.entries(millis).toSorted((one, other) => other[1] - one[1]))
    say(`              ${round(figure).toFixed(2).padStart(8)} ms ${path}`);
  return {
    "viewer.gzipKb": round(viewer.gzipKb),
    "ingest.eventsPerSecond": ingest.eventsPerSecond,
    "ingest.eventsPerCpuSecond": ingest.eventsPerCpuSecond,
    "ingest.vsBareInsert": round(ingest.vsBareInsert),
    [conversations === FULL ? "query.maxMs1m" : "query.maxMs"]: round(maxMs),
  };
}
