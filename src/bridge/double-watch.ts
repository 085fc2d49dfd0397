import type { DetailedEvent } from "../events/detailed-event.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { BridgedEvent } from "./bridged-event.ts";
import { DoubleMemory, type DoubleMatch } from "./double-memory.ts";

const MESSAGE =
  "what is tracked by hand comes from the telemetry of model calls as well: each is told once, stats().bridge.doubled counts it";

/** Watches for what an application tracks by hand and its instrumentation tells as well, from the first such telemetry on. */
export class DoubleWatch {
  readonly #log: BurstLogger;
  #memory: DoubleMemory | undefined;

  constructor(log: BurstLogger) {
    this.#log = log;
  }

  /** How much came on both ways. */
  get count(): number {
    return this.#memory?.count ?? 0;
  }

  /** Begins to watch; without telemetry of others nothing comes twice, and tracking costs nothing more. */
  begin(): void {
    this.#memory ??= new DoubleMemory();
  }

  /** Returns whether, and how surely, an event that is tracked by hand was bridged before. */
  findBridged(event: DetailedEvent): DoubleMatch | undefined {
    if (!this.#memory) return undefined;
    const { interactionType: kind, timestamp } = event;
    return this.#note(
      this.#memory.match("tracked", { interaction: { ...event, kind }, timestamp }),
    );
  }

  /** Returns whether a bridged event was tracked by hand before. */
  isTracked({ interaction, timestamp, traceId, metadata, agentText }: BridgedEvent): boolean {
    // What an agent says beside asking for a tool nobody tracks by hand.
    if (!this.#memory || agentText !== undefined) return false;
    const isGuess = interaction.sessionId === traceId;
    const isUnseen = metadata["captured"] === false;
    const fact = { interaction, timestamp, isGuess, isUnseen };
    return this.#note(this.#memory.match("bridged", fact)) !== undefined;
  }

  #note(match: DoubleMatch | undefined): DoubleMatch | undefined {
    if (match && this.count === 1) this.#log.log("warn", "doubles", MESSAGE);
    return match;
  }
}
