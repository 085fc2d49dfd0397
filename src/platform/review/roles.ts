/** Roles, each may do what the ones before it may. */
export const ROLES = ["viewer", "reviewer", "supervisor", "admin"] as const;
/** What a user may do: what the ones before it may, and more. */
export type Role = (typeof ROLES)[number];

/** Who does something. */
export interface Actor {
  readonly name: string;
  readonly role: Role;
}

/** The platform itself, where something follows from what arrives. */
export const SYSTEM: Actor = { name: "system", role: "admin" };

/** Returns whether a role may do what another one may. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
