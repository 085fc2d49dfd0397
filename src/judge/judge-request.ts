import { createHash } from "node:crypto";
import type { JudgeRequest } from "../config/judge-options.ts";
import type { ComplianceCategory } from "../events/compliance.ts";
import type { JudgeExample, JudgeRule, JudgeTask } from "./judge-task.ts";
import type { JudgeWork } from "./judgement.ts";
import { FAMILIES, INSTRUCTIONS, PROMPT_VERSION, QUESTION } from "./prompt.ts";
import { toExchangeText, toSentExchange, type SentExchange } from "./sent-exchange.ts";
import type { JudgeUnit } from "./task-queue.ts";

/** The part of a request that is the same for all exchanges. */
export type FamilyPrompt = Omit<JudgeRequest, "id" | "user">;

/** Quotes are passages, not essays; a model's reply stays short. */
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
  const parts = { customer: userMessage, facts, tools: toolsUsed, agent: agentResponse };
  return Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join(" | ");
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

/** Writes the part that is the same for all exchanges: the instructions with the rules of a family. */
export function toFamilyPrompt(
  family: ComplianceCategory,
  rules: readonly JudgeRule[],
): FamilyPrompt {
  const ruleIds = rules.map(({ id }) => id);
  const schema = toSchema(ruleIds);
  // Functions, because `replace` would expand "$&" in a rule's text.
  const system = INSTRUCTIONS.replace("{family}", () => FAMILIES[family]).replace("{rules}", () =>
    rules.map(formatRule).join("\n\n"),
  );
  const promptHash = toDigest(system, JSON.stringify(schema));
  return { family, system, schema, ruleIds, promptVersion: PROMPT_VERSION, promptHash };
}

/** Writes a request: the exchange is enclosed in marks that its authors can't know. */
export function toJudgeRequest(prompt: FamilyPrompt, exchange: SentExchange): JudgeRequest {
  const code = createHash("sha256").update(JSON.stringify(exchange)).digest("hex").slice(0, 16);
  const text = toExchangeText(exchange, code);
  const user = QUESTION.replaceAll("{code}", code).replace("{exchange}", () => text);
  return { id: toDigest(prompt.system, user, JSON.stringify(prompt.schema)), ...prompt, user };
}

/** Writes the requests of answers: prompts are made once, an exchange is prepared once for all its families. */
export class RequestMaker {
  readonly #work: JudgeWork;
  readonly #prompts = new Map<ComplianceCategory, FamilyPrompt>();
  #rules: readonly JudgeRule[] | undefined;
  /** Families of one answer follow each other. */
  #last: { readonly task: JudgeTask; readonly sent: SentExchange } | undefined;

  constructor(work: JudgeWork) {
    this.#work = work;
  }

  /** @throws RangeError when the family has no rules, and errors thrown while the rules or the exchange are read. */
  make({ task, family }: JudgeUnit): { request: JudgeRequest; sent: SentExchange } {
    const sent = this.#toSent(task);
    return { request: toJudgeRequest(this.#toPrompt(family), sent), sent };
  }

  /** Drops the prepared exchange. */
  forget(): void {
    this.#last = undefined;
  }

  #toSent(task: JudgeTask): SentExchange {
    if (this.#last?.task === task) return this.#last.sent;
    const { toVisible, options } = this.#work;
    const sent = toSentExchange(toVisible(task.exchange), options.maxTextLength);
    this.#last = { task, sent };
    return sent;
  }

  #toPrompt(family: ComplianceCategory): FamilyPrompt {
    const known = this.#prompts.get(family);
    if (known) return known;
    this.#rules ??= this.#work.rules();
    const rules = this.#rules.filter(({ category }) => category === family);
    if (rules.length === 0) throw new RangeError(`no rules of the family ${family}`);
    const prompt = toFamilyPrompt(family, rules);
    this.#prompts.set(family, prompt);
    return prompt;
  }
}
