import type { Attributes, Context } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock } from "../../util/clock.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import { toArray, toNumber } from "../../util/values.ts";
import { toUsageAttributes, type Usage } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import { startHookSpan, type HookSpan, type HookSpanOptions } from "./hook-span.ts";

/** Name of the library in scopes. */
export const LIBRARY = "claude-agent";
const PROVIDER = "anthropic";
const MAX_TOOLS = 1000;
/** Most messages of one turn that are recorded as the input of its next call. */
const MAX_HISTORY = 200;
const MAX_PARTS = 1000;

/** Tokens as Anthropic counts them: cached ones beside the input. */
type ClaudeUsage = Readonly<Record<keyof Usage, number>>;

const NOTHING: ClaudeUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Reads the tokens of a message or of a whole turn. */
function readClaudeUsage(usage: unknown): ClaudeUsage | undefined {
  const count = (name: string): number | undefined => toNumber(readMember(usage, name));
  const [input, output] = [count("input_tokens"), count("output_tokens")];
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: count("cache_read_input_tokens") ?? 0,
    cacheWrite: count("cache_creation_input_tokens") ?? 0,
  };
}

/** Adds the tokens of a call to others, or subtracts them; no count falls below 0. */
function addUsage(one: ClaudeUsage, other: ClaudeUsage, sign: 1 | -1 = 1): ClaudeUsage {
  const add = (name: keyof Usage): number => Math.max(0, one[name] + sign * other[name]);
  return {
    input: add("input"),
    output: add("output"),
    cacheRead: add("cacheRead"),
    cacheWrite: add("cacheWrite"),
  };
}

/** Converts a message to the conventions' format. */
export function toClaudeMessage(message: unknown, defaultRole: string): genAi.Message {
  const role = readText(message, "role") ?? defaultRole;
  const parts = genAi.toParts(readMember(message, "content"), (block) => {
    if (block["type"] === "tool_use")
      return genAi.toCallPart(block["id"], block["name"], block["input"]);
    if (block["type"] !== "tool_result") return undefined;
    return genAi.toResultPart(block["tool_use_id"], genAi.toResult(block["content"]));
  });
  return genAi.toMessage(role, parts);
}

/** A response of the model, of which each message brings one block. */
interface Draft {
  readonly id: string | undefined;
  readonly span: HookSpan;
  readonly parts: genAi.Part[];
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
  readonly question: genAi.Message | undefined;
  readonly parent: Context;
}

