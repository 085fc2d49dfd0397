/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../../util/count-noun.ts";
import type { Counted, ConversationCounts } from "../../store/conversation-counts.ts";
import { loadCounts } from "../api.ts";
import { toWords } from "../parts/format.ts";
import { useTyped } from "../parts/use-typed.ts";
import { SavedViews } from "../views/saved-views.ts";
import { change, toListAddress, toValue } from "./list-address.ts";
import { SearchField } from "./search-field.ts";

/** A filter that is chosen from the values that there are. */
interface Field {
  /** Member of the query. */
  readonly name: string;
  readonly label: string;
  /** What of the counts has its values. */
  readonly counted: Counted;
}

const FIELDS: readonly Field[] = [
  { name: "environment", label: "Environment", counted: "environment" },
  { name: "agent", label: "Agent", counted: "agent" },
  { name: "version", label: "Version", counted: "version" },
  { name: "channel", label: "Channel", counted: "channel" },
  { name: "model", label: "Model", counted: "model" },
  { name: "tool", label: "Tool", counted: "tool" },
  { name: "rule", label: "Rule", counted: "rule" },
  { name: "category", label: "Category", counted: "category" },
  { name: "state", label: "Review", counted: "state" },
  { name: "assignee", label: "Assignee", counted: "assignee" },
];

/** Filters that are typed in. */
const TYPED: readonly { readonly name: string; readonly label: string; readonly type: string }[] = [
  { name: "customer", label: "Customer", type: "text" },
  { name: "risk", label: "Risk from", type: "number" },
  { name: "from", label: "From (UTC)", type: "date" },
  { name: "to", label: "Before (UTC)", type: "date" },
];

const FINDINGS: readonly { readonly query: string; readonly label: string }[] = [
  { query: "", label: "All" },
  { query: "review=true", label: "Asked for review" },
  { query: "severity=warning", label: "◆ Warnings up" },
  { query: "severity=violation", label: "▲ Violations" },
];

const ORDERS: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Newest first" },
  { value: "risk", label: "By risk" },
  { value: "age", label: "Oldest first" },
];

const ERRORS: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "With or without errors" },
  { value: "true", label: "Something failed" },
  { value: "call", label: "A tool call failed" },
];

const LABELS = new Map<string, string>([
  ...[...FIELDS, ...TYPED].map(({ name, label }) => [name, label] as const),
  ["q", "Text"],
  ["error", "Failed"],
  ["severity", "Severity"],
  ["review", "Asked for review"],
]);

/** Counting takes longer than listing. */
const COUNT_MILLIS = 10_000;

/** Follows the counts of a filter, once they are wanted. */
function useCounts(query: string, isWanted: boolean): ConversationCounts | undefined {
  const [counts, setCounts] = useState<ConversationCounts>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    const load = (): void => {
      if (document.hidden) return;
      void loadCounts(query)
        .then((loaded) => isCurrent && setCounts(loaded))
        .catch(() => undefined);
    };
    load();
    const timer = setInterval(load, COUNT_MILLIS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [query, isWanted]);
  return counts;
}

function formatTotal(count: number, isCapped: boolean): string {
  return `${formatCount(count)}${isCapped ? "+" : ""}`;
}

interface ChoiceProps {
  readonly field: Field;
  readonly query: string;
  readonly counts: ConversationCounts | undefined;
}

function Choice({ field, query, counts }: ChoiceProps): VNode {
  const chosen = new URLSearchParams(query).get(field.name) ?? "";
  const known = counts?.values[field.counted] ?? [];
  const values =
    known.some(({ value }) => value === chosen) || chosen === ""
      ? known
      : [{ value: chosen, count: 0 }, ...known];
  return html`<select
    aria-label=${field.label}
    value=${chosen}
    onChange=${(event: Event) => change(query, { [field.name]: toValue(event) })}
  >
    <option value="">${field.label}: any</option>
    ${values.map(
      ({ value, count }) =>
        html`<option key=${value} value=${value} selected=${value === chosen}>
          ${toWords(value)} (${formatTotal(count, counts?.isCapped === true)})
        </option>`,
    )}
  </select>`;
}

