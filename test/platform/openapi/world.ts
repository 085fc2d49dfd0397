import { expect } from "vitest";
import { AUDIT_EXPORT_PATH } from "../../../src/events/wire.ts";
import { type Platform, startPlatform } from "../../../src/platform/index.ts";
import { createAuditVerifier } from "../../../src/platform/review/audit-trail.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { createConversations } from "../banking-conversations.ts";
import {
  createAgent,
  createBatch,
  type JsonObject,
  KEY,
  postBatch,
  putAgent,
  START,
  toAnswer,
} from "../helpers.ts";
import { createAnswer, RULE } from "../quality/desk.ts";

const ROLES = ["viewer", "reviewer", "supervisor", "admin"] as const;

/** Keys of who asks, of each role and of nobody. */
export const BEARERS = [...ROLES.map((role) => `${role}-key-0123456789`), "wrong", ""] as const;
/** Key of who may do everything. */
export const ADMIN_KEY = "admin-key-0123456789";

const DAY = 86_400_000;
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN = {
  traceId: TRACE_ID,
  spanId: "b7ad6b7169203331",
  name: "chat",
  kind: 3,
  startTimeUnixNano: "1795183200000000000",
  endTimeUnixNano: "1795183201500000000",
};

/** A platform in which there is something of everything. */
export interface World {
  readonly platform: Platform;
  /** Values of parameters in paths that there are, by the names of the parameter and what stands before it. */
  readonly known: Readonly<Record<string, string>>;
  /** Bodies that are accepted, by operation. */
  readonly bodies: Readonly<Record<string, object>>;
  /** Sends a request as an admin. */
  send(method: string, path: string, body?: object): Promise<Response>;
  /** Expects the audit trail to be whole. */
  verifyTrail(): Promise<void>;
}

/** Starts a platform with users, faults, retention, and something of everything. */
export async function startWorld(): Promise<World> {
  const platform = await startPlatform({
    port: 0,
    users: ROLES.map((role) => ({ name: `the ${role}`, role, key: `${role}-key-0123456789` })),
    apiKey: KEY,
    faults: true,
    maxBodyBytes: 200_000,
    clock: { ...systemClock, now: () => START },
    review: { sampling: { default: 1, seed: "a seed of the sample" } },
    retention: [{ name: "short", days: 1 }],
  });
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(platform.url + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ask = async (method: string, path: string, body?: object): Promise<JsonObject> => {
    const answer = await toAnswer(await send(method, path, body));
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    return answer.body;
  };

  const flagged = ["one", "two", "three"].map((id) => createAnswer(id, ["No guaranteed return!"]));
  const batch = createBatch([...createConversations(START), ...flagged]);
  expect((await postBatch(platform, batch)).status).toBe(202);
  expect((await putAgent(platform, createAgent(), "agent-1")).status).toBe(201);
  const otlp = { headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" } };
  const traces = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] };
  const logs = {
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: "hi" } }] }] }],
  };
  for (const [path, body] of [["/v1/traces", traces] as const, ["/v1/logs", logs] as const]) {
    const init = { method: "POST", ...otlp, body: JSON.stringify(body) };
    expect((await fetch(platform.url + path, init)).status).toBe(200);
  }

  const { items } = (await ask("GET", "/api/reviews")) as { items: JsonObject[] };
  const key = String(items.find(({ conversationId }) => conversationId === "one")?.["key"]);
  const { findings } = (await ask("GET", `/api/reviews/${key}`)) as { findings: JsonObject[] };
  const findingId = String(findings[0]?.["id"]);
  const decision = { action: "close", disposition: "false_positive", reasonCode: "definition" };
  await ask("POST", `/api/reviews/${key}/actions`, decision);
  const suppression = {
    findingId,
    rule: RULE,
    phrase: "no guaranteed return",
    until: START + 30 * DAY,
    reason: "A refusal, not a promise.",
  };
  const made = (await ask("POST", "/api/suppressions", suppression)) as { suppression: JsonObject };
  const hold = { matter: "m", reason: "r", selector: { agent: "agent-1" } };
  const held = (await ask("POST", "/api/holds", hold)) as { hold: JsonObject };
  const view = { page: "queue", name: "mine", query: "" };
  const saved = (await ask("POST", "/api/views", view)) as { view: JsonObject };
  const events = (await ask("GET", "/api/events")) as { events: { event: JsonObject }[] };

  return {
    platform,
    known: {
      "conversations/key": key,
      "reviews/key": key,
      "agents/id": "agent-1",
      "events/eventId": String(events.events[0]?.event["eventId"]),
      "traces/traceId": TRACE_ID,
      "suppressions/id": String(made.suppression["id"]),
      "holds/id": String(held.hold["id"]),
      "views/id": String(saved.view["id"]),
      "rules/id": "consumer-protection-fees",
      "backtests/id": "none",
    },
    bodies: {
      post_v1_batches: batch,
      put_v1_agents_id: createAgent(),
      post_v1_traces: traces,
      post_v1_logs: logs,
      post_api_reviews: { key, comment: "a complaint" },
      post_api_views: { ...view, name: "another" },
      put_api_views_id: { name: "mine", query: "", isShared: true },
      post_api_reviews_actions: { keys: [key], action: { action: "comment", comment: "seen" } },
      post_api_reviews_key_actions: { action: "comment", comment: "seen" },
      post_api_conversations_key_unmask: { reason: "to call the customer" },
      post_api_suppressions: suppression,
      post_api_suppressions_id_revoke: { reason: "over" },
      post_api_holds: hold,
      post_api_holds_id_release: { reason: "over" },
      post_api_purge: { dryRun: true },
      post_api_faults: { kind: "503" },
      post_api_policies_evaluate: { content: "A guaranteed return." },
    },
    send,
    async verifyTrail() {
      const verifier = createAuditVerifier();
      const lines = await (await send("GET", AUDIT_EXPORT_PATH)).text();
      for (const line of lines.trim().split("\n")) verifier.add(JSON.parse(line));
      expect(verifier.finish()).toMatchObject({ status: "verified", breaks: [] });
    },
  };
}
