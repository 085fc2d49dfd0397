import { countsCacheApart, readUsage } from "../reading/read-usage.ts";
import type { Dialect } from "../span-record.ts";
import { fillIdentity, readGenAiRole } from "./otel-gen-ai.ts";
import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_SESSION_ID, ATTR_USER_ID } from "../../semconv.ts";

/** The AI SDK's own tracer from version 7 on. */
const SCOPE = "gen_ai";
/** Members of the runtime context, which applications can have written on the spans. */
const toContext = (...names: string[]): string[] =>
  names.map((name) => `ai.settings.context.${name}`);

/** The Vercel AI SDK from version 7 on: the conventions, with steps between agent and call. */
export const vercelAiSdk7: Dialect = {
  name: "vercel-ai-sdk-7",
  toRole: ({ attributes, instrumentationScope }) =>
    instrumentationScope?.name === SCOPE ? readGenAiRole(attributes) : undefined,
  toIdentity: fillIdentity({
    sessionId: toContext("sessionId", ATTR_SESSION_ID),
    conversationId: toContext("conversationId", "threadId", "thread_id", "chatId"),
    userId: toContext("userId", ATTR_USER_ID),
  }),
  toUsage: ({ attributes }) =>
    readUsage(attributes, countsCacheApart(attributes[ATTR_GEN_AI_PROVIDER_NAME])),
};
