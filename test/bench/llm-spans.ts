import { SpanKind, type HrTime } from "@opentelemetry/api";

const QUESTION =
  "I would like to pay my loan on the house back earlier than agreed. Which fees are there, and until when do I have to tell the bank? My contract is of March 2021, with a fixed rate for ten years.";
const ANSWER =
  "You may repay up to five per cent of the original amount each year without a fee. For more, the bank charges what it loses in interest, at most one per cent of the amount that is repaid early; please tell us one month ahead, in writing or in the app.";
const INSTRUCTIONS = "You help customers of a bank. Be brief, be exact, never promise anything.";

/** A message of the chats that the samples hold. */
interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The attributes of an LLM span, and its content as JSON texts. */
export interface LlmSample {
  readonly scope: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** What a reader of the content has to parse; flattened attributes count as one object. */
  readonly texts: readonly string[];
}

/** Gives a chat with some turns before the last question. */
function toChat(index: number, turns: number): Message[] {
  const chat: Message[] = [{ role: "system", content: INSTRUCTIONS }];
  for (let turn = 0; turn < turns; turn++) {
    chat.push({ role: "user", content: `${turn}: ${QUESTION}` });
    chat.push({ role: "assistant", content: `${turn}: ${ANSWER}` });
  }
  chat.push({ role: "user", content: `${index}: ${QUESTION}` });
  return chat;
}

/** OTel GenAI since v1.37: lists of messages with parts. */
function toOtel(chat: readonly Message[], answer: string, index: number): LlmSample {
  const toParts = ({ role, content }: Message): unknown => ({
    role,
    parts: [{ type: "text", content }],
  });
  const input = JSON.stringify(chat.map(toParts));
  const output = JSON.stringify([
    { ...(toParts({ role: "assistant", content: answer }) as object), finish_reason: "stop" },
  ]);
  return {
    scope: "opentelemetry.instrumentation.openai",
    name: "chat gpt-5",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.response.id": `response-${index}`,
      "gen_ai.usage.input_tokens": 210,
      "gen_ai.usage.output_tokens": 61,
      "gen_ai.input.messages": input,
      "gen_ai.output.messages": output,
    },
    texts: [input, output],
  };
}

/** The Vercel AI SDK up to version 6. */
function toAiSdk(chat: readonly Message[], answer: string, index: number): LlmSample {
  const prompt = JSON.stringify(
    chat.map(({ role, content }) => ({ role, content: [{ type: "text", text: content }] })),
  );
  return {
    scope: "ai",
    name: "ai.generateText.doGenerate",
    attributes: {
      "operation.name": "ai.generateText.doGenerate",
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.model.id": "gpt-5",
      "ai.model.provider": "openai.chat",
      "ai.prompt.messages": prompt,
      "ai.response.text": answer,
      "ai.response.id": `response-${index}`,
      "ai.response.finishReason": "stop",
      "ai.usage.inputTokens": 210,
      "ai.usage.outputTokens": 61,
    },
    texts: [prompt, JSON.stringify(answer)],
  };
}

/** OpenInference: flattened messages beside the raw request and response. */
function toOpenInference(chat: readonly Message[], answer: string): LlmSample {
  const flattened: Record<string, string> = {};
  for (const [index, { role, content }] of chat.entries()) {
    flattened[`llm.input_messages.${index}.message.role`] = role;
    flattened[`llm.input_messages.${index}.message.content`] = content;
  }
  flattened["llm.output_messages.0.message.role"] = "assistant";
  flattened["llm.output_messages.0.message.content"] = answer;
  return {
    scope: "@arizeai/openinference-instrumentation-openai",
    name: "OpenAI Chat Completions",
    attributes: {
      "openinference.span.kind": "LLM",
      "llm.model_name": "gpt-5",
      "llm.token_count.prompt": 210,
      "llm.token_count.completion": 61,
      ...flattened,
    },
    texts: [JSON.stringify(flattened)],
  };
}

