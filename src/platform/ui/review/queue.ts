/// <reference lib="dom" />
import { html } from "htm/preact";
import type { RefObject, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ReviewOrigin } from "../../review/review-item.ts";
import type { ShownItem } from "../../store/review-queue.ts";
import { JUDGE, SeverityBadge } from "../finding/finding.ts";
import { formatAge, formatLocal, toWords } from "../parts/format.ts";
import { usePrinting } from "../parts/use-printing.ts";
import { Space, useWindow } from "../parts/use-window.ts";
import type { Queue } from "./use-queue.ts";
import { SavedViews } from "../views/saved-views.ts";

/** Filters that the queue offers by a button; the address has each as a query. */
const VIEWS: readonly { readonly query: string; readonly label: string }[] = [
  { query: "", label: "To do" },
  { query: "state=open", label: "Open" },
  { query: "state=claimed", label: "Claimed" },
  { query: "state=escalated", label: "Escalated" },
  { query: "overdue=true", label: "Overdue" },
  { query: "state=closed", label: "Closed" },
];
const ORDERS: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "By rank" },
  { value: "risk", label: "By risk" },
  { value: "age", label: "Oldest first" },
  { value: "due", label: "By due date" },
];

/** Names the state of an item, and who works on it. */
export function describeState({ state, assignee, proposal, outcome }: ShownItem): string {
  if (state === "closed" && outcome) return `closed: ${toWords(outcome.disposition)}`;
  const who = state === "claimed" && assignee !== null ? `claimed by ${assignee}` : state;
  return proposal ? `${who}, ${toWords(proposal.disposition)} proposed by ${proposal.by}` : who;
}

/** What a row says first: the words of the finding, else what it is, else how the conversation began. */
function Headline({ item }: { item: ShownItem }): VNode {
  const { finding, severity, title } = item;
  const quote = finding?.quote ?? "";
  if (quote !== "") return html`<q class=${severity}>${quote}</q>`;
  return html`${finding?.description ?? title ?? "(no finding)"}`;
}

function describeAgent({ agentId, finding }: ShownItem): string {
  return [agentId, finding?.agentVersion ?? ""].join(" ").trim();
}

/** Names the rule, and what has brought the item into the queue where that was no rule. */
function describeSource({ finding, origin }: ShownItem): string {
  const rules = finding ? [finding.rule] : [];
  return [...rules, ...(origin === "rule" && finding ? [] : [toWords(origin)])].join(" · ");
}

function Badges({ item }: { item: ShownItem }): VNode {
  const { severity, tier, offenceCount } = item;
  return html`<span class="line badges">
    <${SeverityBadge} severity=${severity} />
    <span class="badge review">${describeState(item)}</span>
    ${tier !== "" && html`<span class="muted" title=${JUDGE}>${tier} by the judge</span>`}
    ${offenceCount > 1 && html`<span class="muted">${countNoun(offenceCount, "offence")}</span>`}
  </span>`;
}

interface RowProps {
  readonly item: ShownItem;
  readonly query: string;
  readonly isSelected: boolean;
}

function Row({ item, query, isSelected }: RowProps): VNode {
  const { key, riskScore, openedAt, isOverdue } = item;
  return html`<li data-row=${key}>
    <a
      href=${toQueueAddress(query, key)}
      aria-current=${isSelected ? "true" : undefined}
      data-item=${key}
    >
      <span class="line">
        <span class="title"><${Headline} item=${item} /></span>
        <time title=${formatLocal(openedAt)}>${formatAge(Date.now() - openedAt)}</time>
      </span>
      <span class="line muted">
        <span class="ellipsis">${describeSource(item)}</span>
        <span class="nowrap">${riskScore === null ? "" : `risk ${Math.round(riskScore)}`}</span>
      </span>
      <span class="line muted">
        <span class="ellipsis">${describeAgent(item)}</span>
        ${isOverdue && html`<span class="nowrap failed">overdue</span>`}
      </span>
      <${Badges} item=${item} />
    </a>
  </li>`;
}

/** Writes the address of the queue, or of an item in it. */
export function toQueueAddress(query: string, key?: string): string {
  const path = key === undefined ? "#/queue" : `#/q/${key}`;
  return query === "" ? path : `${path}?${query}`;
}

const ORIGINS: readonly { readonly value: ReviewOrigin | ""; readonly label: string }[] = [
  { value: "", label: "Any origin" },
  { value: "rule", label: "Of a rule" },
  { value: "judge", label: "Of the judge" },
  { value: "qa_sample", label: "QA sample" },
  { value: "manual", label: "Manual" },
];

