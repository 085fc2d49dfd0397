import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { AgentInfo } from "../../src/events/agent.ts";
import { AGENTS_PATH, BATCHES_PATH } from "../../src/events/wire.ts";
import { uuidV7 } from "../../src/util/ids.ts";

const ORGANIZATION = "first-bank";
export const KEY = "test-key";
/** 2026-11-20 14:00 UTC. */
export const START = Date.UTC(2026, 10, 20, 14);

export type JsonObject = Record<string, unknown>;

const DEFAULTS: Record<string, JsonObject> = {
  conversation_start: { metadata: { channel: "mobile app" } },
  user_message: { content: "Hello", contentLength: 5 },
  agent_response: { content: "Good day", contentLength: 8 },
  tool_call: { toolName: "get_balance", toolParameters: { accountId: "A-1" } },
  tool_result: {
    toolName: "get_balance",
    toolResult: { balance: 1 },
    executionTime: 12,
    success: true,
  },
  error: {
    errorType: "TimeoutError",
    errorMessage: "timed out",
    severity: "medium",
    recoverable: true,
  },
  conversation_end: { duration: 1000, messageCount: 2, resolutionStatus: "resolved" },
  compliance_violation: {
    violationType: "disclosure",
    severity: "warning",
    description: "d",
    ruleId: "own-rule",
  },
};

/** Builds a valid event of a kind. */
export function createEvent(
  interactionType = "user_message",
  overrides: JsonObject = {},
): JsonObject {
  return {
    eventId: uuidV7(START),
    timestamp: START,
    sessionId: "session-1",
    agentId: "agent-1",
    environment: "development",
    requestId: "request-1",
    version: "1.0",
    interactionType,
    ...DEFAULTS[interactionType],
    ...overrides,
  };
}

/** Builds a valid batch; what the overrides change is not made valid again. */
export function createBatch(
  events: readonly unknown[] = [createEvent()],
  overrides: JsonObject = {},
): JsonObject {
  const array = JSON.stringify(events);
  return {
    batchId: uuidV7(START),
    organizationId: ORGANIZATION,
    timestamp: START,
    events,
    eventCount: events.length,
    totalSize: Buffer.byteLength(array),
    checksum: `sha256:${createHash("sha256").update(array).digest("hex")}`,
    metadata: { batchVersion: "1.0" },
    ...overrides,
  };
}

export function createAgent(overrides: Partial<AgentInfo> = {}): AgentInfo {
  return {
    id: "agent-1",
    name: "Personal banking assistant",
    category: "tool_calling",
    version: "2.3.0",
    llmProvider: "openai",
    model: "gpt-5",
    description: "Answers questions about accounts.",
    ...overrides,
  };
}

/** An answer with its body, as JSON where it is. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as JsonObject) : { text },
  };
}

export interface SendOptions {
  readonly headers?: Record<string, string>;
  readonly organizationId?: string;
  readonly gzip?: boolean;
}

async function send(
  method: string,
  url: string,
  body: unknown,
  options: SendOptions,
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      "x-organization-id": options.organizationId ?? ORGANIZATION,
      "content-type": "application/json",
      ...(options.gzip === true && { "content-encoding": "gzip" }),
      ...options.headers,
    },
    body: new Uint8Array(options.gzip === true ? gzipSync(bytes) : bytes),
  });
  return toAnswer(response);
}

/** Posts a batch: an object, JSON text, or bytes. */
export function postBatch(
  platform: { url: string },
  batch: unknown,
  options: SendOptions = {},
): Promise<Answer> {
  return send("POST", platform.url + BATCHES_PATH, batch, options);
}

export function putAgent(
  platform: { url: string },
  agent: unknown,
  id: string,
  options: SendOptions = {},
): Promise<Answer> {
  return send("PUT", `${platform.url}${AGENTS_PATH}/${encodeURIComponent(id)}`, agent, options);
}

export async function get(
  platform: { url: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return toAnswer(await fetch(platform.url + path, { headers }));
}
