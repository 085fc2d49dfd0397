import { systemClock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { DeadLetter } from "../../delivery/spool/dead-letters.ts";
import type { SpoolSource } from "../../delivery/spool/event-scan.ts";
import { readLetters } from "../../delivery/spool/letter-view.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import { openOwner } from "../../delivery/spool/owner.ts";
import { redriveGroup, type RedriveGroup } from "../../delivery/spool/redrive.ts";
import { removeUnfinished } from "../../delivery/spool/staging.ts";
import { UsageError } from "../command.ts";
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
import { formatCount } from "./format.ts";
import { reportUnreadLetters } from "./problems.ts";

const OPTIONS = {
  ...KEY_OPTION,
  reason: { type: "string" },
  event: { type: "string", multiple: true },
  "older-than": { type: "string" },
  all: { type: "boolean" },
  "dry-run": { type: "boolean" },
} as const;

type Selector = (letter: DeadLetter) => boolean;

interface Selection {
  readonly groups: readonly RedriveGroup[];
  readonly count: number;
  readonly isWhole: boolean;
}

function toSelector(values: {
  readonly reason?: string | undefined;
  readonly event?: readonly string[] | undefined;
  readonly "older-than"?: string | undefined;
  readonly all?: boolean | undefined;
}): Selector {
  const { reason, event: eventIds, "older-than": olderThan, all } = values;
  if (all !== true && reason === undefined && !eventIds && olderThan === undefined)
    throw new UsageError("spool redrive needs --reason, --event, --older-than or --all");
  const ids = eventIds && new Set<unknown>(eventIds);
  const youngest =
    olderThan === undefined ? Infinity : systemClock.now() - parseCount("older-than", olderThan);
  return (letter) =>
    (reason === undefined || letter.reason === reason) &&
    (!ids || ids.has(letter.event["eventId"])) &&
    letter.deadAt <= youngest;
}

/** Groups the letters that are wanted: a writer has one organization, and one key. */
async function select(source: SpoolSource, isWanted: Selector): Promise<Selection> {
  const groups = new Map<string, RedriveGroup & { readonly names: string[] }>();
  const counts = { letter: 0, locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    if (view.status !== "letter") {
      counts[view.status]++;
      continue;
    }
    if (!isWanted(view.letter)) continue;
    counts.letter++;
    const { isEncrypted, letter, name } = view;
    const key = JSON.stringify([letter.organizationId, isEncrypted]);
    const { organizationId } = letter;
    const group = groups.get(key) ?? { organizationId, isEncrypted, names: [] };
    groups.set(key, group);
    group.names.push(name);
  }
  const isWhole = !reportUnreadLetters(counts.locked, counts.damaged);
  return { groups: [...groups.values()], count: counts.letter, isWhole };
}

async function redrive(source: SpoolSource, groups: readonly RedriveGroup[]): Promise<number> {
  const { directory } = source;
  const machine = readMachine();
  if (await removeUnfinished(directory, machine))
    throw new SpoolCommandError("another redrive is under way in this directory");
  if (groups.length === 0) return 0;
  const owner = openOwner(directory, uuidV7(systemClock.now()), machine);
  if ("status" in owner) throw new SpoolCommandError(`can't write there (${owner.code})`);
  try {
    let events = 0;
    for (const group of groups) events += await redriveGroup(source, group, owner.ownerId);
    return events;
  } finally {
    owner.close();
  }
}

/** Makes dead letters events again that are to be delivered. */
export async function redriveSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const { directory } = takeDirectory("redrive", positionals);
  const isWanted = toSelector(values);
  const { source } = await openSpool(directory, readSpoolKey(values["key-file"]));
  const { groups, count, isWhole } = await select(source, isWanted);
  if (values["dry-run"]) {
    process.stdout.write(`${formatCount(count, "dead letter")} would be sent again\n`);
  } else {
    const events = await redrive(source, groups);
    const when =
      events > 0 ? ": the next monitor that looks takes them, a running one within 30 s" : "";
    process.stdout.write(`${formatCount(events, "dead letter")} to be sent again${when}\n`);
  }
  return isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
