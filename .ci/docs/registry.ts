import type { EventType } from "../../src/events/base-event.ts";
import { eventSchemas } from "../../src/events/detailed-event.ts";
import * as semconv from "../../src/semconv.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  EVENT_NAMES,
  FINDING_FIELD_ATTRIBUTES,
  KIND_FIELD_ATTRIBUTES,
  type FieldAttribute,
} from "../../src/telemetry/attribute-mapping.ts";
import { EVALUATOR_ATTRIBUTES } from "../../src/telemetry/log-record.ts";
import {
  type AttributeNote,
  FINDING_RECORD_ATTRIBUTES,
  OTHER_OWN_TYPES,
  OWN_DESCRIPTIONS,
  RESOURCE_ATTRIBUTES,
  SPAN_ATTRIBUTES,
  STANDARD_ATTRIBUTES,
} from "./attribute-notes.ts";
import { toCode } from "./markdown.ts";
import { findMember, type Member } from "./schema.ts";

/** Kinds of events in the order of the documentation. */
export const KINDS = Object.keys(EVENT_NAMES) as EventType[];

/** Written on an event of the judge's when it is read as one. */
const JUDGE_ATTRIBUTES: readonly string[] = [
  ...EVALUATOR_ATTRIBUTES.map(([, attribute]) => attribute),
  semconv.ATTR_FINDING_TIER,
];

/** Everything that is known of an attribute. */
export interface AttributeEntry {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly enumValues: readonly string[] | undefined;
  readonly isSensitive: boolean;
  /** What carries it. */
  readonly users: readonly string[];
}

/** Finds the schema of an event's field. */
export function memberOf(kind: EventType, field: string): Member | undefined {
  return findMember(eventSchemas[kind], field);
}

/** Returns whether an attribute is of the own namespace. */
export function isOwn(attribute: string): boolean {
  return attribute.startsWith(`${semconv.NAMESPACE}.`);
}

/** Every attribute of `semconv.ts` that events of ours carry, in alphabetical order; what is read of others is none. */
export function listAttributes(): string[] {
  return Object.entries(semconv)
    .filter(([constant]) => constant.startsWith("ATTR_"))
    .map(([, name]) => name)
    .filter((name) => isOwn(name) || name in STANDARD_ATTRIBUTES)
    .toSorted();
}

function findUses(attribute: string): { kind: EventType; row: FieldAttribute }[] {
  return KINDS.flatMap((kind) =>
    [...BASE_FIELD_ATTRIBUTES, ...KIND_FIELD_ATTRIBUTES[kind]]
      .filter((row) => row.attribute === attribute)
      .map((row) => ({ kind, row })),
  );
}

function listUsers(attribute: string, kinds: readonly EventType[]): string[] {
  const { decision, ...ofFindings } = FINDING_RECORD_ATTRIBUTES;
  const hasIt = (rows: readonly AttributeNote[]): boolean =>
    rows.some(([name]) => name === attribute);
  return [
    ...(RESOURCE_ATTRIBUTES.includes(attribute) ? ["resource"] : []),
    ...(Object.values(SPAN_ATTRIBUTES).some(hasIt) ? ["spans"] : []),
    ...(Object.values(ofFindings).some(hasIt) ? ["finding records"] : []),
    ...(hasIt(decision) ? ["decision records"] : []),
    ...(kinds.length === KINDS.length ? ["every event"] : kinds.map(toCode)),
  ];
}

function typeOf(name: string, members: readonly Member[]): string {
  return STANDARD_ATTRIBUTES[name]?.type ?? OTHER_OWN_TYPES[name] ?? members[0]?.type ?? "string";
}

function describe(name: string, members: readonly Member[]): string {
  const described = members.find((member) => member.description !== undefined)?.description;
  const description = STANDARD_ATTRIBUTES[name]?.description ?? OWN_DESCRIPTIONS[name] ?? described;
  if (description !== undefined) return description;
  const advice =
    "add .describe() to its field in src/events, or a line in .ci/docs/attribute-notes.ts";
  throw new Error(`${name} has no description: ${advice}`);
}

/** Puts together what is known of an attribute; throws when nothing describes it. */
export function toAttributeEntry(name: string): AttributeEntry {
  const uses = findUses(name);
  const members = uses.flatMap(({ kind, row }) => memberOf(kind, row.field) ?? []);
  const isOfRecord = [
    semconv.ATTR_METADATA,
    semconv.ATTR_EVENT_JSON_ATTRIBUTES,
    semconv.ATTR_EVENT_LENGTH,
  ].includes(name);
  return {
    name,
    type: typeOf(name, members),
    description: describe(name, members),
    enumValues: members.find((member) => member.enumValues !== undefined)?.enumValues,
    isSensitive:
      name === semconv.ATTR_METADATA ||
      uses.some(({ row }) => row.isSensitive === true) ||
      FINDING_FIELD_ATTRIBUTES.some((row) => row.attribute === name && row.isSensitive === true),
    users: isOfRecord
      ? ["every event"]
      : listUsers(
          name,
          // Written beside the error's own type, which its row names.
          name === semconv.ATTR_EXCEPTION_TYPE
            ? ["error"]
            : JUDGE_ATTRIBUTES.includes(name)
              ? ["compliance_violation"]
              : uses.map(({ kind }) => kind),
        ),
  };
}

/** What is known of each of them; throws when one is not described. */
export function listEntries(): AttributeEntry[] {
  return listAttributes().map(toAttributeEntry);
}
