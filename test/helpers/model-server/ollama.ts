import type { ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion } from "./protocol.ts";

const CREATED_AT = "2026-05-29T00:00:00.000Z";
const NANOS = 1_000_000;

function toLine({ model }: ModelAnswer, content: string, more: object): object {
  return { model, created_at: CREATED_AT, message: { role: "assistant", content, ...more } };
}

function toCalls({ calls }: ModelAnswer): object {
  return calls.length > 0
    ? { tool_calls: calls.map(({ name, args }) => ({ function: { name, arguments: args } })) }
    : {};
}

function toEnd({ usage }: ModelAnswer): object {
  return {
    done: true,
    done_reason: "stop",
    total_duration: 4 * NANOS,
    load_duration: NANOS,
    ...(usage && { prompt_eval_count: usage.input, eval_count: usage.output }),
  };
}

/**
 * Ollama's chat, streamed as lines of JSON, which is what it does unless told otherwise.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama: ModelProtocol = {
  name: "ollama",
  matches: (path) => path.endsWith("/api/chat"),
  read(body) {
    return {
      model: body.model ?? "",
      ...findQuestion(
        body.messages ?? [],
        ({ role, content }) => (role === "user" ? String(content) : ""),
        ({ role }) => (role === "tool" ? 1 : 0),
      ),
      toolNames: (body.tools ?? []).map((tool: any) => tool.function?.name),
      streamed: body.stream !== false,
      wantsUsage: true,
    };
  },
  toBody: (answer) => ({ ...toLine(answer, answer.text, toCalls(answer)), ...toEnd(answer) }),
  streamType: "application/x-ndjson",
  *toFrames(answer) {
    const toWire = (line: object) => `${JSON.stringify(line)}\n`;
    if (answer.calls.length > 0) {
      yield { wire: toWire({ ...toLine(answer, "", toCalls(answer)), done: false }) };
    } else {
      for (const text of answer.pieces()) {
        yield { wire: toWire({ ...toLine(answer, text, {}), done: false }), text };
      }
    }
    yield { wire: toWire({ ...toLine(answer, "", {}), ...toEnd(answer) }) };
  },
  toError: (_status, message) => ({ error: message }),
  toErrorFrame: (error) => ({ wire: `${JSON.stringify({ error })}\n` }),
};
