/** Says why a line can't be evaluated: where in it, what was expected, what came; never its content. */
export class LineProblem extends Error {
  override readonly name = "LineProblem" as const;

  /** @param got - Default: the kind of the value. */
  constructor(where: string, expected: string, value: unknown, got = kindOf(value)) {
    super(`${where === "" ? "" : `${where}: `}expected ${expected}, got ${got}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object") return "another object";
  return typeof value === "string" ? "another string" : `a ${typeof value}`;
}
