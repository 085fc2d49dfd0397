import * as z from "zod";
import { isLoopback } from "../loopback.ts";
import { ROLES, type Role } from "../review/roles.ts";

/** Returns whether an address is safe to send secrets to: TLS, or this machine. */
export function isProtected(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

const nameSchema = z.string().min(1).max(256);

/** How people sign in with the bank's identity provider. */
export interface OidcOptions {
  /** The provider's https address; http for loopback only. */
  readonly issuer: string;
  /** Id of the platform at the provider. */
  readonly clientId: string;
  /** Without one the client is public, and PKCE alone protects the code. */
  readonly clientSecret?: string | undefined;
  /**
   * Claim of the ID token that lists the user's groups.
   *
   * @defaultValue "groups"
   */
  readonly groupsClaim?: string | undefined;
  /**
   * Claim that names the user in the audit trail. It must never be given to somebody else, and users must not be able to
   * change it.
   *
   * @defaultValue "sub"
   */
  readonly nameClaim?: string | undefined;
  /**
   * Scopes that are asked for, with a space between.
   *
   * @defaultValue "openid profile"
   */
  readonly scope?: string | undefined;
  /** Role of each group; of several the highest counts. */
  readonly roles: Readonly<Record<string, Role>>;
}

export const oidcSchema = z.strictObject({
  issuer: z
    .string()
    .refine(isProtected, "expected the provider's https address; http for loopback only"),
  clientId: nameSchema,
  clientSecret: nameSchema.optional(),
  groupsClaim: nameSchema.default("groups"),
  nameClaim: nameSchema.default("sub"),
  scope: z.string().min(1).max(512).default("openid profile"),
  roles: z
    .record(nameSchema, z.enum(ROLES))
    .refine((roles) => Object.keys(roles).length > 0, "expected at least one group"),
});

/** The options with every default filled in. */
export type Oidc = z.output<typeof oidcSchema>;
