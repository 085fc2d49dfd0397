import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyPack } from "../../../src/compliance/policy-pack.ts";
import { PackError } from "../../../src/compliance/packs/pack-error.ts";
import { readRulePack } from "../../../src/compliance/packs/read-rule-pack.ts";

/** The example of the documents. */
export const POLICY_PATH = join(import.meta.dirname, "../../../examples/policy/policy.yaml");
export const POLICY = readFileSync(POLICY_PATH, "utf8");

/** Reads a policy's text. */
export function read(text: string): PolicyPack {
  return readRulePack({ path: "policy.yaml", text });
}

/** Gives what is wrong with a policy's text, a line for each problem. */
export function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof PackError) return error.message.split("\n");
    throw error;
  }
  return [];
}
