import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Findings in the rules' own cases: they come and go with tests. */
const CASES = "rule-cases.txt";

/**
 * Computes a digest of how the rules behave, from the committed findings in all labelled texts that may be looked at.
 *
 * Two states with the same digest would be scored alike, so that scoring the second one reveals nothing new.
 *
 * @param folder - The golden findings, `*.txt`, in sub-folders as well.
 * @returns `sha256:` and hex; `undefined` without any findings.
 */
export function digestOfFindings(folder: string): string | undefined {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith(".txt") && name !== CASES)
        .toSorted()
    : [];
  if (names.length === 0) return undefined;
  const hash = createHash("sha256");
  for (const name of names) {
    // The head sums up the texts of findings as well: other words for the same finding are no other behaviour.
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    const findings = lines.filter((line) => !line.startsWith("#")).join("\n");
    hash.update(`${name} ${findings.length}\n`).update(findings);
  }
  return `sha256:${hash.digest("hex")}`;
}
