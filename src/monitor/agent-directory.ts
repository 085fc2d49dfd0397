import { toRegisteredAgent, type AgentInfo, type RegisteredAgent } from "../events/agent.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { BurstLogger } from "../util/logger.ts";

const MAX_AGENTS = 10_000;

/** The agents that were registered here. */
export class AgentDirectory {
  readonly #agents = new BoundedMap<string, RegisteredAgent>(MAX_AGENTS);
  readonly #unknown = new BoundedMap<string, true>(MAX_AGENTS);
  readonly #log: BurstLogger;

  constructor(log: BurstLogger) {
    this.#log = log;
  }

  add(agent: AgentInfo): void {
    this.#agents.set(agent.id, toRegisteredAgent(agent));
  }

  get(agentId: string): RegisteredAgent | undefined {
    return this.#agents.get(agentId);
  }

  /** Looks an agent up; one that is not registered is told once. */
  find(agentId: string): RegisteredAgent | undefined {
    const agent = this.#agents.get(agentId);
    if (agent || this.#unknown.get(agentId)) return agent;
    this.#unknown.set(agentId, true);
    this.#log.log(
      "warn",
      `unknown_agent:${agentId}`,
      `agent ${agentId} is not registered: its events are tracked without model, tools and settings`,
    );
    return undefined;
  }
}
