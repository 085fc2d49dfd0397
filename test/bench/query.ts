import { prepareDatabase, SAMPLED } from "./platform-database.ts";
import { END } from "./platform-load.ts";
import { startPlatformSide } from "./platform-process.ts";

const ROUNDS = 5;
const DAY_MILLIS = 86_400_000;
const PERIOD = `from=${END - 30 * DAY_MILLIS}&to=${END}`;
const AGENT = "retail-assistant";
const RULE = "fair-lending-rule-0";

/** What the pages ask for; each is one request. `{key}` is a conversation of the queue. */
const READS = [
  "/api/me",
  "/api/stats",
  "/metrics",
  "/api/conversations",
  "/api/conversations?order=risk",
  "/api/conversations?order=age",
  "/api/conversations?q=mortgage",
  "/api/conversations?q=mortgage&order=risk",
  '/api/conversations?q="savings account"&agent=retail-assistant',
  "/api/conversations?q=mort*",
  "/api/conversations?q=mort*&order=risk",
  "/api/conversations?q=mortgage&limit=200",
  "/api/conversations?q=nowhere-to-be-found",
  `/api/conversations?agent=${AGENT}&version=2.4.0&environment=staging`,
  "/api/conversations?version=2.4.0",
  "/api/conversations?customer=customer-77",
  "/api/conversations?model=gpt-5&tool=block_card",
  "/api/conversations?error=call",
  `/api/conversations?rule=${RULE}`,
  "/api/conversations?category=privacy&severity=violation",
  "/api/conversations?risk=90",
  "/api/conversations?review=true&state=open",
  "/api/conversations?from=2026-11-10&to=2026-11-12",
  "/api/conversations/counts",
  "/api/conversations/counts?q=mortgage",
  `/api/conversations/counts?agent=${AGENT}`,
  "/api/conversations/counts?version=2.4.0",
  "/api/conversations/counts?category=privacy",
  "/api/conversations/counts?error=call&model=gpt-5",
  "/api/conversations/counts?review=true",
  "/api/conversations/{key}",
  "/api/conversations/{key}/findings",
  "/api/reviews",
  "/api/reviews?order=due",
  "/api/reviews?state=any&order=age",
  "/api/reviews?state=closed",
  "/api/reviews?q=mortgage",
  "/api/reviews?q=mort*",
  `/api/reviews?rule=${RULE}`,
  "/api/reviews?overdue=true&severity=violation",
  "/api/reviews?customer=customer-77",
  "/api/reviews/{key}",
  "/api/audit",
  "/api/overview",
  `/api/overview?${PERIOD}`,
  `/api/overview?${PERIOD}&agent=${AGENT}&environment=production`,
  `/api/versions?${PERIOD}`,
  `/api/agents/${AGENT}/versions?${PERIOD}`,
  "/api/agents",
  `/api/agents/${AGENT}`,
  `/api/quality?${PERIOD}`,
  `/api/quality?${PERIOD}&agent=${AGENT}`,
  `/api/report?${PERIOD}`,
  "/api/samples",
  "/api/suppressions",
  "/api/policies",
  "/api/policies/rules/consumer-protection-guaranteed-returns",
  "/api/policies/backtests",
  "/api/operations",
  "/api/batches",
  "/api/retention",
  "/api/holds",
  "/api/events",
  "/api/events?environment=staging&type=agent_response",
  "/api/traces",
  "/api/logs",
];

/** Figures of the reads. */
export interface QueryFigures {
  /** Time of the slowest of them, ms. */
  readonly maxMs: number;
  readonly slowest: string;
  /** The same for each of them. */
  readonly millis: Readonly<Record<string, number>>;
}

async function findKey(url: string): Promise<string> {
  const response = await fetch(`${url}/api/reviews?limit=1&state=any`);
  const { items } = (await response.json()) as { readonly items: readonly { key: string }[] };
  return items[0]?.key ?? "";
}

/**
 * Measures what the pages ask for, each several times, of which the least counts.
 *
 * @param look - Returns the time that is measured, ms.
 */
export async function measureReads(
  url: string,
  look: () => Promise<number>,
): Promise<QueryFigures> {
  const key = await findKey(url);
  const millis: Record<string, number> = {};
  for (const path of READS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await look();
      const response = await fetch(url + path.replace("{key}", key));
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`bench: ${path} was answered ${response.status}`);
      times.push((await look()) - before);
    }
    millis[path] = Math.min(...times);
  }
  const [slowest = "", maxMs = 0] =
    Object.entries(millis).toSorted((one, other) => other[1] - one[1])[0] ?? [];
  return { maxMs, slowest, millis };
}

/** Measures what the pages ask for by CPU, in a database with so many conversations of ten events. */
export async function benchQueries(conversations: number): Promise<QueryFigures> {
  const database = await prepareDatabase(conversations);
  const side = await startPlatformSide({ database, at: END, sampled: SAMPLED });
  try {
    return await measureReads(side.url, () => side.look());
  } finally {
    await side.close();
  }
}
