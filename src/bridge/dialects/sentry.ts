import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { countsCacheApart, readGenAiUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { readJson } from "../reading/tolerant-json.ts";
import { readGenAiIdentity, readGenAiRole } from "./otel-gen-ai.ts";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROMPT,
  ATTR_GEN_AI_RESPONSE_TEXT,
  ATTR_GEN_AI_SYSTEM,
} from "../../semconv.ts";

type Attributes = SpanLike["attributes"];

const INPUT = [ATTR_GEN_AI_INPUT_MESSAGES, "gen_ai.request.messages", ATTR_GEN_AI_PROMPT];
const OPERATION = /^gen_ai\.(\w+)$/;
/** Spans that Sentry puts around the calls of a framework. */
const PIPELINES: ReadonlySet<string> = new Set(["invoke_agent", "generate_text", "stream_text"]);

function toRole(attributes: Attributes): SpanRole | undefined {
  const given = attributes["sentry.op"];
  const operation = typeof given === "string" ? OPERATION.exec(given)?.[1] : undefined;
  const origin = attributes["sentry.origin"];
  const isOurs = typeof origin === "string" && /^auto\.(?:ai|vercelai)\b/.test(origin);
  if (operation === undefined && !isOurs) return undefined;
  if (operation !== undefined && PIPELINES.has(operation)) {
    return operation === "invoke_agent" ? "agent" : "call";
  }
  return readGenAiRole({ [ATTR_GEN_AI_OPERATION_NAME]: operation, ...attributes });
}

/** A list of texts as JSON, one for each choice, and the tool calls beside it. */
function readOutput(attributes: Attributes): unknown {
  const messages = firstValue(attributes, [ATTR_GEN_AI_OUTPUT_MESSAGES]);
  if (messages !== undefined) return messages;
  const text = attributes[ATTR_GEN_AI_RESPONSE_TEXT];
  const calls = attributes["gen_ai.response.tool_calls"];
  const texts = typeof text === "string" ? (readJson(text)?.value ?? text) : text;
  const list = typeof calls === "string" ? readJson(calls)?.value : calls;
  if (texts === undefined && list === undefined) return undefined;
  const content = Array.isArray(texts) ? texts.filter((part) => typeof part === "string") : texts;
  return { role: "assistant", content: content ?? "", tool_calls: list };
}

function readContent(attributes: Attributes): SpanMessages {
  return {
    input: readMessages(firstValue(attributes, INPUT), "user"),
    output: readMessages(readOutput(attributes), "assistant"),
  };
}

/** Sentry's integrations: the conventions with names of Sentry's own for the response. */
export const sentry: Dialect = {
  name: "sentry",
  toRole: ({ attributes }) => toRole(attributes),
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    return {
      ...identity,
      sessionId: identity.sessionId ?? firstText(attributes, ["gen_ai.agent.session_id"]),
    };
  },
  toMessages: ({ attributes }) => readContent(attributes),
  toUsage: ({ attributes }) =>
    readGenAiUsage(attributes, countsCacheApart(attributes[ATTR_GEN_AI_SYSTEM])),
  toTraits: ({ attributes }) => ({
    saysWhyItEnded: attributes["gen_ai.response.streaming"] === true,
  }),
};
