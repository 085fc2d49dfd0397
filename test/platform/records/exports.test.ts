import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../../src/platform/index.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { createBatch, createEvent, START, type JsonObject } from "../helpers.ts";
import { ask, deliver, findKey, USERS, type UserName } from "./records-helpers.ts";

const PYTHON = ["/usr/bin/python3", "/usr/local/bin/python3"].find(existsSync);
const CARD = "4111 1111 1111 1111";

let directory: string;
let platform: Platform;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  platform = await startPlatform({ port: 0, users: USERS, clock: createFakeClock(START) });
});
afterEach(async () => {
  await platform.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Three conversations: with a card number, with what a spreadsheet would run, and in the other environment. */
async function fill(): Promise<void> {
  const flag = {
    rule: "own-rule",
    category: "consumer_protection",
    severity: "violation",
    description: "d",
    context: { detectedContent: `never fails, ${CARD}`, detectedPattern: "p" },
  };
  await deliver(
    platform,
    createBatch([
      createEvent("user_message", { content: `My card is ${CARD}`, userId: "customer-1" }),
      createEvent("agent_response", {
        content: `It "never" fails,\nürgent: ${CARD}`,
        complianceFlags: [flag],
        requiresReview: true,
        timestamp: START + 1000,
      }),
      createEvent("tool_call", { timestamp: START + 2000 }),
      createEvent("user_message", {
        sessionId: "session-2",
        content: '=HYPERLINK("http://bank.example")',
        userId: "customer-2",
      }),
      createEvent("user_message", {
        sessionId: "session-2",
        content: "-1+1",
        timestamp: START + 5,
      }),
      createEvent("user_message", {
        sessionId: "session-3",
        environment: "production",
        content: "😀 ".repeat(60),
      }),
    ]),
  );
}

async function download(query: string, user: UserName = "vera") {
  const response = await fetch(`${platform.url}/api/exports/conversations?${query}`, {
    headers: { authorization: `Bearer ${USERS.find(({ name }) => name === user)?.key ?? ""}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const parseLines = (bytes: Buffer): JsonObject[] =>
  bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");

async function listTrail(): Promise<JsonObject[]> {
  const { body } = await ask(platform, "vera", "/api/audit");
  return (body["records"] as JsonObject[]).map((record) => ({
    ...record,
    detail: JSON.parse(String(record["detail"])) as JsonObject,
  }));
}

function python(script: string, ...args: string[]): unknown {
  return JSON.parse(execFileSync(PYTHON ?? "", ["-c", script, ...args], { encoding: "utf8" }));
}

describe("an export as JSON Lines", () => {
  it("has every line under a digest, and what it is of in the trail", async () => {
    await fill();
    const { response, bytes } = await download("");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = parseLines(bytes);
    expect(lines.map(({ kind }) => kind)).toEqual([
      "export",
      "conversation",
      "event",
      "event",
      "event",
      "finding",
      "conversation_end",
      "conversation",
      "event",
      "event",
      "conversation_end",
      "conversation",
      "event",
      "conversation_end",
      "manifest",
    ]);
    const text = bytes.toString();
    const end = text.trimEnd().lastIndexOf("\n") + 1;
    const manifest = lines.at(-1) ?? {};
    expect(manifest).toMatchObject({
      by: "vera",
      isMasked: true,
      conversations: 3,
      events: 6,
      findings: 1,
      lines: 14,
      sha256: sha256(text.slice(0, end)),
    });
    const range = text
      .split("\n")
      .slice(1, 6)
      .map((line) => `${line}\n`);
    expect(lines[6]).toMatchObject({ lines: 5, sha256: sha256(range.join("")) });
    const [complete, begin] = await listTrail();
    expect(begin).toMatchObject({
      action: "export.begin",
      actor: "vera",
      detail: { format: "jsonl", isMasked: true, selector: {} },
    });
    expect(manifest["audit"]).toEqual({ sequence: begin?.["sequence"], hash: begin?.["hash"] });
    expect(complete).toMatchObject({
      action: "export.complete",
      detail: { begin: begin?.["sequence"], bytes: bytes.length, sha256: sha256(bytes) },
    });
  });

  it("is verified by the command, which finds what was changed, cut off or moved", async () => {
    await fill();
    const { bytes } = await download("");
    const file = join(directory, "export.jsonl");
    const verify = async (text: string) => {
      writeFileSync(file, text);
      return runCommand(["verify", file]);
    };
    const text = bytes.toString();
    const whole = await verify(text);
    expect(whole.out).toMatch(
      /^verified: 3 conversations, 6 events, 1 finding; sha256 [0-9a-f]{64}/,
    );
    expect(whole.code).toBe(0);
    const changed = await verify(text.replace("-1+1", "-1+2"));
    expect(changed.out).toMatch(/BROKEN at line 11: /);
    expect(changed.code).toBe(1);
    const lines = text.trimEnd().split("\n");
    const cut = await verify(`${lines.slice(0, 9).join("\n")}\n`);
    expect(cut.out).toMatch(/incomplete: .*its end is missing/);
    expect(cut.code).toBe(3);
    const removed = lines.filter((_, index) => index < 7 || index > 10);
    expect((await verify(`${removed.join("\n")}\n`)).code).toBe(1);
    const json = await runCommand(["verify", file, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ status: "broken" });
  });
});

describe("the command", () => {
  const run = (...args: string[]) => runCommand(["export", platform.url, ...args]);
  const key = ["--api-key", USERS[0].key];

  it("writes what the platform has to a new file, and says its digest", async () => {
    await fill();
    const file = join(directory, "a.jsonl");
    const { code, out } = await run(...key, "--customer", "customer-1", "--out", file, "--json");
    expect(code).toBe(0);
    const bytes = readFileSync(file);
    expect(JSON.parse(out)).toEqual({
      format: "jsonl",
      bytes: bytes.length,
      sha256: sha256(bytes),
    });
    expect((await runCommand(["verify", file])).code).toBe(0);
    const again = await run(...key, "--out", file);
    expect(again.err).toContain("--out: the file is there already");
    const csv = await run(...key, "--format", "csv", "--environment", "production");
    expect(csv.out.split("\r\n")).toHaveLength(3);
  });

  it("says why it can't", async () => {
    const file = join(directory, "a.csv");
    expect((await run("--out", file)).err).toContain("status 401: the API key may not read here");
    const refused = await run(...key, "--unmasked", "--reason", "r", "--out", file);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("status 403") as string,
    });
    expect(existsSync(file)).toBe(false);
    expect((await run("--format", "xml")).code).toBe(2);
    expect((await run("--json")).err).toContain("--json needs --out");
  });
});

describe("what is exported", () => {
  it.each([
    ["", 3],
    ["environment=production", 1],
    ["customer=customer-1", 1],
    ["customer=customer-3", 0],
    ["agent=agent-1", 3],
    ["agent=agent-2", 0],
    [`from=${START + 1}`, 2],
    ["to=2026-11-19", 0],
    ["organization=first-bank&environment=development", 2],
  ])("is what the filter means: %s", async (query, count) => {
    await fill();
    const { bytes } = await download(query);
    expect(parseLines(bytes).at(-1)).toMatchObject({ conversations: count });
  });

  it("may be what a hold is of", async () => {
    await fill();
    const key = await findKey(platform, "session-2", "vera");
    const selector = { conversation: key };
    const request = { matter: "Doe v. Bank", reason: "complaint", selector };
    const { body } = await ask(platform, "cara", "/api/holds", request);
    const { id } = body["hold"] as { id: number };
    const { bytes } = await download(`hold=${id}`);
    expect(parseLines(bytes).at(-1)).toMatchObject({ conversations: 1, hold: id, selector });
    expect((await download(`hold=${id}&agent=a`)).response.status).toBe(400);
    expect((await download("hold=999")).response.status).toBe(404);
  });

  it("is masked unless a supervisor says why it must not be", async () => {
    await fill();
    for (const format of ["jsonl", "csv", "rsmf"]) {
      const { bytes } = await download(`format=${format}`);
      expect(bytes.includes(CARD)).toBe(false);
    }
    expect((await download("unmasked=true&reason=subpoena")).response.status).toBe(403);
    expect((await download("unmasked=true", "cara")).response.status).toBe(400);
    const { bytes } = await download("unmasked=true&reason=subpoena", "cara");
    expect(bytes.includes(CARD)).toBe(true);
    const trail = await listTrail();
    expect(trail.slice(0, 3)).toMatchObject([
      { action: "export.complete", actor: "cara" },
      { action: "export.begin", detail: { isMasked: false, reason: "subpoena" } },
      { action: "export.refused", actor: "vera" },
    ]);
  });

  it.each(["format=xml", "from=yesterday", "from=2&to=1", "limit=2", "hold=x"])(
    "is refused where it can't be understood: %s",
    async (query) => {
      expect((await download(query)).response.status).toBe(400);
    },
  );
});

describe.skipIf(PYTHON === undefined)("what other programs read", () => {
  it("is CSV of a row each, in which nothing is a formula", async () => {
    await fill();
    const { response, bytes } = await download("format=csv&unmasked=true&reason=r", "cara");
    expect(response.headers.get("content-type")).toMatch(/^text\/csv/);
    const file = join(directory, "export.csv");
    writeFileSync(file, bytes);
    const rows = python(
      "import csv, json, sys\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))))",
      file,
    ) as Record<string, string>[];
    expect(rows).toHaveLength(7);
    expect(rows.map(({ kind }) => kind)).toContain("finding");
    expect(rows[1]).toMatchObject({
      text: `It "never" fails,\nürgent: ${CARD}`,
      "time (UTC)": "2026-11-20T14:00:01.000Z",
    });
    expect(rows[3]).toMatchObject({ rule: "own-rule", severity: "violation" });
    const texts = rows.map(({ text }) => text);
    expect(texts).toContain('\'=HYPERLINK("http://bank.example")');
    expect(texts).toContain("'-1+1");
  });

  it("is RSMF: mails with one attachment, an archive with the manifest", async () => {
    await fill();
    const { response, bytes } = await download("format=rsmf");
    expect(response.headers.get("content-type")).toBe("application/zip");
    const file = join(directory, "export.zip");
    writeFileSync(file, bytes);
    const script = `
import email, email.policy, hashlib, io, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
sums = dict(reversed(line.split("  ")) for line in archive.read("SHA256SUMS").decode().splitlines())
for name, digest in sums.items(): assert hashlib.sha256(archive.read(name)).hexdigest() == digest, name
mails = []
for name in archive.namelist():
    if not name.endswith(".rsmf"): continue
    data = archive.read(name)
    assert b"\\n" not in data.replace(b"\\r\\n", b"")
    assert all(len(line) <= 998 for line in data.split(b"\\r\\n"))
    mail = email.message_from_bytes(data, policy=email.policy.default)
    attachments = list(mail.iter_attachments())
    assert len(attachments) == 1 and attachments[0].get_filename() == "rsmf.zip"
    assert attachments[0]["Content-Transfer-Encoding"] == "base64" and not mail.defects
    inner = zipfile.ZipFile(io.BytesIO(attachments[0].get_content()))
    assert inner.testzip() is None and inner.namelist() == ["rsmf_manifest.json"]
    mails.append({
        "headers": {key: str(value) for key, value in mail.items()},
        "text": mail.get_body().get_content(),
        "manifest": json.loads(inner.read("rsmf_manifest.json")),
    })
print(json.dumps({"names": archive.namelist(), "mails": mails, "manifest": json.loads(archive.read("manifest.json"))}))
`;
    const read = python(script, file) as {
      names: string[];
      mails: { headers: Record<string, string>; text: string; manifest: JsonObject }[];
      manifest: JsonObject;
    };
    expect(read.names.slice(-2)).toEqual(["manifest.json", "SHA256SUMS"]);
    expect(read.manifest).toMatchObject({ conversations: 3, events: 6, files: 3 });
    const [first, , third] = read.mails;
    expect(first?.headers).toMatchObject({
      "X-RSMF-Version": "2.0.0",
      "X-RSMF-EventCount": "3",
      "X-RSMF-BeginDate": "2026-11-20T14:00:00.000Z",
      "X-RSMF-EndDate": "2026-11-20T14:00:02.000Z",
      "X-RSMF-Custodian": "agent-1",
      "X-RSMF-Participants": "Customer, agent-1, Tools",
    });
    expect(first?.text).toContain("Customer: My card is");
    const manifest = first?.manifest as {
      participants: { id: string }[];
      conversations: { id: string; participants: string[] }[];
      events: { participant: string; conversation: string; custom: JsonObject[] }[];
    };
    const ids = manifest.participants.map(({ id }) => id);
    for (const event of manifest.events) {
      expect(ids).toContain(event.participant);
      expect(event.conversation).toBe(manifest.conversations[0]?.id);
    }
    expect(manifest.events[1]?.custom).toMatchObject([{ name: "finding" }]);
    expect(third?.headers["Subject"]).toMatch(/^😀 😀/);
  });
});
