import { html } from "htm/preact";
import type { VNode } from "preact";

interface Severity {
  readonly icon: string;
  readonly word: string;
  readonly look: string;
  readonly rank: number;
}

const VIOLATION = { icon: "▲", look: "violation", rank: 3 };
const WARNING = { icon: "◆", look: "warning", rank: 2 };
const INFO = { icon: "●", look: "info", rank: 1 };

const SEVERITIES: Readonly<Record<string, Severity>> = {
  violation: { ...VIOLATION, word: "violation" },
  critical: { ...VIOLATION, word: "critical" },
  high: { ...VIOLATION, word: "high" },
  warning: { ...WARNING, word: "warning" },
  medium: { ...WARNING, word: "medium" },
  info: { ...INFO, word: "info" },
  low: { ...INFO, word: "low" },
};

/** Returns the class of a severity's colours. */
export function toLook(severity: string): string {
  return SEVERITIES[severity]?.look ?? "info";
}

/** Returns 1 for information to 3 for a violation. */
export function toRank(severity: string): number {
  return SEVERITIES[severity]?.rank ?? 1;
}

/** Shows a severity as icon and word: colour alone is invisible to some readers. */
export function SeverityBadge({ severity }: { severity: string }): VNode | null {
  const shown = SEVERITIES[severity];
  if (!shown) return null;
  return html`<span class="badge ${shown.look}"
    ><span aria-hidden="true">${shown.icon}</span> ${shown.word}</span
  >`;
}

/** What the judge is, for who meets it first in a list. */
export const JUDGE =
  "The judge is a model that reads a finding again beside the whole answer. People decide.";

/** Shows that a person must look at something. */
export function ReviewBadge(): VNode {
  return html`<span class="badge review">review</span>`;
}
