/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { AuditRecord } from "../../review/audit-trail.ts";
import type { ReviewAction } from "../../review/review-action.ts";
import type { Disposition } from "../../review/review-policy.ts";
import type { StoredFinding } from "../../store/finding-store.ts";
import { useDetail } from "../api.ts";
import { toFindingAddress } from "../finding/finding-address.ts";
import { JUDGE, SeverityBadge } from "../finding/finding.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import { submitByKey } from "../parts/submit-by-key.ts";
import { describeState } from "./queue.ts";
import { SampledAnswers } from "../quality/sampled-answers.ts";
import { type KnownSuppressions, SuppressFinding, useSuppressions } from "./suppress-finding.ts";
import { act, loadReview, type Me, type ReviewDetail } from "./review-api.ts";

/** Findings of one offence. */
interface Offence {
  readonly first: StoredFinding;
  readonly all: readonly StoredFinding[];
}

function toOffences(findings: readonly StoredFinding[]): Offence[] {
  const groups = new Map<string, StoredFinding[]>();
  for (const finding of findings)
    groups.set(finding.offence, [...(groups.get(finding.offence) ?? []), finding]);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ first, all: [first, ...others] }] : [],
  );
}

interface OffenceRowProps extends Offence {
  readonly page: string;
  readonly agentId: string;
  readonly suppressions: KnownSuppressions | undefined;
}

function OffenceRow({ first, all, page, agentId, suppressions }: OffenceRowProps): VNode {
  const { decision } = first;
  return html`<li class=${first.severity}>
    <span class="line">
      <${SeverityBadge} severity=${first.severity} />
      <a class="ellipsis" href=${toFindingAddress(page, first.id)}><code>${first.rule}</code></a>
      ${all.length > 1 && html`<span class="muted nowrap">${all.length} times</span>`}
    </span>
    ${first.quote !== "" && html`<blockquote><mark>${first.quote}</mark></blockquote>`}
    <span class="muted">
      ${decision ? `${toWords(decision.disposition)}, ${decision.actor}` : "not decided"}
      ${first.tier !== "" && html`<span title=${JUDGE}> · ${first.tier} by the judge</span>`}
      ${first.suppressedBy === null ? "" : ` · suppressed by ${first.suppressedBy}`}
    </span>
    ${suppressions && html`<${SuppressFinding} findings=${all} agentId=${agentId} suppressions=${suppressions} />`}
  </li>`;
}

interface FindingListProps {
  readonly findings: readonly StoredFinding[];
  /** Address of the page, where each of them can be found. */
  readonly page: string;
  readonly agentId: string;
  /** Who works with the page, once that is known. */
  readonly me: Me | undefined;
}

/** Shows findings, those of one offence as one, each with what was decided. */
export function FindingList({ findings, page, agentId, me }: FindingListProps): VNode {
  const suppressions = useSuppressions(me, findings);
  const shared = { page, agentId, suppressions };
  return html`<section aria-label="Findings">
    <h3>${countNoun(findings.length, "finding")}</h3>
    <ul class="offences">
      ${toOffences(findings).map((offence) => html`<${OffenceRow} key=${offence.first.id} ...${offence} ...${shared} />`)}
    </ul>
  </section>`;
}

function describeRecord({ action, detail }: AuditRecord): string {
  const members = JSON.parse(detail) as Readonly<Record<string, unknown>>;
  const choices = [members["disposition"], members["reasonCode"]];
  const said = [members["assignee"], members["comment"], members["reason"]];
  const isText = (part: unknown): part is string => typeof part === "string";
  // The name of an action is that of what it is done to, and a verb.
  const words = [action.replace(/^\w+\./, ""), ...choices.filter(isText)].map(toWords);
  return [...words, ...said.filter(isText)].join(" · ");
}

/** Shows what was done to an item, the newest first. */
export function History({ records }: { records: readonly AuditRecord[] }): VNode | null {
  if (records.length === 0) return null;
  return html`<section aria-label="History">
    <h3>History</h3>
    <ol class="history">
      ${records.map(
        (record) =>
          html`<li key=${record.sequence}>
            <span>${describeRecord(record)}</span>
            <span class="muted">${record.actor}, ${formatDateTime(record.at)}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

interface DecisionFormProps {
  readonly me: Me;
  readonly isBusy: boolean;
  readonly onAct: (action: ReviewAction) => void;
}

/** Takes a disposition, its reason and a comment. */
function DecisionForm({ me, isBusy, onAct }: DecisionFormProps): VNode {
  const { reasonCodes, commentRequired } = me.review;
  const dispositions = Object.keys(reasonCodes) as Disposition[];
  const [chosen, setChosen] = useState<Disposition>();
  const codes = chosen === undefined ? [] : reasonCodes[chosen];
  const isCommentNeeded = chosen !== undefined && commentRequired.includes(chosen);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const comment = (data.get("comment") as string).trim();
    const reasonCode = data.get("reason");
    if (chosen === undefined) return;
    onAct({
      action: "close",
      disposition: chosen,
      ...(typeof reasonCode === "string" && { reasonCode }),
      ...(comment !== "" && { comment }),
    });
  };
  return html`<form class="decision" onSubmit=${submit} onKeyDown=${submitByKey}>
    <fieldset>
      <legend>Decision</legend>
      ${dispositions.map(
        (disposition, index) =>
          html`<label key=${disposition}>
            <input
              type="radio"
              name="disposition"
              value=${disposition}
              checked=${chosen === disposition}
              onChange=${() => setChosen(disposition)}
            />
            ${toWords(disposition)} <kbd aria-hidden="true">${index + 1}</kbd>
          </label>`,
      )}
    </fieldset>
    ${
      codes.length > 0 &&
      html`<label
        >Reason
        <select name="reason" key=${chosen}>
          ${codes.map((code) => html`<option key=${code} value=${code}>${toWords(code)}</option>`)}
        </select>
      </label>`
    }
    <label
      >Comment${isCommentNeeded ? " (needed)" : ""}
      <textarea name="comment" rows="2" maxlength="4000" required=${isCommentNeeded}></textarea>
    </label>
    <span class="actions">
      <button type="submit" class="primary" disabled=${isBusy || chosen === undefined}>
        Close item
      </button>
      <span class="muted">Ctrl + Enter</span>
    </span>
  </form>`;
}

