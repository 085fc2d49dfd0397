import type { PlatformUser } from "../../platform/index.ts";

/** Someone who decides in the made-up history. */
export interface SeedUser extends PlatformUser {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

function createUser(name: string, role: PlatformUser["role"]): SeedUser {
  // It is accepted while the history is written, within this process, and never after.
  const key = `seed-${name.replaceAll(" ", "-").toLowerCase()}-key`;
  return { name, role, key, headers: { authorization: `Bearer ${key}` } };
}

/** Who works the queue off. */
export const REVIEWERS = [
  createUser("Maya Ortega", "reviewer"),
  createUser("Tom Lindqvist", "reviewer"),
  createUser("Priya Nair", "reviewer"),
] as const;

/** Who assigns, decides what was escalated, and reopens. */
export const SUPERVISOR = createUser("Ellen Marsh", "supervisor");
