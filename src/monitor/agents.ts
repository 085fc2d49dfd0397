import {
  type AgentInfo,
  agentInfoSchema,
  type RegisteredAgent,
  toRegisteredAgent,
} from "../events/agent.ts";
import {
  describeUnknown,
  findUnknownMembers,
  toFieldPath,
  toValidationDetails,
  type ValidationDetail,
  ValidationError,
} from "../events/validation-error.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { BurstLogger } from "../util/logger.ts";
import { toJsonValue } from "../util/safe-json.ts";
import type { Reading } from "./arguments.ts";

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

  /** Looks an agent up; one that is not registered is logged once. */
  find(agentId: string): RegisteredAgent | undefined {
    const agent = this.#agents.get(agentId);
    if (agent || this.#unknown.get(agentId)) return agent;
    this.#unknown.set(agentId, true);
    const message = `agent ${agentId} is not registered: its events are tracked without model, tools and settings`;
    this.#log.log("warn", `unknown_agent:${agentId}`, message);
    return undefined;
  }
}

/** Bound of an agent's profile in UTF-16 units of JSON. */
const MAX_PROFILE_LENGTH = 4 * 1024 * 1024;

const SUBJECT = "registerAgent";

/** Members of the application's own are welcome, but for those of the settings, which are ours; one that is like a member of ours is most likely misspelt. */
function findMisspelt(agent: unknown): ValidationDetail[] {
  return findUnknownMembers(agentInfoSchema, agent)
    .filter(({ nearest, path: [outer] }) => nearest !== undefined || outer === "complianceSettings")
    .map((member) => ({
      field: toFieldPath(member.path),
      message: describeUnknown(member),
      code: "unrecognized_keys",
    }));
}

function read(agent: unknown): Reading<AgentInfo> {
  const parsed = agentInfoSchema.safeParse(agent);
  if (!parsed.success) throw new ValidationError(SUBJECT, toValidationDetails(parsed.error.issues));
  const { value, truncated } = toJsonValue(parsed.data, MAX_PROFILE_LENGTH);
  const problems = findMisspelt(agent);
  if (truncated) {
    const message = `expected at most ${MAX_PROFILE_LENGTH} characters of JSON; what is beyond is left out`;
    problems.push({ field: "agent", message, code: "too_big" });
  }
  return { value: value as unknown as AgentInfo, problems };
}

/**
 * Reads the profile of an agent: plain JSON, whatever stands as the default of a tool's parameter.
 *
 * @param log - Gets an invalid profile as well: nobody has to wait for what comes of it.
 * @throws ValidationError that lists every problem of an invalid profile.
 */
export function readProfile(agent: unknown, log: BurstLogger): Reading<AgentInfo> {
  try {
    return read(agent);
  } catch (error) {
    // One of a getter or a proxy of the caller's may hold anything.
    const unreadable = { field: "agent", message: "can't be read", code: "custom" };
    const invalid =
      error instanceof ValidationError ? error : new ValidationError(SUBJECT, [unreadable]);
    const { message, details } = invalid;
    log.log("error", "invalid_agent", `${message}; the agent is not registered`, { details });
    throw invalid;
  }
}
