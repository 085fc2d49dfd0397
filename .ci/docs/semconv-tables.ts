import { agentMonitoringConfigSchema, contentPolicySchema } from "../../src/config/config.ts";
import { DELIVERY_METRICS, type MetricDescription } from "../../src/delivery/delivery-stats.ts";
import {
  agentCategorySchema,
  bankingSpecialtySchema,
  EVENT_SCHEMA_VERSION,
  MAX_IDENTIFIER_LENGTH,
  type EventType,
} from "../../src/events/base-event.ts";
import { complianceCategorySchema, complianceSeveritySchema } from "../../src/events/compliance.ts";
import * as semconv from "../../src/semconv.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  EVENT_NAMES,
  KIND_FIELD_ATTRIBUTES,
  PARTIAL_FIELD_ATTRIBUTES,
  type FieldAttribute,
} from "../../src/telemetry/attribute-mapping.ts";
import { VERSION } from "../../src/version.ts";
import {
  FIELD_REQUIREMENTS,
  FINDING_RECORD_ATTRIBUTES,
  SPAN_ATTRIBUTES,
  STANDARD_ATTRIBUTES,
  type AttributeNote,
} from "./attribute-notes.ts";
import { BASE_SOURCES, KIND_SOURCES } from "./field-sources.ts";
import { toCode, toTable } from "./markdown.ts";
import {
  isOwn,
  KINDS,
  listEntries,
  memberOf,
  toAttributeEntry,
  type AttributeEntry,
} from "./registry.ts";
import { unwrap, type Member } from "./schema.ts";

function toRegistryTable(entries: readonly AttributeEntry[], withStability: boolean): string {
  return toTable(
    ["Attribute", "Type", ...(withStability ? ["Stability"] : []), "Content", "Description", "On"],
    entries.map(({ name, type, description, isSensitive, users }) => [
      toCode(name),
      type,
      ...(withStability ? [STANDARD_ATTRIBUTES[name]?.stability ?? ""] : []),
      isSensitive ? "yes" : "",
      description,
      users.join(", "),
    ]),
  );
}

function toRequirement(member: Member | undefined, isSensitive: boolean | undefined): string {
  if (isSensitive) return "Opt-In: policy `full`";
  if (!member) return "If known";
  const { isOptional, optionalParent } = member;
  if (isOptional) return "If known";
  return optionalParent === undefined ? "Required" : `Required with ${toCode(optionalParent)}`;
}

/** The table of one kind of event. */
function toEventTable(kind: EventType): string {
  const rows = [...BASE_FIELD_ATTRIBUTES, ...KIND_FIELD_ATTRIBUTES[kind]].map(
    ({ field, attribute, isSensitive }) => {
      const { type, description } = toAttributeEntry(attribute);
      const requirement =
        FIELD_REQUIREMENTS[field] ?? toRequirement(memberOf(kind, field), isSensitive);
      return [toCode(attribute), type, requirement, toCode(field), description];
    },
  );
  const metadata = toAttributeEntry(semconv.ATTR_METADATA);
  rows.push([
    toCode(metadata.name),
    metadata.type,
    "Opt-In: policy `full`",
    "other members of `metadata`",
    metadata.description,
  ]);
  return toTable(["Attribute", "Type", "Requirement", "EventBatch field", "Description"], rows);
}

function toNoteTable(notes: readonly AttributeNote[]): string {
  const rows = notes.map(([attribute, requirement]) => {
    const { type, description } = toAttributeEntry(attribute);
    return [toCode(attribute), type, requirement, description];
  });
  return toTable(["Attribute", "Type", "Requirement", "Description"], rows);
}

function toSourceOf(kind: EventType | undefined, field: string): string {
  const source = (kind === undefined ? BASE_SOURCES : KIND_SOURCES[kind])[field];
  if (source !== undefined) return source;
  if (field.startsWith("metadata.")) return toCode(field);
  throw new Error(
    `${kind ?? "the base"}: tell in .ci/docs/field-sources.ts where ${field} comes from`,
  );
}

function toMappingTable(): string {
  const toRow = (kind: EventType | undefined, { field, attribute }: FieldAttribute): string[] => [
    kind === undefined ? "every" : toCode(kind),
    toSourceOf(kind, field),
    toCode(field),
    toCode(attribute),
  ];
  const rows = [
    ...BASE_FIELD_ATTRIBUTES.map((row) => toRow(undefined, row)),
    ["every", "time of the call", "`timestamp`", "the record's `Timestamp`"],
    [
      "every",
      "the method, or `event.interactionType`",
      "`interactionType`",
      "the record's `EventName`",
    ],
    ...KINDS.flatMap((kind) => KIND_FIELD_ATTRIBUTES[kind].map((row) => toRow(kind, row))),
    ...PARTIAL_FIELD_ATTRIBUTES.map(({ field, attribute }) => [
      toCode("agent_response"),
      `${toCode(field)} without others of its group`,
      toCode(field),
      toCode(attribute),
    ]),
    ["every", "any other member of `metadata`", "`metadata.*`", toCode(semconv.ATTR_METADATA)],
  ];
  return toTable(["Kind", "What the caller gives", "EventBatch field", "Attribute"], rows);
}

