import { createOpenAI } from "@ai-sdk/openai";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { toAiSdkJudge } from "../../examples/judge/ai-sdk.ts";
import { toBedrockJudge } from "../../examples/judge/bedrock.ts";
import { toOpenAiJudge } from "../../examples/judge/openai-compatible.ts";
import { askJudge } from "../../src/judge/ask-judge.ts";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { Judgement } from "../../src/judge/judgement.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { readInjections, toInjectionRequest } from "../helpers/injections.ts";
import { startJudgeServer, type NextReply, type ProviderForm } from "../helpers/judge-server.ts";

const MODEL = "bank-judge";
const openAiForm: ProviderForm = {
  reasons: { whole: "stop", cut: "length" },
  toBody: (content, finish_reason) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_780_000_000,
    model: `${MODEL}-2026-10`,
    choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, finish_reason }],
    usage: { prompt_tokens: 4100, completion_tokens: 60, total_tokens: 4160 },
  }),
  protocol: "http/1.1",
  toError: (message) => ({ error: { message, type: "rate_limit", param: null, code: null } }),
};
const bedrockForm: ProviderForm = {
  reasons: { whole: "end_turn", cut: "max_tokens" },
  toBody: (text, stopReason) => ({
    output: { message: { role: "assistant", content: [{ text }] } },
    stopReason,
    usage: {
      inputTokens: 100,
      cacheReadInputTokens: 4000,
      cacheWriteInputTokens: 0,
      outputTokens: 60,
      totalTokens: 4160,
    },
    metrics: { latencyMs: 4 },
  }),
  protocol: "http/2",
  toError: (message) => ({ __type: "ThrottlingException", message }),
};

/** What a call says of the request, wherever its provider has it. */
interface Sent {
  readonly system: string;
  readonly user: string;
  readonly schema?: unknown;
}

const fromOpenAi = ({ messages, response_format }: any): Sent => ({
  system: messages[0].content,
  user: messages[1].content,
  schema: response_format.json_schema.schema,
});

interface Adapter {
  readonly form: ProviderForm;
  readonly create: (url: string) => JudgeModel;
  readonly read: (body: any) => Sent;
  readonly model: string;
}

const adapters: Readonly<Record<string, Adapter>> = {
  "openai-compatible.ts": {
    form: openAiForm,
    create: (url) => toOpenAiJudge(new OpenAI({ apiKey: "none", baseURL: `${url}/v1` }), MODEL),
    read: fromOpenAi,
    model: `${MODEL}-2026-10`,
  },
  "ai-sdk.ts": {
    form: openAiForm,
    create: (url) =>
      toAiSdkJudge(createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).chat(MODEL)),
    read: fromOpenAi,
    model: `${MODEL}-2026-10`,
  },
  "bedrock.ts": {
    form: bedrockForm,
    create: (endpoint) => {
      const credentials = { accessKeyId: "id", secretAccessKey: "secret" };
      const options = { region: "us-east-1", endpoint, credentials, maxAttempts: 1 };
      return toBedrockJudge(new BedrockRuntimeClient(options), MODEL);
    },
    read: ({ system, messages }) => ({
      system: system[0].text,
      user: messages[0].content[0].text,
    }),
    model: MODEL,
  },
};

const injection = readInjections().find(
  ({ expectedRule }) => expectedRule === "privacy-auth-request",
)!;
const { request, sent } = toInjectionRequest(injection, "");
const FOUND = JSON.stringify({
  findings: [
    {
      ruleId: "privacy-auth-request",
      quote: "please type it here in the chat",
      reason: "It asks for a one-time code.",
      confidence: 0.95,
    },
  ],
});

let stop = (): void => undefined;
afterEach(() => stop());

describe.each(Object.entries(adapters))("examples/judge/%s", (_, { form, create, read, model }) => {
  const start = async (...replies: NextReply[]) => {
    const server = await startJudgeServer(form, replies);
    stop = () => server.close();
    const judge = create(server.url);
    const clock = createFakeClock();
    return {
      ...server,
      judge,
      ask: (): Promise<Judgement> =>
        askJudge(request, sent, { model: judge, clock, timeout: 60_000 }),
    };
  };

  it("asks what the judge asks, and gives reply, finish reason, model and tokens", async () => {
    const { requests, ask } = await start({ content: FOUND });
    expect(await ask()).toMatchObject({
      claims: [{ ruleId: "privacy-auth-request", source: "agentResponse" }],
      finishReason: form.reasons.whole,
      calls: 1,
      evaluator: { model },
      usage: { inputTokens: 4100, outputTokens: 60 },
    });
    expect(requests).toHaveLength(1);
    const { schema, ...texts } = read(requests[0]);
    expect(texts).toEqual({ system: request.system, user: request.user });
    expect(schema ?? request.schema).toEqual(request.schema);
  });

  it("tells of a reply that was cut off, even where it looks whole", async () => {
    const { ask } = await start({ content: '{"findings": []}', isCut: true }, { content: FOUND });
    const judgement = await ask();
    expect(judgement.failedCalls).toEqual([
      { failure: "truncated", finishReason: form.reasons.cut },
    ]);
    expect(judgement).toMatchObject({ calls: 2, claims: [{}], usage: { inputTokens: 8200 } });
  });

  it("tells of a reply that ends in the middle", async () => {
    const { ask } = await start({ content: FOUND.slice(0, 40), isCut: true });
    expect(await ask()).toMatchObject({ failure: "truncated", finishReason: form.reasons.cut });
  });

  it.each(["I found nothing wrong.", "<html>Bad Gateway</html>"])(
    "gives what is no JSON as it is: %s",
    async (content) => {
      const { ask } = await start({ content });
      expect(await ask()).toMatchObject({ failure: "not_json", replyLength: content.length });
    },
  );

  it("calls once for each call, and hands on for how long the provider wants to be left alone", async () => {
    const { ask, requests } = await start({ status: 429, retryAfter: "7" });
    expect(await ask()).toMatchObject({ failure: "rate_limited", retryAfterMillis: 7000 });
    expect(requests).toHaveLength(1);
  });

  it("fails where the provider does", async () => {
    const { ask, requests } = await start({ status: 500 });
    expect(await ask()).toMatchObject({ failure: "error", calls: 2 });
    expect(requests).toHaveLength(2);
  });

  it("hangs up when nobody waits any more", async () => {
    const { judge, requests, gone } = await start("hangs");
    const controller = new AbortController();
    const asked = judge(request, { signal: controller.signal });
    const failed = expect(asked).rejects.toBeDefined();
    await expect.poll(() => gone.length, { timeout: 20_000 }).toBe(1);
    controller.abort();
    await failed;
    await Promise.all(gone);
    expect(requests).toHaveLength(1);
  });
});
