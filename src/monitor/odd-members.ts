import { eventTypeSchema, type EventType } from "../events/base-event.ts";
import { interactionContextSchema } from "../events/compliance.ts";
import { interactionEventSchema, monitoringOptionsSchema } from "../events/interaction.ts";
import {
  reportInvalidFields,
  toMemberSchemas,
  type MetadataReader,
} from "../events/metadata-reader.ts";
import type { BurstLogger } from "../util/logger.ts";
import { findSlip } from "../util/nearest-name.ts";
import { MEMBER_NAME, UNKNOWN_MEMBER } from "./arguments.ts";

/** Names that are compared; a caller may make up names without end, and comparing costs. */
const MAX_COMPARED = 500;
/** Misspelt names that are told. */
const MAX_TOLD = 100;

/** Names that have a meaning in the metadata, of whatever kind, and in an event given to `track`. */
function listKnownNames(): { metadata: ReadonlySet<string>; event: ReadonlySet<string> } {
  const { customerProfile, transactionContext, riskFactors, toolsUsed } =
    interactionContextSchema.shape;
  const metadata = new Set([
    ...eventTypeSchema.options.flatMap((kind) => Object.keys(toMemberSchemas(kind))),
    ...Object.keys({ customerProfile, transactionContext, riskFactors, toolsUsed }),
    "toolCallId",
  ]);
  const event = new Set([
    ...Object.keys(interactionEventSchema.shape),
    ...metadata,
    ...Object.keys(monitoringOptionsSchema.shape),
    "agentId",
  ]);
  return { metadata, event };
}

/**
 * Logs members of metadata that are not what they should be, and once each member, of an event as well, whose name is
 * nearly that of a known one.
 *
 * Members of the caller's own are welcome, so that a misspelt one is kept as such; but what it was meant to say is
 * missing at its place.
 */
export class OddMembers {
  readonly #log: BurstLogger;
  readonly #compared = new Set<string>();
  #known: ReturnType<typeof listKnownNames> | undefined;
  #told = 0;

  constructor(log: BurstLogger) {
    this.#log = log;
  }

  /**
   * Looks at what was read: a name without a typed place costs a look-up, once it was seen.
   *
   * @param ofEvent - Members that stood on the event itself.
   */
  report(kind: EventType, reader: MetadataReader, ofEvent: object | undefined): void {
    reportInvalidFields(kind, reader, this.#log);
    for (const name in reader.others) {
      if (this.#compared.has(name) || this.#compared.size >= MAX_COMPARED) continue;
      this.#compared.add(name);
      this.#compare(kind, name, ofEvent !== undefined && Object.hasOwn(ofEvent, name));
    }
  }

  #compare(kind: EventType, name: string, isOfEvent: boolean): void {
    this.#known ??= listKnownNames();
    const { metadata, event } = this.#known;
    if (event.has(name) || !MEMBER_NAME.test(name) || this.#told >= MAX_TOLD) return;
    const nearest = findSlip(name, isOfEvent ? event : metadata);
    if (nearest === undefined) return;
    this.#told++;
    const field = `${isOfEvent ? "event" : "metadata"}.${name}`;
    const message = `is unknown: did you mean ${nearest}? It is kept as metadata of your own`;
    const details = [{ field, message, code: UNKNOWN_MEMBER }];
    this.#log.log("warn", `misspelt:${field}`, `${kind}: ${field} ${message}`, { details });
  }
}
