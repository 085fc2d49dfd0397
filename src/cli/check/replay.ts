import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { type JsonRecord, isRecord, readString } from "../../util/values.ts";
import { LineProblem } from "../read-lines.ts";

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
class Replay {
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

/** Limit of open sessions; beyond it the one that was silent longest is ended. */
const MAX_SESSIONS = 10_000;

/** An exchange that was put together from events. */
export interface EventExchange extends ReplayedExchange {
  readonly sessionId: string;
  /** Line of the event that completed it. */
  readonly line: number;
  readonly eventId: string | undefined;
  readonly isNewSession: boolean;
}

interface Session {
  readonly sessionId: string;
  readonly agentId: string;
  readonly replay: Replay;
  turns: number;
  line: number;
  isReported: boolean;
}

/** Reads an event as a turn of the conversation; `undefined` for kinds that are no turn. */
function toTurn(event: JsonRecord): Turn | undefined {
  const { interactionType, content, toolName } = event;
  const name = readString(toolName) ?? "unknown";
  switch (interactionType) {
    case "user_message":
      return { role: "user", text: readString(content) };
    case "agent_response":
      return { role: "agent", text: readString(content) };
    case "tool_call":
      return { role: "tool", calls: [{ name, parameters: event["toolParameters"] }] };
    case "tool_result": {
      const { toolResult: result, success } = event;
      return { role: "tool", results: [{ name, result, success: success !== false }] };
    }
    default:
      return undefined;
  }
}

function toContext(
  event: JsonRecord,
  { agentId, sessionId }: Session,
): Partial<InteractionContext> {
  const { timestamp, userId, metadata } = event;
  const { customerProfile, transactionContext, riskFactors } = isRecord(metadata) ? metadata : {};
  const members = { timestamp, userId, metadata, customerProfile, transactionContext, riskFactors };
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return { agentId, sessionId, ...(Object.fromEntries(known) as Partial<InteractionContext>) };
}

/** Assembles exchanges from the events of many sessions, in order of arrival. */
export class EventSessions {
  /** Exchanges of the sessions that were ended because there are too many. */
  readonly #ended: EventExchange[] = [];
  readonly #sessions = new BoundedMap<string, Session>(MAX_SESSIONS, (session) =>
    this.#ended.push(...this.#finish(session)),
  );

  /** Takes an event and returns the exchanges that it completes. @throws LineProblem */
  take(event: unknown, line: number, where: string): EventExchange[] {
    if (!isRecord(event)) throw new LineProblem(where, "an event", event);
    const { agentId, sessionId } = event;
    if (typeof agentId !== "string" || typeof sessionId !== "string")
      throw new LineProblem(`${where}.sessionId`, "agentId and sessionId as strings", sessionId);
    const turn = toTurn(event);
    if (!turn) return [];
    const session = this.#find(agentId, sessionId);
    session.line = line;
    if (turn.role !== "tool") session.turns++;
    const found = session.replay
      .take(turn, session.turns)
      .map((exchange) => this.#toExchange(session, exchange, event));
    return [...this.#ended.splice(0), ...found];
  }

  /** Returns the exchanges that are left without an answer. */
  end(): EventExchange[] {
    const left = [...this.#sessions.values()].flatMap((session) => this.#finish(session));
    this.#sessions.clear();
    return left;
  }

  #find(agentId: string, sessionId: string): Session {
    const key = JSON.stringify([agentId, sessionId]);
    const known = this.#sessions.get(key);
    if (known) return known;
    const empty = { replay: new Replay(), turns: 0, line: 0, isReported: false };
    const session = { sessionId, agentId, ...empty };
    this.#sessions.set(key, session);
    return session;
  }

  #finish(session: Session): EventExchange[] {
    return session.replay.end().map((exchange) => this.#toExchange(session, exchange, {}));
  }

  #toExchange(session: Session, exchange: ReplayedExchange, event: JsonRecord): EventExchange {
    const isNewSession = !session.isReported;
    session.isReported = true;
    return {
      ...exchange,
      context: { ...toContext(event, session), ...exchange.context },
      sessionId: session.sessionId,
      line: session.line,
      eventId: readString(event["eventId"]),
      isNewSession,
    };
  }
}
