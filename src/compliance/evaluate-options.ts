import type { ComplianceSettings } from "../events/agent.ts";
import type { InteractionContext } from "../events/compliance.ts";
import { readMember } from "../util/untrusted-values.ts";

/** How one evaluation differs. */
export interface EvaluateOptions {
  /**
   * Whether the customer gets the answer. The session then remembers it in place of the answers that were only tried
   * for the same message.
   *
   * @defaultValue false
   */
  readonly isGiven?: boolean;
  /**
   * Whether the evaluation gives candidates as well: what was found with less confidence than its rule asks for.
   *
   * @defaultValue false
   */
  readonly candidates?: boolean;
  /**
   * Whether the evaluation gives the turns before it as well, as far as the session is remembered.
   *
   * @internal
   */
  readonly turns?: boolean;
}

/** An interaction, and settings that came with it. */
export type EvaluatedContext = InteractionContext & {
  readonly complianceSettings?: ComplianceSettings | undefined;
};

const OPTIONS = [
  "isGiven",
  "candidates",
  "turns",
] as const satisfies readonly (keyof EvaluateOptions)[];

/** Returns whether a value is options, not settings, which have none of their members. */
export function isOptions(value: unknown): value is EvaluateOptions {
  return OPTIONS.some((name) => readMember(value, name) !== undefined);
}
