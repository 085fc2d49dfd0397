import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { toCode, toTable } from "./markdown.ts";

const textSchema = z.string().min(1).max(600);
const single = (name: string) => z.strictObject({ [name]: z.string().min(1) });

/** What shows a record: its kind and its name. */
const evidenceSchema = z.union([
  single("field").describe("Of an event, a finding, a batch or an agent: kind and path."),
  single("column").describe("Of a table of the platform."),
  single("route").describe("Of the platform's HTTP interface."),
  single("command").describe("Of agent-monitor, with at most one option."),
  single("option").describe("Of startPlatform."),
  single("setting").describe("Of the monitor."),
  single("rule").describe("Its id."),
  single("attribute").describe("Of telemetry."),
]);

/**
 * What is said of a requirement: `observed`, what it asks for is recorded and a test shows it; `gap`, not all of it; `not assessed`, it
 * was not looked at, or is for the bank alone. None of them says that a bank complies.
 */
const stateSchema = z.enum(["observed", "gap", "not assessed"]);

const controlSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  reference: textSchema,
  requirement: textSchema,
  record: textSchema,
  evidence: z.array(evidenceSchema),
  tests: z.array(z.string().regex(/^test\/[\w./-]+\.test\.ts$/)),
  bank: textSchema.describe("What is left for the bank to do."),
  state: stateSchema,
});
/** A requirement of a framework, and what is recorded for it. */
export type Control = z.infer<typeof controlSchema>;

const controlsSchema = z.strictObject({
  asOf: z.iso.date(),
  frameworks: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]+$/),
      title: textSchema,
      status: textSchema,
      controls: z.array(controlSchema).min(1),
    }),
  ),
});
type Controls = z.infer<typeof controlsSchema>;

const SOURCE = join(import.meta.dirname, "../../docs/controls.json");

/** Reads docs/controls.json. @throws Error where it has another form */
export function readControls(): Controls {
  return controlsSchema.parse(JSON.parse(readFileSync(SOURCE, "utf8")));
}

function toLink(test: string): string {
  return toCode(test.replace(/^test\//, ""));
}

function toNames(evidence: Control["evidence"]): string {
  const names = evidence.flatMap((each) => Object.entries(each));
  return names
    .map(([kind, name]) => toCode(kind === "command" ? `agent-monitor ${name}` : name))
    .join(", ");
}

const NONE = "–";

function toRow(control: Control): string[] {
  const { reference, requirement, record, evidence, tests, bank, state } = control;
  return [
    reference,
    requirement,
    record,
    toNames(evidence) || NONE,
    tests.map(toLink).join(", ") || NONE,
    bank,
    `**${state}**`,
  ];
}

const HEAD = [
  "Reference",
  "Requirement",
  "What is recorded",
  "What shows it",
  "Tests, below `test/`",
  "What the bank must still do",
  "State",
];

/** Generates the tables of docs/controls.md. */
export function toControlsParts(): Record<string, string> {
  const { frameworks } = readControls();
  const sections = frameworks.map(({ title, status, controls }) =>
    [`## ${title}`, status, toTable(HEAD, controls.map(toRow))].join("\n\n"),
  );
  return { "controls:frameworks": sections.join("\n\n") };
}
