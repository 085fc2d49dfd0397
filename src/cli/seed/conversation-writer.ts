import { createHash } from "node:crypto";
import type { Environment } from "../../events/base-event.ts";
import type { ComplianceFlag, ToolUsageInfo } from "../../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../../events/detailed-event.ts";
import type { AgentScript, SeedTool, SeedVersion } from "./agent-script.ts";
import type { Evaluate } from "./evaluate.ts";
import type { Random } from "./random.ts";
import type { Slots } from "./slots.ts";

/** Where and when a conversation is held. */
export interface Occasion {
  readonly script: AgentScript;
  readonly version: SeedVersion;
  readonly environment: Environment;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  readonly customer: string;
}

const TOOL_FAILURES = 0.05;
const JUDGED = 0.6;
const CONTRADICTED = 0.25;
const TOKENS_OF_PROMPT = 620;
const JUDGE_PROMPT = `sha256:${createHash("sha256").update("seed").digest("hex")}`;

function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** Writes the events of one conversation, one after the other in time. */
export class ConversationWriter {
  readonly events: DetailedEvent[] = [];
  #now: number;
  #tokens = TOKENS_OF_PROMPT;
  readonly #occasion: Occasion;
  readonly #random: Random;
  readonly #evaluate: Evaluate;
  readonly #sessionId: string;

  constructor(occasion: Occasion, random: Random, evaluate: Evaluate) {
    this.#occasion = occasion;
    this.#random = random;
    this.#evaluate = evaluate;
    this.#now = occasion.start;
    this.#sessionId = `session-${random.id(occasion.start).slice(0, 18)}`;
  }

