import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** A certificate and its key, as `node:tls` takes them. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of one test. */
export interface TestAuthority {
  readonly cert: string;
  /** Makes a certificate for 127.0.0.1, of a server or a client. */
  issue(commonName: string): TestCertificate;
}

const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const BASIC_CONSTRAINTS = "551d13";
const SUBJECT_ALT_NAME = "551d11";

function toLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100
    ? Buffer.from([0x81, length])
    : Buffer.from([0x82, length >> 8, length & 0xff]);
}

/** Writes one element of DER. @see ITU-T X.690, 8.1 */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), toLength(content.length), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer): Buffer => der(0x04, content);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const algorithm = sequence(oid(ECDSA_WITH_SHA256));

function toName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(commonName)))));
}

function toExtensions(isAuthority: boolean): Buffer {
  const isTrue = der(0x01, Buffer.from([0xff]));
  if (isAuthority)
    return sequence(sequence(oid(BASIC_CONSTRAINTS), isTrue, octets(sequence(isTrue))));
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  return sequence(sequence(oid(SUBJECT_ALT_NAME), octets(sequence(address))));
}

interface Subject {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly isAuthority: boolean;
}

/** Writes and signs a certificate that holds from 2020 to 2099. @see RFC 5280, 4.1 */
function toCertificate(subject: Subject, issuer: string, issuerKey: KeyObject): string {
  const validity = sequence(
    der(0x17, Buffer.from("200101000000Z")),
    der(0x18, Buffer.from("20990101000000Z")),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    algorithm,
    toName(issuer),
    validity,
    toName(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, toExtensions(subject.isAuthority)),
  );
  const whole = sequence(body, algorithm, bits(sign("sha256", body, issuerKey)));
  const lines = whole.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Makes a certificate authority. Node.js can't sign certificates, and not every machine has openssl. */
export function createAuthority(name: string): TestAuthority {
  const generate = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { publicKey, privateKey } = generate();
  return {
    cert: toCertificate({ name, publicKey, isAuthority: true }, name, privateKey),
    issue(commonName) {
      const pair = generate();
      const subject = { name: commonName, publicKey: pair.publicKey, isAuthority: false };
      return {
        cert: toCertificate(subject, name, privateKey),
        key: String(pair.privateKey.export({ type: "pkcs8", format: "pem" })),
      };
    },
  };
}
