interface StoredBatch {
  readonly events: readonly { readonly eventId: string; readonly content?: string }[];
}

/** Reads the events that a platform has stored: their own ids, and the first word of each message. */
export async function readStored(url: string): Promise<{ eventIds: string[]; ids: string[] }> {
  const response = await fetch(`${url}/api/batches/export`);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  const events = new Map<string, string>();
  for (const line of lines)
    for (const { eventId, content = "" } of (JSON.parse(line) as StoredBatch).events)
      events.set(eventId, content.split(" ")[0] ?? "");
  return { eventIds: [...events.keys()], ids: [...events.values()] };
}

/** Reads a metric of a platform or a gateway; `undefined` where it has none. */
export async function readMetric(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

interface TracePage {
  readonly traces: readonly { readonly traceId: string }[];
  readonly next: number | null;
}

/** Reads the ids of all traces that a platform has stored. */
export async function readTraceIds(url: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let before = "";
  do {
    const response = await fetch(`${url}/api/traces?limit=200${before}`);
    const { traces, next } = (await response.json()) as TracePage;
    for (const { traceId } of traces) ids.add(traceId);
    before = next === null ? "" : `&before=${next}`;
  } while (before !== "");
  return ids;
}
