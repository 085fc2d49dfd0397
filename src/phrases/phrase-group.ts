import type { ComplianceSeverity } from "../events/compliance.ts";
import type { TextSource } from "./source-text.ts";
import type { Guard } from "./phrase-tables.ts";

/** Ways to say one thing, and what must or must not stand around them. */
export interface PhraseGroup {
  /** Any of these; see `docs/rule-authors.md` for the language. */
  readonly match: readonly string[];
  /**
   * The message in which to look.
   *
   * @defaultValue "agentResponse"
   */
  readonly in?: TextSource;
  /** Neighbouring sentences over which a phrase may spread. @defaultValue 1 */
  readonly within?: 1 | 2 | 3;
  /** None of these may stand in the matched sentences, or beside them in the same paragraph. */
  readonly unless?: readonly string[];
  /** None of these may stand anywhere in the same message. */
  readonly unlessAnywhere?: readonly string[];
  /** One of these must stand somewhere in the same message. */
  readonly alongside?: readonly string[];
  /** One of these must stand in the other message, or near the match: the subject of the exchange. */
  readonly about?: readonly string[];
  /** One of these must stand in the user's message, or in one of the earlier ones if `inSession`. */
  readonly user?: readonly string[];
  /** Reads the session's earlier user messages for `about` and `user` as well. @defaultValue false */
  readonly inSession?: boolean;
  /** Guards that don't apply, because the words mean it all the same. */
  readonly ignore?: readonly Guard[];
  /** Guards beside the default ones. */
  readonly guards?: readonly Guard[];
  /** 0 to 1. @defaultValue 0.8 */
  readonly confidence?: number;
  /**
   * Weight of the findings.
   *
   * @defaultValue the rule's severity
   */
  readonly severity?: ComplianceSeverity;
  /** Says what was found. @defaultValue the rule's description */
  readonly description?: string;
}
