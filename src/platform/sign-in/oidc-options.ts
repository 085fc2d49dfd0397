import * as z from "zod";
import { isLoopback } from "../loopback.ts";
import { ROLES } from "../review/roles.ts";

/** Returns whether an address is safe to send secrets to: TLS, or this machine. */
export function isProtected(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

const nameSchema = z.string().min(1).max(256);

/** How people sign in with the bank's identity provider. */
export const oidcSchema = z.strictObject({
  issuer: z
    .string()
    .refine(isProtected, "expected the provider's https address; http for loopback only"),
  clientId: nameSchema,
  clientSecret: nameSchema
    .optional()
    .describe("Without one the client is public, and PKCE alone protects the code."),
  groupsClaim: nameSchema
    .default("groups")
    .describe("Claim of the ID token that lists the user's groups."),
  nameClaim: nameSchema
    .default("sub")
    .describe(
      "Claim that names the user in the audit trail. It must never be given to somebody else, and users must not be able to change it.",
    ),
  scope: z.string().min(1).max(512).default("openid profile"),
  roles: z
    .record(nameSchema, z.enum(ROLES))
    .refine((roles) => Object.keys(roles).length > 0, "expected at least one group")
    .describe("Role of each group; of several the highest counts."),
});
/** How people sign in with the bank's identity provider. */
export type OidcOptions = z.input<typeof oidcSchema>;
/** The same with every default filled in. */
export type Oidc = z.output<typeof oidcSchema>;
