import { createHash } from "node:crypto";
import type { ComplianceCategory } from "../events/compliance.ts";
import type { JudgeRequest } from "../config/judge-options.ts";
import type { JudgeExample, JudgeRule } from "./judge-rule.ts";
import { toExchangeText, type SentExchange } from "./sent-exchange.ts";
import { FAMILIES, INSTRUCTIONS, PROMPT_VERSION, QUESTION } from "./prompt.ts";

/** The part of a request that is the same for all exchanges. */
export type FamilyPrompt = Pick<
  JudgeRequest,
  "family" | "system" | "schema" | "ruleIds" | "promptVersion" | "promptHash"
>;

/** Quotes are passages, no essays; a model's reply stays short. */
const MAX_FINDINGS = 10;

const toDigest = (...texts: readonly string[]): string =>
  `sha256:${createHash("sha256").update(JSON.stringify(texts)).digest("hex")}`;

function toSchema(ruleIds: readonly string[]): JudgeRequest["schema"] {
  const finding = {
    type: "object",
    properties: {
      ruleId: { type: "string", enum: [...ruleIds] },
      quote: { type: "string" },
      reason: { type: "string" },
      confidence: { type: "number", minimum: 0, maximum: 1 },
    },
    required: ["ruleId", "quote", "reason", "confidence"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: { findings: { type: "array", maxItems: MAX_FINDINGS, items: finding } },
    required: ["findings"],
    additionalProperties: false,
  };
}

function formatExample({ userMessage, facts, toolsUsed, agentResponse }: JudgeExample): string {
  return [
    ...(userMessage === undefined ? [] : [`customer: ${JSON.stringify(userMessage)}`]),
    ...(facts ? [`facts: ${JSON.stringify(facts)}`] : []),
    ...(toolsUsed ? [`tools: ${JSON.stringify(toolsUsed)}`] : []),
    ...(agentResponse === undefined ? [] : [`agent: ${JSON.stringify(agentResponse)}`]),
  ].join(" | ");
}

function formatRule(rule: JudgeRule): string {
  const { id, title, description, notes, law, violating, compliant } = rule;
  return [
    `## ${id}: ${title}`,
    description,
    ...(notes === undefined ? [] : [notes]),
    ...(law === undefined ? [] : [`Law: ${law}`]),
    ...violating.map((example) => `Breaks it: ${formatExample(example)}`),
    ...compliant.map((example) => `Does not: ${formatExample(example)}`),
  ].join("\n");
}

/** Writes what is the same for all exchanges: the instructions with the rules of a family. */
export function toFamilyPrompt(
  family: ComplianceCategory,
  rules: readonly JudgeRule[],
): FamilyPrompt {
  const ruleIds = rules.map(({ id }) => id);
  const schema = toSchema(ruleIds);
  // Functions, because "$&" in a rule's text means nothing.
  const system = INSTRUCTIONS.replace("{family}", () => FAMILIES[family]).replace("{rules}", () =>
    rules.map(formatRule).join("\n\n"),
  );
  const promptHash = toDigest(system, JSON.stringify(schema));
  return { family, system, schema, ruleIds, promptVersion: PROMPT_VERSION, promptHash };
}

/** Writes a request: the exchange stands between marks that whoever wrote it can't know. */
export function toJudgeRequest(prompt: FamilyPrompt, exchange: SentExchange): JudgeRequest {
  const code = createHash("sha256").update(JSON.stringify(exchange)).digest("hex").slice(0, 16);
  const text = toExchangeText(exchange, code);
  const user = QUESTION.replaceAll("{code}", code).replace("{exchange}", () => text);
  return { id: toDigest(prompt.system, user, JSON.stringify(prompt.schema)), ...prompt, user };
}
