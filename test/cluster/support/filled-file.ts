import { createSeed } from "../../../src/cli/seed/seed-bank.ts";
import {
  type PlatformOptions,
  startFilledPlatform,
  startPlatform,
} from "../../../src/platform/index.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { createConversations } from "../../platform/banking-conversations.ts";
import {
  createAgent,
  createBatch,
  createEvent,
  type JsonObject,
  KEY,
  postBatch,
  putAgent,
  START,
  toAnswer,
} from "../../platform/helpers.ts";
import { createAnswer, RULE } from "../../platform/quality/desk.ts";

const DAY = 86_400_000;
const ADMIN = { name: "the admin", role: "admin", key: "admin-key-0123456789" } as const;
/** An answer with an identity of its own, so that copies of it are one event. */
const COPIED = { eventId: "019aa1f2-0000-7000-8000-000000000001", sessionId: "copied" };
const TEXT = "What is the fee for a wire transfer?";
export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

/** Options of a platform whose answers depend on its database alone: time stands still. */
export const toOptions = (database: string): PlatformOptions => ({
  port: 0,
  database,
  users: [ADMIN],
  apiKey: KEY,
  clock: { ...systemClock, now: () => START },
  review: { sampling: { default: 0.5, seed: "a seed of the sample" } },
  retention: [{ name: "short", days: 1, environment: "staging" }],
});

/** Asks a platform as its admin. */
export function ask(
  { url }: { readonly url: string },
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${ADMIN.key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
}

type Platform = { readonly url: string };

async function change(platform: Platform, path: string, body: object): Promise<JsonObject> {
  const answer = await toAnswer(await ask(platform, path, body));
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}`);
  return answer.body;
}

/** Sends batches with all that batches may have: copies, refused events, losses, letters of many languages. */
async function sendBatches(platform: Platform): Promise<void> {
  const copy = (content: string, more: JsonObject = {}): JsonObject =>
    createEvent("user_message", { ...COPIED, content, contentLength: TEXT.length, ...more });
  const whole = createBatch([copy(TEXT)]);
  const odd = { sessionId: "ödd \u{1f600}", userId: "Zoë \u{1f600}" };
  const flagged = ["one", "two", "three"].map((id) => createAnswer(id, ["No guaranteed return!"]));
  const batches = [
    createBatch([...createConversations(START), ...flagged]),
    createBatch([copy(TEXT.slice(0, 9), { truncated: true }), createEvent("nothing")]),
    whole,
    whole,
    createBatch([
      createEvent("user_message", {
        ...odd,
        content: "Wie hoch sind die Gebühren?",
        metadata: { traceId: TRACE_ID },
      }),
    ]),
    createBatch([createEvent("agent_response", { ...odd, content: "a\0 fee" })], {
      metadata: { batchVersion: "1.0", dropped: [{ reason: "queue_full", count: 3 }] },
    }),
  ];
  for (const batch of batches) {
    const { status, body } = await postBatch(platform, batch);
    if (status > 202) throw new Error(`a batch was answered ${status}: ${JSON.stringify(body)}`);
  }
  await putAgent(platform, createAgent(), "agent-1");
}

async function sendTelemetry(platform: Platform): Promise<void> {
  const spans = Array.from({ length: 30 }, (_, index) => ({
    traceId: index < 5 ? TRACE_ID : TRACE_ID.replace(/^../, String(10 + index)),
    spanId: `b7ad6b71692033${10 + index}`,
    name: `chat ${index}`,
    kind: 3,
    startTimeUnixNano: `17951832000000${100 + index}000`,
    endTimeUnixNano: `17951832015000${100 + index}000`,
    attributes: [{ key: "text", value: { stringValue: "a\0b" } }],
    status: { code: index % 3 },
  }));
  const logRecords = spans.map(({ traceId }, index) => ({
    traceId,
    timeUnixNano: "1795183200000000000",
    body: { stringValue: `record ${index}` },
  }));
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  for (const [path, body] of [
    ["/v1/traces", { resourceSpans: [{ scopeSpans: [{ spans }] }] }],
    ["/v1/logs", { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }],
  ] as const) {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const { status } = await fetch(platform.url + path, init);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
  }
}

/** Does what people do: decisions, suppressions, holds, views, a purge. */
async function work(platform: Platform): Promise<void> {
  const page = await toAnswer(await ask(platform, "/api/reviews?limit=200"));
  const items = page.body["items"] as JsonObject[];
  const key = String(items.find(({ conversationId }) => conversationId === "one")?.["key"]);
  const item = await toAnswer(await ask(platform, `/api/reviews/${key}`));
  const [finding] = item.body["findings"] as JsonObject[];
  const decision = { action: "close", disposition: "false_positive", reasonCode: "definition" };
  await change(platform, `/api/reviews/${key}/actions`, decision);
  await change(platform, "/api/suppressions", {
    findingId: finding?.["id"],
    rule: RULE,
    phrase: "no guaranteed return",
    until: START + 30 * DAY,
    reason: "A refusal, not a promise.",
  });
  await postBatch(platform, createBatch([createAnswer("later", ["No guaranteed return!"])]));
  const hold = { matter: "m", reason: "r", selector: { agent: "agent-1" } };
  await change(platform, "/api/holds", hold);
  const other = await change(platform, "/api/holds", { ...hold, matter: "n" });
  const { id } = other["hold"] as JsonObject;
  await change(platform, `/api/holds/${String(id)}/release`, { reason: "over" });
  await change(platform, "/api/views", { page: "queue", name: "mine", query: "state=open" });
  await change(platform, `/api/conversations/${key}/unmask`, { reason: "to call the customer" });
  await change(platform, "/api/purge", { reason: "the class" });
}

/** Fills a file of SQLite with a bank that is made up. */
export async function fillBank(file: string, conversations: number): Promise<void> {
  const facts = { seed: 7, conversations, organizationId: "lakeside-bank", now: START };
  const filling = createSeed({ ...facts, onProgress: () => undefined });
  await (await startFilledPlatform({ port: 0, database: file }, filling)).close();
}

/** Adds something of everything, as a platform does it. */
export async function fillFile(file: string): Promise<void> {
  const platform = await startPlatform(toOptions(file));
  try {
    await sendBatches(platform);
    await sendTelemetry(platform);
    await work(platform);
  } finally {
    await platform.close();
  }
}
