import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Operations } from "../../operations/read-operations.ts";
import { DataTable } from "../parts/data-table.ts";
import { formatCount } from "../../../util/count-noun.ts";
import { formatDateTime, formatWhen, toWords } from "../parts/format.ts";

interface TableProps {
  readonly now: Operations;
}

/** Shows a time in short, in full where the pointer rests. */
function When({ at, now }: { at: number; now: number }): VNode {
  return html`<time title=${`${formatDateTime(at)} UTC`}>${formatWhen(at, now)}</time>`;
}

const number = (name: string) => ({ name, isNumber: true });

/** Shows why events were rejected, with an example of each kind. */
export function Rejections({ now: { rejections, now } }: TableProps): VNode {
  return html`<${DataTable}
    label="Rejected events by code"
    empty="No event was rejected."
    columns=${[{ name: "Code" }, { name: "Member" }, number("Events"), number("Last"), { name: "Example" }]}
    rows=${rejections.map((row) => [
      html`<code>${row.code}</code>`,
      html`<code>${row.member === "" ? "the event" : row.member}</code>`,
      formatCount(row.count),
      html`<${When} at=${row.lastAt} now=${now} />`,
      html`<span>${row.detail} </span
        ><span class="muted"
          >at <code>${row.pointer}</code> of batch <code>${row.batchId}</code></span
        >`,
    ])}
  />`;
}

/** Shows what SDKs have reported as given up. */
export function Losses({ now: { losses, now } }: TableProps): VNode {
  const { byReason, recent } = losses;
  return html`<${DataTable}
      label="Losses by reason"
      empty="No SDK has reported a loss."
      columns=${[{ name: "Reason" }, number("Events"), number("Last")]}
      rows=${byReason.map((row) => [
        toWords(row.reason),
        formatCount(row.count),
        html`<${When} at=${row.lastAt} now=${now} />`,
      ])}
    />
    ${
      recent.length > 0 &&
      html`<details>
        <summary>The newest reports</summary>
        <${DataTable}
          label="Reports of losses"
          empty=""
          columns=${[number("Time"), { name: "Reason" }, number("Events"), { name: "Writer" }, { name: "Organization" }]}
          rows=${recent.map((row) => [
            html`<${When} at=${row.receivedAt} now=${now} />`,
            toWords(row.reason),
            formatCount(row.count),
            html`<code>${row.writerId === "" ? "not said" : row.writerId}</code>`,
            row.organizationId,
          ])}
        />
      </details>`
    }`;
}

/** Shows the writers whose batches came last, and what is missing of them. */
export function Writers({ now: { writers, now } }: TableProps): VNode {
  return html`<${DataTable}
      label="Writers, the newest first"
      empty="No batch has named a writer yet."
      columns=${[{ name: "Writer" }, { name: "Organization" }, number("Batches"), number("Last sequence"), number("Events"), number("Given up"), number("Missing"), number("Last seen")]}
      rows=${writers.newest.map((row) => [
        html`<code>${row.writerId}</code>`,
        row.organizationId,
        formatCount(row.batches),
        formatCount(row.lastSequence),
        formatCount(row.events),
        formatCount(row.givenUp),
        row.missingEvents === 0
          ? "0"
          : html`<span class="failed"
              ><span aria-hidden="true">▲ </span>${formatCount(row.missingEvents)}</span
            >`,
        html`<${When} at=${row.lastAt} now=${now} />`,
      ])}
    />
    ${
      writers.count > 0 &&
      html`<p class="muted note">
        Missing: sequences that no batch has brought and no report explains; events on their way are
        among them. <code>npx agent-monitor verify</code> says what is proven.
      </p>`
    }`;
}

/** Shows who has sent something. */
export function Organizations({ now: { organizations, now } }: TableProps): VNode {
  return html`<${DataTable}
    label="Organizations"
    empty="Nothing has arrived yet."
    columns=${[{ name: "Organization" }, number("Events"), number("Batches"), number("Rejected"), number("Last")]}
    rows=${organizations.map((row) => [
      row.organizationId,
      formatCount(row.events),
      formatCount(row.batches),
      formatCount(row.rejected),
      html`<${When} at=${row.lastAt} now=${now} />`,
    ])}
  />`;
}

const FIRST_REFUSAL = 400;

/** Shows which requests got no success. */
export function Refusals({ now: { requests } }: TableProps): VNode {
  const refused = requests
    .filter(({ status }) => status >= FIRST_REFUSAL)
    .toSorted((one, other) => other.count - one.count);
  return html`<${DataTable}
    label="Requests refused"
    empty="No request was refused."
    columns=${[{ name: "Path" }, number("Status"), number("Requests")]}
    rows=${refused.map((row) => [html`<code>${row.route}</code>`, String(row.status), formatCount(row.count)])}
  />`;
}
