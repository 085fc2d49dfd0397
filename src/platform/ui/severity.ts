import { html } from "htm/preact";
import type { VNode } from "preact";

const MARKS: Readonly<Record<string, { icon: string; word: string; look: string }>> = {
  violation: { icon: "▲", word: "violation", look: "violation" },
  critical: { icon: "▲", word: "critical", look: "violation" },
  high: { icon: "▲", word: "high", look: "violation" },
  warning: { icon: "◆", word: "warning", look: "warning" },
  medium: { icon: "◆", word: "medium", look: "warning" },
  info: { icon: "●", word: "info", look: "info" },
  low: { icon: "●", word: "low", look: "info" },
};

/** Gives the class of a severity's colours. */
export function toLook(severity: string): string {
  return MARKS[severity]?.look ?? "info";
}

/** Shows a severity as icon and word: colour alone says nothing to some readers. */
export function SeverityBadge({ severity }: { severity: string }): VNode | null {
  const mark = MARKS[severity];
  if (!mark) return null;
  return html`<span class="badge ${mark.look}"
    ><span aria-hidden="true">${mark.icon}</span> ${mark.word}</span
  >`;
}

/** Shows that a person must look at something. */
export function ReviewBadge(): VNode {
  return html`<span class="badge review">review</span>`;
}
