import type { Attributes, Context } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
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
  startHookSpan,
  toArgumentsContent,
  toInputContent,
  toOutputContent,
  toResultContent,
  type HookSpan,
} from "./hook-span.ts";

/** Name of the library in scopes. */
export const LIBRARY = "claude-agent";
const PROVIDER = "anthropic";
const MAX_TOOLS = 1000;
/** Most messages of one turn that are recorded as the input of its next call. */
const MAX_HISTORY = 200;
const MAX_PARTS = 1000;
const NOTHING: ClaudeUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A response of the model, of which each message brings one block. */
interface Draft {
  readonly id: string | undefined;
  readonly span: HookSpan;
  readonly parts: Part[];
  message: unknown;
}

/** A running tool, and the agent behind it if there is one. */
interface RunningTool {
  readonly span: HookSpan;
  /** Name of the agent behind the tool, if the model has asked for one. */
  readonly agentName: string | undefined;
  agent: ClaudeTurn | undefined;
}

/** Options of a turn. */
export interface ClaudeTurnOptions {
  readonly host: FetchObserverHost;
  readonly agentName: string | undefined;
  /** Attributes of the conversation. */
  readonly owner: Attributes;
  readonly question: Message | undefined;
  readonly parent: Context;
}

/** One turn of an agent or of a subagent, assembled from the messages that the library streams. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #span: HookSpan;
  readonly #tools = new BoundedMap<string, RunningTool>(MAX_TOOLS, ({ span }) => span.abandon());
  #history: Message[];
  #draft: Draft | undefined;
  #known = NOTHING;
  #lastId: string | undefined;
  /** Time at which the model began its next response, in ms since the Unix epoch. */
  #since: number;

  constructor(options: ClaudeTurnOptions) {
    const { host, agentName, owner, question, parent } = options;
    this.#options = options;
    this.#history = question ? [question] : [];
    this.#since = this.#now();
    this.#span = startHookSpan(host, {
      operation: "invoke_agent",
      library: LIBRARY,
      attributes: { ...owner, [semconv.ATTR_GEN_AI_AGENT_NAME]: agentName },
      content: toInputContent(this.#history),
      parent,
    });
  }

  /** Sets the attributes of the conversation once they are known. */
  identify(owner: Attributes): void {
    this.#span.set(owner);
  }

  /** Returns the turn of the agent behind a tool. */
  helper(toolUseId: string, name: string | undefined): ClaudeTurn | undefined {
    const tool = this.#tools.get(toolUseId);
    if (!tool) {
      // A subagent may have subagents.
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

  /** Handles a message of the model. */
  assistant(message: unknown): void {
    const id = toText(readMember(message, "id"));
    if (this.#draft && (id === undefined || this.#draft.id !== id)) this.#endDraft();
    const draft = (this.#draft ??= this.#startDraft(id, message));
    draft.message = message;
    const { parts } = toClaudeMessage(message, "assistant");
    if (draft.parts.length < MAX_PARTS) draft.parts.push(...parts);
    for (const tool of readToolUses(message)) this.#startTool(tool);
  }

  /** Handles a message to the model: results of tools, or additions by the user. */
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
        [semconv.ATTR_GEN_AI_PROVIDER_NAME]: PROVIDER,
        [semconv.ATTR_GEN_AI_REQUEST_MODEL]: toText(readMember(message, "model")),
      },
      content: toInputContent(this.#history),
      parent: this.#span.context,
      // The start of a response is not observed; it must precede the start of the tools that the response calls.
      startTime: Math.min(this.#since, this.#now() - 1),
    });
    return { id, span, parts: [], message };
  }

  #endDraft(total?: ClaudeUsage): void {
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    const { message, parts, span } = draft;
    // Messages carry token counts from before the response was whole; the turn's sum is right.
    const reported = readClaudeUsage(readMember(message, "usage"));
    const usage = total ? subtractUsage(total, this.#known) : reported;
    if (usage) this.#known = addUsage(this.#known, usage);
    const asks = parts.some(({ type }) => type === "tool_call");
    const finish = toText(readMember(message, "stop_reason")) ?? (asks ? "tool_use" : "end_turn");
    const answer = { role: "assistant", parts, finish_reason: finish };
    // The result of a quick tool comes before the last block of the response that called it.
    const isRest = draft.id !== undefined && draft.id === this.#lastId;
    this.#lastId = draft.id;
    span.set(
      {
        ...(!isRest && toAnswerAttributes(message)),
        ...toUsageAttributes(usage),
        [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: [finish],
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
        [semconv.ATTR_GEN_AI_TOOL_NAME]: name,
        [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: id,
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
