import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import { countNoun, formatCount } from "../../../util/count-noun.ts";
import type { Operations } from "../../operations/read-operations.ts";
import { Chart } from "../chart/chart.ts";
import { FaultPanel } from "./fault-panel.ts";
import { formatAge, formatBytes, formatDateTime, formatTime } from "../parts/format.ts";
import { LiveState, useLive } from "../parts/live.ts";
import { loadOperations } from "./operations-api.ts";
import { Losses, Organizations, Refusals, Rejections, Writers } from "./operations-tables.ts";

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly more: string;
  /** Whether somebody should look at it. */
  readonly isBad?: boolean;
}

function Tile({ name, value, more, isBad = false }: TileProps): VNode {
  return html`<div class="tile">
    <dt>${name}</dt>
    <dd class="value ${isBad ? "failed" : ""}">
      ${isBad && html`<span aria-hidden="true">▲ </span>`}${value}
    </dd>
    <dd class="muted">${more}</dd>
  </div>`;
}

function sumLosses({ losses }: Operations): number {
  return losses.byReason.reduce((sum, { count }) => sum + count, 0);
}

function describeFree({ database: { freeBytes } }: Operations): string {
  return freeBytes === null
    ? "in memory, or free disk not known"
    : `${formatBytes(freeBytes)} free`;
}

function Tiles({ now }: { now: Operations }): VNode {
  const { intake, totals, writers, review, bodies, waitingWrites, database } = now;
  const minute = intake.minutes.at(-2)?.events ?? 0;
  const lost = sumLosses(now);
  const open = Object.entries(review.states).reduce(
    (sum, [state, count]) => sum + (state === "closed" ? 0 : count),
    0,
  );
  const { withGaps, missingEvents, count } = writers;
  return html`<dl class="tiles">
    <${Tile} name="Last minute" value=${formatCount(minute)} more="events stored" />
    <${Tile}
      name="Stored"
      value=${formatCount(totals.events)}
      more=${`${countNoun(totals.duplicates, "duplicate")} left out`}
    />
    <${Tile}
      name="Rejected"
      value=${formatCount(totals.rejected)}
      more="events, for good"
      isBad=${totals.rejected > 0}
    />
    <${Tile}
      name="Lost by SDKs"
      value=${formatCount(lost)}
      more="events, as they report"
      isBad=${lost > 0}
    />
    <${Tile}
      name="Writers"
      value=${formatCount(count)}
      more=${withGaps === 0 ? "no event is missing" : `${countNoun(missingEvents, "event")} missing of ${withGaps}`}
      isBad=${withGaps > 0}
    />
    <${Tile}
      name="Review"
      value=${formatCount(open)}
      more=${`items to do, ${formatCount(review.overdue)} overdue`}
      isBad=${review.overdue > 0}
    />
    <${Tile} name="Database" value=${formatBytes(database.bytes)} more=${describeFree(now)} />
    <${Tile}
      name="Under way"
      value=${countNoun(waitingWrites, "write")}
      more=${`${formatBytes(bodies.bytes)} of bodies, ${formatCount(bodies.refused)} refused`}
      isBad=${bodies.refused > 0}
    />
  </dl>`;
}

/** A part of the page with its heading. */
function Section({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return html`<section class="card" aria-label=${title}>
    <h3>${title}</h3>
    ${children}
  </section>`;
}

type Point = Operations["intake"]["minutes"][number];

function toSeries(points: readonly Point[]) {
  return [
    { name: "stored", look: "series-1", values: points.map(({ events }) => events) },
    { name: "duplicates", look: "series-4", values: points.map(({ duplicates }) => duplicates) },
    { name: "rejected", look: "violation", values: points.map(({ rejected }) => rejected) },
  ];
}

function Intake({ label, points }: { label: string; points: readonly Point[] }): VNode {
  const places = points.map(({ at }) => ({
    short: formatTime(at).slice(0, 5),
    full: formatDateTime(at),
  }));
  return html`<${Section} title=${label}>
    <${Chart}
      kind="bars"
      label=${label}
      places=${places}
      series=${toSeries(points)}
      format=${formatCount}
    />
  <//>`;
}

function Facts({ now }: { now: Operations }): VNode {
  const { audit, startedAt, version, node, layout } = now;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ["Platform", `${version}, Node.js ${node.replace(/^v/, "")}, database layout ${layout}`],
    ["Up for", `${formatAge(now.now - startedAt)}, since ${formatDateTime(startedAt)} UTC`],
    [
      "Audit trail",
      audit.lastAt === null
        ? "no record yet"
        : `${countNoun(audit.records, "record")}, the last ${formatDateTime(audit.lastAt)} UTC`,
    ],
    ["Its last hash", audit.lastHash === null ? "–" : html`<code>${audit.lastHash}</code>`],
  ];
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt key=${name}>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function Sections({ now }: { now: Operations }): VNode {
  const { faults, intake } = now;
  return html`<${Tiles} now=${now} />
    ${faults && html`<${Section} title="Faults for tests"><${FaultPanel} faults=${faults} now=${now.now} /><//>`}
    <div class="pair">
      <${Intake} label="Events a minute, last hour" points=${intake.minutes} />
      <${Intake} label="Events an hour, last day" points=${intake.hours} />
    </div>
    <${Section} title="Rejected events, and why"><${Rejections} now=${now} /><//>
    <${Section} title="Losses that SDKs have reported"><${Losses} now=${now} /><//>
    <${Section} title="Writers and their chains"><${Writers} now=${now} /><//>
    <div class="pair">
      <${Section} title="Organizations, last day"><${Organizations} now=${now} /><//>
      <${Section} title="Requests refused since the start"><${Refusals} now=${now} /><//>
    </div>
    <${Section} title="Platform"><${Facts} now=${now} /><//>`;
}

/** Shows how the platform does, live. */
export function OperationsPage(): VNode {
  const live = useLive(loadOperations);
  return html`<main class="sheet">
    <div class="sheet-body">
      <h2>Operations</h2>
      <${LiveState} ...${live} />
      ${live.value && html`<${Sections} now=${live.value} />`}
    </div>
  </main>`;
}
