import type { SpoolSource } from "../../delivery/spool/event-scan.ts";
import { readLetters } from "../../delivery/spool/letter-view.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import {
  createPendingFindings,
  readPending,
  viewWriter,
  type PendingEventView,
} from "../../delivery/spool/writer-view.ts";
import type { WriterListing } from "../../delivery/spool/writers.ts";
import {
  EXIT_CODES,
  KEY_OPTION,
  openSpool,
  parseCount,
  readSpoolKey,
  SpoolCommandError,
  takeDirectory,
} from "./arguments.ts";
import { parseArguments } from "../parse-arguments.ts";
import { reportProblems, reportUnreadLetters } from "./problems.ts";
import { formatShown, toFacts, type Shown } from "./shown.ts";

const OPTIONS = {
  ...KEY_OPTION,
  limit: { type: "string" },
  json: { type: "boolean" },
  content: { type: "boolean" },
} as const;
const DEFAULT_LIMIT = "100";

interface Wanted {
  readonly id: string | undefined;
  readonly limit: number;
  readonly hasContent: boolean;
}

/** What was found; `add` tells whether there is room for more. */
interface Collection {
  readonly shown: Shown;
  isWhole: boolean;
}

function hasRoom({ shown }: Collection, { limit }: Wanted): boolean {
  const { events, deadLetters } = shown;
  if (events.length + deadLetters.length < limit) return true;
  shown.more = true;
  return false;
}

function parse(json: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return json && (JSON.parse(json.toString()) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function addEvent(
  collection: Collection,
  writerId: string,
  { sequence, timestamp, bytes, json, plan }: PendingEventView,
  { hasContent }: Wanted,
): void {
  const event = parse(json);
  const { batchId, metadata } = plan ?? {};
  const batch =
    batchId !== undefined && metadata ? { batchId, sequence: metadata.chain.sequence } : null;
  const place = { writerId, sequence, timestamp, batch, bytes };
  collection.shown.events.push({ ...place, ...toFacts(event, hasContent) });
}

async function collectEvents(
  source: SpoolSource,
  { writers }: WriterListing,
  wanted: Wanted,
  collection: Collection,
): Promise<void> {
  const machine = readMachine();
  const { id } = wanted;
  const isWriter = writers.some(({ writerId }) => writerId === id);
  const needle = id === undefined || isWriter ? undefined : `"eventId":${JSON.stringify(id)}`;
  for (const entry of writers) {
    if (isWriter && entry.writerId !== id) continue;
    const view = await viewWriter(source, entry, machine);
    const findings = createPendingFindings();
    for await (const event of readPending(source, view, findings)) {
      if (needle !== undefined && event.json?.includes(needle) !== true) continue;
      if (!hasRoom(collection, wanted)) break;
      addEvent(collection, entry.writerId, event, wanted);
    }
    if (reportProblems(view, findings)) collection.isWhole = false;
  }
}

async function collectLetters(
  source: SpoolSource,
  wanted: Wanted,
  collection: Collection,
): Promise<void> {
  const { id: wantedId, hasContent } = wanted;
  const counts = { locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    const { id, status } = view;
    const eventId = status === "letter" ? view.letter.event["eventId"] : undefined;
    if (wantedId !== undefined && wantedId !== id && wantedId !== eventId) continue;
    if (status !== "letter") {
      counts[status]++;
      continue;
    }
    if (!hasRoom(collection, wanted)) break;
    const { reason, deadAt, organizationId, writerId, event } = view.letter;
    const place = { id, reason, deadAt, organizationId, writerId };
    collection.shown.deadLetters.push({ ...place, ...toFacts(event, hasContent) });
  }
  if (reportUnreadLetters(counts.locked, counts.damaged)) collection.isWhole = false;
}

/** Shows the single events and dead letters of a spool directory. */
export async function showSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const { directory, others } = takeDirectory("show", positionals, 1);
  const limit = parseCount("limit", values.limit ?? DEFAULT_LIMIT);
  const { source, listing } = await openSpool(directory, readSpoolKey(values["key-file"]));
  const [id] = others;
  const wanted = { id, limit, hasContent: values.content === true };
  const collection: Collection = {
    shown: { events: [], deadLetters: [], more: false },
    isWhole: true,
  };
  await collectEvents(source, listing, wanted, collection);
  const isWriter = listing.writers.some(({ writerId }) => writerId === id);
  if (!isWriter) await collectLetters(source, wanted, collection);
  const { shown, isWhole } = collection;
  const isFound = isWriter || shown.more || shown.events.length + shown.deadLetters.length > 0;
  if (id !== undefined && !isFound && isWhole)
    throw new SpoolCommandError("there is no writer, dead letter or waiting event with this id");
  process.stdout.write(values.json ? `${JSON.stringify(shown, null, 2)}\n` : formatShown(shown));
  return isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
