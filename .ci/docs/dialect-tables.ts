import { readFileSync } from "node:fs";
import { dialects } from "../../src/bridge/dialects/index.ts";
import { DEFAULT_GATHER_LIMITS } from "../../src/bridge/assembly/trace-groups.ts";
import type { Dialect, SpanLike } from "../../src/bridge/span-record.ts";
import { toBridgeFieldTable } from "./bridge-fields.ts";
import { DIALECT_NOTES, type DialectEvidence, type DialectNote } from "./dialect-notes.ts";
import { toCode, toTable } from "./markdown.ts";

/** What captures of a producer don't hold, as the tests have it. */
interface Gap {
  /** Pattern of file names: `<producer>__<library>__<scenario>`. */
  readonly files: string;
  readonly missing: string;
  readonly why: string;
}

const GAPS = new URL("../../test/fixtures/dialects/unrecoverable.json", import.meta.url);

/** Makes a span that has nothing but one piece of evidence. */
function toSpans({ scopes = [], attributes = {} }: DialectEvidence): SpanLike[] {
  return [
    ...scopes.map((name) => ({
      name: "span",
      attributes: {},
      instrumentationScope: { name: name.replace("*", "x") },
    })),
    ...Object.entries(attributes).map(([key, value]) => ({
      name: "span",
      attributes: { [key]: value ?? "x" },
    })),
  ];
}

function noteOf(dialect: Dialect): DialectNote {
  const note = DIALECT_NOTES[dialect.name];
  if (!note) throw new Error(`${dialect.name}: describe it in .ci/docs/dialect-notes.ts`);
  if (toSpans(note.evidence).some((span) => dialect.toRole(span) === undefined)) {
    throw new Error(`${dialect.name}: its evidence in .ci/docs/dialect-notes.ts is not enough`);
  }
  return note;
}

function toEvidenceText({ scopes = [], attributes = {} }: DialectEvidence): string {
  const names = Object.entries(attributes).map(([key, value]) =>
    toCode(value === undefined ? key : `${key}: ${value}`),
  );
  return [
    ...(scopes.length > 0 ? [`scope ${scopes.map(toCode).join(", ")}`] : []),
    ...(names.length > 0 ? [`attribute ${names.join(", ")}`] : []),
  ].join("; or ");
}

function toDialectTable(): string {
  return toTable(
    ["Dialect", "Producers", "A span is recognised by", "Reports"],
    dialects.map((dialect) => {
      const { producers, evidence, reports } = noteOf(dialect);
      return [toCode(dialect.name), producers, toEvidenceText(evidence), reports];
    }),
  );
}

function findDialect({ files }: Gap): string {
  const found = dialects.find((dialect) =>
    noteOf(dialect).captures.some((beginning) => files.startsWith(beginning)),
  );
  if (!found) throw new Error(`${files}: say in .ci/docs/dialect-notes.ts whose captures they are`);
  return found.name;
}

function toGapTable(): string {
  const gaps = JSON.parse(readFileSync(GAPS, "utf8")) as Gap[];
  const rows = new Map<string, { cells: string[]; scenarios: string[] }>();
  for (const gap of gaps) {
    const [producer = "", library = "*", scenario = "*"] = gap.files.split("__");
    const named = library === "*" ? producer : `${producer} ${library.replace(/@?\*$/, "")}`;
    const cells = [toCode(findDialect(gap)), toCode(named.trim()), gap.missing, gap.why];
    const row = rows.get(cells.join()) ?? { cells, scenarios: [] };
    row.scenarios.push(scenario);
    rows.set(cells.join(), row);
  }
  const order = dialects.map(({ name }) => toCode(name));
  return toTable(
    ["Dialect", "Producer", "Scenario", "Missing", "Why"],
    Array.from(rows.values(), ({ cells: [dialect = "", producer = "", ...rest], scenarios }) => [
      dialect,
      producer,
      scenarios.includes("*") ? "every" : scenarios.map(toCode).join(", "),
      ...rest,
    ]).toSorted(([one = ""], [other = ""]) => order.indexOf(one) - order.indexOf(other)),
  );
}

function toGatherTable(): string {
  const limits = DEFAULT_GATHER_LIMITS;
  const seconds = (millis: number): string => `${millis / 1000} s`;
  return toTable(
    ["What waits", "For", "Until"],
    [
      ["a trace whose GenAI spans have all ended", "log records", seconds(limits.settleMillis)],
      [
        "spans that come already ended, without their parents",
        "the parents",
        seconds(limits.orphanMillis),
      ],
      ["log records", "their span", seconds(limits.recordMillis)],
      ["a span that does not end", "its end", seconds(limits.maxOpenMillis)],
      [
        "traces",
        "the rest of their spans",
        `${limits.maxTraces} of them; the oldest is reported then`,
      ],
      ["spans", "the rest of their trace", `${limits.maxSpans} of one trace; it is reported then`],
      ["everything", "", `${limits.maxBytes / 1024 / 1024} MiB; the oldest is reported then`],
    ],
  );
}

/** Generates the tables about the bridge: from the registry of dialects, its own results, and the losses that tests know. */
export function toBridgeParts(): Record<string, string> {
  const names = dialects.map(({ name }) => name);
  const strangers = Object.keys(DIALECT_NOTES).filter((name) => !names.includes(name));
  if (strangers.length > 0) throw new Error(`no dialects: ${strangers.join(", ")}`);
  return {
    "semconv:bridge-fields": toBridgeFieldTable(),
    "semconv:bridge-limits": toGatherTable(),
    "semconv:dialects": toDialectTable(),
    "semconv:dialect-gaps": toGapTable(),
  };
}
