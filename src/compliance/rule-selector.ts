import type { ComplianceSettings } from "../events/agent.ts";
import type { ComplianceCategory, ComplianceRule } from "../events/compliance.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { BurstLogger } from "../util/logger.ts";
import { toNameHint } from "../util/nearest-name.ts";

/** Risk score from which an answer goes to review, unless the agent's settings say otherwise. */
export const DEFAULT_RISK_THRESHOLD = 50;
const MAX_REMEMBERED_WARNINGS = 1000;
const MAX_CUSTOM_RULES = 10_000;

/** What an agent's settings come to for one evaluation. */
export interface RuleSelection {
  readonly riskThreshold: number;
  /** Returns whether a rule applies to the agent. */
  applies(rule: ComplianceRule): boolean;
}

/** Returns the categories that an agent's flags turn off; the others have no flag. */
function disabledCategories(settings: ComplianceSettings | undefined): Set<ComplianceCategory> {
  const disabled = new Set<ComplianceCategory>();
  if (settings?.sr11_7_enabled === false) disabled.add("sr_11_7");
  if (settings?.fair_lending_monitoring === false) disabled.add("fair_lending");
  if (settings?.bsa_aml_checks === false) disabled.add("bsa_aml");
  return disabled;
}

/** The rules that there are, by id. */
export type KnownRules = Pick<ReadonlyMap<string, unknown>, "has" | "keys">;

/** Reads an agent's compliance settings and warns once about each thing that is wrong with them. */
export class RuleSelector {
  readonly #log: BurstLogger;
  readonly #warned = new BoundedMap<string, true>(MAX_REMEMBERED_WARNINGS);

  constructor(log: BurstLogger) {
    this.#log = log;
  }

  /** Selects the rules of an agent; without settings, or with ones that can't be read, every active rule applies. */
  select(settings: ComplianceSettings | undefined, known: KnownRules): RuleSelection {
    try {
      return this.#read(settings ?? undefined, known);
    } catch {
      this.#warnOnce("unreadable", "compliance settings can't be read: every active rule applies");
      return this.#read(undefined, known);
    }
  }

  #read(settings: ComplianceSettings | undefined, known: KnownRules): RuleSelection {
    const disabled = disabledCategories(settings);
    const listed = settings?.custom_rules;
    const custom = Array.isArray(listed) ? new Set(listed.slice(0, MAX_CUSTOM_RULES)) : undefined;
    for (const id of custom ?? []) if (!known.has(id)) this.#reportUnknown(id, [...known.keys()]);
    const isSelected = ({ id, category }: ComplianceRule): boolean =>
      category !== "custom" || !custom || custom.has(id);
    return {
      riskThreshold: this.#riskThreshold(settings?.risk_threshold),
      applies: (rule) => rule.isActive && !disabled.has(rule.category) && isSelected(rule),
    };
  }

  /** Rules may be added later; an answer is evaluated without them until then. */
  #reportUnknown(id: string, known: readonly string[]): void {
    const key = `custom_rules ${id}`;
    if (this.#warned.get(key)) return;
    // The settings may come from anywhere.
    const hint = typeof id === "string" ? toNameHint(id, known) : "";
    const message = `custom_rules names the unknown rule "${id}"${hint}`;
    this.#warnOnce(key, `${message}; an answer is evaluated without it, until it is added`);
  }

  #riskThreshold(threshold: number | undefined): number {
    if (threshold === undefined) return DEFAULT_RISK_THRESHOLD;
    if (typeof threshold === "number" && threshold >= 0 && threshold <= 100) return threshold;
    const used = threshold > 100 ? 100 : threshold < 0 ? 0 : DEFAULT_RISK_THRESHOLD;
    this.#warnOnce(
      `risk_threshold ${threshold}`,
      `risk_threshold must be 0 to 100 (got ${threshold}): ${used} is used`,
    );
    return used;
  }

  #warnOnce(key: string, message: string): void {
    if (this.#warned.get(key)) return;
    this.#warned.set(key, true);
    this.#log.log("warn", `compliance_settings:${key}`, message);
  }
}
