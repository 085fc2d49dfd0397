/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { toShare } from "../../insight/intervals.ts";
import type { VersionFigures } from "../../store/version-figures.ts";
import { AgentView } from "./agent-view.ts";
import { formatDateTime } from "../parts/format.ts";
import { loadAgents, loadVersions, type Profile, useLoaded } from "./insight-api.ts";
import { InsightFilter } from "./insight-filter.ts";
import { formatCount, formatPerThousand, formatShare, NOTHING } from "./insight-format.ts";
import { toAgent, toApiQuery, toConversations } from "./insight-query.ts";
import { Card, PageState } from "./overview-card.ts";
import type { Route } from "../route.ts";

/** An agent as the list shows it. */
interface AgentRow {
  readonly id: string;
  readonly profile: Profile | undefined;
  readonly figures: readonly VersionFigures[];
}

/** Lists every agent that was registered or has been seen. */
function toRows(profiles: readonly Profile[], versions: readonly VersionFigures[]): AgentRow[] {
  const latest = new Map(profiles.toReversed().map((profile) => [profile.agent.id, profile]));
  const ids = new Set([...latest.keys(), ...versions.map(({ agentId }) => agentId)]);
  return [...ids].toSorted().map((id) => ({
    id,
    profile: latest.get(id),
    figures: versions.filter(({ agentId }) => agentId === id),
  }));
}

function Row({ row, query }: { row: AgentRow; query: string }): VNode {
  const { id, profile, figures } = row;
  const sum = (of: (figures: VersionFigures) => number): number =>
    figures.reduce((total, one) => total + of(one), 0);
  const answers = sum((one) => one.answers);
  const alarms = toShare(
    sum((one) => one.alarms),
    answers,
  );
  const environments = [...new Set(figures.flatMap((one) => one.environments))];
  const lastAt = Math.max(0, ...figures.map((one) => one.lastAt));
  return html`<tr>
    <th scope="row">
      <a href=${toAgent(id, query)}>${profile?.agent.name ?? id}</a>
      ${profile && profile.agent.name !== id && html`<span class="muted second">${id}</span>`}
    </th>
    <td class="text">${profile?.agent.version ?? figures[0]?.version ?? NOTHING}</td>
    <td class="text">${environments.length === 0 ? NOTHING : environments.join(", ")}</td>
    <td>
      <a
        href=${toConversations("", { agent: id })}
        aria-label=${`${formatCount(answers)} answers of ${id}`}
        >${formatCount(answers)}</a
      >
    </td>
    <td>${formatShare(alarms, formatPerThousand)}</td>
    <td>${lastAt === 0 ? NOTHING : formatDateTime(lastAt).slice(0, 10)}</td>
  </tr>`;
}

function AgentList({ query }: Pick<Route, "query">): VNode {
  const { data, failure } = useLoaded(async () => {
    const wanted = toApiQuery(query, Date.now(), ["environment"]);
    const [profiles, { versions }] = await Promise.all([loadAgents(), loadVersions(wanted)]);
    return toRows(profiles, versions);
  }, [query]);
  return html`<main class="page scroll">
    <${InsightFilter} path="agents" query=${query} versions=${[]} hasAgents=${false} />
    ${(!data || data.length === 0) && (data ? html`<p class="empty">No agent yet. One appears when it is registered, or with its first event.</p>` : html`<${PageState} failure=${failure} />`)}
    ${
      data &&
      data.length > 0 &&
      html`<div class="page-body">
        ${failure !== undefined && html`<p class="failed" role="alert">Not up to date: ${failure}.</p>`}
        <${Card} title="Agents" isWide=${true}>
          <div class="table-scroll" tabindex="0" role="region" aria-label="List of agents">
            <table class="figures agents">
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col" class="text">Last version</th>
                  <th scope="col" class="text">Environments</th>
                  <th scope="col">Answers</th>
                  <th scope="col">Alarms per 1,000</th>
                  <th scope="col">Last seen</th>
                </tr>
              </thead>
              <tbody>
                ${data.map((row) => html`<${Row} key=${row.id} row=${row} query=${query} />`)}
              </tbody>
            </table>
          </div>
        </${Card}>
      </div>`
    }
  </main>`;
}

/** Shows all agents, or one of them. */
export function AgentsPage({ id, query }: Pick<Route, "id" | "query">): VNode {
  return id === ""
    ? html`<${AgentList} query=${query} />`
    : html`<${AgentView} key=${id} id=${id} query=${query} />`;
}
