import type { CompiledPack } from "../compiled/compiled-pack.ts";
import type { RulePlane } from "../learned/learned-model.ts";
import type { KnownChecks } from "./check-rule.ts";
import type { PackSource } from "./pack-source.ts";

/** What a bank's pack may change. */
export interface BuiltInRules {
  readonly pack: CompiledPack;
  readonly known: KnownChecks;
  /** Those at whose findings the second look looks again, by id. */
  readonly secondLook: ReadonlyMap<string, Pick<RulePlane, "confirmsOnly">>;
  /** Reads the rules as their files say them. */
  readonly readSource: () => PackSource;
}
