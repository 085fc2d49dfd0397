import { context as contextApi, trace, type Context, type Span } from "@opentelemetry/api";
import type { RegisteredAgent } from "../events/agent.ts";
import { withTurnScope, type TurnScope } from "../scope/turn-scope.ts";
import { ATTR_CONVERSATION_INCOMPLETE } from "../semconv.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { runUntilOver } from "../util/deferred-tasks.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type {
  Conversation,
  ConversationIdentity,
  Conversations,
  OpenTurn,
} from "./conversations.ts";
import type { Telemetry } from "./telemetry.ts";

/** Turns of one conversation that runs have open at a time; the one that began first is ended. */
const MAX_RUN_TURNS = 1000;

/** What the turns of runs work with. */
export interface RunTurnOptions {
  readonly conversations: Conversations;
  readonly telemetry: Telemetry;
  readonly agents: { get(agentId: string): RegisteredAgent | undefined };
  readonly log: BurstLogger;
}

/**
 * The turn that a run for a conversation is: what is observed in it stands inside the turn that was tracked by hand and
 * is open, else inside one of its own, which begins with the first that is observed.
 */
export class RunTurn implements TurnScope {
  readonly #identity: ConversationIdentity;
  readonly #options: RunTurnOptions;
  /** The span that is active around the run. */
  readonly #around: Span | undefined;
  #own: OpenTurn | undefined;
  /** Takes the own turn out of those that the end of the conversation ends. */
  #forget: (() => void) | undefined;
  /** What is observed and has not ended. */
  #running = 0;
  #isOver = false;

  constructor(identity: ConversationIdentity, options: RunTurnOptions) {
    this.#identity = identity;
    this.#options = options;
    this.#around = trace.getSpan(contextApi.active());
  }

  enter(active: Context): Context {
    let inside = active;
    this.#guard(() => {
      const around = trace.getSpan(active);
      const isRecorded = around?.isRecording() === true;
      const turn = this.#find(isRecorded ? around : undefined);
      if (turn) inside = trace.setSpan(active, turn.span);
    });
    return inside;
  }

  begin(): void {
    this.#running++;
  }

  leave(isGivenUp: boolean): void {
    this.#running--;
    if (isGivenUp) {
      this.#guard(() => this.#own?.span.setAttribute(ATTR_CONVERSATION_INCOMPLETE, true));
    }
    this.#endIfOver();
  }

  /** Runs a function for the turn, which ends with the last that is observed in it. */
  run<T>(run: () => T): T {
    return runUntilOver(
      () => withTurnScope(this, run),
      () => {
        this.#isOver = true;
        this.#endIfOver();
      },
    );
  }

  /** Gives the turn that stands between the span that is active and what runs in it; none if that is another one. */
  #find(around: Span | undefined): OpenTurn | undefined {
    const { conversations } = this.#options;
    const conversation = conversations.open(this.#identity);
    const { turn } = conversation;
    if (turn) return around === undefined || around === turn.around ? turn : undefined;
    if (around !== undefined && around !== this.#around) return undefined;
    // One that has ended still says in which trace the rest belongs.
    return (this.#own ??= this.#begin(conversation));
  }

  #begin(conversation: Conversation): OpenTurn | undefined {
    const { telemetry, agents } = this.#options;
    const own = telemetry.startTurn(conversation, agents.get(this.#identity.agentId));
    if (!own) return undefined;
    // What never ends keeps its turn open: the end of the conversation ends it.
    const open = (conversation.runTurns ??= new BoundedMap(MAX_RUN_TURNS, (span) => span.end()));
    open.set(own.span, own.span);
    this.#forget = () => void open.delete(own.span);
    return own;
  }

  #endIfOver(): void {
    if (!this.#isOver || this.#running > 0) return;
    this.#guard(() => {
      this.#forget?.();
      this.#own?.span.end();
    });
  }

  /** Processors of the application run here. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      const { log } = this.#options;
      log.log("warn", "telemetry", "writing telemetry failed", { error: toErrorName(error) });
    }
  }
}