interface PanelProps {
  readonly reviewKey: string;
  readonly me: Me;
  /** Address of the page. */
  readonly page: string;
  /** Called when something was done. */
  readonly onDone: (action: ReviewAction) => void;
}

function Buttons({
  detail,
  me,
  isBusy,
  onAct,
}: DecisionFormProps & { detail: ReviewDetail }): VNode {
  const { item } = detail;
  const isMine = item.assignee === me.name;
  const isSupervisor = me.role === "supervisor" || me.role === "admin";
  const canApprove = item.proposal !== null && item.proposal.by !== me.name;
  const button = (label: string, action: ReviewAction): VNode =>
    html`<button
      type="button"
      data-action=${action.action}
      disabled=${isBusy}
      onClick=${() => onAct(action)}
    >
      ${label}
    </button>`;
  const escalate = (): void => {
    const comment = prompt("Why is this for a supervisor?")?.trim() ?? "";
    if (comment !== "") onAct({ action: "escalate", comment });
  };
  const reopen = (): void => {
    const comment = prompt("Why is it reopened?")?.trim() ?? "";
    if (comment !== "") onAct({ action: "reopen", comment });
  };
  if (item.state === "closed")
    return html`<div class="actions">
      ${isSupervisor && html`<button type="button" disabled=${isBusy} onClick=${reopen}>Reopen</button>`}
    </div>`;
  return html`<div class="actions">
    ${item.assignee === null && button("Claim", { action: "claim" })}
    ${(isMine || (isSupervisor && item.assignee !== null)) && button("Release", { action: "release" })}
    ${canApprove && button("Approve", { action: "approve" })}
    ${item.state !== "escalated" && html`<button type="button" disabled=${isBusy} onClick=${escalate}>Escalate</button>`}
  </div>`;
}

/** Shows the findings of an item, and takes what is done with it. */
export function ReviewPanel({ reviewKey, me, page, onDone }: PanelProps): VNode | null {
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const detail = useDetail<ReviewDetail>(() => loadReview(reviewKey), [reviewKey, attempt]);
  if (detail === undefined || detail === "missing") return null;
  const { item, findings, sampled, history } = detail;
  const run = async (action: ReviewAction): Promise<void> => {
    setIsBusy(true);
    try {
      await act(item, action);
      setFailure(undefined);
      onDone(action);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "it was not done");
    }
    setIsBusy(false);
    setAttempt((count) => count + 1);
  };
  const onAct = (action: ReviewAction): void => void run(action);
  const mayDecide = me.role !== "viewer";
  const isOthers = item.state === "claimed" && item.assignee !== me.name;
  const isOpen = mayDecide && item.state !== "closed" && !isOthers;
  return html`<aside class="review-panel scroll" aria-label="Review" tabindex="0">
    <p class="line">
      <span class="badge review" data-state>${describeState(item)}</span>
      <span class="end ${item.isOverdue ? "failed" : "muted"}"
        >due ${formatDateTime(item.dueAt)}</span
      >
    </p>
    ${failure !== undefined && html`<p class="failed" role="alert">${failure}</p>`}
    ${mayDecide && html`<${Buttons} detail=${detail} me=${me} isBusy=${isBusy} onAct=${onAct} />`}
    <${FindingList} findings=${findings} page=${page} agentId=${item.agentId} me=${me} />
    <${SampledAnswers} sampled=${sampled} me=${me} mayDecide=${isOpen} onAct=${onAct} />
    ${isOpen && html`<${DecisionForm} key=${reviewKey} me=${me} isBusy=${isBusy} onAct=${onAct} />`}
    ${
      mayDecide &&
      isOthers &&
      html`<p class="muted">
        ${item.assignee} works on it: it can be decided once that is over, or a supervisor has
        released it.
      </p>`
    }
    <${History} records=${history} />
  </aside>`;
}
