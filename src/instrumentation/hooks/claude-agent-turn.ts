import type { Attributes, Context } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
} from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock } from "../../util/clock.ts";
import { readMember } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";
import type { Message, Part } from "../message.ts";
import { toText } from "../../util/values.ts";
import {
  addUsage,
  readClaudeUsage,
  readToolResults,
  readToolUses,
  subtractUsage,
  toAnswerAttributes,
  toClaudeMessage,
  toUsageAttributes,
  type ClaudeToolResult,
  type ClaudeToolUse,
  type ClaudeUsage,
} from "./claude-agent-message.ts";
import {
  toArgumentsContent,
  toInputContent,
  toOutputContent,
  toResultContent,
} from "./hook-content.ts";
import { startHookSpan, type HookSpan } from "./hook-span.ts";

/** The library, as scopes name it. */
export const LIBRARY = "claude-agent";
const PROVIDER = "anthropic";
const MAX_TOOLS = 1000;
/** Messages of one turn that are told as the input of its next call. */
const MAX_HISTORY = 200;
const MAX_PARTS = 1000;
const NOTHING: ClaudeUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** An answer of the model, of which each message brings one block. */
interface Draft {
  readonly id: string | undefined;
  readonly span: HookSpan;
  readonly parts: Part[];
  message: unknown;
}

/** A tool that runs, and the agent behind it if it has one. */
interface RunningTool {
  readonly span: HookSpan;
  /** What the agent behind it is called, if the model has asked for one. */
  readonly agentName: string | undefined;
  agent: ClaudeTurn | undefined;
}

/** What a turn works with. */
export interface ClaudeTurnOptions {
  readonly host: FetchObserverHost;
  readonly agentName: string | undefined;
  /** Whose conversation it is. */
  readonly owner: Attributes;
  readonly question: Message | undefined;
  readonly parent: Context;
}