  #wait(millis: number): void {
    this.#now += Math.max(1, Math.round(millis));
  }

  #base() {
    const { script, version, environment, customer } = this.#occasion;
    const { id, category, specialty } = script.profile;
    const eventId = this.#random.id(this.#now);
    return {
      eventId,
      timestamp: this.#now,
      sessionId: this.#sessionId,
      agentId: id,
      userId: customer,
      environment,
      requestId: eventId,
      version: "1.0",
      agentVersion: version.version,
      agentCategory: category,
      ...(specialty !== undefined && { agentSpecialty: specialty }),
    };
  }

  start(): void {
    const channel = this.#random.weigh(this.#occasion.script.channels);
    const customerType = this.#random.weigh({ retail: 7, premier: 2, "small business": 1 });
    const metadata = { channel, customerType };
    this.events.push({ ...this.#base(), interactionType: "conversation_start", metadata });
  }

  say(text: string): void {
    // As long as one needs to read the answer and to write.
    this.#wait(this.#random.about(6000 + 60 * text.length));
    this.#tokens += Math.ceil(text.length / 4);
    this.events.push({
      ...this.#base(),
      interactionType: "user_message",
      content: text,
      contentHash: sha256(text),
      contentLength: text.length,
      metadata: { language: "en" },
    });
  }

  callTool(tool: SeedTool, slots: Slots, mayFail: boolean, fails: boolean): ToolUsageInfo {
    const { name, category, riskLevel, millis, failure } = tool;
    const toolVersion = tool.version ?? "1.0";
    const toolCallId = `call_${this.#random.id(this.#now).slice(-12)}`;
    this.#wait(this.#random.about(this.#occasion.version.latency * 0.4));
    const parameters = tool.parametersOf(slots);
    this.events.push({
      ...this.#base(),
      interactionType: "tool_call",
      toolName: name,
      toolParameters: parameters,
      toolCategory: category,
      riskLevel,
      metadata: { toolCallId, toolVersion },
    });
    const executionTime = Math.round(this.#random.about(millis));
    this.#wait(executionTime);
    const hasFailed = fails || (mayFail && this.#random.chance(TOOL_FAILURES));
    const result = hasFailed ? { error: failure } : tool.resultOf(slots);
    this.events.push({
      ...this.#base(),
      interactionType: "tool_result",
      toolName: name,
      toolResult: result,
      ...(hasFailed && { toolError: failure }),
      executionTime,
      success: !hasFailed,
      metadata: { toolCallId, resultSize: JSON.stringify(result).length },
    });
    return { name, parameters, result, success: !hasFailed, executionTime, category, riskLevel };
  }

  fail(): void {
    const { profile } = this.#occasion.script;
    this.#wait(this.#random.about(9000));
    this.events.push({
      ...this.#base(),
      interactionType: "error",
      errorType: this.#random.pick(["RateLimitError", "APITimeoutError", "ServiceUnavailable"]),
      errorMessage: `${profile.llmProvider} did not answer in time`,
      severity: "medium",
      recoverable: true,
      metadata: { errorSource: "external", userImpact: "minimal" },
    });
  }

  answer(text: string, userMessage: string, toolsUsed: readonly ToolUsageInfo[]): void {
    const { script, version, customer } = this.#occasion;
    const latency = Math.round(this.#random.about(version.latency + 4 * text.length));
    this.#wait(latency);
    const output = Math.ceil(text.length / 4) + this.#random.integer(4, 40);
    const input = this.#tokens;
    this.#tokens += output;
    const { price, profile } = script;
    const cost = (input * price.input + output * price.output) / 1_000_000;
    const event: AgentResponseEvent = {
      ...this.#base(),
      interactionType: "agent_response",
      content: text,
      contentHash: sha256(text),
      contentLength: text.length,
      llmMetadata: {
        model: version.model,
        provider: profile.llmProvider,
        latency,
        tokensUsed: { input, output, total: input + output },
        cost: Number(cost.toFixed(6)),
        temperature: 0.2,
      },
    };
    this.#evaluate(event, {
      userMessage,
      userId: customer,
      ...(toolsUsed.length > 0 && { toolsUsed: [...toolsUsed] }),
    });
    this.events.push(event);
  }

  /** Has a model look at what the rules found in the last answer: some it confirms, some it contradicts. */
  judge(): void {
    const answer = this.events.findLast((event) => event.interactionType === "agent_response");
    const [flag] = answer?.complianceFlags ?? [];
    if (!answer || !flag || !this.#random.chance(JUDGED)) return;
    this.#wait(this.#random.about(2600));
    this.events.push({ ...this.#base(), ...this.#toOpinion(answer, flag) });
  }

  #toOpinion(answer: AgentResponseEvent, flag: ComplianceFlag) {
    const isContradicted = this.#random.chance(CONTRADICTED);
    const tier = isContradicted ? ("contradicted" as const) : ("confirmed" as const);
    const quote = flag.context?.detectedContent;
    const reason = isContradicted
      ? "Read as a whole, the answer does not do this."
      : "The passage does what the rule forbids, and nothing in the answer takes it back.";
    const confidence = this.#random.integer(72, 97) / 100;
    const { rule: ruleId, category: violationType, severity, description } = flag;
    const { riskScore, requiresReview } = answer;
    return {
      interactionType: "compliance_violation" as const,
      ruleId,
      violationType,
      severity,
      description,
      metadata: {
        eventId: answer.eventId,
        finding: flag,
        riskScore,
        requiresReview,
        tier,
        evaluator: {
          id: "agent-monitor.judge",
          type: "llm_judge",
          version: "1",
          model: "claude-haiku-4-5",
          promptHash: JUDGE_PROMPT,
          reason: "finding",
        },
        opinion: isContradicted ? { reason, confidence } : { quote, reason, confidence },
      },
    };
  }

  end(): void {
    this.#wait(this.#random.about(20_000));
    const count = (type: DetailedEvent["interactionType"]): number =>
      this.events.filter(({ interactionType }) => interactionType === type).length;
    const resolutionStatus = this.#random.weigh({
      resolved: 84,
      unresolved: 6,
      escalated: 5,
      abandoned: 5,
    });
    const isGood = resolutionStatus === "resolved";
    this.events.push({
      ...this.#base(),
      interactionType: "conversation_end",
      duration: this.#now - this.#occasion.start,
      messageCount: count("user_message") + count("agent_response"),
      ...(this.#random.chance(0.3) && {
        userSatisfaction: this.#random.integer(isGood ? 7 : 2, isGood ? 10 : 6),
      }),
      resolutionStatus,
      metadata: {
        endReason: isGood ? "user_initiated" : "timeout",
        toolCallCount: count("tool_call"),
        errorCount: count("error"),
      },
    });
  }
}
