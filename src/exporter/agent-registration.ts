import type { AgentInfo } from "../events/agent.ts";
import { AGENTS_PATH } from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import { keepAliveUntil } from "../util/sleep.ts";
import { toSendResult, type SendResult } from "./answer.ts";
import type { Transport } from "./http-transport.ts";
import { sendWithRetries, type RetryOptions } from "./retry.ts";

/** A registration that failed is sent again after this time. */
const RETRY_INTERVAL_MILLIS = 60_000;
const MAX_WAITING_AGENTS = 1000;

export interface AgentRegistrationOptions {
  readonly transport: Transport;
  readonly retry: RetryOptions;
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Tells the platform about agents. */
export interface AgentRegistration {
  /**
   * Sends a profile, with retries.
   *
   * @throws Error when the platform did not take it; it is then sent again in the background.
   */
  register(agent: AgentInfo): Promise<void>;
  close(): void;
}

/** Creates the registration of agents; the newest profile of an id wins. */
export function createAgentRegistration({
  transport,
  retry,
  clock,
  log,
}: AgentRegistrationOptions): AgentRegistration {
  const abort = new AbortController();
  const waiting = new Map<string, AgentInfo>();
  let cancelTimer: (() => void) | undefined;

  const send = (agent: AgentInfo, retryAttempts: number): Promise<SendResult> => {
    const path = `${AGENTS_PATH}/${encodeURIComponent(agent.id)}`;
    const body = Buffer.from(JSON.stringify(agent));
    const headers = { "content-type": "application/json" };
    return sendWithRetries(
      async () =>
        toSendResult(
          await transport.send({ method: "PUT", path, headers, body }, abort.signal),
          clock.now(),
        ),
      { ...retry, retryAttempts },
      abort.signal,
    );
  };

  const retryWaiting = async (): Promise<void> => {
    cancelTimer = undefined;
    for (const [id, agent] of waiting) {
      const result = await send(agent, 0);
      if (abort.signal.aborted) return;
      // A newer profile of the same id may have come while this one was on its way.
      if (result.status === "accepted" && waiting.get(id) === agent) waiting.delete(id);
    }
    schedule();
  };

  const schedule = (): void => {
    if (waiting.size === 0 || cancelTimer || abort.signal.aborted) return;
    cancelTimer = clock.schedule(() => void retryWaiting(), RETRY_INTERVAL_MILLIS);
  };

  return {
    async register(agent) {
      waiting.delete(agent.id);
      const result = await keepAliveUntil(clock, send(agent, retry.retryAttempts));
      if (result.status === "accepted") return;
      const message = `registerAgent: the platform did not take agent ${agent.id} (${result.reason})`;
      if (abort.signal.aborted) throw new Error(`${message}; the monitor is shut down`);
      if (waiting.size < MAX_WAITING_AGENTS) waiting.set(agent.id, agent);
      schedule();
      log.log("warn", "register_agent", `${message}; it is sent again in the background`);
      throw new Error(`${message}; it is registered here and sent again in the background`);
    },
    close() {
      abort.abort();
      cancelTimer?.();
    },
  };
}
