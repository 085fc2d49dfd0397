import type * as z from "zod";
import type { PackProblem } from "../pack-problem.ts";
import { MAX_PROBLEMS } from "./pack-error.ts";
import { readYaml, type PackFile, type ReadYaml, type Sourced } from "./read-yaml.ts";

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "is no known member";
  // Of a pattern that fits neither form, what its phrases lack says more than that.
  return issue.message;
}

/** Gives the issues of the form that was meant: the one that knows all members, or the last. */
function toIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const isMeant = (issues: readonly z.core.$ZodIssue[]): boolean =>
    issues.every(({ code, path }) => code !== "unrecognized_keys" && path.length > 0);
  const meant = issue.errors.find(isMeant) ?? issue.errors.at(-1) ?? [];
  return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toProblems(file: string, source: ReadYaml, issue: z.core.$ZodIssue): PackProblem[] {
  const at = (path: readonly PropertyKey[]): string => path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
      const path = [...issue.path, key];
      return { file, ...source.placeOfKey(path), message: `${at(path)}: ${toMessage(issue)}` };
    });
  const place =
    issue.code === "invalid_key" ? source.placeOfKey(issue.path) : source.placeOf(issue.path);
  const name = issue.path.length > 0 ? `${at(issue.path)}: ` : "";
  const inner = issue.code === "invalid_key" ? issue.issues[0]?.message : undefined;
  return [{ file, ...place, message: name + (inner ?? toMessage(issue)) }];
}

/** A part of a file that its schema refuses. */
export interface RefusedPart {
  readonly path: readonly PropertyKey[];
  /** A name that is none, a member that nobody knows, or a value of another kind. */
  readonly what: "name" | "member" | "value";
}

function toRefused({ code, path, ...issue }: z.core.$ZodIssue): RefusedPart[] {
  const keys = code === "unrecognized_keys" && "keys" in issue ? issue.keys : undefined;
  if (keys) return keys.map((key) => ({ path: [...path, key], what: "member" }));
  return [{ path, what: code === "invalid_key" ? "name" : "value" }];
}

/**
 * Reads a file by its schema; its problems go to the list.
 *
 * @param repair - Gives the file without what is refused, so that the rest can be checked.
 */
export function readFile<Schema extends z.ZodType>(
  file: PackFile,
  schema: Schema,
  problems: PackProblem[],
  repair?: (value: unknown, refused: readonly RefusedPart[]) => unknown,
): Sourced<z.infer<Schema>> | undefined {
  const source = readYaml(file);
  if (!("value" in source)) {
    problems.push(...source.slice(0, MAX_PROBLEMS));
    return undefined;
  }
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return { file: file.path, value: parsed.data, source };
  const issues = parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap(toIssues);
  const found = issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => toProblems(file.path, source, issue));
  problems.push(...found.slice(0, MAX_PROBLEMS));
  const refused = issues.flatMap(toRefused);
  // Of a file with so many problems no more are wanted.
  if (!repair || refused.length > MAX_PROBLEMS) return undefined;
  const repaired = schema.safeParse(repair(source.value, refused));
  return repaired.success ? { file: file.path, value: repaired.data, source } : undefined;
}
