import type { AgentMonitor } from "../../../src/monitor/monitor.ts";
import type { ModelServer } from "../../helpers/model-server/index.ts";
import type { Outcome } from "../../helpers/model-server/send.ts";
import type { EventLine } from "./event-line.ts";

/** What a driver makes its client of. */
export interface Kit {
  /** The modules of the client's packages, by the names that the driver gives them. */
  readonly modules: Readonly<Record<string, any>>;
  readonly server: ModelServer;
  /** Is to be given to the client if there is one; else it takes the global one. */
  readonly fetch: typeof fetch | undefined;
  /** Is to be told by the library's own hook if there is one. */
  readonly monitor?: AgentMonitor | undefined;
}

/** One use of a client. */
export interface Scenario {
  readonly name: string;
  /** Does it, and gives what the caller sees. What it throws is a result as well. */
  run(kit: Kit): Promise<unknown>;
  /** What the platform gets, in order. */
  readonly events: readonly EventLine[];
  /** Model calls, each of which is one span; by default 1. */
  readonly calls?: number;
  /** Whether the call is open until the monitor is shut down: the client leaves the answer unread and uncancelled. */
  readonly staysOpen?: boolean;
  /** Whether spans of a hook may not end: the library does not tell of it. */
  readonly leavesSpans?: boolean;
  /** What must become of the last request; by default what becomes of it without us. */
  readonly outcome?: Outcome;
}

/** Everything that is done with one client. */
export interface Driver {
  /** Whether the client takes a `fetch`. */
  readonly takesFetch: boolean;
  scenarios(modules: Kit["modules"]): readonly Scenario[];
  /** What is done with the library's own hook, beside the observed `fetch`; `calls` are spans of every kind. */
  hookScenarios?(modules: Kit["modules"]): readonly Scenario[];
}
