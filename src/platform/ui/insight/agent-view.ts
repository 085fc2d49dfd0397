/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { listVersions } from "./agent-diff.ts";
import { Changes, type Comparison, History, Prompt, Settings, Tools } from "./agent-profile.ts";
import { BarRows } from "../chart/bar-rows.ts";
import {
  loadProfiles,
  loadVersions,
  type Profile,
  useLoaded,
  type VersionComparison,
} from "./insight-api.ts";
import { InsightFilter } from "./insight-filter.ts";
import { formatCount, formatPerThousand, formatShare } from "./insight-format.ts";
import { toAgent, toApiQuery, toQueue, withMembers } from "./insight-query.ts";
import { Card, PageState } from "./overview-card.ts";
import { Placeholder } from "../parts/placeholder.ts";
import type { Route } from "../route.ts";
import { VersionTable } from "./version-table.ts";

function findComparison(profiles: readonly Profile[], query: string): Comparison | undefined {
  const members = new URLSearchParams(query);
  const find = (version: string | null): Profile | undefined =>
    profiles.find(({ agent }) => agent.version === version);
  const after = find(members.get("version")) ?? profiles[0];
  if (!after) return undefined;
  const versions = listVersions(profiles);
  const former = versions[versions.indexOf(after.agent.version) + 1];
  return { before: find(members.get("base") ?? former ?? null), after };
}

interface ChooserProps {
  readonly id: string;
  readonly query: string;
  readonly profiles: readonly Profile[];
  readonly comparison: Comparison;
}

function Chooser({ id, query, profiles, comparison }: ChooserProps): VNode | null {
  const versions = listVersions(profiles);
  if (versions.length < 2) return null;
  const choose = (name: "base" | "version") => (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    location.hash = toAgent(id, withMembers(query, { [name]: value }));
  };
  const options = versions.map((one) => html`<option key=${one} value=${one}>${one}</option>`);
  return html`<p class="chooser">
    <label>
      Version
      <select value=${comparison.after.agent.version} onChange=${choose("version")}>
        ${options}
      </select>
    </label>
    <label>
      compared with
      <select value=${comparison.before?.agent.version} onChange=${choose("base")}>
        ${options}
      </select>
    </label>
  </p>`;
}

function Figures({ id, comparison }: { id: string; comparison: VersionComparison }): VNode {
  const { versions } = comparison;
  if (versions.length === 0)
    return html`<${Card} title="Versions compared" isWide=${true}>
      <p class="muted">It has not answered in this period.</p>
    </${Card}>`;
  const rows = versions.map(({ version, alarmShare, alarms, answers }) => ({
    name: version ?? "version not known",
    address: toQueue("", { agent: id, version: version ?? "", state: "any" }),
    look: "series-1",
    value: alarmShare?.value ?? null,
    interval: alarmShare,
    text: `${formatShare(alarmShare, formatPerThousand)}: ${formatCount(alarms)} of ${formatCount(answers)}`,
  }));
  const max = Math.max(...versions.map(({ alarmShare }) => alarmShare?.high ?? 0));
  return html`<${Card} title="Versions compared" isWide=${true}>
    <p class="muted">Alarms per 1,000 answers, with the 95 % interval.</p>
    <${BarRows} label="Alarms per 1,000 answers by version" rows=${rows} max=${max} />
    <${VersionTable} versions=${versions} hasAgents=${false} />
  </${Card}>`;
}

interface AgentDetail {
  readonly profiles: readonly Profile[];
  readonly comparison: VersionComparison;
}

function Parts({ id, query, detail }: { id: string; query: string; detail: AgentDetail }): VNode {
  const { profiles, comparison: figures } = detail;
  const comparison = findComparison(profiles, query);
  return html`<div class="cards">
    <${Figures} id=${id} comparison=${figures} />
    ${
      comparison
        ? html`<div class="is-wide">
              <${Chooser} id=${id} query=${query} profiles=${profiles} comparison=${comparison} />
            </div>
            <${Changes} ...${comparison} />
            <${Tools} ...${comparison} />
            <${Settings} ...${comparison} />
            <${History} profiles=${profiles} version=${comparison.after.agent.version} />
            <${Prompt} ...${comparison} />`
        : html`<p class="muted">No profile of it was registered.</p>`
    }
  </div>`;
}

/** Shows an agent: how its versions do, and what changed between them. */
export function AgentView({ id, query }: Pick<Route, "id" | "query">): VNode {
  const { data, failure } = useLoaded(async (): Promise<AgentDetail> => {
    const wanted = toApiQuery(withMembers(query, { agent: id }), Date.now(), [
      "agent",
      "environment",
    ]);
    const [profiles, comparison] = await Promise.all([loadProfiles(id), loadVersions(wanted)]);
    return { profiles, comparison };
  }, [id, query]);
  const isKnown = data && (data.profiles.length > 0 || data.comparison.versions.length > 0);
  return html`<main class="page scroll">
    <${InsightFilter}
      path=${toAgent(id).slice(2)}
      query=${query}
      versions=${[]}
      hasAgents=${false}
    />
    ${!data && html`<${PageState} failure=${failure} />`}
    ${data && !isKnown && html`<${Placeholder} state="missing" noun="agent in this period" list="#/agents" />`}
    ${
      data &&
      isKnown &&
      html`<div class="page-body">
        <p><a href="#/agents">← Agents</a></p>
        <h2 class="page-title">
          ${data.profiles[0]?.agent.name ?? id} <span class="muted">${id}</span>
        </h2>
        ${failure !== undefined && html`<p class="failed" role="alert">Not up to date: ${failure}.</p>`}
        <${Parts} id=${id} query=${query} detail=${data} />
      </div>`
    }
  </main>`;
}
