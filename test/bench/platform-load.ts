import { createHash } from "node:crypto";
import { createRandom, createText } from "./banking-texts.ts";

export const AGENTS = ["retail-assistant", "lending-assistant", "wealth-assistant"];
export const VERSIONS = ["2.3.0", "2.3.1", "2.4.0", "2.5.0"];
const ENVIRONMENTS = ["production", "production", "production", "staging"];
const CHANNELS = ["mobile app", "web", "branch", "phone"];
const MODELS = ["gpt-5", "claude-sonnet-4-5"];
const TOOLS = ["get_balance", "get_transactions", "open_account", "block_card", "get_rates"];
const CATEGORIES = ["fair_lending", "bsa_aml", "privacy", "consumer_protection"];
const SEVERITIES = ["info", "warning", "violation"];
const RULES = 20;
const CUSTOMERS = 20_000;
const DAY_MILLIS = 86_400_000;
const DAYS = 30;
export const ORGANIZATION = "first-bank";
/** The end of the time in which the conversations take place. */
export const END = Date.UTC(2026, 10, 20, 14);

/** Events of a conversation: start, three turns of two messages, a tool call with its result, end. */
export const EVENTS_PER_CONVERSATION = 10;
const ANSWERS_PER_CONVERSATION = 3;

export type LoadEvent = Readonly<Record<string, unknown>>;

/** What a load is made of. */
interface LoadOptions {
  readonly seed?: number;
  /** Share of answers in which something is found, 0 to 1. */
  readonly findings?: number;
}

const QUESTIONS = [
  "How much can I still spend with my card this month?",
  "Why was I charged a fee for the payment to the utility company?",
  "What do you need from me for the mortgage application?",
  "Can you move the savings into something that pays more?",
  "I did not make this purchase, please look into it.",
  "When will my new debit card arrive?",
];

/** An answer has so many texts to be made of: making each anew would take longer than the platform does. */
const TEXTS = 2000;

/** Creates conversations as a bank has them, the same in every run. */
export function createLoad({ seed = 7, findings = 1 / 15 }: LoadOptions = {}) {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const texts = Array.from({ length: TEXTS }, () =>
    createText(random, { length: 240 + Math.floor(random() * 400) }),
  );

  function createFlag(text: string, place: number): LoadEvent {
    const rule = Math.floor(random() * RULES);
    const quote = text.slice(place, place + 40);
    const category = CATEGORIES[rule % CATEGORIES.length] ?? "custom";
    return {
      rule: `${category.replace("_", "-")}-rule-${rule}`,
      category,
      severity: pick(SEVERITIES),
      description: "A promise that nobody can keep.",
      confidence: 0.9,
      context: { detectedContent: quote, detectedPattern: "promise", ruleVersion: "1.2.0" },
    };
  }

  function createAnswer(): LoadEvent {
    const content = `${pick(texts)} Reference ${Math.floor(random() * 1e6)}.`;
    const input = 400 + Math.floor(random() * 900);
    const output = 60 + Math.floor(random() * 200);
    const isFlagged = random() < findings;
    return {
      interactionType: "agent_response",
      content,
      contentLength: content.length,
      llmMetadata: {
        model: pick(MODELS),
        provider: "openai",
        latency: 300 + Math.floor(random() * 3000),
        cost: 0.0021,
        tokensUsed: { input, output, total: input + output },
      },
      riskScore: isFlagged ? 40 + Math.floor(random() * 60) : Math.floor(random() * 20),
      ...(isFlagged && {
        complianceFlags: [createFlag(content, Math.floor(random() * 80))],
        requiresReview: random() < 0.5,
      }),
    };
  }

  function createTool(id: string): LoadEvent[] {
    const toolName = pick(TOOLS);
    const metadata = { toolCallId: id };
    const call = { interactionType: "tool_call", toolName, toolParameters: { account: "A-1" } };
    const success = random() > 0.05;
    const done = { toolName, executionTime: 12, success, ...(!success && { toolError: "503" }) };
    return [
      { ...call, metadata },
      { interactionType: "tool_result", toolResult: { balance: 12.5 }, ...done, metadata },
    ];
  }

  function createKinds(number: number): LoadEvent[] {
    const question = (turn: number): LoadEvent => {
      const content = `${pick(QUESTIONS)} (${number}.${turn})`;
      return { interactionType: "user_message", content, contentLength: content.length };
    };
    return [
      { interactionType: "conversation_start", metadata: { channel: pick(CHANNELS) } },
      question(1),
      ...createTool(`call-${number}`),
      createAnswer(),
      question(2),
      createAnswer(),
      question(3),
      createAnswer(),
      { interactionType: "conversation_end", duration: 90_000, messageCount: 6 },
    ];
  }

  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  /** A UUID of version 7, as the SDK makes them: it begins with the time. */
  const createId = (timestamp: number): string => {
    const time = timestamp.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
  };

  return {
    /** Makes the events of a conversation that begins at a time. */
    createConversation(number: number, startedAt: number): LoadEvent[] {
      const shared = {
        sessionId: `session-${number}`,
        conversationId: `conversation-${number}`,
        agentId: pick(AGENTS),
        agentVersion: pick(VERSIONS),
        environment: pick(ENVIRONMENTS),
        userId: `customer-${Math.floor(random() * CUSTOMERS)}`,
        requestId: `request-${number}`,
        version: "1.0",
      };
      return createKinds(number).map((kind, index) => ({
        eventId: createId(startedAt + index * 9000),
        timestamp: startedAt + index * 9000,
        ...shared,
        ...kind,
        ...(kind["interactionType"] === "conversation_end" && { resolutionStatus: "resolved" }),
      }));
    },
  };
}

/** Returns when a conversation of many begins: they are spread evenly over thirty days. */
export function toStart(number: number, conversations: number): number {
  return END - Math.floor(((conversations - number) / conversations) * DAYS * DAY_MILLIS);
}

/** Share of answers with findings that makes so many of them. */
export function toFindingShare(findings: number, conversations: number): number {
  return findings / (conversations * ANSWERS_PER_CONVERSATION);
}

/** Writes the batch of some events, as the SDK does. */
export function createBatch(batchId: string, timestamp: number, events: readonly LoadEvent[]) {
  const array = JSON.stringify(events);
  const checksum = `sha256:${createHash("sha256").update(array).digest("hex")}`;
  const rest = {
    batchId,
    organizationId: ORGANIZATION,
    timestamp,
    eventCount: events.length,
    totalSize: Buffer.byteLength(array),
    checksum,
    metadata: { batchVersion: "1.0" },
  };
  return Buffer.from(`{"events":${array},${JSON.stringify(rest).slice(1)}`);
}
