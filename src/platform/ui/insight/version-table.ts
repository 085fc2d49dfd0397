import { html } from "htm/preact";
import type { VNode } from "preact";
import type { VersionFigures } from "../../store/version-figures.ts";
import {
  formatCost,
  formatCount,
  formatLatency,
  formatPercent,
  formatPerThousand,
  formatShare,
  NOTHING,
} from "./insight-format.ts";
import { toAgent, toConversations } from "./insight-query.ts";

interface Column {
  readonly name: string;
  readonly of: (figures: VersionFigures) => string;
}

function perAnswer(amount: number, { answers }: VersionFigures): string {
  return answers === 0 ? NOTHING : formatCount(amount / answers);
}

const COLUMNS: readonly Column[] = [
  { name: "Alarms per 1,000", of: (one) => formatShare(one.alarmShare, formatPerThousand) },
  { name: "p50", of: ({ latencyP50 }) => formatLatency(latencyP50) },
  { name: "p95", of: ({ latencyP95 }) => formatLatency(latencyP95) },
  { name: "Tokens", of: (one) => perAnswer(one.inputTokens + one.outputTokens, one) },
  {
    name: "Cost / 1,000",
    of: ({ cost, answers }) =>
      formatCost(cost === null || answers === 0 ? null : (cost / answers) * 1000),
  },
  { name: "Errors", of: (one) => formatShare(one.errorShare, formatPercent) },
  { name: "Failed calls", of: (one) => formatShare(one.failedCallShare, formatPercent) },
  { name: "Conversations", of: ({ conversations }) => formatCount(conversations) },
];

const toDate = (millis: number): string =>
  new Date(millis).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** The versions of an agent together, the latest first. */
function sortVersions(versions: readonly VersionFigures[]): VersionFigures[] {
  return versions.toSorted(
    (left, right) =>
      left.agentId.localeCompare(right.agentId) ||
      right.lastAt - left.lastAt ||
      right.firstAt - left.firstAt,
  );
}

interface VersionTableProps {
  readonly versions: readonly VersionFigures[];
  /** Whether they are versions of several agents. */
  readonly hasAgents: boolean;
}

/** Compares versions: figures with their 95 % intervals. */
export function VersionTable({ versions, hasAgents }: VersionTableProps): VNode {
  return html`<div
    class="table-scroll"
    tabindex="0"
    role="region"
    aria-label="Figures of the versions"
  >
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Answers</th>
          ${COLUMNS.map(({ name }) => html`<th key=${name} scope="col">${name}</th>`)}
          <th scope="col">Seen</th>
        </tr>
      </thead>
      <tbody>
        ${sortVersions(versions).map((one) => {
          const { agentId, version, answers, firstAt, lastAt } = one;
          const address = toConversations("", { agent: agentId, version: version ?? "" });
          const name = version ?? "version not known";
          return html`<tr key=${`${agentId} ${version ?? ""}`}>
            <th scope="row">
              ${hasAgents && html`<a href=${toAgent(agentId)}>${agentId}</a> `}${name}
            </th>
            <td>
              <a
                href=${address}
                aria-label=${`${formatCount(answers)} answers of ${agentId} ${name}`}
                >${formatCount(answers)}</a
              >
            </td>
            ${COLUMNS.map((column) => html`<td key=${column.name}>${column.of(one)}</td>`)}
            <td>${toDate(firstAt)} – ${toDate(lastAt)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
