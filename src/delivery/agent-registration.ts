import type { AgentInfo } from "../events/agent.ts";
import { AGENTS_PATH } from "../events/wire.ts";
import { keepAliveUntil } from "../util/clock.ts";
import { countNoun } from "../util/count-noun.ts";
import { toErrorName } from "../util/logger.ts";
import type { BatchSenderOptions } from "./batch-sender.ts";
import { sendWithRetries } from "./circuit.ts";
import { toSendResult, type SendResult } from "./http-transport.ts";

/** Wait before a failed registration is sent again. */
const RETRY_INTERVAL_MILLIS = 60_000;
const MAX_WAITING_AGENTS = 1000;
/** Number of agents named in the final log line about those that the platform has not accepted. */
const MAX_NAMED_AGENTS = 10;

type AgentRegistrationOptions = Pick<BatchSenderOptions, "transport" | "retry" | "clock" | "log">;

/** The newest profile of an agent on its way to the platform. */
interface Registration {
  readonly agent: AgentInfo;
  readonly abort: AbortController;
  /** Set once every retry has failed: it is sent again in the background. */
  isWaiting: boolean;
  /** Resolves when the running send has ended. */
  sent: Promise<SendResult>;
}

/** Computes the wait in ms before a profile that was not accepted is sent again. */
function toWait(result: SendResult): number {
  const asked = result.status === "retryable" ? (result.retryAfterMillis ?? 0) : 0;
  return Math.max(RETRY_INTERVAL_MILLIS, asked);
}

/** Registers agents with the platform; the newest profile of an id wins. */
export class AgentRegistration {
  readonly #options: AgentRegistrationOptions;
  readonly #newest = new Map<string, Registration>();
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: AgentRegistrationOptions) {
    this.#options = options;
  }

  /**
   * Sends a profile, with retries.
   *
   * @throws Error when the platform did not accept it; it is then sent again in the background, unless it was refused.
   */
  async register(agent: AgentInfo): Promise<void> {
    const { clock, log, transport } = this.#options;
    const registration = this.#begin(agent);
    const result = await keepAliveUntil(clock, registration.sent);
    // A newer profile has replaced this one, and the caller of that registration gets its result.
    if (!this.#isNewest(registration)) return;
    if (result.status === "accepted") {
      this.#newest.delete(agent.id);
      log.log("debug", "register_agent", `agent ${agent.id} is registered`);
      return;
    }
    const message = `registerAgent: the platform at ${transport.url} did not take agent ${agent.id} (${result.reason})`;
    registration.isWaiting = this.#isWorthWaiting(result);
    if (!registration.isWaiting) {
      this.#newest.delete(agent.id);
      const lost = `${message}; it is registered here only`;
      log.log("error", "refused_agent", lost);
      throw new Error(lost);
    }
    this.#schedule(toWait(result));
    log.log("warn", "register_agent", `${message}; it is sent again in the background`);
    throw new Error(`${message}; it is registered here and sent again in the background`);
  }

  /** Whether a profile is being sent for the first time. */
  get isBusy(): boolean {
    return this.#newest.size > this.#listWaiting().length;
  }

  /** Resolves when every profile was sent or its retries have failed. Never rejects. */
  async settled(): Promise<void> {
    const running = [...this.#newest.values()].filter(({ isWaiting }) => !isWaiting);
    await Promise.all(running.map(({ sent }) => sent));
  }

  close(): void {
    this.#isClosed = true;
    this.#reportUnregistered();
    this.#cancelTimer?.();
    for (const { abort } of this.#newest.values()) abort.abort();
  }

  #reportUnregistered(): void {
    const { log, transport } = this.#options;
    const ids = this.#listWaiting().map(({ agent }) => agent.id);
    if (ids.length === 0) return;
    const more = ids.length > MAX_NAMED_AGENTS ? ", ..." : "";
    const message = `the platform at ${transport.url} has not taken ${countNoun(ids.length, "agent")} to the end: ${ids.slice(0, MAX_NAMED_AGENTS).join(", ")}${more}`;
    log.log("warn", "unregistered", message);
  }

  /** Starts a registration after the one that it replaces, whose send is aborted. */
  #begin(agent: AgentInfo): Registration {
    const previous = this.#newest.get(agent.id);
    previous?.abort.abort();
    const abort = new AbortController();
    const sent = (async () => {
      await previous?.sent;
      return this.#send({ agent, abort }, this.#options.retry.retryAttempts);
    })();
    const registration = { agent, abort, isWaiting: false, sent };
    this.#newest.set(agent.id, registration);
    return registration;
  }

  #send(
    { agent, abort }: Pick<Registration, "agent" | "abort">,
    retryAttempts: number,
  ): Promise<SendResult> {
    const { transport, retry, clock, log } = this.#options;
    const path = `${AGENTS_PATH}/${encodeURIComponent(agent.id)}`;
    const body = Buffer.from(JSON.stringify(agent));
    const headers = { "content-type": "application/json" };
    const request = { method: "PUT", path, headers, body } as const;
    const attempt = async (): Promise<SendResult> => {
      const message = `agent ${agent.id}: sends its profile to ${transport.url}`;
      log.log("debug", "register_agent", message);
      try {
        return toSendResult(await transport.send(request, abort.signal), clock.now());
      } catch (error) {
        // A request that can't be made must not end the application with an unhandled rejection.
        return { status: "blocked", reason: `sending failed: ${toErrorName(error)}` };
      }
    };
    return sendWithRetries(attempt, { ...retry, retryAttempts }, abort.signal);
  }

  /** Returns whether to send the profile again: bytes that were refused would be refused again. */
  #isWorthWaiting({ status }: SendResult): boolean {
    const isFinal = status === "refused" || status === "conflict";
    return !isFinal && !this.#isClosed && this.#listWaiting().length < MAX_WAITING_AGENTS;
  }

  #isNewest(registration: Registration): boolean {
    return this.#newest.get(registration.agent.id) === registration;
  }

  #listWaiting(): Registration[] {
    return [...this.#newest.values()].filter(({ isWaiting }) => isWaiting);
  }

  #schedule(delayMillis: number): void {
    if (this.#isClosed || this.#cancelTimer || this.#listWaiting().length === 0) return;
    const { clock } = this.#options;
    this.#cancelTimer = clock.schedule(() => void this.#retryWaiting(), delayMillis);
  }

  /** Sends the waiting profiles again, until a retryable result shows that the platform is still unreachable. */
  async #retryWaiting(): Promise<void> {
    this.#cancelTimer = undefined;
    let delayMillis = RETRY_INTERVAL_MILLIS;
    for (const registration of this.#listWaiting()) {
      if (!this.#isNewest(registration)) continue;
      registration.sent = this.#send(registration, 0);
      const result = await registration.sent;
      if (!this.#isNewest(registration)) continue;
      this.#settle(registration, result);
      delayMillis = Math.max(delayMillis, toWait(result));
      if (result.status === "retryable") break;
    }
    this.#schedule(delayMillis);
  }

  /** Logs the final result of a profile that was sent again, and removes it. */
  #settle({ agent }: Registration, result: SendResult): void {
    const { log, transport } = this.#options;
    const isTaken = result.status === "accepted";
    if (!isTaken && this.#isWorthWaiting(result)) return;
    this.#newest.delete(agent.id);
    if (isTaken)
      log.log("info", "registered_agent", `agent ${agent.id} is registered at ${transport.url}`);
    else {
      const message = `the platform at ${transport.url} refuses agent ${agent.id} (${result.reason}); it is registered here only`;
      log.log("error", "refused_agent", message);
    }
  }
}
