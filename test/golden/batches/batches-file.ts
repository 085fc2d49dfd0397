import { createHash, createSecretKey } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { compactDecrypt } from "jose";
import {
  BATCHES_PATH,
  CONTENT_DIGEST_HEADER,
  ORGANIZATION_HEADER,
} from "../../../src/events/wire.ts";
import { createBatchEncoder, type BatchEncoder } from "../../../src/delivery/batch-sender.ts";
import type { BatchOrigin, PlannedBatch } from "../../../src/delivery/batch.ts";
import { createRequestSigner, type RequestSigner } from "../../../src/delivery/http-transport.ts";
import { createRandom } from "../../faults/support/random.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { NOW } from "../../helpers/events.ts";
import { toDigest, type GoldenFile } from "../golden-file.ts";
import { createPlanner, toContents } from "./seeded-batches.ts";

const SEED = 20_261_124;
const BATCHES = 1000;
const SHOWN_DIGITS = 12;
const ORGANIZATION = "First B\u00e4nk";
const KEY = Buffer.alloc(32, "golden");
const KEY_ID = "k1";

const FROM: BatchOrigin = {
  organizationId: ORGANIZATION,
  writerId: "01b18c1d-0000-7000-8000-00000000000a",
  platform: "https://platform.example",
  compression: "gzip",
};

const short = (hex: string): string => hex.replace(/^[a-z0-9-]+:/, "").slice(0, SHOWN_DIGITS);

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Encodes a batch as it is sent, and gives what whoever gets it reads out of it: the bytes of gzip are not ours. */
async function readEncoded(encoder: BatchEncoder, { plan, body }: PlannedBatch): Promise<string> {
  const batch = { batchId: plan.batchId, body, compression: plan.metadata.compressionType };
  const encoded = await encoder.encode(batch, ORGANIZATION, false);
  const jwe = encoder.isEncrypted ? encoded.body.toString("latin1") : undefined;
  const opened = jwe === undefined ? undefined : await compactDecrypt(jwe, createSecretKey(KEY));
  const { plaintext = encoded.body, protectedHeader = {} } = opened ?? {};
  const isGzip = opened !== undefined || encoded.headers["content-encoding"] === "gzip";
  const read = isGzip ? gunzipSync(plaintext) : Buffer.from(plaintext);
  if (!read.equals(body)) throw new Error("golden: an encoded batch is not what was encoded");
  return JSON.stringify([encoded.headers, protectedHeader]);
}

function sign(signer: RequestSigner, { plan, body }: PlannedBatch): string {
  const headers = {
    "idempotency-key": `"${plan.batchId}"`,
    [CONTENT_DIGEST_HEADER]: `sha-256=:${createHash("sha256").update(body).digest("base64")}:`,
    [ORGANIZATION_HEADER]: "First",
  };
  const url = `${FROM.platform}${BATCHES_PATH}`;
  return JSON.stringify(signer.sign({ method: "POST", url, headers }));
}

/** Says of a batch what a reader of a diff looks for: its length, its digest and its place in the chain. */
function summarise({ plan, body }: PlannedBatch): string {
  const { sequence, previous, hash, replaces } = plan.metadata.chain;
  return [
    `${body.length} ${short(sha256(body))} chain ${sequence} ${short(previous ?? "none")}`,
    ...(replaces ? [`replaces ${replaces.sequence}`] : []),
    short(hash),
  ].join(" ");
}

/** Makes the golden file of the bytes of batches, as they are sent in the clear, with a chain key, and encrypted. */
export async function toBatchesFile(): Promise<GoldenFile> {
  const random = createRandom(SEED);
  const chainKey = { keyId: KEY_ID, key: createSecretKey(KEY) };
  const encryption = { enabled: true, keyId: KEY_ID, key: KEY.toString("base64") };
  const plainEncoder = createBatchEncoder({ compression: "gzip" });
  const encrypter = createBatchEncoder({ compression: "gzip", encryption });
  const signing = { keyId: KEY_ID, key: KEY.toString("base64") };
  const signer = createRequestSigner(signing, createFakeClock(NOW));
  const planPlain = createPlanner(random, FROM);
  const planKeyed = createPlanner(random, { ...FROM, chainKey });
  const { encryptionInfo } = encrypter;
  const planEncrypted = createPlanner(random, { ...FROM, encryptionInfo });

  const lines: string[] = [];
  const details: string[] = [];
  for await (const content of toContents(random, FROM.writerId, BATCHES)) {
    const [plain, keyed, encrypted] = [
      planPlain(content),
      planKeyed(content),
      planEncrypted(content),
    ];
    const headers = [
      await readEncoded(plainEncoder, plain),
      await readEncoded(encrypter, encrypted),
    ];
    const signature = sign(signer, keyed);
    const number = String(content.number).padStart(4, "0");
    lines.push(
      [
        `${number} ${content.events.length} events`,
        `plain ${summarise(plain)}`,
        `keyed ${summarise(keyed)} signed ${short(toDigest(signature))}`,
        `encrypted ${summarise(encrypted)}`,
        `headers ${short(toDigest(headers.join("\n")))}`,
      ].join(" | "),
    );
    const others = [keyed, encrypted].map(({ body, plan }) => ({ sha256: sha256(body), ...plan }));
    details.push(plain.body.toString("utf8"), JSON.stringify([...others, headers, signature]));
  }
  const head = [
    "# batch, its events; of each form: bytes, SHA-256, place in the chain, hash before, hash",
    `# SHA-256 of all: ${toDigest(details.join("\n"))}`,
  ];
  return { path: "batches.txt", text: `${[...head, ...lines].join("\n")}\n`, details };
}
