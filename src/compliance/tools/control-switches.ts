import type { InteractionContext } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import { wholeText } from "../../text/word-patterns.ts";
import { toolWords } from "./tool-words.ts";

const SWITCH_OFF = wholeText`
  skip|disabled?|bypass|overrides?|ignore|suppress|force|waive|no|without|exempt|mute|off
`;
const SWITCH_ON = wholeText`
  enabled?|apply|run|requires?|enforce|checks?|perform|use|with|validate|validation
  monitor|monitoring|dual|limits?|controls?|screening|velocity|fraud|audit|log|logging
`;
const CONTROL = wholeText`
  validat\w*|limits?|controls?|checks?|monitor\w*|screen\w*|review|holds?|caps?
  dual|approv\w*|maker|checker|audit|logging|safety|safeguards?|guardrails?
  velocity|fraud|scores?|scoring|thresholds?|model|risk|dti|exposure|policy|policies|rules?
`;
/** Controls that other rules watch, or that are no controls of the bank's own. */
const OTHER = wholeText`
  identity|kyc|cip|ctr|sar|ofac|sanctions?
  notification\w*|email|sms|cache|overdraft|ui|prompt|spell\w*|format|duplicates?
`;
const MAX_MEMBERS = 64;

/** A parameter that has a tool leave a control out. */
export interface ControlSwitch {
  readonly tool: string;
  readonly key: string;
}

const OFF_VALUES: ReadonlySet<unknown> = new Set([false, "off", "disabled", "skip", "bypass"]);
const ON_VALUES: ReadonlySet<unknown> = new Set([true, "true", "yes"]);
const NO_VALUES: ReadonlySet<unknown> = new Set(["", "false", "none", "no"]);

/** `skipFraudCheck: true`, and `override: "a reason"`. */
function leavesOut(words: readonly string[], value: unknown): boolean {
  if (ON_VALUES.has(value)) return true;
  return words.includes("override") && typeof value === "string" && !NO_VALUES.has(value);
}

function isSwitch(key: string, value: unknown): boolean {
  const words = toolWords(key);
  const isControl =
    words.some((word) => CONTROL.test(word)) && !words.some((word) => OTHER.test(word));
  if (!isControl) return false;
  if (words.some((word) => SWITCH_OFF.test(word))) return leavesOut(words, value);
  return OFF_VALUES.has(value) && words.some((word) => SWITCH_ON.test(word));
}

/** Finds the switches in the parameters of tool calls, `skipFraudCheck: true` or `dualControl: false`. */
export function findControlSwitch({ toolsUsed = [] }: InteractionContext): ControlSwitch[] {
  return toolsUsed.flatMap(({ name, parameters, success }) => {
    if (!success || typeof parameters !== "object" || parameters === null) return [];
    return [...ownMembers(parameters, MAX_MEMBERS)]
      .filter(([key, value]) => isSwitch(key, value))
      .map(([key]) => ({ tool: name, key }));
  });
}
