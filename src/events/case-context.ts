import * as z from "zod";
import { isRecord, setOwn, type JsonValue } from "../util/values.ts";
import {
  customerProfileSchema,
  toolUsageInfoSchema,
  transactionContextSchema,
  type InteractionContext,
  type ToolUsageInfo,
} from "./compliance.ts";
import { describeValue, type ValidationDetail } from "./validation-error.ts";

/** Limit of tool calls and of risk factors that are read of one interaction. */
const MAX_ITEMS = 64;

type Report = (problem: ValidationDetail) => void;
type Given = JsonValue | undefined;

/** The case in an answer's metadata, for the rules. */
export type CaseContext = Pick<
  InteractionContext,
  "customerProfile" | "transactionContext" | "riskFactors" | "toolsUsed"
>;

function toDetail(field: string, expected: string, value: JsonValue): ValidationDetail {
  const message = `${expected} (got ${describeValue(value)}); the rules do not see it`;
  return { field, message, code: "invalid_type" };
}

/** Reads a list item by item; an invalid item is left out. */
function readItems<T>(
  value: Given,
  field: string,
  report: Report,
  toItem: (item: JsonValue, field: string, report: Report) => T | undefined,
): T[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    report(toDetail(field, "expected an array", value));
    return undefined;
  }
  if (value.length > MAX_ITEMS) {
    const message = `expected at most ${MAX_ITEMS} items (got ${value.length}); the rules see the first`;
    report({ field, message, code: "too_big" });
  }
  return value
    .slice(0, MAX_ITEMS)
    .map((item, index) => toItem(item, `${field}[${index}]`, report))
    .filter((item) => item !== undefined);
}

function readText(item: JsonValue, field: string, report: Report): string | undefined {
  if (typeof item === "string") return item;
  report(toDetail(field, "expected a string", item));
  return undefined;
}

const isList = (schema: z.ZodType): boolean =>
  (schema instanceof z.ZodOptional ? schema.unwrap() : schema) instanceof z.ZodArray;

/** Reads a member that the schema knows. */
function readKnownMember(
  given: JsonValue,
  schema: z.ZodType,
  field: string,
  report: Report,
): Given {
  if (isList(schema)) return readItems(given, field, report, readText);
  const issue = schema.safeParse(given).error?.issues[0];
  if (!issue) return given;
  if (given !== null) report(toDetail(field, issue.message, given));
  return undefined;
}

/**
 * Reads an object member by member; an invalid member is left out, `null` counts as absent.
 *
 * Members that the schema does not know stay, for rules of the application's own.
 */
function readMembers(
  value: Given,
  schema: z.ZodObject,
  field: string,
  report: Report,
): Record<string, JsonValue> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    report(toDetail(field, "expected an object", value));
    return undefined;
  }
  const shape: Record<string, z.ZodType> = schema.shape;
  const members: Record<string, JsonValue> = {};
  for (const [name, given] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const member = known ? readKnownMember(given, known, `${field}.${name}`, report) : given;
    if (member !== undefined) setOwn(members, name, member);
  }
  return members;
}

function readTool(item: JsonValue, field: string, report: Report): ToolUsageInfo | undefined {
  const members = readMembers(item, toolUsageInfoSchema, field, report);
  if (!members) return undefined;
  if (typeof members["name"] !== "string" || members["name"] === "") {
    report(toDetail(`${field}.name`, "expected a name", members["name"] ?? null));
    return undefined;
  }
  // As of a tracked call: without `success` it counts as successful.
  const { parameters = null, result = null, success = true, ...others } = members;
  return { ...others, parameters, result, success } as ToolUsageInfo;
}

/**
 * Reads the case from the metadata of an answer.
 *
 * @param metadata - JSON; the result shares no object with it that the caller still has.
 * @param report - Called for each invalid member, with its type and length: the member is left out.
 */
export function readCaseContext(metadata: Record<string, JsonValue>, report: Report): CaseContext {
  const readObject = (name: string, schema: z.ZodObject) =>
    readMembers(metadata[name], schema, `metadata.${name}`, report);
  const profile = readObject("customerProfile", customerProfileSchema);
  const transactionContext = readObject("transactionContext", transactionContextSchema);
  const riskFactors = readItems(metadata["riskFactors"], "metadata.riskFactors", report, readText);
  const toolsUsed = readItems(metadata["toolsUsed"], "metadata.toolsUsed", report, readTool);
  return {
    // Without a customer id the other members still count.
    ...(profile && { customerProfile: { customerId: "", ...profile } }),
    ...(transactionContext && { transactionContext }),
    ...(riskFactors && { riskFactors }),
    ...(toolsUsed && { toolsUsed }),
  };
}
