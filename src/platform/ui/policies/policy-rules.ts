/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PolicyEntry } from "../../policies/policy-catalog.ts";
import type { SeenVersion } from "../../policies/policy-store.ts";
import { DataTable } from "../parts/data-table.ts";
import { SeverityBadge } from "../finding/finding.ts";
import { formatCount } from "../../../util/count-noun.ts";
import { formatWhen, toWords } from "../parts/format.ts";
import { toLawAddress } from "./law-address.ts";
import type { Policies } from "./policy-api.ts";

interface Filter {
  readonly text: string;
  readonly category: string;
  readonly severity: string;
}

const ANY: Filter = { text: "", category: "", severity: "" };

/** Links a citation to its law, where that is known. */
export function LawLink({ citation }: { citation: string }): VNode {
  const address = toLawAddress(citation);
  if (address === undefined) return html`<span>${citation}</span>`;
  return html`<a href=${address} target="_blank" rel="noreferrer">${citation}</a>`;
}

/** Counts findings of a rule, and returns the time of the last. */
export function sumUpSeen(seen: readonly SeenVersion[], rule: string) {
  const own = seen.filter((one) => one.rule === rule);
  return {
    count: own.reduce((sum, { count }) => sum + count, 0),
    lastAt: own.reduce((last, one) => Math.max(last, one.lastAt), 0),
    own,
  };
}

function isWanted({ text, category, severity }: Filter): (rule: PolicyEntry) => boolean {
  const words = text.toLowerCase().split(/\s+/);
  return (rule) => {
    const read = `${rule.id} ${rule.name} ${rule.description} ${rule.law.citation}`.toLowerCase();
    return (
      words.every((word) => read.includes(word)) &&
      (category === "" || rule.category === category) &&
      (severity === "" || rule.severity === severity)
    );
  };
}

interface ChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, values, value, onChoose }: ChoiceProps): VNode {
  const change = (event: Event): void => onChoose((event.currentTarget as HTMLSelectElement).value);
  return html`<label>
    ${label}
    <select value=${value} onChange=${change}>
      <option value="">any</option>
      ${values.map((one) => html`<option key=${one} value=${one}>${toWords(one)}</option>`)}
    </select>
  </label>`;
}

function Filters({ rules, filter, onFilter }: FiltersProps): VNode {
  const list = (pick: (rule: PolicyEntry) => string): string[] =>
    [...new Set(rules.map(pick))].toSorted();
  const search = (event: Event): void =>
    onFilter({ ...filter, text: (event.currentTarget as HTMLInputElement).value });
  return html`<div class="fields" role="search">
    <label
      >Search
      <input type="search" value=${filter.text} onInput=${search} placeholder="rule, law, words"
    /></label>
    <${Choice}
      label="Category"
      values=${list(({ category }) => category)}
      value=${filter.category}
      onChoose=${(category: string) => onFilter({ ...filter, category })}
    />
    <${Choice}
      label="Severity"
      values=${list(({ severity }) => severity)}
      value=${filter.severity}
      onChoose=${(severity: string) => onFilter({ ...filter, severity })}
    />
  </div>`;
}

interface FiltersProps {
  readonly rules: readonly PolicyEntry[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** Shows rules that findings name and this engine does not have: those of packs, of judges, of applications. */
function OtherRules({ rules, seen }: Policies): VNode | null {
  const known = new Set(rules.map(({ id }) => id));
  const others = seen.filter(({ rule }) => !known.has(rule));
  if (others.length === 0) return null;
  return html`<section class="card" aria-label="Other rules">
    <h3>Named by findings, and no built-in rule</h3>
    <${DataTable}
      label="Other rules"
      empty=""
      columns=${[{ name: "Rule" }, { name: "Version" }, { name: "Pack" }, { name: "Findings", isNumber: true }, { name: "Last", isNumber: true }]}
      rows=${others.map((row) => [
        html`<code>${row.rule}</code>`,
        row.ruleVersion || "–",
        row.packVersion || "–",
        formatCount(row.count),
        formatWhen(row.lastAt, Date.now()),
      ])}
    />
  </section>`;
}

/** Shows the rules of the engine. */
export function PolicyRules({ policies }: { policies: Policies }): VNode {
  const [filter, setFilter] = useState(ANY);
  const { rules, seen } = policies;
  const wanted = rules.filter(isWanted(filter));
  const toRow = (rule: PolicyEntry) => {
    const { count, lastAt } = sumUpSeen(seen, rule.id);
    return [
      html`<a href=${`#/policies/${rule.id}`}>${rule.name}</a>
        <span class="muted below">${rule.description}</span>`,
      html`<${SeverityBadge} severity=${rule.severity} />`,
      toWords(rule.category),
      html`<${LawLink} citation=${rule.law.citation} />`,
      rule.version ?? "–",
      String(rule.threshold),
      formatCount(count),
      count === 0 ? "–" : formatWhen(lastAt, Date.now()),
    ];
  };
  return html`<section class="card rules" aria-label="Rules">
      <${Filters} rules=${rules} filter=${filter} onFilter=${setFilter} />
      <p class="muted note" role="status">${wanted.length} of ${rules.length} rules</p>
      <${DataTable}
        label="Rules of the engine"
        empty="No rule matches."
        columns=${[{ name: "Rule" }, { name: "Severity" }, { name: "Category" }, { name: "Law" }, { name: "Version", isNumber: true }, { name: "Threshold", isNumber: true }, { name: "Findings", isNumber: true }, { name: "Last", isNumber: true }]}
        rows=${wanted.map(toRow)}
      />
    </section>
    <${OtherRules} ...${policies} />`;
}
