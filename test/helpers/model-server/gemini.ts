import type { ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toSse, toText } from "./protocol.ts";

const PATH = /\/models\/(?<model>[^/:]+):(?<method>generateContent|streamGenerateContent)$/;

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
};

function toUsage({ usage }: ModelAnswer) {
  if (!usage) return {};
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  };
}

function toChunk(answer: ModelAnswer, parts: readonly object[], reason?: string) {
  const content = { role: "model", parts };
  return {
    candidates: [{ content, index: 0, ...(reason !== undefined && { finishReason: reason }) }],
    ...(reason !== undefined && toUsage(answer)),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

const toCallParts = ({ calls }: ModelAnswer) =>
  calls.map(({ name, args }) => ({ functionCall: { name, args } }));

function toError(status: number, message: string): object {
  return { error: { code: status, message, status: STATUSES[status] ?? "UNKNOWN" } };
}

/**
 * `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const gemini: ModelProtocol = {
  name: "gemini",
  matches: (path) => PATH.test(path),
  read(body, path) {
    const { model = "", method } = PATH.exec(path)?.groups ?? {};
    const contents = Array.isArray(body.contents) ? body.contents : [body.contents];
    return {
      model,
      ...findQuestion(
        contents,
        ({ role, parts }) => (role === "model" ? "" : toText(parts)),
        ({ parts }) => parts?.filter((part: any) => part.functionResponse).length ?? 0,
      ),
      toolNames: (body.tools ?? []).flatMap((tool: any) =>
        (tool.functionDeclarations ?? []).map(({ name }: any) => name),
      ),
      streamed: method === "streamGenerateContent",
      wantsUsage: true,
    };
  },
  toBody(answer) {
    const parts = answer.calls.length > 0 ? toCallParts(answer) : [{ text: answer.text }];
    return toChunk(answer, parts, "STOP");
  },
  streamType: "text/event-stream",
  *toFrames(answer) {
    if (answer.calls.length > 0) {
      yield { wire: toSse(toChunk(answer, toCallParts(answer), "STOP")) };
      return;
    }
    for (const text of answer.pieces()) {
      yield { wire: toSse(toChunk(answer, [{ text }])), text };
    }
    yield { wire: toSse(toChunk(answer, [{ text: "" }], "STOP")) };
  },
  toError,
  toErrorFrame: (message) => ({ wire: toSse(toError(500, message)) }),
};
