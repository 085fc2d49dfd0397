import { html } from "htm/preact";
import type { VNode } from "preact";
import type { PlatformStats } from "../options.ts";
import { AgentsPage } from "./insight/agents.ts";
import { ConversationPage } from "./conversation/conversation-page.ts";
import { OverviewPage } from "./insight/overview.ts";
import { Panes } from "./parts/panes.ts";
import { QualityPage } from "./quality/quality-page.ts";
import { OperationsPage } from "./operations/operations-page.ts";
import { PolicyPage } from "./policies/policy-page.ts";
import { QueuePage } from "./review/queue-page.ts";
import { ReportPage } from "./quality/report-page.ts";
import { RecordsPage } from "./records/records-page.ts";
import type { Route } from "./route.ts";
import { TraceList, TraceView } from "./conversation/traces.ts";

/** A page of the viewer. */
export interface Page {
  /** What the bar at the top calls it. */
  readonly label: string;
  /** First part of its address. */
  readonly path: string;
  /** First part of the address of one thing on it, where that is another one. */
  readonly itemPath?: string;
  /** Whether the bar at the top has a link to it; without it, always. */
  readonly isListed?: (stats: PlatformStats | undefined) => boolean;
  readonly View: (route: Pick<Route, "id" | "query">) => VNode;
}

function TracePage({ id }: Pick<Route, "id">): VNode {
  return html`<${Panes}
    noun="Trace"
    list=${html`<${TraceList} selected=${id} />`}
    chosen=${id !== "" && html`<${TraceView} key=${id} traceId=${id} />`}
  />`;
}

const CONVERSATION_PAGE: Page = {
  label: "Conversations",
  path: "",
  itemPath: "c",
  View: ConversationPage,
};

/** All pages, in the order of the bar at the top. */
export const PAGES: readonly Page[] = [
  { label: "Queue", path: "queue", itemPath: "q", View: QueuePage },
  CONVERSATION_PAGE,
  { label: "Quality", path: "quality", View: QualityPage },
  { label: "Report", path: "report", View: ReportPage },
  { label: "Records", path: "records", View: RecordsPage },
  { label: "Overview", path: "overview", View: OverviewPage },
  { label: "Agents", path: "agents", View: AgentsPage },
  {
    label: "Traces",
    path: "traces",
    itemPath: "t",
    isListed: (stats) => stats !== undefined && stats.spans > 0,
    View: TracePage,
  },
  { label: "Policies", path: "policies", View: PolicyPage },
  { label: "Operations", path: "operations", View: OperationsPage },
];

/** Finds the page of an address; the conversations for one that is not known. */
export function findPage(path: string): Page {
  return PAGES.find((page) => page.path === path || page.itemPath === path) ?? CONVERSATION_PAGE;
}
