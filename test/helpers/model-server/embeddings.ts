import { toOpenAiError } from "./openai-chat.ts";

const VECTOR = [0.25, -0.5, 0.125];

/** OpenAI sends vectors as base64 when the client asks for it, as its own does. */
function toVector(format: unknown): readonly number[] | string {
  return format === "base64"
    ? Buffer.from(new Float32Array(VECTOR).buffer).toString("base64")
    : VECTOR;
}

/**
 * Answers a request for embeddings in the manner of OpenAI; every text gets the same vector.
 *
 * @see https://platform.openai.com/docs/api-reference/embeddings
 */
export const embeddings = {
  matches: (path: string): boolean => path.endsWith("/embeddings"),
  toBody(body: any): unknown {
    const inputs: unknown[] = Array.isArray(body.input) ? body.input : [body.input];
    return {
      object: "list",
      data: inputs.map((_, index) => ({
        object: "embedding",
        index,
        embedding: toVector(body.encoding_format),
      })),
      model: body.model,
      usage: { prompt_tokens: 21, total_tokens: 21 },
    };
  },
  toError: toOpenAiError,
};
