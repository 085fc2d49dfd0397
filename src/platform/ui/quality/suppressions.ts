/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Suppression } from "../../quality/suppression.ts";
import { formatDateTime } from "../parts/format.ts";
import { revoke } from "./quality-api.ts";

interface SuppressionsProps {
  readonly suppressions: readonly Suppression[];
  readonly mayRevoke: boolean;
  readonly onRevoked: () => void;
}

/** Lists the suppressions that hold, what each has held back, and ends one. */
export function Suppressions({ suppressions, mayRevoke, onRevoked }: SuppressionsProps): VNode {
  const [failure, setFailure] = useState<string>();
  const end = async (id: string): Promise<void> => {
    const reason = prompt("Why is it revoked?")?.trim() ?? "";
    if (reason === "") return;
    try {
      await revoke(id, reason);
      setFailure(undefined);
      onRevoked();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "it was not revoked");
    }
  };
  if (suppressions.length === 0) return html`<p class="muted">None holds.</p>`;
  return html`${failure !== undefined && html`<p class="failed" role="alert">${failure}</p>`}
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Phrase</th>
            <th scope="col">Agent</th>
            <th scope="col">Why</th>
            <th scope="col">Until</th>
            <th scope="col" class="number">Held back</th>
            <th scope="col"><span class="visually-hidden">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${suppressions.map(
            ({ id, rule, phrase, agentId, reason, createdBy, until, heldBack, conversationKey }) =>
              html`<tr key=${id}>
                <th scope="row">
                  <a href=${`#/q/${conversationKey}`}><code>${rule}</code></a>
                </th>
                <td>“${phrase}”</td>
                <td>${agentId ?? "every"}</td>
                <td>${reason} <span class="muted">(${createdBy})</span></td>
                <td class="nowrap">${formatDateTime(until)}</td>
                <td class="number">${heldBack}</td>
                <td>
                  ${
                    mayRevoke &&
                    html`<button type="button" onClick=${() => void end(id)}>
                      Revoke<span class="visually-hidden"> suppression of ${phrase}</span>
                    </button>`
                  }
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
