/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Fault, FaultKind, FaultOrder } from "../../faults/faults.ts";
import { formatCount } from "../../../util/count-noun.ts";

import { clearFaults, setFault } from "./operations-api.ts";

const KINDS: readonly { readonly kind: FaultKind; readonly does: string }[] = [
  { kind: "429", does: "429: too many requests" },
  { kind: "503", does: "503: unavailable" },
  { kind: "slow", does: "slow: answers late" },
  { kind: "reset", does: "reset: closes the connection" },
];

const SECOND = 1000;
const MINUTE = 60;

function formatLeft(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / SECOND));
  return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
}

function describe({ kind, seconds, path }: Fault): string {
  const what =
    kind === "slow" ? `after ${seconds} s` : kind === "reset" ? "" : `Retry-After ${seconds} s`;
  return [kind, what, path ?? "all deliveries"].filter((part) => part !== "").join(" · ");
}

function FaultRow({ fault, now }: { fault: Fault; now: number }): VNode {
  return html`<li>
    <span>${describe(fault)}</span>
    <progress
      value=${fault.count - fault.left}
      max=${fault.count}
      aria-label=${`${fault.kind}: requests met`}
    ></progress>
    <span class="nowrap">${formatCount(fault.left)} of ${formatCount(fault.count)} left</span>
    <span class="muted nowrap">ends in ${formatLeft(fault.endsAt - now)}</span>
  </li>`;
}

function readOrder(form: HTMLFormElement): FaultOrder {
  const fields = new FormData(form);
  const read = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const path = read("path").trim();
  return {
    kind: read("kind") as FaultKind,
    count: Number(read("count")),
    seconds: Number(read("seconds")),
    ...(path !== "" && { path }),
  };
}

/** Sets faults of deliveries, and shows which are set. */
export function FaultPanel({ faults, now }: { faults: readonly Fault[]; now: number }): VNode {
  const [failure, setFailure] = useState("");
  const attempt = (work: Promise<object>): void =>
    void work
      .then(() => setFailure(""))
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : "failed"));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    attempt(setFault(readOrder(event.currentTarget as HTMLFormElement)));
  };
  return html`<form class="fields" onSubmit=${submit}>
      <label>
        Fault
        <select name="kind">
          ${KINDS.map(({ kind, does }) => html`<option key=${kind} value=${kind}>${does}</option>`)}
        </select>
      </label>
      <label
        >Requests <input name="count" type="number" min="1" max="1000" value="5" required
      /></label>
      <label
        >Seconds <input name="seconds" type="number" min="1" max="60" value="1" required
      /></label>
      <label
        >Path <input name="path" placeholder="all deliveries" pattern="/v1/[\\w\\/.\\-]*"
      /></label>
      <button type="submit">Set</button>
      <button type="button" disabled=${faults.length === 0} onClick=${() => attempt(clearFaults())}>
        Clear all
      </button>
    </form>
    <p class="failed" role="alert">${failure}</p>
    <ul class="fault-list" aria-label="Faults that are set">
      ${faults.map((fault) => html`<${FaultRow} key=${fault.id} fault=${fault} now=${now} />`)}
      ${faults.length === 0 && html`<li class="muted">None is set. Deliveries below /v1/ are answered as they should be.</li>`}
    </ul>`;
}
