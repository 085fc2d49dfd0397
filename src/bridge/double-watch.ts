import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { BurstLogger } from "../util/logger.ts";
import { textDigest } from "./assembly/text-digest.ts";
import type { BridgedEvent } from "./bridged-event.ts";
import { readToolArguments, readToolResult } from "./reading/read-tool.ts";

const MESSAGE =
  "what is tracked by hand comes from the telemetry of model calls as well: each is told once, stats().bridge.doubled counts it";

/** Watches for what an application tracks by hand and its instrumentation reports as well, from the first such telemetry on. */
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

/** The two ways on which the same may be emitted. */
type Way = "tracked" | "bridged";

/** How one is known to be the other: they are of one conversation, or a trace without one has the same text. */
export type DoubleMatch = "conversation" | "text";

type Watched = Pick<
  Interaction,
  "kind" | "sessionId" | "conversationId" | "content" | "toolName" | "toolParameters" | "toolResult"
>;

/** Something that one of the ways reports. */
export interface WatchedFact {
  readonly interaction: Watched;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** Set when nothing but its trace stands for the session. */
  readonly isGuess?: boolean;
  /** Set when what was said is not known. */
  readonly isUnseen?: boolean;
}

interface Kept extends Required<Pick<WatchedFact, "timestamp" | "isGuess">> {
  /** Stands for what was said; `undefined` when that is not known. */
  readonly text: string | undefined;
  isTaken: boolean;
}

/** What happened further apart was not the same; clocks and queues of one process differ by less. */
const WINDOW_MILLIS = 10_000;
const MAX_KEYS = 10_000;
/** Facts of one place or one text that are compared. */
const MAX_SAME = 32;

const sign = (name: unknown, value: unknown): string => {
  try {
    return `${String(name)}\n${textDigest(JSON.stringify(value) ?? "")}`;
  } catch {
    return String(name);
  }
};

/** Returns a short text for what is emitted of an interaction; `undefined` for kinds that come on one way only. */
function signInteraction(interaction: Watched): string | undefined {
  const { kind, content, toolName, toolParameters, toolResult } = interaction;
  switch (kind) {
    case "user_message":
    case "agent_response":
      return textDigest(content ?? "");
    case "tool_call":
      return sign(toolName, readToolArguments(toolParameters).value);
    case "tool_result":
      return sign(toolName, readToolResult(toolResult).value);
    default:
      return undefined;
  }
}

/** Returns the keys of a conversation, by its id and by its session; kinds and identifiers hold no line breaks. */
function toPlaces({ kind, sessionId, conversationId }: Watched): string[] {
  const place = `${kind}\n@${sessionId}`;
  return conversationId === undefined || conversationId === sessionId
    ? [place]
    : [place, `${kind}\n@${conversationId}`];
}

/**
 * Knows what an application tracks by hand and what the telemetry of its model calls reports, so that what comes on both
 * ways is emitted once, whichever comes first.
 *
 * The same is what is of one conversation, or of a trace that names none, has the same text and happened within seconds.
 * Each thing makes up for one other: an answer that is given twice is emitted twice.
 */
export class DoubleMemory {
  readonly #seen: Readonly<Record<Way, BoundedMap<string, Kept[]>>> = {
    tracked: new BoundedMap(MAX_KEYS),
    bridged: new BoundedMap(MAX_KEYS),
  };
  /** How much came on both ways. */
  count = 0;

  /** Finds out whether the other way has emitted this before; remembers it if not. */
  match(way: Way, fact: WatchedFact): DoubleMatch | undefined {
    const { interaction, timestamp, isGuess = false, isUnseen = false } = fact;
    const signed = signInteraction(interaction);
    if (signed === undefined) return undefined;
    const text = isUnseen ? undefined : signed;
    const kept: Kept = { timestamp, isGuess, text, isTaken: false };
    // A trace that names no conversation has no place.
    const places = isGuess ? [] : toPlaces(interaction);
    const texts = text === undefined ? [] : [`${interaction.kind}\n=${text}`];
    const others = this.#seen[way === "tracked" ? "bridged" : "tracked"];
    // Most applications do not track by hand what an instrumentation reports.
    const at = (keys: readonly string[]): Kept[] =>
      others.size === 0 ? [] : keys.flatMap((key) => others.get(key) ?? []);
    const here = at(places).find((other) => mayBeSame(kept, other));
    const found = here ?? at(texts).find((other) => isSameElsewhere(kept, other));
    if (found) {
      found.isTaken = true;
      this.count++;
      return here ? "conversation" : "text";
    }
    for (const key of [...places, ...texts]) this.#keep(way, key, kept);
    return undefined;
  }

  #keep(way: Way, key: string, fact: Kept): void {
    const same = this.#seen[way].get(key);
    if (!same) {
      this.#seen[way].set(key, [fact]);
      return;
    }
    same.push(fact);
    if (same.length <= MAX_SAME) return;
    // One that makes up for another already goes first, else the oldest.
    const taken = same.findIndex(({ isTaken }) => isTaken);
    same.splice(Math.max(0, taken), 1);
  }
}

const isNear = (one: Kept, other: Kept): boolean =>
  !other.isTaken && Math.abs(one.timestamp - other.timestamp) <= WINDOW_MILLIS;

/** In one conversation what nobody has seen may be what was said. */
const mayBeSame = (one: Kept, other: Kept): boolean =>
  isNear(one, other) &&
  (one.text === undefined || other.text === undefined || one.text === other.text);

/** Customers ask the same: of two conversations that are known nothing is the same. */
const isSameElsewhere = (one: Kept, other: Kept): boolean =>
  isNear(one, other) && (one.isGuess || other.isGuess);
