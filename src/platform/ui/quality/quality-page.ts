import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentSample, Quality, RulePrecision } from "../../quality/quality.ts";
import type { Suppression } from "../../quality/suppression.ts";
import { ApiError } from "../api.ts";
import { PeriodForm } from "./period-form.ts";
import { loadQuality, loadSuppressions } from "./quality-api.ts";
import { describeElusion, formatInterval, formatPercent, formatShare } from "./quality-words.ts";
import type { Route } from "../route.ts";
import { ShareBar } from "../chart/share-bar.ts";
import { Suppressions } from "./suppressions.ts";
import { isSupervisor, useMe } from "../parts/use-me.ts";

interface Loaded {
  readonly quality: Quality;
  readonly suppressions: readonly Suppression[];
}

function useQuality(query: string) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failure, setFailure] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => setLoaded(undefined), [query]);
  // Not followed: all of the days' findings are counted for it.
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      try {
        const [quality, suppressions] = await Promise.all([loadQuality(query), loadSuppressions()]);
        if (!isCurrent) return;
        setLoaded({ quality, suppressions });
        setFailure(undefined);
      } catch (error) {
        const isRefused = error instanceof ApiError && error.status === 400;
        if (isCurrent)
          setFailure(isRefused ? "These days can't be shown." : "The platform does not answer.");
      }
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [query, attempt]);
  return { loaded, failure, refresh: () => setAttempt((count) => count + 1) };
}

function RuleRow({ row }: { row: RulePrecision }): VNode {
  const { rule, findings, violation, acceptable, undecided, heldBack, precision } = row;
  return html`<tr>
    <th scope="row">
      <a href=${`#/queue?state=any&rule=${encodeURIComponent(rule)}`}><code>${rule}</code></a>
    </th>
    <td class="number">${findings}</td>
    <td class="number">${violation}</td>
    <td class="number">${row.false_positive}</td>
    <td class="number">${acceptable}</td>
    <td class="number">${undecided}</td>
    <td class="number">${heldBack}</td>
    <td data-precision>${formatShare(precision)}</td>
    <td><${ShareBar} share=${precision} /></td>
  </tr>`;
}

function Rules({ rules }: { rules: readonly RulePrecision[] }): VNode {
  if (rules.length === 0) return html`<p class="muted">Nothing was found in these days.</p>`;
  const columns = [
    "Findings",
    "Violation",
    "False positive",
    "Acceptable",
    "Undecided",
    "Held back",
  ];
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          ${columns.map((name) => html`<th key=${name} scope="col" class="number">${name}</th>`)}
          <th scope="col">Precision (95 % interval)</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${rules.map((row) => html`<${RuleRow} key=${row.rule} row=${row} />`)}
      </tbody>
    </table>
  </div>`;
}

function AgentRow({ row }: { row: AgentSample }): VNode {
  const { agentId, rates, population, sampled, reviewed, violations, elusion } = row;
  const address = `#/queue?origin=qa_sample&agent=${encodeURIComponent(agentId)}`;
  return html`<tr>
    <th scope="row"><a href=${address}>${agentId}</a></th>
    <td class="number">${rates.map(formatPercent).join(", ")}</td>
    <td class="number">${population}</td>
    <td class="number">${sampled}</td>
    <td>
      <progress
        value=${reviewed}
        max=${Math.max(1, sampled)}
        aria-label=${`Reviewed of ${agentId}`}
      ></progress>
      ${reviewed} of ${sampled}
    </td>
    <td class="number">${violations}</td>
    <td>${elusion ? formatInterval(elusion) : "not known yet"}</td>
  </tr>`;
}

function Agents({ agents }: { agents: readonly AgentSample[] }): VNode {
  if (agents.length === 0) return html`<p class="muted">No answer came in these days.</p>`;
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col" class="number">Rate</th>
          <th scope="col" class="number">Without findings</th>
          <th scope="col" class="number">Sampled</th>
          <th scope="col">Reviewed</th>
          <th scope="col" class="number">Violations</th>
          <th scope="col">Missed (95 % interval)</th>
        </tr>
      </thead>
      <tbody>
        ${agents.map((row) => html`<${AgentRow} key=${row.agentId} row=${row} />`)}
      </tbody>
    </table>
  </div>`;
}

/** Shows how often the rules are right, what they miss, the sample and the suppressions. */
export function QualityPage({ query }: Pick<Route, "query">): VNode {
  const { loaded, failure, refresh } = useQuality(query);
  const me = useMe();
  if (!loaded)
    return html`<main class="sheet">
      ${failure === undefined ? html`<p class="empty" aria-busy="true">Loading…</p>` : html`<p class="failed" role="alert">${failure}</p>`}
    </main>`;
  const { quality, suppressions } = loaded;
  const { sample, recall, rules, agents } = quality;
  const mayRevoke = isSupervisor(me);
  return html`<main class="sheet scroll" tabindex="0" aria-label="Quality">
    <header class="line">
      <h2>Quality</h2>
      <${PeriodForm} path="quality" query=${query} period=${quality} />
    </header>
    ${failure !== undefined && html`<p class="failed" role="alert">${failure}</p>`}
    <section aria-labelledby="missed">
      <h3 id="missed">What the rules miss</h3>
      <p data-elusion>${describeElusion(sample)}</p>
      ${recall && html`<p>The findings show ${formatInterval(recall)} of all violations (recall).</p>`}
      <${Agents} agents=${agents} />
    </section>
    <section aria-labelledby="right">
      <h3 id="right">How often the rules are right</h3>
      <${Rules} rules=${rules} />
    </section>
    <section aria-labelledby="suppressions">
      <h3 id="suppressions">Suppressions</h3>
      <${Suppressions} suppressions=${suppressions} mayRevoke=${mayRevoke} onRevoked=${refresh} />
    </section>
    <p>
      <a href=${`#/report?from=${quality.from}&to=${quality.to}`}
        >Supervision report of these days</a
      >
    </p>
  </main>`;
}
