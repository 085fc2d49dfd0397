import type { InteractionContext, ToolUsageInfo } from "../events/compliance.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { Clock } from "../util/clock.ts";
import { cutString } from "../util/cut-string.ts";
import { ownMembers } from "../util/untrusted-values.ts";
import type { RememberedTurn } from "../phrases/exchange.ts";

const MAX_SESSIONS = 10_000;
const MAX_TURNS = 8;
/** Characters of the user's messages that are remembered of a session. */
const MAX_LENGTH = 4096;
/** An answer is remembered for the numbers that it gives in parts. */
const MAX_ANSWER_LENGTH = 256;
const MAX_TOOLS_PER_TURN = 8;
const MAX_TOOL_MEMBERS = 16;
const MAX_TOOL_TEXT = 128;
const IDLE_MILLIS = 30 * 60_000;

interface Session {
  readonly turns: readonly Turn[];
  /** Monotonic milliseconds of the last turn. */
  readonly lastActivity: number;
}

interface Turn extends RememberedTurn {
  /** Whether the customer got this answer; an application may have tried others before. */
  readonly isGiven: boolean;
}

function toShallow(value: unknown): unknown {
  if (typeof value === "string") return cutString(value, MAX_TOOL_TEXT);
  if (typeof value !== "object" || value === null) return value;
  const members = [...ownMembers(value, MAX_TOOL_MEMBERS)];
  return Object.fromEntries(
    members.flatMap(([key, member]: [string, unknown]) => {
      if (typeof member === "string") return [[key, cutString(member, MAX_TOOL_TEXT)]];
      return typeof member === "object" && member !== null ? [] : [[key, member]];
    }),
  );
}

/** Keeps what a rule about a session asks of a tool call: no nested values, no long texts. */
function toRememberedTool(tool: ToolUsageInfo): ToolUsageInfo {
  const { name, parameters, result, success, category, riskLevel, version } = tool;
  return {
    name,
    parameters: toShallow(parameters),
    result: toShallow(result),
    success,
    // An application that asks the engine itself may put anything there.
    ...(typeof category === "string" && { category: cutString(category, MAX_TOOL_TEXT) }),
    ...(riskLevel !== undefined && { riskLevel }),
    ...(typeof version === "string" && { version: cutString(version, MAX_TOOL_TEXT) }),
  };
}

// Most turns have none, and thousands of turns are remembered.
const NO_TOOLS: readonly ToolUsageInfo[] = [];

function toTurn(context: InteractionContext, isGiven: boolean): Turn {
  const { userMessage, agentResponse, toolsUsed = [], transactionContext, timestamp } = context;
  return {
    isGiven,
    at: timestamp,
    userMessage: userMessage === undefined ? undefined : cutString(userMessage, MAX_LENGTH),
    agentResponse:
      agentResponse === undefined ? undefined : cutString(agentResponse, MAX_ANSWER_LENGTH),
    toolsUsed:
      toolsUsed.length === 0
        ? NO_TOOLS
        : toolsUsed.slice(0, MAX_TOOLS_PER_TURN).map(toRememberedTool),
    ...(transactionContext && { transactionContext }),
  };
}

function toKey({ agentId, sessionId }: InteractionContext): string {
  return `${agentId}\n${sessionId}`;
}

/** Leaves out the answers that were tried for a message. */
function withoutTrials(turns: readonly Turn[], userMessage: string | undefined): Turn[] {
  const message = userMessage === undefined ? undefined : cutString(userMessage, MAX_LENGTH);
  let { length } = turns;
  for (; length > 0; length--) {
    const turn = turns[length - 1];
    if (turn?.isGiven !== false || turn.userMessage !== message) break;
  }
  return turns.slice(0, length);
}

function withinBounds(turns: readonly Turn[]): readonly Turn[] {
  let length = 0;
  const kept: Turn[] = [];
  for (const turn of turns.slice(-MAX_TURNS).toReversed()) {
    length += turn.userMessage?.length ?? 0;
    if (length > MAX_LENGTH && kept.length > 0) break;
    kept.push(turn);
  }
  return kept.toReversed();
}

/** Remembers the last turns of sessions for the rules that need them, bounded by number, size and time. */
export class SessionMemory {
  readonly #clock: Clock;
  readonly #sessions = new BoundedMap<string, Session>(MAX_SESSIONS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the earlier turns of the context's session, the oldest first.
   *
   * @param isGiven - As for `note`: answers that were only tried for the same message are left out.
   */
  recall(context: InteractionContext, isGiven: boolean): readonly RememberedTurn[] {
    const turns = this.#find(context)?.turns ?? [];
    return isGiven ? withoutTrials(turns, context.userMessage) : [...turns];
  }

  /**
   * Records a turn.
   *
   * @param isGiven - Whether the customer gets this answer: it then takes the place of the answers that were only
   *   tried for the same message.
   */
  note(context: InteractionContext, isGiven: boolean): void {
    if (context.sessionId === "") return;
    const turn = toTurn(context, isGiven);
    const earlier = this.#find(context)?.turns ?? [];
    const turns = isGiven ? withoutTrials(earlier, context.userMessage) : [...earlier];
    turns.push(turn);
    this.#sessions.set(toKey(context), {
      turns: withinBounds(turns),
      lastActivity: this.#clock.monotonic(),
    });
  }

  #find(context: InteractionContext): Session | undefined {
    const key = toKey(context);
    const session = this.#sessions.get(key);
    if (!session || this.#clock.monotonic() - session.lastActivity <= IDLE_MILLIS) return session;
    this.#sessions.delete(key);
    return undefined;
  }
}
