import { anthropic } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import { toEventMessage } from "./event-stream.ts";
import type { ModelProtocol } from "./protocol.ts";

const PATH = /\/model\/(?<model>[^/]+)\/(?<method>invoke|invoke-with-response-stream)$/;

/** Puts a server-sent event of the model's own protocol into Bedrock's envelope. */
function wrap(wire: string | Uint8Array): Uint8Array {
  const [, data = ""] = /^data: (.*)$/m.exec(String(wire)) ?? [];
  return toEventMessage("chunk", { bytes: Buffer.from(data).toString("base64"), p: "abc" });
}

/**
 * Bedrock's InvokeModel and InvokeModelWithResponseStream, with a model of Anthropic's.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrockInvoke: ModelProtocol = {
  ...anthropic,
  name: "bedrock-invoke",
  matches: (path) => PATH.test(path),
  read(body, path) {
    const { model = "", method } = PATH.exec(path)?.groups ?? {};
    const streamed = method === "invoke-with-response-stream";
    return { ...anthropic.read(body, path), model: decodeURIComponent(model), streamed };
  },
  streamType: bedrock.streamType,
  *toFrames(answer, request) {
    for (const frame of anthropic.toFrames(answer, request)) {
      yield { ...frame, wire: wrap(frame.wire) };
    }
  },
  toError: (status, message) => bedrock.toError(status, message),
  toErrorFrame: (message) => bedrock.toErrorFrame(message),
};
