import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Selector } from "../../records/legal-hold.ts";
import { formatDateTime } from "../parts/format.ts";

const ENVIRONMENTS = ["production", "staging", "development"];

/** Fields of a selection of conversations, for `readSelector`. */
export function SelectorFields(): VNode {
  return html`<div class="fields">
    <label>Agent <input name="agent" maxlength="256" /></label>
    <label>Agent version <input name="version" maxlength="256" /></label>
    <label
      >Environment
      <select name="environment">
        <option value="">any</option>
        ${ENVIRONMENTS.map((name) => html`<option value=${name}>${name}</option>`)}
      </select></label
    >
    <label>Customer (user id) <input name="customer" maxlength="256" /></label>
    <label>Conversation (key) <input name="conversation" maxlength="256" /></label>
    <label>From (UTC) <input name="from" type="date" /></label>
    <label>To (UTC) <input name="to" type="date" /></label>
  </div>`;
}

/** Describes a selection. */
export function describeSelector({ from, to, ...texts }: Selector): string {
  const parts = Object.entries(texts).map(([name, text]) => `${name} ${text}`);
  if (from !== undefined) parts.push(`from ${formatDateTime(from)}`);
  if (to !== undefined) parts.push(`to ${formatDateTime(to)}`);
  return parts.join(", ");
}