/** OpenLLMetry before 0.26: prompts and completions by number. */
function toTraceloop(chat: readonly Message[], answer: string): LlmSample {
  const flattened: Record<string, string> = {};
  for (const [index, { role, content }] of chat.entries()) {
    flattened[`gen_ai.prompt.${index}.role`] = role;
    flattened[`gen_ai.prompt.${index}.content`] = content;
  }
  flattened["gen_ai.completion.0.role"] = "assistant";
  flattened["gen_ai.completion.0.content"] = answer;
  return {
    scope: "@traceloop/instrumentation-openai",
    name: "openai.chat",
    attributes: {
      "llm.request.type": "chat",
      "gen_ai.system": "OpenAI",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.usage.prompt_tokens": 210,
      "gen_ai.usage.completion_tokens": 61,
      ...flattened,
    },
    texts: [JSON.stringify(flattened)],
  };
}

/** Langfuse: request and response as JSON. */
function toLangfuse(chat: readonly Message[], answer: string): LlmSample {
  const input = JSON.stringify({ messages: chat });
  const output = JSON.stringify({ role: "assistant", content: answer });
  return {
    scope: "langfuse-sdk",
    name: "OpenAI-generation",
    attributes: {
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "gpt-5",
      "langfuse.observation.input": input,
      "langfuse.observation.output": output,
      "langfuse.observation.usage_details": '{"input":210,"output":61,"total":271}',
    },
    texts: [input, output],
  };
}

const DIALECTS = [toOtel, toAiSdk, toOpenInference, toTraceloop, toLangfuse];
/** Turns before the question: contents of about 1, 2, 3 and 4 KB. */
const HISTORIES = [1, 3, 4, 6];

/** Makes the spans of calls with 1 to 4 KB of content, in turn of five instrumentations. */
export function createLlmSamples(count: number): LlmSample[] {
  return Array.from({ length: count }, (_, index) => {
    const toSample = DIALECTS[index % DIALECTS.length] ?? toOtel;
    const turns = HISTORIES[Math.floor(index / DIALECTS.length) % HISTORIES.length] ?? 1;
    return toSample(toChat(index, turns), `${index}: ${ANSWER}`, index);
  });
}

/** Makes the spans of calls of the AI SDK alone, which every processor that is compared reads. */
export function createAiSdkSamples(count: number): LlmSample[] {
  return Array.from({ length: count }, (_, index) =>
    toAiSdk(toChat(index, HISTORIES[index % HISTORIES.length] ?? 1), `${index}: ${ANSWER}`, index),
  );
}

const toHex = (value: number, length: number): string => value.toString(16).padStart(length, "0");

/** Sets attributes one by one, as SDKs do: V8 reads copies that were made at once far more slowly. */
function toAttributes(given: LlmSample["attributes"], index: number) {
  const attributes: Record<string, string | number> = {};
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) attributes[name] = value;
  }
  attributes["session.id"] = `session-${index % 50}`;
  return attributes;
}

/** Makes an ended span of a sample, in a trace of its own. */
export function toEndedSpan({ scope, name, attributes }: LlmSample, index: number) {
  const context = {
    traceId: toHex(index + 1, 32),
    spanId: toHex(index + 1, 16),
    traceFlags: 1,
  };
  const time = (millis: number): HrTime => [1_700_000_000 + index, millis * 1e6];
  return {
    name,
    kind: SpanKind.CLIENT,
    spanContext: () => context,
    startTime: time(0),
    endTime: time(800),
    duration: [0, 800e6] as HrTime,
    ended: true,
    status: { code: 0 },
    // Of its own: one of the processors writes on it.
    attributes: toAttributes(attributes, index),
    links: [],
    events: [],
    instrumentationScope: { name: scope },
    resource: {
      attributes: { "service.name": "bench" },
      merge: () => {
        throw new Error("bench: nobody merges resources here");
      },
      getRawAttributes: () => [],
    },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
