import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";

/** What a speaker of a conversation did at one turn. */
export interface Turn {
  readonly role: "user" | "agent" | "tool" | "system";
  readonly text?: string | undefined;
  /** Tool calls that led to this turn's text. */
  readonly toolsUsed?: readonly ToolUsageInfo[] | undefined;
  /** Tool calls that this turn asks for. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** What tools answered. */
  readonly results?: readonly ToolResult[] | undefined;
}

/** A tool call that a message asks for. */
export interface ToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly parameters: unknown;
}

/** What a tool answered to a call. */
export interface ToolResult {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly result: unknown;
  readonly success: boolean;
}

/** A user message and its answer, as far as they are there: what is evaluated at once. */
export interface ReplayedExchange {
  readonly context: Partial<InteractionContext>;
  /** Numbers of the turns that the texts stand in, from 1. */
  readonly userTurn?: number | undefined;
  readonly agentTurn?: number | undefined;
}

interface PendingTool {
  readonly id: string | undefined;
  isAnswered: boolean;
  readonly tool: ToolUsageInfo;
}

/** Puts the turns of one conversation together, as a monitor that tracks them would. */
export class Replay {
  #user: { readonly text: string; readonly turn: number } | undefined;
  #tools: PendingTool[] = [];

  /** Takes the next turn and gives the exchanges that it completes. */
  take(turn: Turn, number: number): ReplayedExchange[] {
    const { role, text, toolsUsed = [], calls = [], results = [] } = turn;
    const found: ReplayedExchange[] = [];
    for (const result of results) this.#answer(result);
    const hasText = text !== undefined && text !== "";
    if (role === "user" && hasText) {
      // A message that stays without an answer is evaluated as well.
      found.push(...this.end());
      this.#user = { text, turn: number };
    }
    if (role === "agent") {
      for (const tool of toolsUsed) this.#tools.push({ id: undefined, isAnswered: true, tool });
      if (hasText) found.push(this.#complete({ agentResponse: text }, number));
    }
    for (const { id, name, parameters } of calls) {
      // A call whose result nobody recorded is no evidence of a failure.
      const tool = { name, parameters, result: null, success: true };
      this.#tools.push({ id, isAnswered: false, tool });
    }
    return found;
  }

  /** Gives what is left without an answer. */
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
 * @param context - What holds for every exchange; its tools for those that have none of their own.
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