function withMember(query: string, name: string, value: string): string {
  const members = new URLSearchParams(query);
  if (value === "") members.delete(name);
  else members.set(name, value);
  return members.toString();
}

/** What is chosen beside a view, and stays when another one is. */
const KEPT = ["order", "origin"];

function toViewQuery(query: string): string {
  return KEPT.reduce((left, name) => withMember(left, name, ""), query);
}

function withView(query: string, view: string): string {
  const members = new URLSearchParams(query);
  return KEPT.reduce((made, name) => withMember(made, name, members.get(name) ?? ""), view);
}

function Filters({ query }: { query: string }): VNode {
  const members = new URLSearchParams(query);
  const choose =
    (name: string) =>
    (event: Event): void => {
      const { value } = event.currentTarget as HTMLSelectElement;
      location.hash = toQueueAddress(withMember(query, name, value));
    };
  return html`<div class="filters" role="group" aria-label="Filter">
    ${VIEWS.map(
      (view) =>
        html`<button
          key=${view.query}
          type="button"
          aria-pressed=${toViewQuery(query) === view.query}
          onClick=${() => (location.hash = toQueueAddress(withView(query, view.query)))}
        >
          ${view.label}
        </button>`,
    )}
    <select aria-label="Origin" onChange=${choose("origin")} value=${members.get("origin") ?? ""}>
      ${ORIGINS.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
    </select>
    <select aria-label="Order" onChange=${choose("order")} value=${members.get("order") ?? ""}>
      ${ORDERS.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
    </select>
    <${SavedViews} page="queue" query=${query} toAddress=${toQueueAddress} />
  </div>`;
}

/** The queue, its query, and the key of the item that is open. */
interface QueueListProps {
  readonly queue: Queue;
  readonly query: string;
  readonly selected: string;
}

interface RowsProps extends QueueListProps {
  readonly pane: RefObject<HTMLElement | null>;
}

/** Shows the items near what is looked at, and scrolls to the one that was opened. */
function QueueRows({ queue, pane, query, selected }: RowsProps): VNode {
  const { items, isLoading, next, failure, showMore } = queue;
  const isPrinting = usePrinting();
  const shown = useWindow(pane, items, isPrinting);
  const { first, end, before, after, isScrolled, isNearEnd, scrollToRow } = shown;
  useEffect(() => {
    if (isNearEnd) showMore?.();
  }, [isNearEnd, next, failure]);
  /** Item that is to be in view, and whether it was too far away for the key that has opened it to focus it. */
  const sought = useRef("");
  const wasFar = useRef(false);
  useEffect(() => {
    sought.current = selected;
    wasFar.current = false;
  }, [selected]);
  useEffect(() => {
    if (sought.current === "") return;
    const index = items.findIndex(({ key }) => key === sought.current);
    const row = pane.current?.querySelector<HTMLElement>("[aria-current]");
    if (row) {
      row.scrollIntoView({ block: "nearest" });
      if (wasFar.current) row.focus();
      sought.current = "";
    } else if (index !== -1) {
      wasFar.current = true;
      scrollToRow(index);
    } else if (!isLoading) sought.current = "";
  });
  const isPart = before > 0 || after > 0;
  // Who scrolls has no use for a button that moves away, unless nothing more has come.
  const look = isScrolled && failure === undefined ? "more is-coming" : "more";
  return html`<ul class=${isPart ? "window" : undefined}>
      <${Space} key="before" height=${before} />
      ${items.slice(first, end).map((item) => html`<${Row} key=${item.key} item=${item} query=${query} isSelected=${item.key === selected} />`)}
      <${Space} key="after" height=${after} />
    </ul>
    ${showMore && html`<button type="button" class=${look} onClick=${showMore}>Show more</button>`}`;
}

/** Shows the queue. */
export function QueueList({ queue, query, selected }: QueueListProps): VNode {
  const { items, isLoading } = queue;
  const pane = useRef<HTMLDivElement>(null);
  return html`<nav class="list" aria-label="Review queue">
    <${Filters} query=${query} />
    <div class="scroll" ref=${pane} tabindex="-1">
      ${isLoading && html`<p class="empty" aria-busy="true">Loading…</p>`}
      ${!isLoading && items.length === 0 && html`<p class="empty">${query === "" ? "Nothing is to be reviewed." : "No item matches this filter."}</p>`}
      <${QueueRows} queue=${queue} pane=${pane} query=${query} selected=${selected} />
    </div>
  </nav>`;
}
