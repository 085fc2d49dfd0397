/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun, formatCount } from "../../../util/count-noun.ts";
import type { ClassCount, PurgeResult, RetentionReport } from "../../records/purge.ts";
import type { Role } from "../../review/roles.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import { purgeNext } from "./records-api.ts";
import { useAction } from "../parts/use-action.ts";

function describeClass({ outcome, environment }: ClassCount): string {
  const parts = [outcome && toWords(outcome), environment && `in ${environment}`];
  return parts.filter((part) => part).join(", ") || "every conversation";
}

function ClassTable({ classes, isWhole }: RetentionReport): VNode {
  const number = (value: number) => `${formatCount(value)}${isWhole ? "" : "+"}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Retention classes">
    <table>
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col">Of</th>
          <th scope="col" class="number">Kept for</th>
          <th scope="col" class="number">Due now</th>
          <th scope="col" class="number">Within 30 days</th>
          <th scope="col" class="number">Held</th>
        </tr>
      </thead>
      <tbody>
        ${classes.map(
          (each) =>
            html`<tr key=${each.name}>
              <th scope="row">${each.name}</th>
              <td>${describeClass(each)}</td>
              <td class="number">${countNoun(each.days, "day")}</td>
              <td class="number">${number(each.due)}</td>
              <td class="number">${number(each.soon)}</td>
              <td class="number">${number(each.held)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface PurgeFormProps {
  readonly due: number;
  readonly onDone: () => Promise<void>;
}

function PurgeForm({ due, onDone }: PurgeFormProps): VNode {
  const { isBusy, failure, run } = useAction();
  const [removed, setRemoved] = useState(0);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const needed = `purge ${due}`;
  const purge = async (): Promise<void> => {
    let sum = 0;
    for (let next: PurgeResult["next"] | undefined; next !== null;) {
      const part = await purgeNext(reason.trim(), next ?? null);
      sum += part.conversations;
      setRemoved(sum);
      next = part.next;
    }
    setTyped("");
    await onDone();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(purge);
  };
  const input = (set: (text: string) => void) => (event: InputEvent) =>
    set((event.currentTarget as HTMLInputElement).value);
  return html`<form onSubmit=${submit} aria-label="Purge">
    <p>
      A purge removes ${countNoun(due, "conversation")} for good: events, findings, the review item.
      Decisions and the audit trail stay, with a record of what was removed.
    </p>
    <div class="fields">
      <label>Reason <input value=${reason} maxlength="4000" onInput=${input(setReason)} /></label>
      <label
        >Type “${needed}” to confirm
        <input value=${typed} autocomplete="off" onInput=${input(setTyped)}
      /></label>
    </div>
    <div class="line">
      <button type="submit" disabled=${isBusy || due === 0 || typed !== needed}>Purge</button>
      <span role="status"
        >${removed > 0 ? `${countNoun(removed, "conversation")} removed` : ""}</span
      >
    </div>
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

interface RetentionSectionProps {
  readonly report: RetentionReport;
  readonly role: Role;
  readonly onDone: () => Promise<void>;
}

/** Shows the classes and what is due, and purges. */
export function RetentionSection({ report, role, onDone }: RetentionSectionProps): VNode {
  const { classes, asOf } = report;
  if (classes.length === 0)
    return html`<section aria-label="Retention">
      <h3>Retention</h3>
      <p class="muted">Everything is kept: no retention class is configured.</p>
    </section>`;
  const due = classes.reduce((sum, each) => sum + each.due, 0);
  return html`<section aria-label="Retention">
    <h3>Retention</h3>
    <p class="muted">
      The first class that matches a conversation counts; what is under review is kept. As of
      ${formatDateTime(asOf)} UTC; removed once a day while the platform runs.
    </p>
    <${ClassTable} ...${report} />
    ${
      role === "admin"
        ? html`<${PurgeForm} due=${due} onDone=${onDone} />`
        : html`<p class="muted">An admin may purge by hand.</p>`
    }
  </section>`;
}
