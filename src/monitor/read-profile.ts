import { agentInfoSchema, type AgentInfo } from "../events/agent.ts";
import {
  describeUnknown,
  findUnknownMembers,
  toFieldPath,
  toValidationDetails,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import type { BurstLogger } from "../util/logger.ts";
import { toJsonValue } from "../util/safe-json.ts";
import type { Reading } from "./read-call.ts";

/** Bound of an agent's profile in UTF-16 units of JSON. */
const MAX_PROFILE_LENGTH = 4 * 1024 * 1024;

const SUBJECT = "registerAgent";

function parse(agent: unknown): AgentInfo {
  const parsed = agentInfoSchema.safeParse(agent);
  if (!parsed.success) throw new ValidationError(SUBJECT, toValidationDetails(parsed.error.issues));
  return parsed.data;
}

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

/**
 * Reads the profile of an agent: plain JSON, whatever stands as the default of a tool's parameter.
 *
 * @param log - Told of an invalid profile as well: nobody has to wait for what comes of it.
 * @throws ValidationError that lists every problem of an invalid profile.
 */
export function readProfile(agent: unknown, log: BurstLogger): Reading<AgentInfo> {
  try {
    return read(agent);
  } catch (error) {
    if (error instanceof ValidationError) {
      const { message, details } = error;
      log.log("error", "invalid_agent", `${message}; the agent is not registered`, { details });
    }
    throw error;
  }
}

/** @throws ValidationError */
function read(agent: unknown): Reading<AgentInfo> {
  try {
    const parsed = parse(agent);
    const { value, truncated } = toJsonValue(parsed, MAX_PROFILE_LENGTH);
    const problems = findMisspelt(agent);
    if (truncated) {
      const message = `expected at most ${MAX_PROFILE_LENGTH} characters of JSON; what is beyond is left out`;
      problems.push({ field: "agent", message, code: "too_big" });
    }
    return { value: value as unknown as AgentInfo, problems };
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    // A getter or a proxy of the caller's, whose error may hold anything.
    throw new ValidationError(SUBJECT, [
      { field: "agent", message: "can't be read", code: "custom" },
    ]);
  }
}
