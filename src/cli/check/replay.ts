import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";

/** One turn of a speaker in a conversation. */
export interface Turn {
  readonly role: "user" | "agent" | "tool" | "system";
  readonly text?: string | undefined;
  /** Tool calls that led to this turn's text. */
  readonly toolsUsed?: readonly ToolUsageInfo[] | undefined;
  /** Tool calls that this turn requests. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** Results of tools. */
  readonly results?: readonly ToolResult[] | undefined;
}

/** A tool call that a message requests. */
export interface ToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly parameters: unknown;
}

/** A tool's result of a call. */
export interface ToolResult {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly result: unknown;
  readonly success: boolean;
}

/** A user message and its answer, either of which may be absent: the unit of evaluation. */
export interface ReplayedExchange {
  readonly context: Partial<InteractionContext>;
  /** Numbers of the turns with the texts, from 1. */
  readonly userTurn?: number | undefined;
  readonly agentTurn?: number | undefined;
}

interface PendingTool {
  readonly id: string | undefined;
  isAnswered: boolean;
  readonly tool: ToolUsageInfo;
}

/** Assembles the turns of one conversation, as a monitor that tracks them would. */
export class Replay {
  #user: { readonly text: string; readonly turn: number } | undefined;
  #tools: PendingTool[] = [];

  /** Takes the next turn and returns the exchanges that it completes. */
  take(turn: Turn, number: number): ReplayedExchange[] {
    const { role, text, toolsUsed = [], calls = [], results = [] } = turn;
    const found: ReplayedExchange[] = [];
    for (const result of results) this.#answer(result);
    const hasText = text !== undefined && text !== "";
    if (role === "user" && hasText) {
      // A message without an answer is evaluated as well.
      found.push(...this.end());
      this.#user = { text, turn: number };
    }
    if (role === "agent") {
      for (const tool of toolsUsed) this.#tools.push({ id: undefined, isAnswered: true, tool });
      if (hasText) found.push(this.#complete({ agentResponse: text }, number));
    }
    for (const { id, name, parameters } of calls) {
      // A call without a recorded result is no evidence of a failure.
      const tool = { name, parameters, result: null, success: true };
      this.#tools.push({ id, isAnswered: false, tool });
    }
    return found;
  }

  /** Returns the exchanges that are left without an answer. */
  end(): ReplayedExchange[] {
    return this.#user || this.#tools.length > 0 ? [this.#complete({}, undefined)] : [];
  }

  #complete(answer: Partial<InteractionContext>, agentTurn: number | undefined): ReplayedExchange {
    const [user, tools] = [this.#user, this.#tools];
    this.#user = undefined;
    this.#tools = [];
    return {
      context: {
        ...(user && { userMessage: user.text }),
        ...answer,
        ...(tools.length > 0 && { toolsUsed: tools.map(({ tool }) => tool) }),
      },
      userTurn: user?.turn,
      agentTurn,
    };
  }

  #answer({ id, name, result, success }: ToolResult): void {
    const open = this.#tools.filter(({ isAnswered }) => !isAnswered);
    const call =
      open.find((pending) => id !== undefined && pending.id === id) ??
      open.find(({ tool }) => id === undefined && (name === undefined || tool.name === name));
    if (call) {
      call.isAnswered = true;
      Object.assign(call.tool, { result, success });
      return;
    }
    const tool = { name: name ?? "unknown", parameters: {}, result, success };
    this.#tools.push({ id, isAnswered: true, tool });
  }
}

/**
 * Replays a whole conversation.
 *
 * @param context - Context of every exchange; its tools for exchanges without tools of their own.
 */
export function replay(
  turns: readonly Turn[],
  context: Partial<InteractionContext> = {},
): ReplayedExchange[] {
  const conversation = new Replay();
  const exchanges = turns.flatMap((turn, index) => conversation.take(turn, index + 1));
  return [...exchanges, ...conversation.end()].map((exchange) => ({
    ...exchange,
    context: { ...context, ...exchange.context },
  }));
}
