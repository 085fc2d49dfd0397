import * as z from "zod";
import { agentMonitoringConfigSchema, otlpDestinationSchema } from "../../src/config/config.ts";
import { toEnvironmentVariable } from "../../src/config/environment-variables.ts";
import { toCode, toTable } from "./markdown.ts";
import { unwrap } from "./schema.ts";

const MEBIBYTE = 1024 * 1024;

/** Types that a schema can't name. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  priceTable: "`PriceTable`",
  logger: "`Logger`",
  tracerProvider: "`TracerProvider`",
  loggerProvider: "`LoggerProvider`",
  otlp: "`OtlpDestination[]`",
  agent: "`http.Agent`",
  encryption: "`EncryptionOptions`",
  signing: "`SigningOptions`",
  chainKey: "`SigningOptions`",
  redact: "boolean or `RedactOptions`",
  model: "`JudgeModel`",
  dailyBudget: "`{ requests?, tokens?, cost? }`",
  judge: "`JudgeOptions`",
};

function toRange(schema: z.ZodNumber): string {
  const { minValue, maxValue } = schema;
  const isBounded = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  if (minValue === null) return "";
  return isBounded ? `, ${minValue} to ${maxValue}` : `, at least ${minValue}`;
}

function toType(name: string, schema: z.ZodType): string {
  const known = TYPE_NAMES[name];
  if (known !== undefined) return known;
  if (schema instanceof z.ZodEnum)
    return schema.options.map((option) => toCode(`"${option}"`)).join(" or ");
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) {
    return `${schema instanceof z.ZodNumberFormat ? "integer" : "number"}${toRange(schema)}`;
  }
  if (schema instanceof z.ZodRecord) return "object of strings";
  if (schema instanceof z.ZodArray) return `array of ${toType("", schema.element as z.ZodType)}`;
  return "string";
}

function toDefault(name: string, value: unknown, isOptional: boolean): string {
  if (value === undefined) return isOptional ? "" : "required";
  const text = toCode(JSON.stringify(value));
  if (typeof value !== "number" || !/Bytes$|SizeLimit$/.test(name)) return text;
  return value % MEBIBYTE === 0
    ? `${text} (${value / MEBIBYTE} MiB)`
    : `${text} (${value / 1024} KiB)`;
}

/** Returns a field's row: name, type, default, meaning. */
export function toRow(
  name: string,
  wrapped: z.ZodType,
): [field: string, type: string, value: string, meaning: string] {
  const { schema, isOptional, description, defaultValue } = unwrap(wrapped);
  if (description === undefined)
    throw new Error(`the configuration field ${name} has no description`);
  return [
    toCode(name),
    toType(name, schema),
    toDefault(name, defaultValue, isOptional),
    description,
  ];
}

/** Writes the table of configuration fields. */
export function toConfigTable(): string {
  const rows = Object.entries(agentMonitoringConfigSchema.shape).map(([name, schema]) => {
    const [field, type, value, meaning] = toRow(name, schema);
    const variable = toEnvironmentVariable(name);
    return [field, type, value, variable === undefined ? "" : toCode(variable), meaning];
  });
  return toTable(["Field", "Type", "Default", "Environment variable", "Meaning"], rows);
}

/** Writes the table of the members of an OTLP destination. */
export function toOtlpTable(): string {
  const rows = Object.entries(otlpDestinationSchema.shape).map(([name, schema]) => {
    const [field, type, value, meaning] = toRow(name, schema);
    return [field, type, value, meaning];
  });
  return toTable(["Member", "Type", "Default", "Meaning"], rows);
}
