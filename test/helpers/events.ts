import fc from "fast-check";
import { zocker } from "zocker";
import * as z from "zod";
import { toRegisteredAgent, type AgentInfo } from "../../src/events/agent.ts";
import { eventTypeSchema, type EventType } from "../../src/events/base-event.ts";
import { buildEvent } from "../../src/events/build-event.ts";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import type { BuildOptions, Interaction } from "../../src/events/event-builder.ts";
import { MetadataReader } from "../../src/events/metadata-reader.ts";
import type { JsonValue } from "../../src/util/values.ts";

export const KINDS = eventTypeSchema.options;

/** The time that built events carry. */
export const NOW = 1_790_000_000_000;

export const agentInfo: AgentInfo = {
  id: "assistant",
  name: "Banking assistant",
  category: "tool_calling",
  version: "2.1.0",
  llmProvider: "openai",
  model: "gpt-5",
  description: "Answers questions about accounts.",
  availableTools: [
    { name: "transfer", description: "Moves money", category: "payments", riskLevel: "high" },
  ],
};

/** Object keys that break naive copies, beside ordinary ones. */
const hostileKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "length",
    "\ud800",
    "a.b",
    "🏦",
  ),
  fc.string({ maxLength: 8 }),
);

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("\ud83d", "\udc00", "\u0000", "💶💶"),
);

// Adding 0 turns -0 into 0: JSON has no -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/** Any JSON value with keys that break naive copies, and nested nulls. */
export const json: fc.Arbitrary<JsonValue> = fc.letrec<{
  value: JsonValue;
  object: Record<string, JsonValue>;
}>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    text,
    number,
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(hostileKey, tie("value")), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).value;

/** A JSON object with keys that break naive copies. */
export const jsonObject: fc.Arbitrary<Record<string, JsonValue>> = fc
  .array(fc.tuple(hostileKey, json), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));

function typedMetadataKeys(kind: EventType): string[] {
  return Object.keys((eventSchemas[kind].shape.metadata.unwrap() as z.ZodObject).shape);
}

/** Any valid event of a kind, made from its schema; free values and custom metadata are hostile JSON. */
export function eventOf(kind: EventType): fc.Arbitrary<DetailedEvent> {
  return fc
    .record({
      seed: fc.integer({ min: 0 }),
      free: fc.array(json, { minLength: 4, maxLength: 4 }),
      texts: fc.array(text, { minLength: 4, maxLength: 4 }),
      custom: fc.option(jsonObject, { nil: undefined }),
    })
    .map(({ seed, free, texts, custom }) => {
      let next = 0;
      const toText = (schema: z.ZodString): string => {
        const hostile = texts[next++ % texts.length] ?? "";
        return schema.safeParse(hostile).success ? hostile : `id-${next}`;
      };
      const generated = zocker(eventSchemas[kind] as z.ZodType<DetailedEvent>)
        .override(z.ZodString, toText)
        .override(z.ZodUnknown, () => free[next++ % free.length])
        .setSeed(seed)
        .generate() as DetailedEvent & { metadata?: Record<string, unknown> };
      const event: Record<string, unknown> = { ...generated };
      if (custom) {
        const typed = typedMetadataKeys(kind);
        const own = Object.entries(custom).filter(([key]) => !typed.includes(key));
        event["metadata"] = Object.fromEntries([
          ...Object.entries(generated.metadata ?? {}),
          ...own,
        ]);
      }
      // Drops `undefined` members and -0, which JSON does not have.
      return JSON.parse(JSON.stringify(event)) as DetailedEvent;
    });
}

/** What a test says of an interaction; the rest is filled in. */
export interface Given extends Partial<Omit<Interaction, "kind">> {
  readonly metadata?: unknown;
  readonly extra?: object;
  readonly options?: Partial<Omit<BuildOptions, "agent">> & {
    readonly agent?: AgentInfo;
    readonly maxLength?: number;
  };
}

/** Builds an event the way the pipeline does. */
export function build<K extends EventType>(
  kind: K,
  {
    metadata,
    extra,
    options: { agent, maxLength = 256 * 1024, ...options } = {},
    ...interaction
  }: Given = {},
): Extract<DetailedEvent, { interactionType: K }> {
  const reader = new MetadataReader(kind, metadata, extra, maxLength);
  const event = buildEvent(
    { kind, agentId: "assistant", sessionId: "s1", ...interaction },
    reader,
    {
      eventId: "event-1",
      requestId: "request-1",
      userId: interaction.userId,
      now: NOW,
      environment: "production",
      totals: {
        startedAt: NOW - 5000,
        messageCount: 3,
        toolCallCount: 2,
        errorCount: 1,
        responseCount: 2,
        responseMillis: 1400,
      },
      agent: agent && toRegisteredAgent(agent),
      ...options,
    },
  );
  // Members that are `undefined` are not written out.
  return withoutUndefined(event) as Extract<DetailedEvent, { interactionType: K }>;
}

function withoutUndefined(event: DetailedEvent): DetailedEvent {
  return Object.fromEntries(
    Object.entries(event).filter(([, value]) => value !== undefined),
  ) as DetailedEvent;
}

const minimal: { [K in EventType]: Given } = {
  conversation_start: {},
  user_message: { content: "What is my balance?" },
  agent_response: { content: "It is 12 dollars." },
  tool_call: { toolName: "transfer", toolParameters: { amount: 12 } },
  tool_result: { toolName: "transfer", toolResult: { done: true }, executionTime: 34 },
  error: { error: "limit" },
  conversation_end: {},
  compliance_violation: { content: "Promised a return." },
};

/** A plain event of a kind. */
export function example<K extends EventType>(
  kind: K,
  given: Given = {},
): Extract<DetailedEvent, { interactionType: K }> {
  return build(kind, { ...minimal[kind], ...given });
}
