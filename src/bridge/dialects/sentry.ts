import * as semconv from "../../semconv.ts";
import { firstValue, type Attributes } from "../reading/read-attributes.ts";
import { readSides } from "../reading/read-messages.ts";
import { countsCacheApart, readUsage } from "../reading/read-usage.ts";
import { readJsonValue } from "../reading/tolerant-json.ts";
import type { Dialect, SpanRole } from "../span-record.ts";
import { fillIdentity, readGenAiRole } from "./otel-gen-ai.ts";

const INPUT = [
  semconv.ATTR_GEN_AI_INPUT_MESSAGES,
  "gen_ai.request.messages",
  semconv.ATTR_GEN_AI_PROMPT,
];
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
  return readGenAiRole({ [semconv.ATTR_GEN_AI_OPERATION_NAME]: operation, ...attributes });
}

/** A list of texts as JSON, one for each choice, and the tool calls beside it. */
function readOutput(attributes: Attributes): unknown {
  const messages = firstValue(attributes, [semconv.ATTR_GEN_AI_OUTPUT_MESSAGES]);
  if (messages !== undefined) return messages;
  const text = attributes[semconv.ATTR_GEN_AI_RESPONSE_TEXT];
  const texts = readJsonValue(text) ?? text;
  const list = readJsonValue(attributes["gen_ai.response.tool_calls"]);
  if (texts === undefined && list === undefined) return undefined;
  const content = Array.isArray(texts) ? texts.filter((part) => typeof part === "string") : texts;
  return { role: "assistant", content: content ?? "", tool_calls: list };
}

/** Sentry's integrations: the conventions with names of Sentry's own for the response. */
export const sentry: Dialect = {
  name: "sentry",
  toRole: ({ attributes }) => toRole(attributes),
  toIdentity: fillIdentity({ sessionId: ["gen_ai.agent.session_id"] }),
  toMessages: ({ attributes }) => readSides(firstValue(attributes, INPUT), readOutput(attributes)),
  toUsage: ({ attributes }) =>
    readUsage(attributes, countsCacheApart(attributes[semconv.ATTR_GEN_AI_SYSTEM])),
  toTraits: ({ attributes }) => ({
    saysWhyItEnded: attributes["gen_ai.response.streaming"] === true,
  }),
};