function toEnumTable(): string {
  const ofAttributes = new Map<string, string[]>();
  const add = (values: readonly string[], user: string): void => {
    const key = values.map(toCode).join(", ");
    ofAttributes.set(key, [...(ofAttributes.get(key) ?? []), user]);
  };
  for (const { name, enumValues } of listEntries()) if (enumValues) add(enumValues, toCode(name));
  add(Object.values(EVENT_NAMES), "`EventName`");
  add(agentCategorySchema.options, "`AgentInfo.category`");
  add(bankingSpecialtySchema.options, "`AgentInfo.specialty`");
  add(
    complianceCategorySchema.options,
    `\`category\` in ${toCode(semconv.ATTR_COMPLIANCE_VIOLATIONS)}`,
  );
  add(
    complianceSeveritySchema.options,
    `\`severity\` in ${toCode(semconv.ATTR_COMPLIANCE_VIOLATIONS)}`,
  );
  add(contentPolicySchema.options, "content policy");
  return toTable(
    ["Of", "Values"],
    Array.from(ofAttributes, ([values, users]) => [users.join(", "), values]),
  );
}

function toSensitiveList(): string {
  return listEntries()
    .filter(({ isSensitive }) => isSensitive)
    .map(({ name }) => `- ${toCode(name)}`)
    .join("\n");
}

function toLimitsTable(): string {
  const defaultOf = (field: "eventSizeLimit" | "maxBatchBytes"): string =>
    `${Number(unwrap(agentMonitoringConfigSchema.shape[field]).defaultValue) / 1024} KiB`;
  return toTable(
    ["What", "Limit", "Beyond it"],
    [
      [
        "identifiers",
        `${MAX_IDENTIFIER_LENGTH} characters, no control characters`,
        "agent or session: the event is refused and counted; others are left out, with a log line",
      ],
      [
        "one event",
        `\`eventSizeLimit\`, ${defaultOf("eventSizeLimit")} of JSON`,
        "long strings are cut, then free values are left out; `metadata.truncated` and `metadata.originalBytes` say so, `contentHash` is removed",
      ],
      [
        "one batch",
        `\`maxBatchBytes\`, ${defaultOf("maxBatchBytes")}, and \`batchSize\` events`,
        "more batches",
      ],
      [
        "attributes",
        "the limits of the provider that gets them",
        "OpenTelemetry drops or cuts them; the event on its way to the platform is not touched",
      ],
    ],
  );
}

function toVersionList(): string {
  return [
    `- Package ${toCode(`agent-monitor`)} ${toCode(VERSION)}, which is also the version of the instrumentation scope ${toCode(semconv.SCOPE_NAME)}.`,
    `- Schema URL of the scope: ${toCode(semconv.SCHEMA_URL)}.`,
    `- Event schema ${toCode(EVENT_SCHEMA_VERSION)}: on every event as ${toCode("version")}, on every batch as ${toCode("metadata.batchVersion")}.`,
  ].join("\n");
}

function toResourceTable(): string {
  return toTable(
    ["Attribute", "Type", "From"],
    [
      [toCode(semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME), "string", "configuration `environment`"],
      [toCode(semconv.ATTR_ORGANIZATION_ID), "string", "configuration `organizationId`"],
    ],
  );
}

function toMetricTable(): string {
  const rows = Object.values<MetricDescription>(DELIVERY_METRICS).map(
    ({ name, instrument, unit, description, attribute }) => [
      toCode(name),
      instrument,
      toCode(unit),
      attribute === undefined ? "" : toCode(attribute),
      description,
    ],
  );
  return toTable(["Metric", "Instrument", "Unit", "Attribute", "Meaning"], rows);
}

/** Generates the parts of semconv.md that follow from the schemas and the attribute mapping. */
export function toSemconvParts(): Record<string, string> {
  const entries = listEntries();
  const events = KINDS.map((kind) => [
    `semconv:event-${kind.replaceAll("_", "-")}`,
    toEventTable(kind),
  ]);
  return {
    "semconv:versions": toVersionList(),
    "semconv:resource": toResourceTable(),
    "semconv:span-conversation": toNoteTable(SPAN_ATTRIBUTES.conversation),
    "semconv:span-invoke-agent": toNoteTable(SPAN_ATTRIBUTES["invoke-agent"]),
    "semconv:span-foreign-answer": toNoteTable(SPAN_ATTRIBUTES["foreign-answer"]),
    "semconv:span-foreign-run": toNoteTable(SPAN_ATTRIBUTES["foreign-run"]),
    "semconv:finding-record": toNoteTable(FINDING_RECORD_ATTRIBUTES.finding),
    "semconv:evaluation-record": toNoteTable(FINDING_RECORD_ATTRIBUTES.evaluation),
    "semconv:decision-record": toNoteTable(FINDING_RECORD_ATTRIBUTES.decision),
    ...(Object.fromEntries(events) as Record<string, string>),
    "semconv:registry-own": toRegistryTable(
      entries.filter(({ name }) => isOwn(name)),
      false,
    ),
    "semconv:registry-standard": toRegistryTable(
      entries.filter(({ name }) => !isOwn(name)),
      true,
    ),
    "semconv:enums": toEnumTable(),
    "semconv:mapping": toMappingTable(),
    "semconv:sensitive": toSensitiveList(),
    "semconv:limits": toLimitsTable(),
    "semconv:metrics": toMetricTable(),
  };
}
