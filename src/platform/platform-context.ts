import type { Authenticator } from "./authentication.ts";
import type { Customers } from "./customers/customers.ts";
import type { Decrypt } from "./decryption.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Faults } from "./faults/faults.ts";
import type { Consumption } from "./kafka/consumption.ts";
import type { EventMaker } from "./otlp/event-maker.ts";
import type { BackTests } from "./policies/back-tests.ts";
import type { SteadyTime } from "./records/steady-time.ts";
import type { BodyBudget } from "./read-body.ts";
import type { MessageSender } from "./outgoing/message-sender.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import type { Store } from "./store/store.ts";
import type { Turns } from "./turns.ts";

/** Responses of a route with a status. */
export interface RequestCount {
  readonly route: string;
  readonly status: number;
  count: number;
}

/** Counts of responses, one for each route and status. */
type RequestCounts = Map<string, RequestCount>;

/** Counts a response. */
export function countRequest(counts: RequestCounts, route: string, status: number): void {
  const key = `${status} ${route}`;
  const entry = counts.get(key) ?? { route, status, count: 0 };
  entry.count++;
  counts.set(key, entry);
}

/** Context of every route. */
export interface PlatformContext {
  readonly options: ResolvedOptions;
  readonly store: Store;
  /** Runs long work in turns. */
  readonly turns: Turns;
  readonly authenticator: Authenticator;
  readonly signIn: SignIn;
  /** Customers under their pseudonyms; absent where everybody may know their ids. */
  readonly customers?: Customers | undefined;
  readonly outgoing: MessageSender;
  readonly decrypt: Decrypt;
  /** Bounds all request bodies together. */
  readonly bodies: BodyBudget;
  readonly requests: RequestCounts;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Makes events of the telemetry that is stored. */
  readonly eventMaker: EventMaker;
  /** Time that retention goes by. */
  readonly steadyTime: SteadyTime;
  /** Faults that tests set; absent where the platform takes none. */
  readonly faults?: Faults | undefined;
  /** What is taken out of Kafka; absent where nothing is. */
  readonly consumption?: Consumption | undefined;
  /** Tries packs on what is stored. */
  readonly backTests: BackTests;
}
