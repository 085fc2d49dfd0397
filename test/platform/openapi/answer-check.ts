import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Content, OpenApi, PlacedOperation, Schema } from "./operations.ts";

/** Closes the objects that a schema describes, so that an answer may have nothing that is not described. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, close(value)]),
  );
  const isOpen = !("properties" in schema) || "additionalProperties" in schema;
  return isOpen ? closed : { ...closed, additionalProperties: false };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An answer as it came. */
export interface SeenAnswer {
  readonly status: number;
  /** The header; empty for none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Reads an answer. */
export async function toSeen(response: Response): Promise<SeenAnswer> {
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Creates the check of answers: it says in which way one is not the documented one; `undefined` where it is. */
export function createAnswerCheck({ components }: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const validators = new Map<Schema, ValidateFunction>();

  const compile = (schema: Schema): ValidateFunction => {
    const known = validators.get(schema);
    if (known) return known;
    // Parts of a problem describe it together: neither is closed.
    const whole = "allOf" in schema ? schema : (close(schema) as Schema);
    const made = ajv.compile({ ...whole, components });
    validators.set(schema, made);
    return made;
  };

  return (
    { operation }: PlacedOperation,
    { status, contentType, bytes }: SeenAnswer,
  ): string | undefined => {
    const text = bytes.toString();
    const shown = `${status} ${text.slice(0, 300)}`;
    if (status >= 500) return `failed: ${shown}`;
    const documented = operation.responses[String(status)];
    if (!documented) return `has an undocumented status: ${shown}`;
    const content: Content = documented.content ?? {};
    const mediaType = contentType.split(";", 1)[0] ?? "";
    if (Object.keys(content).length === 0)
      return bytes.length === 0 ? undefined : `has a body: ${shown}`;
    const { schema } = content[mediaType] ?? {};
    if (!content[mediaType]) return `has the undocumented type ${mediaType}: ${shown}`;
    if (!schema || !/[/+]json$/.test(mediaType)) return undefined;
    if (!isJson(text)) return `is no JSON: ${shown}`;
    const validate = compile(schema);
    return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)}: ${shown}`;
  };
}
