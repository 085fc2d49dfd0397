import { expect, it } from "vitest";
import { scanResponse } from "../../../src/bridge/reading/scan-response.ts";

const scan = (answer: object): object => scanResponse({ "output.value": JSON.stringify(answer) });

it.each([
  [{ id: "chatcmpl-1" }, { responseId: "chatcmpl-1" }],
  [{ id: "resp_1" }, { responseId: "resp_1" }],
  [{ responseId: "gemini-1" }, { responseId: "gemini-1" }],
  [
    { id: "msg_1", stop_reason: "end_turn" },
    { responseId: "msg_1", finishReason: "end_turn" },
  ],
  [{ finish_reason: "stop" }, { finishReason: "stop" }],
  [{ finishReason: "STOP" }, { finishReason: "STOP" }],
  [{ stopReason: "end_turn" }, { finishReason: "end_turn" }],
  [{ cached_tokens: 0 }, { cacheRead: 0 }],
  [{ cachedContentTokenCount: 4 }, { cacheRead: 4 }],
  [{ cached_content_token_count: 4 }, { cacheRead: 4 }],
  [{ cacheReadInputTokens: 4 }, { cacheRead: 4 }],
  [{ cache_read_input_tokens: 4 }, { cacheRead: 4 }],
  [{ cacheWriteInputTokens: 4 }, { cacheWrite: 4 }],
  [{ cache_creation_input_tokens: 4 }, { cacheWrite: 4 }],
])("finds what an answer says of itself when it says nothing else: %j", (answer, facts) => {
  expect(scan(answer)).toEqual(facts);
});

it("takes nothing for a fact that stands in the text of an answer", () => {
  expect(scan({ role: "assistant", content: '{"id": "chatcmpl-1", "cached_tokens": 4}' })).toEqual(
    {},
  );
});
