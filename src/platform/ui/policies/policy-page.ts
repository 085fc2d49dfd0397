/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { BackTestPage } from "./back-test-page.ts";
import { LiveState, useLive } from "../parts/live.ts";
import { Playground } from "./playground.ts";
import { loadPolicies, type Policies } from "./policy-api.ts";
import { PolicyChanges } from "./policy-changes.ts";
import { PolicyRule } from "./policy-rule.ts";
import { PolicyRules } from "./policy-rules.ts";
import type { Route } from "../route.ts";

const PARTS: readonly { readonly id: string; readonly label: string }[] = [
  { id: "", label: "Rules" },
  { id: "playground", label: "Playground" },
  { id: "back-test", label: "Back-test" },
  { id: "changes", label: "Changes" },
];

function Parts({ id }: { id: string }): VNode {
  const isPart = PARTS.some((part) => part.id === id);
  return html`<nav class="parts" aria-label="Parts of this page">
    ${PARTS.map(
      (part) =>
        html`<a
          key=${part.id}
          href=${part.id === "" ? "#/policies" : `#/policies/${part.id}`}
          aria-current=${part.id === id || (part.id === "" && !isPart) ? "page" : undefined}
          >${part.label}</a
        >`,
    )}
  </nav>`;
}

function describePack({ pack, secondLook, rules }: Policies): string {
  const parts = [
    `${rules.length} rules`,
    ...(pack ? [`pack ${pack.id} ${pack.version} (${pack.sha256.slice(0, 12)})`] : []),
    ...(secondLook
      ? [`second look ${secondLook.version} (${secondLook.sha256.slice(0, 12)})`]
      : []),
  ];
  return parts.join(" · ");
}

function Part({ id, policies }: { id: string; policies: Policies }): VNode {
  switch (id) {
    case "":
      return html`<${PolicyRules} policies=${policies} />`;
    case "playground":
      return html`<${Playground} />`;
    case "back-test":
      return html`<${BackTestPage} />`;
    case "changes":
      return html`<${PolicyChanges} policies=${policies} />`;
    default:
      return html`<${PolicyRule} key=${id} id=${id} policies=${policies} />`;
  }
}

/** Shows the rules, what changed of them, and tries texts and packs. */
export function PolicyPage({ id }: Pick<Route, "id">): VNode {
  const live = useLive(loadPolicies);
  const { value } = live;
  return html`<main class="sheet">
    <div class="sheet-body">
      <header class="sheet-header">
        <h2>Policies</h2>
        <${Parts} id=${id} />
        ${value && html`<p class="muted">${describePack(value)}</p>`}
      </header>
      <${LiveState} ...${live} />
      ${value && html`<${Part} id=${id} policies=${value} />`}
    </div>
  </main>`;
}
