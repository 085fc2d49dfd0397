import { gzipSync } from "node:zlib";
import { planBatch } from "../../delivery/batch.ts";
import type { Environment } from "../../events/base-event.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { AGENTS_PATH, BATCHES_PATH, ORGANIZATION_HEADER } from "../../events/wire.ts";
import type { Filling, SendPast } from "../../platform/index.ts";
import { type AgentScript, type SeedVersion, toProfile } from "./agent-script.ts";
import { amlAnalystHelper } from "./agents/aml.ts";
import { branchCopilot } from "./agents/branch.ts";
import { disputesAssistant } from "./agents/disputes.ts";
import { mobileBanking } from "./agents/mobile-banking.ts";
import { mortgageAdviser } from "./agents/mortgage.ts";
import { decideItems } from "./decide-items.ts";
import { createEvaluate } from "./evaluate.ts";
import { createRandom, type Random } from "./random.ts";
import { REVIEWERS, SUPERVISOR } from "./users.ts";
import type { Occasion } from "./conversation-writer.ts";
import { writeConversation } from "./write-conversation.ts";

const DAY = 86_400_000;
const DAYS = 30;
const CUSTOMERS = 640;
const AGENTS = [mobileBanking, mortgageAdviser, disputesAssistant, amlAnalystHelper, branchCopilot];
const ENVIRONMENTS: Readonly<Record<Environment, number>> = {
  production: 88,
  staging: 9,
  development: 3,
};
/** How busy an hour of the day is, UTC: the bank is in the United States. */
const HOURS = [4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 2, 4, 6, 9, 10, 10, 10, 9, 10, 10, 9, 8, 7, 5];
const BUSIEST = Math.max(...HOURS);
const WEEKEND = 0.35;
/** A batch leaves the SDK that long after its last event, in ms. */
const SENDING_MILLIS = 2000;
const SEND_DELAY = 400;

/** What is made, and how far it is. */
export interface SeedOptions {
  readonly seed: number;
  readonly conversations: number;
  /** The organization that has it all. */
  readonly organizationId: string;
  /** End of the history, milliseconds since the Unix epoch. */
  readonly now: number;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

function drawStart(random: Random, now: number): number {
  for (;;) {
    const at = now - Math.floor(random.next() * DAYS * DAY);
    const date = new Date(at);
    const isWeekend = date.getUTCDay() % 6 === 0;
    const share = ((HOURS[date.getUTCHours()] ?? 1) / BUSIEST) * (isWeekend ? WEEKEND : 1);
    // Its end must lie in the past as well.
    if (at < now - 20 * 60_000 && random.chance(share)) return at;
  }
}

function findVersion({ versions }: AgentScript, start: number, now: number): SeedVersion {
  const days = (now - start) / DAY;
  const version = versions.findLast(({ since }) => since >= days) ?? versions[0];
  if (!version) throw new Error("expected an agent with a version");
  return version;
}

function drawOccasion(random: Random, now: number): Occasion {
  const weights = Object.fromEntries(AGENTS.map(({ profile, weight }) => [profile.id, weight]));
  const id = random.weigh(weights);
  const script = AGENTS.find(({ profile }) => profile.id === id) ?? mobileBanking;
  const start = drawStart(random, now);
  const environment = random.weigh(ENVIRONMENTS);
  const version =
    environment === "production"
      ? findVersion(script, start, now)
      : (script.versions.at(-1) ?? findVersion(script, start, now));
  const customer = `customer-${10_000 + random.integer(1, CUSTOMERS) * 137}`;
  return { script, version, environment, start, customer };
}

/** Writes the batches of one process of an agent, each linked to the one before. */
class BatchWriter {
  readonly #organizationId: string;
  readonly #writerId: string;
  #sequence = 0;
  #batches = 0;
  #hash: string | null = null;

  constructor(organizationId: string, writerId: string) {
    this.#organizationId = organizationId;
    this.#writerId = writerId;
  }

