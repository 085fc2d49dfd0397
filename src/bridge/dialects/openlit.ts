import { createMessage, type ChatMessage, type ReadMessages } from "../reading/chat-message.ts";
import { NO_MESSAGES } from "../reading/read-messages.ts";
import { readGenAiTool } from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanMessages } from "../span-record.ts";
import { fillIdentity, readGenAiRole, readSpanMessages } from "./otel-gen-ai.ts";
import { ATTR_TELEMETRY_SDK_NAME } from "../../semconv.ts";

const SCOPE = /^@?openlit\b/;

/** Older versions write a conversation as lines, `user: Hello`. */
const LINE = /^(user|system|assistant|tool): /;

function toLines(message: ChatMessage): ChatMessage[] {
  if (message.role !== "user" || !LINE.test(message.text)) return [message];
  return message.text.split(/\n(?=(?:user|system|assistant|tool): )/).map((line) => ({
    ...message,
    role: LINE.exec(line)?.[1] ?? message.role,
    text: line.replace(LINE, ""),
  }));
}

/** Tool calls stand among the attributes even where content is not captured. */
function readNamedCall({ attributes }: SpanLike): ReadMessages {
  const { id, name, parameters } = readGenAiTool(attributes);
  if (name === undefined) return NO_MESSAGES;
  const toolCalls = [{ id, name, parameters }];
  return { messages: [{ ...createMessage("assistant", ""), toolCalls }], isPartial: false };
}

function readContent(span: SpanLike): SpanMessages {
  const { input, output } = readSpanMessages(span);
  const lines: ReadMessages = { ...input, messages: input.messages.flatMap(toLines) };
  return { input: lines, output: output.messages.length > 0 ? output : readNamedCall(span) };
}

/** OpenLIT: the conventions, in older versions a conversation as text. */
export const openlit: Dialect = {
  name: "openlit",
  toRole: ({ attributes, instrumentationScope }) =>
    SCOPE.test(instrumentationScope?.name ?? "") ||
    attributes[ATTR_TELEMETRY_SDK_NAME] === "openlit" ||
    attributes["gen_ai.usage.cost"] !== undefined
      ? readGenAiRole(attributes)
      : undefined,
  toIdentity: fillIdentity({ sessionId: ["gen_ai.agent.session_id"] }),
  toMessages: readContent,
  toUsage: ({ attributes }) => readUsage(attributes),
};
