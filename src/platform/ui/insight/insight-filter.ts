/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { VersionFigures } from "../../store/version-figures.ts";
import {
  PERIODS,
  readPeriod,
  readPeriodName,
  toPageAddress,
  withMembers,
} from "./insight-query.ts";

interface FilterProps {
  /** Of the page. */
  readonly path: string;
  readonly query: string;
  /** What was seen in the period: what can be chosen. */
  readonly versions: readonly VersionFigures[];
  /** Whether agent and version can be chosen as well. */
  readonly hasAgents: boolean;
}

const ENVIRONMENTS = ["production", "staging", "development"];

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, all, value, values, onChoose }: ChoiceProps): VNode {
  // What the address names can be chosen, also where nothing of it was seen.
  const offered = [...new Set(value === "" ? values : [...values, value])];
  return html`<select
    aria-label=${label}
    value=${value}
    onChange=${(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value)}
  >
    <option value="">${all}</option>
    ${offered.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
  </select>`;
}

/** The day of a time, in UTC. */
const toDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10);

function OwnRange({ path, query }: Pick<FilterProps, "path" | "query">): VNode {
  const { from, to } = readPeriod(query, Date.now());
  // The end is not a part of it.
  const range = { from: toDay(from), to: toDay(to - 1) };
  const choose = (name: "from" | "to") => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    if (value !== "")
      location.hash = toPageAddress(
        path,
        withMembers(query, { ...range, [name]: value, period: "" }),
      );
  };
  return html`<span class="range">
    <input type="date" aria-label="First day" value=${range.from} onChange=${choose("from")} />
    <span aria-hidden="true">–</span>
    <input type="date" aria-label="Last day" value=${range.to} onChange=${choose("to")} />
  </span>`;
}

/** Lets people choose the period and what is counted; the address has all of it. */
export function InsightFilter({ path, query, versions, hasAgents }: FilterProps): VNode {
  const period = readPeriodName(query);
  const members = new URLSearchParams(query);
  const go = (changed: Readonly<Record<string, string>>): void => {
    location.hash = toPageAddress(path, withMembers(query, changed));
  };
  const agent = members.get("agent") ?? "";
  const agents = [...new Set(versions.map(({ agentId }) => agentId))].toSorted();
  const ofAgent = versions.filter(({ agentId }) => agent === "" || agentId === agent);
  const known = [...new Set(ofAgent.flatMap(({ version }) => version ?? []))];
  return html`<div class="filters insight-filters" role="group" aria-label="Filter">
    ${PERIODS.map(
      ({ name, label }) =>
        html`<button
          key=${name}
          type="button"
          aria-pressed=${period === name ? "true" : "false"}
          onClick=${() => go({ period: name, from: "", to: "" })}
        >
          ${label}
        </button>`,
    )}
    <${OwnRange} path=${path} query=${query} />
    ${
      hasAgents &&
      html`<${Choice}
        label="Agent"
        all="All agents"
        value=${agent}
        values=${agents}
        onChoose=${(value: string) => go({ agent: value, version: "" })}
      />`
    }
    <${Choice}
      label="Environment"
      all="All environments"
      value=${members.get("environment") ?? ""}
      values=${ENVIRONMENTS}
      onChoose=${(value: string) => go({ environment: value })}
    />
    ${
      hasAgents &&
      html`<${Choice}
        label="Version"
        all="All versions"
        value=${members.get("version") ?? ""}
        values=${known}
        onChoose=${(value: string) => go({ version: value })}
      />`
    }
  </div>`;
}
