import type { Concepts } from "./parse-phrase.ts";
import type { PhraseGroup } from "./phrase-group.ts";
import type { Wording } from "./wording.ts";

/** A phrase group with the name by which it is asked for once it is compiled. */
export interface NamedGroup {
  readonly name: string;
  readonly group: Wording<PhraseGroup>;
  /** What its phrases may name beside the common concepts. */
  readonly concepts?: Wording<Concepts> | undefined;
}
