import { type Attributes, type Context } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { activeTurnContext } from "../../scope/scopes.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";
import { toTextPart, type Message } from "../message.ts";
import { toArray, toNumber, toText } from "../../util/values.ts";
import { ClaudeTurn, LIBRARY, toClaudeMessage } from "./claude-agent-turn.ts";
import { makeSafe } from "./hook-runs.ts";

/** The part of `Query` of `@anthropic-ai/claude-agent-sdk` that is used. */
export type ClaudeQueryLike = AsyncIterator<unknown, unknown>;

/** Facts that the messages do not contain. */
export interface ClaudeHookOptions {
  /** The prompt of `query()`, which the messages do not repeat if it is a text. */
  readonly prompt?: unknown;
  /** Name of the agent that answers. @defaultValue `claude-agent` */
  readonly agentName?: string | undefined;
}

const DEFAULT_NAME = "claude-agent";

/** Returns the error of a turn; `undefined` if it did not fail. */
function readFailure(message: unknown): object | undefined {
  const subtype = readText(message, "subtype");
  const isFailed =
    readMember(message, "is_error") === true || subtype?.startsWith("error") === true;
  if (!isFailed) return undefined;
  const errors = toArray(readMember(message, "errors")).filter((text) => typeof text === "string");
  const detail = errors.length > 0 ? errors.join("\n") : readText(message, "result");
  return { name: subtype === "success" ? "error" : subtype, message: detail ?? "the run failed" };
}

/** Assembles turns from the messages of one `query()`; its functions are own members, which `makeSafe` wraps. */
class ClaudeObserver {
  readonly #host: FetchObserverHost;
  readonly #agentName: string;
  #question: Message | undefined;
  #owner: Attributes = {};
  #turn: ClaudeTurn | undefined;
  /** In USD; the library adds up the turns of a session. */
  #cost = 0;

  constructor(host: FetchObserverHost, { prompt, agentName }: ClaudeHookOptions) {
    this.#host = host;
    this.#agentName = agentName ?? DEFAULT_NAME;
    const text = toText(prompt);
    if (text !== undefined) this.#question = { role: "user", parts: [toTextPart(text)] };
  }

  /** Records that the application waits for a message. */
  readonly wait = (context: Context): void => {
    // The prompts of a stream come up in the messages, if at all.
    if (this.#question) this.#begin(context);
  };

  /** Records a message. */
  readonly take = (message: unknown, context: Context): void => {
    const type = readMember(message, "type");
    const sessionId = readText(message, "session_id");
    if (sessionId !== undefined && this.#owner[semconv.ATTR_GEN_AI_CONVERSATION_ID] !== sessionId) {
      this.#owner = { [semconv.ATTR_GEN_AI_CONVERSATION_ID]: sessionId };
      this.#turn?.identify(this.#owner);
    }
    const inner = readMember(message, "message");
    const helped = readText(message, "parent_tool_use_id");
    if (type === "assistant") this.#find(message, helped, context)?.assistant(inner);
    else if (type === "user") this.#takeUser(message, helped, context);
    else if (type === "result") this.#takeResult(message, context);
    else if (type === "system" && readMember(message, "subtype") === "init") {
      this.#turn?.identify({
        [semconv.ATTR_GEN_AI_REQUEST_MODEL]: readText(message, "model"),
      });
    }
  };

  /** Ends the open turn. @param error - Why the messages have stopped, unless the application wanted no more. */
  readonly stop = (error?: unknown): void => {
    this.#turn?.end(error);
    this.#turn = undefined;
  };

  #begin(context: Context): ClaudeTurn {
    this.#turn ??= new ClaudeTurn({
      host: this.#host,
      agentName: this.#agentName,
      owner: this.#owner,
      question: this.#question,
      parent: context,
    });
    this.#question = undefined;
    return this.#turn;
  }

  #find(message: unknown, helped: string | undefined, context: Context): ClaudeTurn | undefined {
    const turn = this.#begin(context);
    if (helped === undefined) return turn;
    return turn.helper(helped, readText(message, "subagent_type"));
  }

  #takeUser(message: unknown, helped: string | undefined, context: Context): void {
    // History that is replayed on resuming was recorded in its own time.
    if (readMember(message, "isReplay") === true && this.#turn) return;
    const inner = readMember(message, "message");
    if (this.#turn || helped !== undefined) this.#find(message, helped, context)?.user(inner);
    else if (readMember(message, "isSynthetic") !== true) {
      this.#question = toClaudeMessage(inner, "user");
      this.#begin(context);
    }
  }

  #takeResult(message: unknown, context: Context): void {
    const total = toNumber(readMember(message, "total_cost_usd"));
    const cost = total === undefined ? undefined : Math.max(0, total - this.#cost);
    this.#cost = total ?? this.#cost;
    const more = { [semconv.ATTR_USAGE_COST]: cost };
    this.#begin(context).end(readFailure(message), readMember(message, "usage"), more);
    this.#turn = undefined;
  }
}

/**
 * Observes the messages of a `query()` of the Claude Agent SDK: turns, responses, tools, subagents, tokens, cost.
 *
 * The messages pass through as the application reads them, one by one; every other method and property is the library's
 * own. Times are those at which messages arrive. The command line that the library starts has telemetry of its own,
 * which is left alone.
 *
 * @returns A proxy of the query: use it instead.
 */
export function observeClaudeMessages<T extends ClaudeQueryLike>(
  host: FetchObserverHost,
  query: T,
  options: ClaudeHookOptions = {},
): T {
  const safe = makeSafe(new ClaudeObserver(host, options), host, LIBRARY);
  type Step = (...args: unknown[]) => Promise<IteratorResult<unknown, unknown>>;
  const step =
    (method: Step): Step =>
    async (...args) => {
      const context = activeTurnContext();
      safe.wait(context);
      try {
        const result = await method.apply(query, args);
        if (result.done === true) safe.stop();
        else safe.take(result.value, context);
        return result;
      } catch (error) {
        safe.stop(error);
        throw error;
      }
    };
  const leave =
    (method: Step): Step =>
    (...args) => {
      safe.stop();
      return method.apply(query, args);
    };
  const observed: T = new Proxy(query, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === Symbol.asyncIterator) return () => observed;
      if (name === "next") return step(value as Step);
      if (name === "return" || name === "throw" || name === "close") return leave(value as Step);
      return value.bind(target) as unknown;
    },
  });
  return observed;
}
