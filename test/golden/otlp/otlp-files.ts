import { VERSION } from "../../../src/version.ts";
import { toDigest, type GoldenFile } from "../golden-file.ts";
import { createValueNamer } from "./name-values.ts";
import { PROGRAMS } from "./programs.ts";
import { runInAllWays, type ProgramRun, type Received } from "./program-runs.ts";

const SHOWN_DIGITS = 16;

/** A line of a file, and what it sums up. */
interface Item {
  readonly file: string;
  readonly label: string;
  readonly value: unknown;
}

type Members = Readonly<Record<string, any>>;

/** Gives what OTLP groups, resource by resource and scope by scope, as single spans or records with their scope. */
function ungroup(body: any, resources: string, scopes: string, items: string) {
  return (body[resources] as Members[]).flatMap(({ [scopes]: groups, ...ofResource }) =>
    (groups as Members[]).flatMap(({ [items]: list, ...ofScope }) =>
      (list as Members[]).map((item) => ({ item, group: { ...ofResource, ...ofScope } })),
    ),
  );
}

const toSpans = (body: any) => ungroup(body, "resourceSpans", "scopeSpans", "spans");
const toRecords = (body: any) => ungroup(body, "resourceLogs", "scopeLogs", "logRecords");

const countOf = (list: readonly unknown[] | undefined): number => list?.length ?? 0;

/** Lists what a receiver got; resource and scope once, before the first that is of them. */
function toItemsOf({ receiver, traces, logs }: Received): Item[] {
  const seen = new Set<string>();
  const toGroup = (group: object): Item[] => {
    const text = JSON.stringify(group);
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ file: receiver, label: "resource and scope", value: group }];
  };
  const spans = traces.flatMap(toSpans).flatMap(({ item, group }) => [
    ...toGroup(group),
    {
      file: receiver,
      label: `span ${item["name"]} kind ${item["kind"]}, ${countOf(item["attributes"])} attributes, ${countOf(item["events"])} events, ${countOf(item["links"])} links`,
      // Both are named by the reading that they were computed from.
      value: {
        ...item,
        hasLasted: BigInt(item["endTimeUnixNano"]) > BigInt(item["startTimeUnixNano"]),
      },
    },
  ]);
  const records = logs.flatMap(toRecords).flatMap(({ item, group }) => [
    ...toGroup(group),
    {
      file: receiver,
      label: `record ${item["eventName"]} severity ${item["severityNumber"]}, ${countOf(item["attributes"])} attributes`,
      value: item,
    },
  ]);
  return [...spans, ...records];
}

function toEventItem(way: string, event: Members): Item {
  const { interactionType, metadata = {} } = event;
  const counts = `${countOf(Object.keys(event))} members, ${countOf(Object.keys(metadata))} of metadata`;
  return { file: "event-batches", label: `${way} ${interactionType}, ${counts}`, value: event };
}

/** Lists the events that the platform got, and how the first batch came: where one ends is a matter of time. */
function toBatchItems({ way, batches }: ProgramRun): Item[] {
  const [first] = (batches as Members[]).map(({ events: _events, ...envelope }) => envelope);
  const events = (batches as Members[]).flatMap((batch) => batch["events"] as Members[]);
  return [
    { file: "event-batches", label: `${way} batch`, value: first },
    ...events.map((event) => toEventItem(way, event)),
  ];
}

/** A line and the JSON that it sums up. */
interface SummedUp {
  readonly file: string;
  readonly line: string;
  readonly detail: string;
}

function toSummedUp(run: ProgramRun): SummedUp[] {
  const { program, isObserved, way, received, printed } = run;
  const nameValues = createValueNamer(isObserved);
  const items: Item[] = [
    ...toBatchItems(run),
    ...received.flatMap(toItemsOf),
    // Backends of an example may be asked in any order.
    ...printed
      .toSorted()
      .map((line) => ({ file: "printed", label: `${way}: ${line.trim()}`, value: line })),
  ];
  return items.map(({ file, label, value }) => {
    // A release changes nothing but this.
    const json = JSON.stringify(nameValues(value)).replaceAll(
      `"version":"${VERSION}"`,
      '"version":"<own>"',
    );
    return {
      file,
      line: `${program} ${label} ${toDigest(json).slice(0, SHOWN_DIGITS)}`,
      detail: `{"program":${JSON.stringify(program)},"way":${JSON.stringify(way)},"item":${json}}`,
    };
  });
}

function toFile(name: string, items: readonly SummedUp[]): GoldenFile {
  const details = items.map(({ detail }) => detail);
  const head = [
    `# ${items.length} items, each with a digest of its JSON`,
    `# SHA-256 of all: ${toDigest(details.join("\n"))}`,
  ];
  const text = [...head, ...items.map(({ line }) => line)].join("\n");
  return { path: `otlp/${name}.txt`, text: `${text}\n`, details };
}

/** Makes the golden files of what programs send: OTLP/JSON under each content policy, and batches of events. */
export async function toOtlpFiles(): Promise<GoldenFile[]> {
  const summedUp: SummedUp[] = [];
  for (const program of PROGRAMS)
    for (const run of await runInAllWays(program)) summedUp.push(...toSummedUp(run));
  const names = new Set(summedUp.map(({ file }) => file));
  return [...names].map((name) =>
    toFile(
      name,
      summedUp.filter(({ file }) => file === name),
    ),
  );
}
