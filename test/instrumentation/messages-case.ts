import { SCHEMA, type ProtocolCase } from "./protocol-tester.ts";

/** What is the same wherever Anthropic's Messages are spoken. */
export const MESSAGES_CASE = {
  system: "Be brief.",
  tool: { tools: [{ name: "find_card", input_schema: SCHEMA }] },
  withResult: (body, { content }, result) => ({
    ...body,
    messages: [
      ...body.messages,
      { role: "assistant", content },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: content[0].id, content: JSON.stringify(result) },
        ],
      },
    ],
  }),
  inputTokens: 27,
  tellsCacheWrite: true,
} satisfies Partial<ProtocolCase>;

/** Gives the body of a request, without what says whether it is streamed. */
export function toMessagesBody(question: string): Record<string, unknown> {
  return {
    temperature: 0.5,
    max_tokens: 100,
    system: MESSAGES_CASE.system,
    messages: [{ role: "user", content: [{ type: "text", text: question }] }],
  };
}
