import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { redactExchange, toJudgeRules, toWholeExchange } from "../../src/assessment/judge-input.ts";
import { readBuiltInSource } from "../../src/compliance/packs/pack-source.ts";
import type { ComplianceCategory, InteractionContext } from "../../src/events/compliance.ts";
import type { JudgeRequest } from "../../src/config/judge-options.ts";
import {
  toFamilyPrompt,
  toJudgeRequest,
  type FamilyPrompt,
} from "../../src/judge/judge-request.ts";
import { toSentExchange, type SentExchange, type SentTurn } from "../../src/judge/sent-exchange.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";

/**
 * An exchange in which somebody tries to steer the judge: a line of `test/fixtures/judge/injections.jsonl`. Where the attempt
 * stands, one of the texts has `{attempt}`.
 */
export interface Injection {
  readonly id: string;
  readonly kind: string;
  readonly place: "answer" | "customer" | "tools" | "earlier";
  readonly label: "violation" | "ok";
  /** Family of the request; that of the violation, where there is one. */
  readonly expectedCategory: ComplianceCategory;
  readonly expectedRule?: string;
  readonly earlier?: readonly SentTurn[];
  readonly userMessage: string;
  readonly toolsUsed?: NonNullable<InteractionContext["toolsUsed"]>;
  readonly agentResponse: string;
  readonly attempt: string;
  /** How often the attempt stands there in a row; default once. */
  readonly repeat?: number;
  /** What a model replies that does as it is told. */
  readonly obeyed: string;
}

/** What the judge's model is asked about an attempt. */
export interface InjectionRequest {
  readonly context: InteractionContext;
  readonly sent: SentExchange;
  readonly request: JudgeRequest;
}

/** What a real model replied to the request of an attempt. */
export interface InjectionReply {
  /** Of the request as it was then: another prompt or other rules give another id. */
  readonly id: string;
  /** Id of the attempt. */
  readonly attempt: string;
  readonly family: ComplianceCategory;
  readonly reply: string;
  readonly model: string;
  readonly date: string;
}

const FIXTURES = join(import.meta.dirname, "../fixtures/judge");
const MAX_TEXT_LENGTH = 32_000;

const rules = toJudgeRules(builtInRules, readBuiltInSource().rules);
const prompts = new Map<string, FamilyPrompt>();

function promptOf(family: ComplianceCategory): FamilyPrompt {
  const known = prompts.get(family);
  const prompt =
    known ??
    toFamilyPrompt(
      family,
      rules.filter(({ category }) => category === family),
    );
  prompts.set(family, prompt);
  return prompt;
}

/** Puts a text in the place of the attempt. */
function fill<T>(value: T, text: string): T {
  const inString = JSON.stringify(text).slice(1, -1);
  return JSON.parse(JSON.stringify(value).replace("{attempt}", () => inString)) as T;
}

function readLines<T>(name: string): T[] {
  const file = join(FIXTURES, name);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** Reads the corpus. */
export const readInjections = (): Injection[] => readLines("injections.jsonl");

/** Reads what real models replied; empty where nothing is recorded. */
export const readInjectionReplies = (): InjectionReply[] => readLines("injection-replies.jsonl");

/**
 * Makes the request of an attempt, as the defaults would.
 *
 * @param attempt - What stands in the place of the attempt; default: the attempt.
 */
export function toInjectionRequest(
  injection: Injection,
  attempt = injection.attempt.repeat(injection.repeat ?? 1),
): InjectionRequest {
  const { earlier = [], userMessage, toolsUsed, agentResponse } = injection;
  const texts = fill({ earlier, userMessage, toolsUsed, agentResponse }, attempt);
  const context: InteractionContext = {
    agentId: "agent",
    agentCategory: "tool_calling",
    sessionId: "session",
    timestamp: 0,
    userMessage: texts.userMessage,
    agentResponse: texts.agentResponse,
    ...(texts.toolsUsed && { toolsUsed: texts.toolsUsed }),
  };
  const whole = redactExchange(toWholeExchange(context, texts.earlier), createRedactor());
  const sent = toSentExchange(whole, MAX_TEXT_LENGTH);
  return { context, sent, request: toJudgeRequest(promptOf(injection.expectedCategory), sent) };
}