function Chips({ query }: { query: string }): VNode | null {
  const members = [...new URLSearchParams(query)].filter(([name]) => LABELS.has(name));
  if (members.length === 0) return null;
  return html`<ul class="chips" aria-label="Active filters">
    ${members.map(
      ([name, value]) =>
        html`<li key=${name}>
          <button
            type="button"
            aria-label=${`Remove ${LABELS.get(name) ?? name}: ${value}`}
            onClick=${() => change(query, { [name]: "" })}
          >
            ${LABELS.get(name)}: ${toWords(value)} <span aria-hidden="true">✕</span>
          </button>
        </li>`,
    )}
    <li>
      <button type="button" onClick=${() => (location.hash = toListAddress(""))}>Clear all</button>
    </li>
  </ul>`;
}

function Findings({ query }: { query: string }): VNode {
  const members = new URLSearchParams(query);
  return html`${FINDINGS.map((each) => {
    const [name = "", value = ""] = each.query.split("=");
    const isOn =
      name === ""
        ? !members.has("review") && !members.has("severity")
        : members.get(name) === value;
    const clear = { review: "", severity: "" };
    return html`<button
      key=${each.query}
      type="button"
      aria-pressed=${isOn ? "true" : "false"}
      onClick=${() => change(query, name === "" ? clear : { ...clear, [name]: value })}
    >
      ${each.label}
    </button>`;
  })}`;
}

function Select({
  label,
  name,
  choices,
  query,
}: {
  label: string;
  name: string;
  choices: typeof ORDERS;
  query: string;
}): VNode {
  const chosen = new URLSearchParams(query).get(name) ?? "";
  return html`<select
    aria-label=${label}
    value=${chosen}
    onChange=${(event: Event) => change(query, { [name]: toValue(event) })}
  >
    ${choices.map((each) => html`<option key=${each.value} value=${each.value} selected=${each.value === chosen}>${each.label}</option>`)}
  </select>`;
}

interface FiltersProps {
  readonly query: string;
  /** Whether the list is there: what is read first must not wait for the counts. */
  readonly isListed: boolean;
}

interface TypedFieldProps {
  readonly typed: (typeof TYPED)[number];
  readonly query: string;
}

/** A filter whose value is typed. */
function TypedField({ typed: { name, label, type }, query }: TypedFieldProps): VNode {
  const value = (new URLSearchParams(query).get(name) ?? "").slice(0, type === "date" ? 10 : 256);
  const field = useTyped(value);
  return html`<label
    >${label}
    <input
      ref=${field}
      type=${type}
      min=${type === "number" ? 0 : undefined}
      max=${type === "number" ? 100 : undefined}
      onChange=${(event: Event) => change(query, { [name]: toValue(event) })}
  /></label>`;
}

/** Shows the search field, what can be filtered by with counts, and what is. */
export function Filters({ query, isListed }: FiltersProps): VNode {
  const counts = useCounts(query, isListed);
  const [environment, ...others] = FIELDS;
  const members = new URLSearchParams(query);
  return html`<div class="filters" role="group" aria-label="Filter">
    <${SearchField} key=${members.get("q")} query=${query} />
    <${Findings} query=${query} />
    <${Choice} field=${environment} query=${query} counts=${counts} />
    <${Select} label="Order" name="order" choices=${ORDERS} query=${query} />
    <${SavedViews} page="conversations" query=${query} toAddress=${toListAddress} />
    <details class="more-filters">
      <summary>More filters</summary>
      <div>
        <${Select} label="Errors" name="error" choices=${ERRORS} query=${query} />
        ${others.map((field) => html`<${Choice} key=${field.name} field=${field} query=${query} counts=${counts} />`)}
        ${TYPED.map(
          (typed) => html`<${TypedField} key=${typed.name} typed=${typed} query=${query} />`,
        )}
      </div>
    </details>
    <${Chips} query=${query} />
    <p class="muted total" role="status">
      ${counts && `${formatTotal(counts.total, counts.isCapped)} ${counts.total === 1 ? "conversation" : "conversations"}`}
    </p>
  </div>`;
}
