import { readFileSync } from "node:fs";
import type { RuleCases } from "../../src/compliance/verify-rule.ts";

/** Made by `npm run packs`, and before every run of the tests. */
const CASES = new URL("../compliance/rule-cases.generated.json", import.meta.url);

/** Reads the cases of the built-in rules, by the ids of the rules. */
export function readRuleCases(): Readonly<Record<string, RuleCases>> {
  return JSON.parse(readFileSync(CASES, "utf8")) as Record<string, RuleCases>;
}