/** One turn of an agent or of a subagent, assembled from the messages that the library streams. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #span: HookSpan;
  readonly #tools = new BoundedMap<string, RunningTool>(MAX_TOOLS, ({ span }) => span.abandon());
  #history: genAi.Message[];
  #draft: Draft | undefined;
  #known = NOTHING;
  #lastId: string | undefined;
  /** Time at which the model began its next response, in ms since the Unix epoch. */
  #since: number;

  constructor(options: ClaudeTurnOptions) {
    const { agentName, question, parent } = options;
    this.#options = options;
    this.#history = question ? [question] : [];
    this.#since = this.#now();
    this.#span = this.#startSpan(parent, {
      operation: "invoke_agent",
      attributes: { [semconv.ATTR_GEN_AI_AGENT_NAME]: agentName },
      content: genAi.toInputContent(this.#history),
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
    const id = readText(message, "id");
    if (this.#draft && (id === undefined || this.#draft.id !== id)) this.#endDraft();
    const draft = (this.#draft ??= this.#startDraft(id, message));
    draft.message = message;
    const { parts } = toClaudeMessage(message, "assistant");
    if (draft.parts.length < MAX_PARTS) draft.parts.push(...parts);
    for (const part of parts) if (part.type === "tool_call") this.#startTool(part);
  }

  /** Handles a message to the model: results of tools, or additions by the user. */
  user(message: unknown): void {
    this.#endDraft();
    this.#remember(toClaudeMessage(message, "user"));
    for (const block of toArray(readMember(message, "content"))) this.#endTool(block);
    this.#since = this.#now();
  }

  /** Ends the turn. @param usage - Tokens of all of its calls. */
  end(error?: unknown, usage?: unknown, more: Attributes = {}): void {
    this.#endDraft(readClaudeUsage(usage));
    for (const { span, agent } of this.#tools.values()) {
      agent?.end();
      span.abandon();
    }
    this.#tools.clear();
    if (error !== undefined) this.#span.fail(error);
    this.#span.set(more);
    this.#span.end();
  }

  /** Starts a span of the conversation. */
  #startSpan(parent: Context, { attributes, ...options }: HookSpanOptions): HookSpan {
    const { host, owner } = this.#options;
    const all = { ...owner, ...attributes };
    return startHookSpan(host, { ...options, library: LIBRARY, attributes: all, parent });
  }

  #startDraft(id: string | undefined, message: unknown): Draft {
    const span = this.#startSpan(this.#span.context, {
      operation: "chat",
      attributes: {
        [semconv.ATTR_GEN_AI_PROVIDER_NAME]: PROVIDER,
        [semconv.ATTR_GEN_AI_REQUEST_MODEL]: readText(message, "model"),
      },
      content: genAi.toInputContent(this.#history),
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
    const usage = total ? addUsage(total, this.#known, -1) : reported;
    if (usage) this.#known = addUsage(this.#known, usage);
    // The conventions count cached tokens as part of the input.
    const input = usage && usage.input + usage.cacheRead + usage.cacheWrite;
    const asks = parts.some(({ type }) => type === "tool_call");
    const finish = readText(message, "stop_reason") ?? (asks ? "tool_use" : "end_turn");
    const answer = { role: "assistant", parts, finish_reason: finish };
    // The result of a quick tool comes before the last block of the response that called it.
    const isRest = draft.id !== undefined && draft.id === this.#lastId;
    this.#lastId = draft.id;
    span.set(
      {
        ...(!isRest && {
          [semconv.ATTR_GEN_AI_RESPONSE_ID]: draft.id,
          [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: readText(message, "model"),
        }),
        ...(usage && toUsageAttributes({ ...usage, input })),
        [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: [finish],
      },
      genAi.toOutputContent([answer]),
    );
    span.end();
    this.#remember({ role: "assistant", parts });
  }

  #startTool({ id, name, arguments: given }: Extract<genAi.Part, { type: "tool_call" }>): void {
    if (id === null || this.#tools.get(id)) return;
    const input = given ?? undefined;
    const span = this.#startSpan(this.#span.context, {
      operation: "execute_tool",
      attributes: {
        [semconv.ATTR_GEN_AI_TOOL_NAME]: name === "" ? "tool" : name,
        [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: id,
      },
      content: genAi.toArgumentsContent(input),
    });
    const agentName = readText(input, "subagent_type");
    this.#tools.set(id, { span, agentName, agent: undefined });
  }

  /** Ends a tool with its result. @param block - Any block of a message to the model. */
  #endTool(block: unknown): void {
    if (readMember(block, "type") !== "tool_result") return;
    const id = readText(block, "tool_use_id") ?? "";
    const tool = this.#tools.get(id);
    if (!tool) return;
    this.#tools.delete(id);
    tool.agent?.end();
    const content = readMember(block, "content");
    if (readMember(block, "is_error") === true) tool.span.fail(genAi.toToolFailure(content));
    tool.span.set({}, genAi.toResultContent(genAi.toResult(content)));
    tool.span.end();
  }

  #remember(message: genAi.Message): void {
    if (message.parts.length > 0) this.#history.push(message);
    if (this.#history.length > MAX_HISTORY) this.#history = this.#history.slice(-MAX_HISTORY / 2);
  }

  #now(): number {
    return (this.#options.host.clock ?? systemClock).now();
  }
}
