/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Role } from "../../review/roles.ts";
import type { Hold } from "../../store/hold-store.ts";
import { formatDateTime } from "../parts/format.ts";
import { placeHold, readField, readSelector, releaseHold } from "./records-api.ts";
import { describeSelector, SelectorFields } from "./selector-fields.ts";
import { useAction } from "../parts/use-action.ts";

interface HoldProps {
  readonly hold: Hold;
  readonly canRelease: boolean;
  readonly onDone: () => Promise<void>;
}

function ReleaseForm({ hold, onDone }: HoldProps): VNode {
  const { isBusy, failure, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const reason = readField(new FormData(event.currentTarget as HTMLFormElement), "reason");
    void run(async () => {
      await releaseHold(hold.id, reason);
      await onDone();
    });
  };
  return html`<form onSubmit=${submit} aria-label=${`Release ${hold.matter}`}>
    <label>Reason of the release <input name="reason" required maxlength="4000" /></label>
    <button type="submit" disabled=${isBusy}>Release now</button>
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

function HoldRow(props: HoldProps): VNode {
  const { hold, canRelease } = props;
  const [isOpen, setOpen] = useState(false);
  const { id, matter, reason, selector, placedBy, placedAt, release } = hold;
  return html`<tr>
    <td>${id}</td>
    <th scope="row">${matter}<br /><span class="muted">${reason}</span></th>
    <td>${describeSelector(selector)}</td>
    <td>${placedBy}<br /><span class="muted nowrap">${formatDateTime(placedAt)}</span></td>
    <td>
      ${
        release
          ? html`released by ${release.by}<br /><span class="muted"
                >${formatDateTime(release.at)}, ${release.reason}</span
              >`
          : html`<span class="badge review">held</span> ${
                canRelease &&
                html`<button
                  type="button"
                  aria-expanded=${isOpen}
                  onClick=${() => setOpen(!isOpen)}
                >
                  Release…
                </button>`
              }
              ${isOpen && html`<${ReleaseForm} ...${props} />`}`
      }
    </td>
  </tr>`;
}

function PlaceForm({ onDone }: Pick<HoldProps, "onDone">): VNode {
  const { isBusy, failure, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const [matter, reason] = [readField(data, "matter"), readField(data, "reason")];
    void run(async () => {
      await placeHold({ matter, reason, selector: readSelector(data) });
      form.reset();
      await onDone();
    });
  };
  return html`<form onSubmit=${submit} aria-label="Place a hold">
    <h4>Place a hold</h4>
    <div class="fields">
      <label>Matter <input name="matter" required maxlength="256" /></label>
      <label>Reason <input name="reason" required maxlength="4000" /></label>
    </div>
    <${SelectorFields} />
    <div class="line"><button type="submit" disabled=${isBusy}>Place hold</button></div>
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

interface HoldSectionProps {
  readonly holds: readonly Hold[];
  readonly role: Role;
  readonly onDone: () => Promise<void>;
}

/** Shows the holds, places and releases them. */
export function HoldSection({ holds, role, onDone }: HoldSectionProps): VNode {
  const canHold = role === "supervisor" || role === "admin";
  return html`<section aria-label="Legal holds">
    <h3>Legal holds</h3>
    <p class="muted">
      What a hold is of is not removed until it is released, also what comes later.
    </p>
    ${
      holds.length === 0
        ? html`<p>Nothing is held.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Holds">
            <table>
              <thead>
                <tr>
                  ${["No.", "Matter", "Of", "Placed", "State"].map(
                    (name) => html`<th scope="col">${name}</th>`,
                  )}
                </tr>
              </thead>
              <tbody>
                ${holds.map(
                  (hold) =>
                    html`<${HoldRow}
                      key=${hold.id}
                      hold=${hold}
                      canRelease=${canHold}
                      onDone=${onDone}
                    />`,
                )}
              </tbody>
            </table>
          </div>`
    }
    ${canHold && html`<${PlaceForm} onDone=${onDone} />`}
  </section>`;
}
