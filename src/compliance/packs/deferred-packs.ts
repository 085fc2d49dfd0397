/*
 * Packs at first use. Functions only: the built package loads this file, and all that it alone imports, the parser of YAML
 * included, when one of them is first called; docs/decisions/0025-deferred-parts.md.
 */
import type { PolicyPack } from "../policy-pack.ts";
import { readRulePackFile } from "./read-rule-pack.ts";

/** Reads a bank's own pack. @throws PackError that lists the problems of the file. */
export function readPackFile(path: string): PolicyPack {
  return readRulePackFile(path);
}
