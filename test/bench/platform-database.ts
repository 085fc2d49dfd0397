import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { deliver } from "./ingest.ts";
import {
  AGENTS,
  createBatch,
  createLoad,
  END,
  ORGANIZATION,
  toFindingShare,
  toStart,
  VERSIONS,
} from "./platform-load.ts";
import { type PlatformSide, startPlatformSide } from "./platform-process.ts";

const CONVERSATIONS_PER_BATCH = 50;
/** Batches between two moves of the clock. */
const BATCHES_PER_STEP = 20;
const FINDINGS_PER_CONVERSATION = 0.2;
/** Items that are decided, of two. */
const DECIDED = 0.5;
/** Share of answers without findings that are sampled. */
export const SAMPLED = 0.003;
const ITEMS_PER_PAGE = 200;
const DECISIONS = [
  { disposition: "violation", reasonCode: "confirmed" },
  { disposition: "false_positive", reasonCode: "wrong_subject" },
  { disposition: "acceptable", reasonCode: "disclosed" },
  { disposition: "insufficient_evidence", reasonCode: "other" },
];

async function fetchJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  const headers = {
    authorization: "Bearer key",
    "x-organization-id": ORGANIZATION,
    "content-type": "application/json",
  };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`bench: ${url} was answered ${response.status}`);
  return (await response.json()) as T;
}

async function registerAgents({ url }: PlatformSide): Promise<void> {
  for (const id of AGENTS)
    for (const version of VERSIONS) {
      const agent = {
        id,
        version,
        name: `The ${id}`,
        category: "tool_calling",
        llmProvider: "openai",
        model: "gpt-5",
        description: "Answers questions about accounts.",
        systemPrompt: `You are the ${id} of a bank, version ${version}.`,
      };
      await fetchJson(`${url}/v1/agents/${id}`, { method: "PUT", body: JSON.stringify(agent) });
    }
}

async function fill(side: PlatformSide, conversations: number): Promise<void> {
  const findings = toFindingShare(conversations * FINDINGS_PER_CONVERSATION, conversations);
  const load = createLoad({ findings });
  let bodies: Buffer[] = [];
  for (let first = 0; first < conversations; first += CONVERSATIONS_PER_BATCH) {
    const events = Array.from({ length: CONVERSATIONS_PER_BATCH }, (_, index) =>
      load.createConversation(first + index, toStart(first + index, conversations)),
    ).flat();
    const at = toStart(first + CONVERSATIONS_PER_BATCH, conversations);
    bodies.push(gzipSync(createBatch(`batch-${first}`, at, events), { level: 1 }));
    if (bodies.length < BATCHES_PER_STEP && first + CONVERSATIONS_PER_BATCH < conversations)
      continue;
    await side.look(at);
    await deliver(side.url, bodies);
    bodies = [];
  }
}

/** Closes items page by page, the oldest first. */
async function decide(side: PlatformSide): Promise<void> {
  const queue = `${side.url}/api/reviews?limit=${ITEMS_PER_PAGE}&order=age&state=any`;
  const pages: string[][] = [];
  for (let after: string | null = ""; after !== null;) {
    const page: { items: { key: string }[]; next: string | null } = await fetchJson(
      queue + (after === "" ? "" : `&after=${after}`),
    );
    pages.push(page.items.map(({ key }) => key));
    after = page.next;
  }
  const closed = pages.slice(0, Math.ceil(pages.length * DECIDED));
  for (const [index, keys] of closed.entries()) {
    await side.look(END - Math.floor(((closed.length - index) / closed.length) * 20 * 86_400_000));
    const action = { action: "close", ...DECISIONS[index % DECISIONS.length] };
    const body = JSON.stringify({ keys, action });
    await fetchJson(`${side.url}/api/reviews/actions`, { method: "POST", body });
  }
}

const CACHE = fileURLToPath(new URL("cache/", import.meta.url));

/**
 * Returns a database with so many conversations of thirty days, of ten events each: a fifth with a finding, a tenth with an item of the
 * queue, half of which are closed. It is built once, by the platform itself, and kept.
 */
export async function prepareDatabase(conversations: number): Promise<string> {
  const file = `${CACHE}platform-${conversations}.db`;
  const mark = `${file}.complete`;
  if (existsSync(mark)) return file;
  mkdirSync(CACHE, { recursive: true });
  // One that was not completed, with what belongs to it; those of other sizes stay.
  for (const name of readdirSync(CACHE).filter((each) => each.startsWith(basename(file))))
    rmSync(join(CACHE, name), { recursive: true });
  const side = await startPlatformSide({
    database: file,
    at: toStart(0, conversations),
    sampled: SAMPLED,
  });
  await registerAgents(side);
  await fill(side, conversations);
  await decide(side);
  await side.close();
  writeFileSync(mark, "");
  return file;
}
