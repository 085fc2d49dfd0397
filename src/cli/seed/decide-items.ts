import type { SendPast } from "../../platform/index.ts";
import { isRecord, type JsonRecord } from "../../util/values.ts";
import type { Random } from "./random.ts";
import { REVIEWERS, SUPERVISOR, type SeedUser } from "./users.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAGE = 200;
/** First and last hour of work, UTC: 8 to 18 in New York. */
const WORK_HOURS = [13, 23] as const;

/** One thing that somebody does to an item. */
interface Step {
  readonly at: number;
  readonly key: string;
  readonly user: SeedUser;
  readonly action: JsonRecord;
}

const COMMENTS = {
  violation: [
    "The wording is not allowed; the prompt has to change.",
    "Customer was called back and corrected.",
    "Confirmed with the policy desk.",
  ],
  false_positive: [
    "The answer warns of exactly this.",
    "It quotes the customer.",
    "Other subject.",
  ],
  acceptable: ["Approved wording of the product desk.", "Disclosure followed in the next message."],
  insufficient_evidence: ["The tool's result is missing."],
} as const;

const ESCALATIONS = [
  "Customer may have been harmed, please look.",
  "Same wording in several conversations of this version.",
  "For the BSA officer.",
];

function toWorkingTime(millis: number): number {
  const date = new Date(millis);
  const [opens, closes] = WORK_HOURS;
  if (date.getUTCHours() >= closes) date.setUTCDate(date.getUTCDate() + 1);
  const isOutside = date.getUTCHours() < opens || date.getUTCHours() >= closes;
  if (isOutside) date.setUTCHours(opens, date.getUTCMinutes());
  while (date.getUTCDay() % 6 === 0) date.setUTCDate(date.getUTCDate() + 1);
  return date.getTime();
}

async function readJson(response: Response): Promise<JsonRecord> {
  const body: unknown = await response.json();
  if (response.ok && isRecord(body)) return body;
  throw new Error(`the platform refused a part of the seed: ${response.status}`);
}

async function listItems(send: SendPast, now: number): Promise<readonly JsonRecord[]> {
  const items: JsonRecord[] = [];
  for (let after = ""; ;) {
    const path = `/api/reviews?state=any&order=age&limit=${PAGE}${after && `&after=${after}`}`;
    const response = await send({ method: "GET", path, headers: SUPERVISOR.headers, at: now });
    const page = await readJson(response);
    items.push(...((page["items"] as JsonRecord[] | undefined) ?? []));
    if (typeof page["next"] !== "string") return items;
    after = page["next"];
  }
}

type Codes = Readonly<Record<string, readonly string[]>>;

function decide(item: JsonRecord, random: Random, codes: Codes): JsonRecord {
  const isContradicted = item["tier"] === "contradicted";
  const isConfirmed = item["tier"] === "confirmed";
  const disposition = random.weigh({
    violation: isContradicted ? 8 : isConfirmed ? 80 : 58,
    false_positive: isContradicted ? 70 : 22,
    acceptable: isContradicted ? 18 : 13,
    insufficient_evidence: 4,
  });
  const [first, ...others] = codes[disposition] ?? [];
  const reasonCode = others.length > 0 && random.chance(0.4) ? random.pick(others) : first;
  return {
    disposition,
    ...(reasonCode !== undefined && { reasonCode }),
    ...(random.chance(0.5) && { comment: random.pick(COMMENTS[disposition]) }),
  };
}

/** Plans what becomes of one item: most are closed within days, the newest wait, some go to the supervisor. */
function planItem(item: JsonRecord, random: Random, codes: Codes): readonly Step[] {
  const key = String(item["key"]);
  const openedAt = Number(item["openedAt"]);
  const steps: Step[] = [];
  const user = random.pick(REVIEWERS);
  let at = toWorkingTime(openedAt + random.about(item["severity"] === "violation" ? 5 : 22) * HOUR);
  const take = (who: SeedUser, action: JsonRecord, minutes: number): void => {
    at += Math.round(random.about(minutes) * MINUTE);
    steps.push({ at, key, user: who, action });
  };
  const outcome = decide(item, random, codes);
  if (random.chance(0.12))
    return random.chance(0.4)
      ? [{ at, key, user: SUPERVISOR, action: { action: "assign", assignee: user.name } }]
      : [];
  take(user, { action: "claim" }, 2);
  if (random.chance(0.14)) {
    take(user, { action: "escalate", comment: random.pick(ESCALATIONS) }, 6);
    if (random.chance(0.35)) return steps;
    at = toWorkingTime(at + random.about(9) * HOUR);
    take(SUPERVISOR, { action: "claim" }, 5);
    take(SUPERVISOR, { action: "close", ...outcome }, 12);
    return steps;
  }
  if (random.chance(0.05)) {
    take(user, { action: "release" }, 8);
    return steps;
  }
  take(user, { action: "close", ...outcome }, 5);
  if (random.chance(0.05)) {
    at = toWorkingTime(at + 30 * HOUR);
    take(
      SUPERVISOR,
      { action: "reopen", comment: "Please look again: the customer has complained." },
      5,
    );
    if (random.chance(0.5)) take(user, { action: "claim" }, 90);
    if (steps.at(-1)?.action["action"] === "claim")
      take(
        user,
        { action: "close", disposition: "violation", reasonCode: codes["violation"]?.[0] },
        15,
      );
  }
  return steps;
}

/** Claims some of the newest items, as people have them on their desks now. */
function planClaims(items: readonly JsonRecord[], now: number): readonly Step[] {
  return items.slice(-REVIEWERS.length).map((item, index) => ({
    at: now - (REVIEWERS.length - index) * 3 * MINUTE,
    key: String(item["key"]),
    user: REVIEWERS[index] ?? SUPERVISOR,
    action: { action: "claim" },
  }));
}

/**
 * Has the reviewers work off the queue as they would have: each step at its time, by the platform's own routes.
 *
 * @returns Number of steps.
 */
export async function decideItems(
  send: SendPast,
  random: Random,
  now: number,
  onStep: (done: number, total: number) => void,
): Promise<number> {
  const items = await listItems(send, now);
  const me = await readJson(
    await send({ method: "GET", path: "/api/me", headers: SUPERVISOR.headers, at: now }),
  );
  const codes = (me["review"] as { reasonCodes: Codes }).reasonCodes;
  const isRecent = ({ openedAt }: JsonRecord): boolean => Number(openedAt) > now - 20 * HOUR;
  const planned = items
    .filter((item) => !isRecent(item))
    .flatMap((item) => planItem(item, random, codes));
  const steps = [...planned, ...planClaims(items.filter(isRecent), now)]
    .filter(({ at }) => at < now)
    .toSorted((one, other) => one.at - other.at);
  for (const [index, { key, user, action, at }] of steps.entries()) {
    const response = await send({
      method: "POST",
      path: `/api/reviews/${key}/actions`,
      headers: { ...user.headers, "content-type": "application/json" },
      body: JSON.stringify(action),
      at,
    });
    await readJson(response);
    onStep(index + 1, steps.length);
  }
  return steps.length;
}
