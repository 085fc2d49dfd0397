import { context as contextApi, trace, type Context, type Span } from "@opentelemetry/api";
import type { RegisteredAgent } from "../events/agent.ts";
import { type ConversationScope, type TurnScope, withTurnScope } from "../scope/scopes.ts";
import { ATTR_CONVERSATION_INCOMPLETE } from "../semconv.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { runUntilOver } from "../util/deferred-tasks.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { Conversation, Conversations, OpenTurn } from "./conversations.ts";
import type { Telemetry } from "./telemetry.ts";

/** Most open turns of one conversation's runs; above it the oldest turn is ended. */
const MAX_RUN_TURNS = 1000;

/** Dependencies of the turns of runs. */
export interface RunTurnOptions {
  readonly conversations: Conversations;
  readonly telemetry: Telemetry;
  readonly agents: { get(agentId: string): RegisteredAgent | undefined };
  readonly log: BurstLogger;
}

/**
 * The turn of a run for a conversation: spans observed in the run belong to the open turn that the application tracks,
 * else to a turn of the run's own, which starts with its first span.
 */
export class RunTurn implements TurnScope {
  readonly #identity: ConversationScope;
  readonly #options: RunTurnOptions;
  /** The span that is active at the start of the run. */
  readonly #around: Span | undefined;
  #own: OpenTurn | undefined;
  /** Removes the own turn from those that the end of the conversation ends. */
  #forget: (() => void) | undefined;
  /** Number of observed spans that have not ended. */
  #running = 0;
  #isOver = false;

  constructor(identity: ConversationScope, options: RunTurnOptions) {
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

  /** Runs a function for the turn, which ends with the last span that is observed in it. */
  run<T>(run: () => T): T {
    return runUntilOver(
      () => withTurnScope(this, run),
      () => {
        this.#isOver = true;
        this.#endIfOver();
      },
    );
  }

  /** Returns the turn between the active span and new spans; `undefined` if another span is active. */
  #find(around: Span | undefined): OpenTurn | undefined {
    const { conversations } = this.#options;
    const conversation = conversations.open(this.#identity);
    const { turn } = conversation;
    if (turn) return around === undefined || around === turn.around ? turn : undefined;
    if (around !== undefined && around !== this.#around) return undefined;
    // A turn that has ended still determines the trace of later spans.
    return (this.#own ??= this.#begin(conversation));
  }

  #begin(conversation: Conversation): OpenTurn | undefined {
    const { telemetry, agents } = this.#options;
    const agent = agents.get(this.#identity.agentId);
    const own = telemetry.startTurn({ conversation, agent });
    if (!own) return undefined;
    // A span that never ends keeps its turn open: the end of the conversation ends the turn.
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

  /** Runs an action that calls processors of the application, and logs its errors. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      const { log } = this.#options;
      log.log("warn", "telemetry", "writing telemetry failed", { error: toErrorName(error) });
    }
  }
}
