import { startPlatform } from "../../src/platform/index.ts";

/** What the gateway says who it is. */
export const CREDENTIALS = { apiKey: "key-of-the-gateway", organizationId: "first-bank" } as const;

type Attributes = Readonly<Record<string, unknown>>;

/** A span that arrived. */
export interface ArrivedSpan {
  readonly spanId: string;
  readonly name: string;
  readonly attributes: Attributes;
}

/** The receiver of this package, and what came to it. */
export interface Receiver {
  readonly url: string;
  /** Spans that are there now. */
  countSpans(): Promise<number>;
  /** Log records that are there now. */
  countRecords(): Promise<number>;
  /** Spans and log records that came again. */
  countDuplicates(): number;
  listSpans(): Promise<ArrivedSpan[]>;
  /** Attributes of the log records. */
  listRecords(): Promise<Attributes[]>;
  /** Ids of the events that came in batches. */
  listEventIds(): Promise<string[]>;
  close(): Promise<void>;
}

interface TracePage {
  readonly traces: readonly { readonly traceId: string }[];
  readonly next: number | null;
}
interface SpanPage {
  readonly spans: readonly ArrivedSpan[];
  readonly next: number | null;
}
interface LogPage {
  readonly logs: readonly { readonly record: { readonly attributes: Attributes } }[];
  readonly next: number | null;
}

const headers = { authorization: `Bearer ${CREDENTIALS.apiKey}` };

async function read<Page>(url: string): Promise<Page> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: expected 200, got ${response.status}`);
  return (await response.json()) as Page;
}

/** Gives all pages of a list; `toNext` appends where the next one begins. */
async function* readPages<Page extends { readonly next: number | null }>(
  url: string,
  cursor: string,
): AsyncGenerator<Page> {
  let page = await read<Page>(url);
  yield page;
  while (page.next !== null) {
    page = await read<Page>(`${url}&${cursor}=${page.next}`);
    yield page;
  }
}

/** Starts a receiver, which answers to `CREDENTIALS` only. */
export async function startReceiver(): Promise<Receiver> {
  let duplicates = 0;
  const ignore = (): void => undefined;
  const platform = await startPlatform({
    port: 0,
    ...CREDENTIALS,
    logger: {
      debug: ignore,
      info(message) {
        duplicates += Number(/(\d+) duplicates/.exec(message)?.[1] ?? 0);
      },
      warn: ignore,
      error: ignore,
    },
  });
  const { url } = platform;
  return {
    url,
    countSpans: async () => (await platform.stats()).spans,
    countRecords: async () => (await platform.stats()).logRecords,
    countDuplicates: () => duplicates,
    async listSpans() {
      const found: ArrivedSpan[] = [];
      for await (const { traces } of readPages<TracePage>(
        `${url}/api/traces?limit=200`,
        "before",
      )) {
        for (const { traceId } of traces) {
          const pages = readPages<SpanPage>(`${url}/api/traces/${traceId}?limit=1000`, "offset");
          for await (const { spans } of pages) found.push(...spans);
        }
      }
      return found;
    },
    async listRecords() {
      const found: Attributes[] = [];
      for await (const { logs } of readPages<LogPage>(`${url}/api/logs?limit=200`, "before")) {
        found.push(...logs.map(({ record }) => record.attributes));
      }
      return found;
    },
    async listEventIds() {
      const text = await (await fetch(`${url}/api/batches/export`, { headers })).text();
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.flatMap((line) => {
        const { events } = JSON.parse(line) as { events: { eventId: string }[] };
        return events.map(({ eventId }) => eventId);
      });
    },
    close: () => platform.close(),
  };
}
