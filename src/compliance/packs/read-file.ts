import type * as z from "zod";
import type { PackProblem } from "../pack-problem.ts";
import { MAX_PROBLEMS, upToBound } from "./pack-error.ts";
import { readYaml, type PackFile, type Sourced, type YamlPart } from "./read-yaml.ts";

/** Returns the issues of the form that was meant: the one that knows all members, or the last. */
function toIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const isMeant = (issues: readonly z.core.$ZodIssue[]): boolean =>
    issues.every(({ code, path }) => code !== "unrecognized_keys" && path.length > 0);
  const meant = issue.errors.find(isMeant) ?? issue.errors.at(-1) ?? [];
  return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function* toProblems(source: YamlPart, issues: readonly z.core.$ZodIssue[]): Iterable<PackProblem> {
  for (const issue of issues) {
    const { path, message } = issue;
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) yield source.problemOfKey([...path, key], "is no known member");
    else if (issue.code === "invalid_key")
      yield source.problemOfKey(path, issue.issues[0]?.message ?? message);
    else yield source.problem(path, message);
  }
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
 * @param repair - Returns the file without what is refused, so that the rest can be checked.
 */
export function readFile<Schema extends z.ZodType>(
  file: PackFile,
  schema: Schema,
  problems: PackProblem[],
  repair?: (value: unknown, refused: readonly RefusedPart[]) => unknown,
): Sourced<z.infer<Schema>> | undefined {
  const yaml = readYaml(file);
  if (!("value" in yaml)) {
    problems.push(...upToBound(yaml));
    return undefined;
  }
  const { source } = yaml;
  const parsed = schema.safeParse(yaml.value);
  if (parsed.success) return { file: file.path, value: parsed.data, source };
  const issues = parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap(toIssues);
  problems.push(...upToBound(toProblems(source, issues)));
  const refused = issues.flatMap(toRefused);
  // Of a file with so many problems no more are wanted.
  if (!repair || refused.length > MAX_PROBLEMS) return undefined;
  const repaired = schema.safeParse(repair(yaml.value, refused));
  return repaired.success ? { file: file.path, value: repaired.data, source } : undefined;
}
