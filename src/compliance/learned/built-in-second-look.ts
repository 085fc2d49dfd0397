import { toRulePlanes, type ModelFacts, type RulePlane } from "./learned-model.ts";
import { builtInModelText } from "./built-in-model-text.ts";
import { decodeRecords } from "./records-codec.ts";
import { LearnedSecondLook, type SecondLook } from "./second-look.ts";

let facts: ModelFacts | undefined;
let secondLook: SecondLook | undefined;

/** Returns what training has found out. */
export function builtInModelFacts(): ModelFacts {
  return (facts ??= JSON.parse(builtInModelText().facts) as ModelFacts);
}

/** Lists the rules at whose findings the second look looks again. */
export function secondLookRules(): ReadonlyMap<string, RulePlane> {
  return toRulePlanes(builtInModelFacts().planes);
}

/** Returns the second look by the model that `npm run train` has made; it is decoded when it is first asked for. */
export function builtInSecondLook(): SecondLook {
  const { records, sha256 } = builtInModelText();
  return (secondLook ??= new LearnedSecondLook(
    builtInModelFacts(),
    decodeRecords(records),
    sha256,
  ));
}

/** Returns whether the model is decoded. */
export function isBuiltInSecondLookReady(): boolean {
  return secondLook !== undefined;
}