/** One turn of an agent, or the work of one that helps it, put together from the messages that the library streams. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #span: HookSpan;
  readonly #tools = new BoundedMap<string, RunningTool>(MAX_TOOLS, ({ span }) => span.abandon());
  #history: Message[];
  #draft: Draft | undefined;
  #known = NOTHING;
  #lastId: string | undefined;
  /** Time at which the model began to work on its next answer, in ms since the Unix epoch. */
  #since: number;

  constructor(options: ClaudeTurnOptions) {
    const { host, agentName, owner, question, parent } = options;
    this.#options = options;
    this.#history = question ? [question] : [];
    this.#since = this.#now();
    this.#span = startHookSpan(host, {
      operation: "invoke_agent",
      library: LIBRARY,
      attributes: { ...owner, [ATTR_GEN_AI_AGENT_NAME]: agentName },
      content: toInputContent(this.#history),
      parent,
    });
  }

  /** Tells whose conversation it is, once that is known. */
  identify(owner: Attributes): void {
    this.#span.set(owner);
  }

  /** Gives the agent that works behind a tool. */
  helper(toolUseId: string, name: string | undefined): ClaudeTurn | undefined {
    const tool = this.#tools.get(toolUseId);
    if (!tool) {
      // A helper may have helpers.
      for (const { agent } of this.#tools.values()) {
        const found = agent?.helper(toolUseId, name);
        if (found) return found;
      }
      return undefined;
    }
    tool.agent ??= new ClaudeTurn({
      ...this.#options,
      agentName: name ?? tool.agentName,
      question: undefined,
      parent: tool.span.context,
    });
    return tool.agent;
  }

  /** Takes a message of the model. */
  assistant(message: unknown): void {
    const id = toText(readMember(message, "id"));
    if (this.#draft && (id === undefined || this.#draft.id !== id)) this.#endDraft();
    const draft = (this.#draft ??= this.#startDraft(id, message));
    draft.message = message;
    const { parts } = toClaudeMessage(message, "assistant");
    if (draft.parts.length < MAX_PARTS) draft.parts.push(...parts);
    for (const tool of readToolUses(message)) this.#startTool(tool);
  }

  /** Takes a message to the model: results of tools, or what the user adds. */
  user(message: unknown): void {
    this.#endDraft();
    this.#remember(toClaudeMessage(message, "user"));
    for (const result of readToolResults(message)) this.#endTool(result);
    this.#since = this.#now();
  }

  /** Ends the turn. @param usage - Tokens of all of its calls. */
  end(
    outcome: {
      readonly usage?: unknown;
      readonly error?: unknown;
      readonly more?: Attributes;
    } = {},
  ): void {
    this.#endDraft(readClaudeUsage(outcome.usage));
    for (const { span, agent } of this.#tools.values()) {
      agent?.end();
      span.abandon();
    }
    this.#tools.clear();
    if (outcome.error !== undefined) this.#span.fail(outcome.error);
    this.#span.set(outcome.more ?? {});
    this.#span.end();
  }

  #startDraft(id: string | undefined, message: unknown): Draft {
    const span = startHookSpan(this.#options.host, {
      operation: "chat",
      library: LIBRARY,
      attributes: {
        ...this.#options.owner,
        [ATTR_GEN_AI_PROVIDER_NAME]: PROVIDER,
        [ATTR_GEN_AI_REQUEST_MODEL]: toText(readMember(message, "model")),
      },
      content: toInputContent(this.#history),
      parent: this.#span.context,
      // An answer whose beginning nobody saw began before the tools that it asks for.
      startTime: Math.min(this.#since, this.#now() - 1),
    });
    return { id, span, parts: [], message };
  }

  #endDraft(total?: ClaudeUsage): void {
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    const { message, parts, span } = draft;
    // What messages say of their tokens was said before the answer was whole; the turn's sum is right.
    const told = readClaudeUsage(readMember(message, "usage"));
    const usage = total ? subtractUsage(total, this.#known) : told;
    if (usage) this.#known = addUsage(this.#known, usage);
    const asks = parts.some(({ type }) => type === "tool_call");
    const finish = toText(readMember(message, "stop_reason")) ?? (asks ? "tool_use" : "end_turn");
    const answer = { role: "assistant", parts, finish_reason: finish };
    // A tool that is quick has its result told before the last block of the answer that asked for it.
    const isRest = draft.id !== undefined && draft.id === this.#lastId;
    this.#lastId = draft.id;
    span.set(
      {
        ...(!isRest && toAnswerAttributes(message)),
        ...toUsageAttributes(usage),
        [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: [finish],
      },
      toOutputContent([answer]),
    );
    span.end();
    this.#remember({ role: "assistant", parts });
  }

  #startTool({ id, name, input }: ClaudeToolUse): void {
    if (this.#tools.get(id)) return;
    const span = startHookSpan(this.#options.host, {
      operation: "execute_tool",
      library: LIBRARY,
      attributes: {
        ...this.#options.owner,
        [ATTR_GEN_AI_TOOL_NAME]: name,
        [ATTR_GEN_AI_TOOL_CALL_ID]: id,
      },
      content: toArgumentsContent(input),
      parent: this.#span.context,
    });
    const agentName = toText(readMember(input, "subagent_type"));
    this.#tools.set(id, { span, agentName, agent: undefined });
  }

  #endTool({ id, content, isError }: ClaudeToolResult): void {
    const tool = this.#tools.get(id);
    if (!tool) return;
    this.#tools.delete(id);
    tool.agent?.end();
    if (isError) {
      tool.span.fail({
        name: "tool_error",
        message: toText(content) ?? "the tool reported an error",
      });
    }
    tool.span.set({}, toResultContent(content));
    tool.span.end();
  }

  #remember(message: Message): void {
    if (message.parts.length > 0) this.#history.push(message);
    if (this.#history.length > MAX_HISTORY) this.#history = this.#history.slice(-MAX_HISTORY / 2);
  }

  #now(): number {
    return (this.#options.host.clock ?? systemClock).now();
  }
}
