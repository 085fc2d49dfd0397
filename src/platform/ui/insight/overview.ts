/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { loadOverview, loadVersions, useLoaded } from "./insight-api.ts";
import { InsightFilter } from "./insight-filter.ts";
import { formatCount, formatPercent, formatPerThousand, NOTHING } from "./insight-format.ts";
import { toApiQuery, toConversations, toQueue } from "./insight-query.ts";
import { PageState } from "./overview-card.ts";
import {
  AgeOfQueue,
  AlarmRate,
  Decisions,
  FindingTrend,
  type PartProps,
  Precision,
  Versions,
} from "./overview-cards.ts";
import type { Route } from "../route.ts";

interface Indicator {
  readonly label: string;
  readonly value: string;
  readonly more: string;
  readonly address: string;
  readonly isBad?: boolean;
}

function listIndicators({ overview, query }: PartProps): Indicator[] {
  const { total, queue, decisions, precision } = overview;
  const decided = decisions.reduce((sum, series) => sum + series.total, 0);
  const { alarmShare = null } = total ?? {};
  return [
    {
      label: "Answers",
      value: formatCount(total?.answers ?? 0),
      more: `${formatCount(total?.conversations ?? 0)} conversations`,
      address: toConversations(query),
    },
    {
      label: "Alarms per 1,000",
      value: alarmShare ? formatPerThousand(alarmShare.value) : NOTHING,
      more: alarmShare
        ? `${formatPerThousand(alarmShare.low)} to ${formatPerThousand(alarmShare.high)}`
        : "no answers",
      address: toConversations(query, { severity: "info" }),
    },
    {
      label: "Open now",
      value: formatCount(queue.open),
      more: "in the queue",
      address: toQueue(query),
    },
    {
      label: "Overdue now",
      value: formatCount(queue.overdue),
      more: "past their due date",
      address: toQueue(query, { overdue: "true" }),
      isBad: queue.overdue > 0,
    },
    {
      label: "Decided",
      value: formatCount(decided),
      more: "in this period",
      address: toQueue(query, { state: "closed" }),
    },
    {
      label: "Precision",
      value: precision ? formatPercent(precision.value) : NOTHING,
      more: precision ? `of ${formatCount(precision.cases)} decided findings` : "nothing decided",
      address: toQueue(query, { state: "closed", disposition: "violation" }),
    },
  ];
}

function Indicators(props: PartProps): VNode {
  return html`<ul class="indicators" aria-label="Figures">
    ${listIndicators(props).map(
      ({ label, value, more, address, isBad = false }) =>
        html`<li key=${label}>
          <a href=${address}>
            <span class="muted">${label}</span>
            <strong class=${isBad ? "failed" : ""}>${value}</strong>
            <span class="muted">${more}</span>
          </a>
        </li>`,
    )}
  </ul>`;
}

/** Shows how the agents and their supervision do. */
export function OverviewPage({ query }: Pick<Route, "query">): VNode {
  const { data: overview, failure } = useLoaded(
    () => loadOverview(toApiQuery(query, Date.now())),
    [query],
  );
  const { data: seen } = useLoaded(() => loadVersions(toApiQuery(query, Date.now(), [])), [query]);
  const versions = seen?.versions ?? [];
  const props = overview && { overview, query };
  return html`<main class="page scroll">
    <${InsightFilter} path="overview" query=${query} versions=${versions} hasAgents=${true} />
    ${!props && html`<${PageState} failure=${failure} />`}
    ${
      props &&
      html`<div class="page-body">
        ${failure !== undefined && html`<p class="failed" role="alert">Not up to date: ${failure}.</p>`}
        <${Indicators} ...${props} />
        <div class="cards">
          <${FindingTrend} ...${props} />
          <${AlarmRate} ...${props} />
          <${Decisions} ...${props} />
          <${AgeOfQueue} ...${props} />
          <${Precision} ...${props} />
          <${Versions} ...${props} />
        </div>
      </div>`
    }
  </main>`;
}
