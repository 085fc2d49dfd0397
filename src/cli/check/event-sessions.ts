import type { InteractionContext } from "../../events/compliance.ts";
import { isRecord, readString, type JsonRecord } from "../../util/values.ts";
import { LineProblem } from "./read-record.ts";
import { Replay, type ReplayedExchange, type Turn } from "./replay.ts";

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
  readonly #sessions = new Map<string, Session>();

  /** Takes an event and returns the exchanges that it completes. @throws LineProblem */
  take(event: unknown, line: number, where: string): EventExchange[] {
    if (!isRecord(event)) throw new LineProblem(where, "an event", event);
    const { agentId, sessionId } = event;
    if (typeof agentId !== "string" || typeof sessionId !== "string")
      throw new LineProblem(`${where}.sessionId`, "agentId and sessionId as strings", sessionId);
    const turn = toTurn(event);
    if (!turn) return [];
    const { session, ended } = this.#find(agentId, sessionId);
    session.line = line;
    if (turn.role !== "tool") session.turns++;
    const found = session.replay
      .take(turn, session.turns)
      .map((exchange) => this.#toExchange(session, exchange, event));
    return [...ended, ...found];
  }

  /** Returns the exchanges that are left without an answer. */
  end(): EventExchange[] {
    const left = [...this.#sessions.values()].flatMap((session) => this.#finish(session));
    this.#sessions.clear();
    return left;
  }

  #find(agentId: string, sessionId: string): { session: Session; ended: EventExchange[] } {
    const key = JSON.stringify([agentId, sessionId]);
    const known = this.#sessions.get(key);
    const session = known ?? {
      sessionId,
      agentId,
      replay: new Replay(),
      turns: 0,
      line: 0,
      isReported: false,
    };
    // Keeps the map in the order of the sessions' last events.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MAX_SESSIONS || !oldest) return { session, ended: [] };
    this.#sessions.delete(oldest[0]);
    return { session, ended: this.#finish(oldest[1]) };
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