  write(events: readonly DetailedEvent[], now: number): Buffer {
    const first = this.#sequence + 1;
    const stored = events.map((event) => {
      const sequence = ++this.#sequence;
      const json = Buffer.from(JSON.stringify({ ...event, writerId: this.#writerId, sequence }));
      return { sequence, timestamp: event.timestamp, json };
    });
    const previous = { sequence: this.#batches, hash: this.#hash };
    const content = { events: stored, first, last: this.#sequence, now, previous };
    const { plan, body } = planBatch(
      { ...content, replaces: undefined, dropped: [], predecessors: [] },
      {
        organizationId: this.#organizationId,
        writerId: this.#writerId,
        platform: "",
        compression: "gzip",
      },
    );
    this.#batches = plan.metadata.chain.sequence;
    this.#hash = plan.metadata.chain.hash;
    return body;
  }
}

async function expectOk(response: Response): Promise<void> {
  if (response.ok) return;
  const { code, detail } = (await response.json()) as { code?: string; detail?: string };
  throw new Error(`the platform refused a part of the seed: ${response.status} ${code}: ${detail}`);
}

async function registerAgents(send: SendPast, options: SeedOptions): Promise<void> {
  const { now, organizationId } = options;
  const versions = AGENTS.flatMap((script) =>
    script.versions.map((version) => ({ script, version })),
  ).toSorted((one, other) => other.version.since - one.version.since);
  for (const { script, version } of versions)
    await expectOk(
      await send({
        method: "PUT",
        path: `${AGENTS_PATH}/${script.profile.id}`,
        headers: toHeaders(organizationId),
        body: JSON.stringify(toProfile(script, version)),
        at: now - version.since * DAY,
      }),
    );
}

function toHeaders(organizationId: string): Readonly<Record<string, string>> {
  return {
    authorization: "Bearer seed",
    [ORGANIZATION_HEADER]: organizationId,
    "content-type": "application/json",
  };
}

interface Held {
  readonly occasion: Occasion;
  readonly events: readonly DetailedEvent[];
}

function holdConversations(random: Random, options: SeedOptions): readonly Held[] {
  const { conversations, now, onProgress } = options;
  const evaluate = createEvaluate();
  const occasions = Array.from({ length: conversations }, () => drawOccasion(random, now));
  return occasions
    .toSorted((one, other) => one.start - other.start)
    .map((occasion, index) => {
      const events = writeConversation(occasion, random, evaluate);
      onProgress("conversations", index + 1, conversations);
      return { occasion, events };
    })
    .toSorted((one, other) => toEnd(one) - toEnd(other));
}

function toEnd({ events }: Held): number {
  return events.at(-1)?.timestamp ?? 0;
}

async function deliver(send: SendPast, held: readonly Held[], options: SeedOptions): Promise<void> {
  const { organizationId, onProgress, seed } = options;
  const writers = new Map<string, BatchWriter>();
  for (const [index, each] of held.entries()) {
    const { script, environment } = each.occasion;
    const writerId = `seed-${seed}-${script.profile.id}-${environment}`;
    const writer = writers.get(writerId) ?? new BatchWriter(organizationId, writerId);
    writers.set(writerId, writer);
    const sentAt = toEnd(each) + SENDING_MILLIS;
    const response = await send({
      method: "POST",
      path: BATCHES_PATH,
      headers: { ...toHeaders(organizationId), "content-encoding": "gzip" },
      body: gzipSync(writer.write(each.events, sentAt)),
      at: sentAt + SEND_DELAY,
    });
    await expectOk(response);
    onProgress("batches", index + 1, held.length);
  }
}

/**
 * Makes the history of a bank: its agents in versions, their conversations with what the SDK's rules find in them, delivered in
 * batches as the SDK does, and what reviewers decided.
 */
export function createSeed(options: SeedOptions): Filling {
  const { seed, conversations, now, onProgress } = options;
  return {
    name: `seed ${seed}, ${conversations} conversations`,
    users: [...REVIEWERS, SUPERVISOR].map(({ name, role, key }) => ({ name, role, key })),
    async run(send) {
      const random = createRandom(seed);
      await registerAgents(send, options);
      await deliver(send, holdConversations(random, options), options);
      await decideItems(send, random, now, (done, total) => onProgress("decisions", done, total));
    },
  };
}
