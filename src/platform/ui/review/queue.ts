/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ReviewOrigin } from "../../review/review-item.ts";
import type { ShownItem } from "../../store/review-queue.ts";
import { ApiError, usePolling } from "../api.ts";
import { JUDGE, SeverityBadge } from "../finding/finding.ts";
import { formatAge, formatLocal, toWords } from "../parts/format.ts";
import { loadQueue } from "./review-api.ts";
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

interface Pages {
  readonly first: readonly ShownItem[];
  readonly more: readonly ShownItem[];
  readonly next: string | null;
}

const NOTHING: Pages = { first: [], more: [], next: null };

/** Loads the queue and follows it. */
export function useQueue(query: string) {
  const [pages, setPages] = useState<Pages>();
  const [failure, setFailure] = useState<"unauthorized" | "offline">();
  const [attempt, setAttempt] = useState(0);
  const fail = (error: unknown): void =>
    setFailure(error instanceof ApiError && error.status === 401 ? "unauthorized" : "offline");
  usePolling(
    async (isCurrent) => {
      try {
        const { items, next } = await loadQueue(query);
        if (!isCurrent()) return;
        setPages((old) => ({
          first: items,
          more: old?.more ?? [],
          next: old && old.more.length > 0 ? old.next : next,
        }));
        setFailure(undefined);
      } catch (error) {
        if (isCurrent()) fail(error);
      }
    },
    [query, attempt],
  );
  useEffect(() => setPages(undefined), [query]);
  const { first, more, next } = pages ?? NOTHING;
  const showMore = async (after: string): Promise<void> => {
    const page = await loadQueue(query, after);
    setPages((old = NOTHING) => ({
      ...old,
      more: [...old.more, ...page.items],
      next: page.next,
    }));
  };
  const isFirst = new Set(first.map(({ key }) => key));
  return {
    /** Each item once: one may have moved from a later page to the first. */
    items: [...first, ...more.filter(({ key }) => !isFirst.has(key))],
    isLoading: pages === undefined,
    failure,
    showMore: next === null ? undefined : () => void showMore(next).catch(fail),
    /** Loads again at once. */
    refresh: () => setAttempt((count) => count + 1),
  };
}

/** The queue as the page shows it. */
export type Queue = ReturnType<typeof useQueue>;

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
  return html`<li>
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

/** Shows the queue. */
export function QueueList({ queue, query, selected }: QueueListProps): VNode {
  const { items, isLoading, showMore } = queue;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return html`<nav class="list" aria-label="Review queue">
    <${Filters} query=${query} />
    <div class="scroll" ref=${list}>
      ${isLoading && html`<p class="empty" aria-busy="true">Loading…</p>`}
      ${!isLoading && items.length === 0 && html`<p class="empty">${query === "" ? "Nothing is to be reviewed." : "No item matches this filter."}</p>`}
      <ul>
        ${items.map((item) => html`<${Row} key=${item.key} item=${item} query=${query} isSelected=${item.key === selected} />`)}
      </ul>
      ${showMore && html`<button type="button" class="more" onClick=${showMore}>Show more</button>`}
    </div>
  </nav>`;
}
