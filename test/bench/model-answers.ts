/*
 * Answers of a model from memory: what the network takes would only blur a comparison, and how it puts pieces together
 * changes what a client has to do.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { createRandom, createText } from "./banking-texts.ts";

/** Chunks of text in one stream. */
export const CHUNKS = 4000;
/** Chunks that come at once. */
const AT_ONCE = 4;

const BASE = { id: "chatcmpl-1", created: 1_780_000_000, model: "gpt-4o" };

function toAnswer(content: string): string {
  const message = { role: "assistant", content, refusal: null };
  return JSON.stringify({
    ...BASE,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 21, completion_tokens: 11, total_tokens: 32 },
  });
}

const ANSWER = toAnswer("It opens at nine and closes at five.");

function toEvent(choice: object | undefined, more: object = {}): string {
  const choices = choice ? [{ index: 0, logprobs: null, finish_reason: null, ...choice }] : [];
  const chunk = { ...BASE, object: "chat.completion.chunk", choices, ...more };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function* makePieces(): Generator<Uint8Array> {
  for (let index = 0; index < CHUNKS; index += AT_ONCE) {
    const words = Array.from({ length: AT_ONCE }, (_, more) => ` word${index + more}`);
    yield Buffer.from(words.map((content) => toEvent({ delta: { content } })).join(""));
  }
  const usage = { prompt_tokens: 21, completion_tokens: CHUNKS, total_tokens: CHUNKS + 21 };
  const last = toEvent({ delta: {}, finish_reason: "stop" });
  yield Buffer.from(`${last}${toEvent(undefined, { usage })}data: [DONE]\n\n`);
}

const PIECES = [...makePieces()];

/** Gives a stream as the platform's `fetch` does: of bytes, each piece with a turn of the event loop. */
function stream(): ReadableStream<Uint8Array> {
  const pieces = PIECES.values();
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await nextTurn();
      const { value, done } = pieces.next();
      if (done === true) controller.close();
      // A stream of bytes takes what it is given for itself.
      else controller.enqueue(new Uint8Array(value));
    },
  });
}

/** Answers a chat as OpenAI does. */
export function answerChat(isStreamed: boolean): Response {
  const type = isStreamed ? "text/event-stream" : "application/json";
  return new Response(isStreamed ? stream() : ANSWER, { headers: { "content-type": type } });
}

/** Answers a chat as OpenAI does, with a text of so many characters that no other call gets. */
export function createLongChat(length: number): () => Response {
  const random = createRandom(1);
  const headers = { "content-type": "application/json" };
  return () => new Response(toAnswer(createText(random, { length })), { headers });
}
