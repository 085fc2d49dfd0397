import { readFileSync } from "node:fs";
import * as stable from "@opentelemetry/semantic-conventions";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { eventSchemas } from "../src/events/detailed-event.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  EVENT_NAMES,
  KIND_FIELD_ATTRIBUTES,
  PARTIAL_FIELD_ATTRIBUTES,
} from "../src/telemetry/attribute-mapping.ts";
import * as semconv from "../src/semconv.ts";
import { KINDS } from "./helpers/events.ts";

const standard: Readonly<Record<string, unknown>> = { ...incubating, ...stable };
const standardNames = new Set(Object.values(standard));
const constants = Object.entries(semconv).filter(([name]) => name.startsWith("ATTR_"));
const names: string[] = constants.map(([, value]) => value);

/** Paragraphs of `semconv.ts` that write names out; a comment begins a new one. */
const paragraphs = readFileSync(new URL("../src/semconv.ts", import.meta.url), "utf8").split(
  /\n\n|\n(?=\/[/*])/,
);

describe("names of others", () => {
  const copied = paragraphs
    .flatMap((text) =>
      Array.from(
        text.matchAll(/=\s+"([a-z_]+\.[^"]+)"/g),
        ([, name = ""]) => [name, text] as const,
      ),
    )
    .filter(([name]) => !name.startsWith("agent_monitor."));

  it.each(copied)(
    "%s is written out because the package lacks it, below its source",
    (name, text) => {
      expect(standardNames.has(name)).toBe(false);
      expect(text).toMatch(/^\/\/ /);
    },
  );

  it("are the standard's otherwise", () => {
    const lacking = copied.map(([name]) => name);
    const taken = constants.filter(
      ([, value]) => !value.startsWith("agent_monitor.") && !lacking.includes(value),
    );
    expect(taken.length).toBeGreaterThan(50);
    for (const [name, value] of taken) expect(standard[name]).toBe(value);
  });
});

describe("our names", () => {
  it.each([...constants, ...Object.entries(EVENT_NAMES)])("%s is well formed", (_name, value) => {
    expect(value).toMatch(/^[a-z][a-z0-9]*([._][a-z0-9]+)*$/);
  });

  it("are not the same twice", () => {
    const all = [...names, ...Object.values(EVENT_NAMES)];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  it("are no namespace of another one", () => {
    const own = names.filter((name) => name.startsWith("agent_monitor."));
    const namespaces = own.filter((name) => own.some((other) => other.startsWith(`${name}.`)));
    // `agent_monitor.metadata` and the rest hold values, so nothing may be below them.
    expect(namespaces).toEqual([]);
  });

  it("are under the one prefix", () => {
    for (const name of Object.values(EVENT_NAMES))
      expect(name.startsWith(`${semconv.NAMESPACE}.`)).toBe(true);
    expect(semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT).toBe(
      incubating.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
    );
  });
});

/** Paths of a schema down to what has no members of its own. */
function leavesOf(schema: z.ZodType, path: string): string[] {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject)) return [path];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
    leavesOf(member, path === "" ? name : `${path}.${name}`),
  );
}

// Said by the record itself.
const OWN = ["timestamp", "interactionType"];

describe("the mapping", () => {
  it.each(KINDS)("gives every field of %s an attribute of its own", (kind) => {
    const rows = [...BASE_FIELD_ATTRIBUTES, ...KIND_FIELD_ATTRIBUTES[kind]];
    const fields = rows.map(({ field }) => field);
    const wanted = leavesOf(eventSchemas[kind], "").filter((field) => !OWN.includes(field));
    // They share the attributes of the fields that they are while others of these are missing.
    const shared = kind === "agent_response" ? PARTIAL_FIELD_ATTRIBUTES : [];
    const told = [...fields, ...shared.map(({ field }) => field)];
    // Of an open object, its known members are told.
    const isTold = (field: string): boolean =>
      told.some((name) => name === field || name.startsWith(`${field}.`));
    expect(wanted.filter((field) => !isTold(field))).toEqual([]);
    const attributes = rows.map(({ attribute }) => attribute);
    expect(shared.filter(({ attribute }) => !attributes.includes(attribute))).toEqual([]);
    expect(new Set(fields).size).toBe(fields.length);
    expect(new Set(attributes).size).toBe(rows.length);
  });

  it.each(KINDS)("has no row for %s that the schema does not know, but the call's id", (kind) => {
    const known = [...leavesOf(eventSchemas[kind], ""), "metadata.toolCallId"];
    expect(
      KIND_FIELD_ATTRIBUTES[kind]
        .map(({ field }) => field)
        .filter((field) => !known.includes(field)),
    ).toEqual([]);
  });

  it("uses only names that semconv.ts has", () => {
    const used = [...BASE_FIELD_ATTRIBUTES, ...Object.values(KIND_FIELD_ATTRIBUTES).flat()].map(
      ({ attribute }) => attribute,
    );
    expect(used.filter((attribute) => !names.includes(attribute))).toEqual([]);
  });

  it("gives an attribute one meaning of sensitivity", () => {
    const rows = [...BASE_FIELD_ATTRIBUTES, ...Object.values(KIND_FIELD_ATTRIBUTES).flat()];
    for (const { attribute, isSensitive } of rows) {
      expect(
        rows
          .filter((row) => row.attribute === attribute)
          .every((row) => row.isSensitive === isSensitive),
        attribute,
      ).toBe(true);
    }
  });
});
