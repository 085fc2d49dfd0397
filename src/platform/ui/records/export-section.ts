/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Role } from "../../review/roles.ts";
import type { Hold } from "../../store/hold-store.ts";
import { downloadExport, readField, readSelector } from "./records-api.ts";
import { SelectorFields } from "./selector-fields.ts";
import { useAction } from "../parts/use-action.ts";

const FORMATS = [
  ["jsonl", "JSON Lines with digests"],
  ["csv", "CSV"],
  ["rsmf", "RSMF 2.0 (ZIP)"],
] as const;

function toQuery(data: FormData): URLSearchParams {
  const read = (name: string): string => readField(data, name);
  const query = new URLSearchParams({ format: read("format") });
  if (read("hold") !== "") query.set("hold", read("hold"));
  else
    for (const [name, value] of Object.entries(readSelector(data))) query.set(name, String(value));
  if (read("unmasked") === "on") {
    query.set("unmasked", "true");
    query.set("reason", read("reason"));
  }
  return query;
}

function UnmaskedFields(): VNode {
  const [isUnmasked, setUnmasked] = useState(false);
  return html`<label class="check"
      ><input
        name="unmasked"
        type="checkbox"
        checked=${isUnmasked}
        onChange=${() => setUnmasked(!isUnmasked)}
      />
      with identifiers as they are</label
    >
    ${
      isUnmasked &&
      html`<label
        >Reason, for the audit trail <input name="reason" required maxlength="4000"
      /></label>`
    }`;
}

/** Exports a selection of conversations. */
export function ExportSection({
  holds,
  role,
}: {
  readonly holds: readonly Hold[];
  readonly role: Role;
}): VNode {
  const { isBusy, failure, run } = useAction();
  const [isDone, setDone] = useState(false);
  const [hold, setHold] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const query = toQuery(new FormData(event.currentTarget as HTMLFormElement));
    setDone(false);
    void run(async () => {
      await downloadExport(query);
      setDone(true);
    });
  };
  const choose = (event: Event): void => setHold((event.currentTarget as HTMLSelectElement).value);
  return html`<section aria-label="Exports">
    <h3>Export</h3>
    <p class="muted">
      Identifiers are masked. The audit trail gets who has exported what, and the SHA-256 of the
      file. What is large is better exported by <code>agent-monitor export</code>.
    </p>
    <form onSubmit=${submit} aria-label="Export">
      <div class="fields">
        <label
          >Format
          <select name="format">
            ${FORMATS.map(([name, label]) => html`<option value=${name}>${label}</option>`)}
          </select></label
        >
        <label
          >What
          <select name="hold" value=${hold} onChange=${choose}>
            <option value="">conversations with these facts</option>
            ${holds.map(({ id, matter }) => html`<option value=${id}>hold ${id}: ${matter}</option>`)}
          </select></label
        >
      </div>
      ${hold === "" && html`<${SelectorFields} />`}
      ${(role === "supervisor" || role === "admin") && html`<${UnmaskedFields} />`}
      <div class="line">
        <button type="submit" disabled=${isBusy}>Export</button>
        <span role="status">${isBusy ? "Exporting…" : isDone ? "Exported." : ""}</span>
      </div>
      ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
    </form>
  </section>`;
}
