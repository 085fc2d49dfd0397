/** What people say of a case. */
export interface CaseLabel {
  readonly isViolation: boolean;
  /** Category of the rule that should find it; absent: any. */
  readonly expectedCategory?: string;
}

/** Reads the label of a line; `undefined` where it has none, or one of another kind. */
export function readLabel({
  label,
  expectedCategory,
}: Readonly<Record<string, unknown>>): CaseLabel | undefined {
  if (label !== "violation" && label !== "ok") return undefined;
  return {
    isViolation: label === "violation",
    ...(typeof expectedCategory === "string" && { expectedCategory }),
  };
}
