import { html } from "htm/preact";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import {
  compareMembers,
  compareSettings,
  compareTools,
  listHistory,
  type ToolChange,
} from "./agent-diff.ts";
import { type DiffLine, diffTexts } from "./diff.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import type { Profile } from "./insight-api.ts";
import { Card } from "./overview-card.ts";

/** Two profiles that are compared; without `before` there is one alone. */
export interface Comparison {
  readonly before: Profile | undefined;
  readonly after: Profile;
}

/** Shows a profile, and what else has changed in it. */
export function Changes({ before, after }: Comparison): VNode {
  const members = before ? compareMembers(before.agent, after.agent) : [];
  return html`<${Card} title="Profile">
    <dl class="facts">
      ${(["name", "category", "specialty", "llmProvider", "model", "description"] as const).map(
        (name) =>
          after.agent[name] !== undefined &&
          html`<div key=${name}>
            <dt>${name === "llmProvider" ? "provider" : name}</dt>
            <dd>${toWords(after.agent[name])}</dd>
          </div>`,
      )}
    </dl>
    ${
      before &&
      html`<h3>Changed since ${before.agent.version}</h3>
        ${members.length === 0 && html`<p class="muted">Nothing else.</p>`}
        <ul class="changes">
          ${members.map(
            (member) =>
              html`<li key=${member.name}>
                ${member.name}: <del>${member.before}</del> <ins>${member.after}</ins>
              </li>`,
          )}
        </ul>`
    }
  </${Card}>`;
}

const MARKS: Readonly<Record<ToolChange["kind"], string>> = {
  same: "",
  changed: "~ changed",
  added: "+ new",
  removed: "− gone",
};

/** Shows a member of a tool, and what it was before. */
function Member({
  change: { tool, before },
  name,
}: {
  readonly change: ToolChange;
  readonly name: "category" | "riskLevel" | "version";
}): VNode {
  const [former, now] = [before?.[name] ?? "–", tool[name] ?? "–"];
  if (!before || former === now) return html`${now}`;
  return html`<del>${former}</del>${" "}<ins>${now}</ins>`;
}

/** Shows the tools, and what has changed in them. */
export function Tools({ before, after }: Comparison): VNode {
  const tools = compareTools(before?.agent, after.agent);
  return html`<${Card} title="Tools">
    ${
      tools.length === 0
        ? html`<p class="muted">This version has no tools.</p>`
        : html`<div class="table-scroll" tabindex="0" role="region" aria-label="List of tools">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Tool</th>
                  <th scope="col" class="text">Category</th>
                  <th scope="col" class="text">Risk</th>
                  <th scope="col" class="text">Version</th>
                  <th scope="col" class="text">${before ? `Since ${before.agent.version}` : ""}</th>
                </tr>
              </thead>
              <tbody>
                ${tools.map(
                  (change) =>
                    html`<tr key=${change.name} class=${change.kind}>
                      <th scope="row" title=${change.tool.description}>${change.name}</th>
                      <td class="text"><${Member} change=${change} name="category" /></td>
                      <td class="text"><${Member} change=${change} name="riskLevel" /></td>
                      <td class="text"><${Member} change=${change} name="version" /></td>
                      <td class="text">${MARKS[change.kind]}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </${Card}>`;
}

/** Shows the compliance settings, and what has changed in them. */
export function Settings({ before, after }: Comparison): VNode {
  const settings = compareSettings(before?.agent, after.agent);
  return html`<${Card} title="Compliance settings">
    ${settings.length === 0 && html`<p class="muted">None: the defaults hold.</p>`}
    <dl class="facts">
      ${settings.map(
        ({ name, before: former, after: now, isChanged }) =>
          html`<div key=${name}>
            <dt>${toWords(name)}</dt>
            <dd>
              ${isChanged && html`<del>${former}</del> `}${isChanged ? html`<ins>${now}</ins>` : now}
            </dd>
          </div>`,
      )}
    </dl>
  </${Card}>`;
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", removed: "−", added: "+" };
const SIGN_WORDS: Readonly<Record<DiffLine["kind"], string>> = {
  same: "",
  removed: "removed: ",
  added: "added: ",
};

function DiffRow({ line: { kind, parts } }: { line: DiffLine }): VNode {
  return html`<span class="diff-line ${kind}"
    ><span class="sign" aria-hidden="true">${SIGNS[kind]}</span
    ><span class="unseen">${SIGN_WORDS[kind]}</span
    >${parts.map(({ text, isChanged }) => (isChanged ? html`<mark>${text}</mark>` : text))}${"\n"}</span
  >`;
}

/** Shows the prompt, and what has changed in it. */
export function Prompt({ before, after }: Comparison): VNode {
  const [former, now] = [before?.agent.systemPrompt ?? "", after.agent.systemPrompt ?? ""];
  const lines = useMemo(
    () => diffTexts(before ? former : now, now),
    [before !== undefined, former, now],
  );
  const isSame = lines.every(({ kind }) => kind === "same");
  const title = before
    ? `Prompt of ${after.agent.version}, compared with ${before.agent.version}`
    : "Prompt";
  return html`<${Card} title=${title} isWide=${true}>
    ${before && isSame && html`<p class="muted">The prompt is the same in both.</p>`}
    ${
      former === "" && now === ""
        ? html`<p class="muted">No prompt was registered.</p>`
        : html`<pre class="diff" tabindex="0">
${lines.map((line, index) => html`<${DiffRow} key=${index} line=${line} />`)}</pre>`
    }
  </${Card}>`;
}

/** Shows when profiles of a version were registered. */
export function History({
  profiles,
  version,
}: {
  profiles: readonly Profile[];
  version: string;
}): VNode {
  const history = listHistory(profiles, version);
  return html`<${Card} title=${`Profiles registered for ${version}`}>
    <ul class="changes">
      ${history.map(
        ({ updatedAt, changed }) =>
          html`<li key=${updatedAt}>
            <time>${formatDateTime(updatedAt)} UTC</time>
            ${changed ? ` changed: ${changed.join(", ")}` : " first profile"}
          </li>`,
      )}
    </ul>
  </${Card}>`;
}
