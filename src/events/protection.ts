import * as z from "zod";
import {
  ENCRYPTION_ALGORITHMS,
  isKeyId,
  KEY_ID_EXPECTATION,
  resolveEncryption,
  type JwkMaterial,
} from "../util/encryption-key.ts";
import { readSigningKey } from "../util/http-signature.ts";
import { isObject } from "../util/values.ts";
import { encryptionConfigSchema } from "./batch.ts";
import { lazyObject, lazySchema } from "./lazy-schema.ts";

export const encryptionOptionsSchema = lazySchema(() =>
  encryptionConfigSchema
    .extend({
      enabled: z.boolean().describe("Whether batches are encrypted."),
      algorithm: z
        .enum(ENCRYPTION_ALGORITHMS)
        .optional()
        .describe(
          "Default: by the key, `RSA-OAEP-256` (RSA), `ECDH-ES+A256KW` (EC, X25519) or `A256KW` (symmetric).",
        ),
      keyId: z
        .string()
        .optional()
        .describe("Names the key that the platform takes. Default: the `kid` of a JWK."),
      key: z
        .union([z.string(), z.custom<JwkMaterial>(isObject)], {
          error: "expected PEM, a JWK or Base64",
        })
        .optional()
        .describe(
          "The platform's public key as PEM or JWK (object or JSON text), or 32 bytes as Base64 for `A256KW` and `dir`.",
        ),
    })
    .superRefine((settings, context) => {
      const resolved = settings.enabled ? resolveEncryption(settings) : undefined;
      if (resolved === undefined || !("problem" in resolved)) return;
      context.addIssue({ code: "custom", path: [resolved.field], message: resolved.problem });
    }),
);
/** Encryption of batches for the platform alone. */
export type EncryptionOptions = z.infer<typeof encryptionOptionsSchema>;

/** Makes the schema of a key that both sides have. */
export const sharedSecretSchema = () =>
  z.string().refine((text) => readSigningKey(text) !== undefined, {
    error: "expected at least 32 bytes, as Base64 or text",
  });

export const signingOptionsSchema = lazyObject(() => ({
  keyId: z
    .string()
    .refine(isKeyId, { error: KEY_ID_EXPECTATION })
    .describe("Names the key that the platform checks with."),
  key: sharedSecretSchema().describe(
    "The shared secret: Base64 of at least 32 bytes, else text of that length.",
  ),
}));
/** Signatures on every request to the platform. */
export type SigningOptions = z.infer<typeof signingOptionsSchema>;
