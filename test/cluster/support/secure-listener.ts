import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KafkaAccess } from "../../../src/platform/index.ts";
import { createAuthority } from "../../helpers/certificates.ts";

const SECURITY = "org.apache.kafka.common.security";

/** What brokers need to listen for clients with certificates and credentials. */
export interface SecureListener {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Make the user known as the folder of a broker is made ready. */
  readonly formatArguments: readonly string[];
  /** What a client is accepted with. */
  readonly access: { readonly tls: Required<NonNullable<KafkaAccess["tls"]>> } & Required<
    Pick<KafkaAccess, "sasl">
  >;
}

/**
 * Prepares a listener that asks for a certificate and credentials, PLAIN or SCRAM.
 *
 * @param directory - Where its certificates are written to.
 */
export function prepareSecureListener(directory: string): SecureListener {
  const authority = createAuthority("Authority of the brokers");
  const broker = authority.issue("broker");
  const certificate = join(directory, "broker.pem");
  const authorities = join(directory, "authority.pem");
  writeFileSync(certificate, `${broker.key}${broker.cert}`);
  writeFileSync(authorities, authority.cert);
  const [username, password] = ["gateway-user", "password-of-the-user"];
  const name = "SECURE";
  const prefix = `listener.name.${name.toLowerCase()}`;
  return {
    name,
    properties: {
      [`${prefix}.ssl.keystore.type`]: "PEM",
      [`${prefix}.ssl.keystore.location`]: certificate,
      [`${prefix}.ssl.truststore.type`]: "PEM",
      [`${prefix}.ssl.truststore.location`]: authorities,
      [`${prefix}.ssl.client.auth`]: "required",
      [`${prefix}.sasl.enabled.mechanisms`]: "PLAIN,SCRAM-SHA-512",
      [`${prefix}.plain.sasl.jaas.config`]: `${SECURITY}.plain.PlainLoginModule required user_${username}="${password}";`,
      [`${prefix}.scram-sha-512.sasl.jaas.config`]: `${SECURITY}.scram.ScramLoginModule required;`,
    },
    formatArguments: ["--add-scram", `SCRAM-SHA-512=[name=${username},password=${password}]`],
    access: {
      tls: { ca: authority.cert, ...authority.issue("client") },
      sasl: { mechanism: "SCRAM-SHA-512", username, password },
    },
  };
}
