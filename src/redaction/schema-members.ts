const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "type title description required format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf " +
    "minLength maxLength minItems maxItems uniqueItems items properties additionalProperties nullable optional " +
    "deprecated readOnly writeOnly default const enum example examples"
  ).split(" "),
);

/** Keywords of a schema that hold values, not words about them. */
export const SCHEMA_VALUES: ReadonlySet<string> = new Set([
  "default",
  "const",
  "enum",
  "example",
  "examples",
]);

/**
 * Tells whether an object describes a value, as the parameters of tools are described: the member `ssn` of a
 * schema is no number.
 *
 * @see https://json-schema.org/draft/2020-12
 */
export function isSchema(value: object): boolean {
  return (
    TYPES.has((value as { type?: unknown }).type) &&
    Object.keys(value).every((key) => KEYWORDS.has(key))
  );
}
