import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../../src/platform/index.ts";
import type { JsonObject } from "../helpers.ts";

const ROLES = ["viewer", "reviewer", "supervisor", "admin"] as const;
type Role = (typeof ROLES)[number];
const USERS = ROLES.map((role) => ({ name: `the ${role}`, role, key: `${role}-key-0123456789` }));
const PSEUDONYM_KEY = "a shared secret of pseudonyms, long enough";
const QUERY = "severity=violation&environment=production&order=risk";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0, users: USERS });
});
afterEach(() => platform.close());

async function ask(role: Role, method: string, path: string, body?: unknown) {
  const response = await fetch(platform.url + path, {
    method,
    headers: {
      authorization: `Bearer ${role}-key-0123456789`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

const save = (role: Role, members: object = {}) =>
  ask(role, "POST", "/api/views", {
    page: "conversations",
    name: "Violations",
    query: QUERY,
    ...members,
  });

async function saveId(role: Role, members: object = {}): Promise<string> {
  const { status, body } = await save(role, members);
  expect(status).toBe(201);
  return String((body["view"] as JsonObject)["id"]);
}

async function list(role: Role, page = "conversations"): Promise<JsonObject[]> {
  return (await ask(role, "GET", `/api/views?page=${page}`)).body["views"] as JsonObject[];
}

const namesOf = async (role: Role, page?: string) =>
  (await list(role, page)).map(({ name }) => name);

async function actions(): Promise<unknown[]> {
  const { body } = await ask("admin", "GET", "/api/audit");
  return (body["records"] as JsonObject[]).map(({ action }) => action);
}

describe("saved views", () => {
  it("are of who has saved them, and of one page", async () => {
    await saveId("viewer");
    await saveId("viewer", { page: "queue", query: "state=open", name: "Open" });
    expect(await list("viewer")).toMatchObject([
      { name: "Violations", query: QUERY, owner: "the viewer", isShared: false, mayChange: true },
    ]);
    expect(await namesOf("viewer", "queue")).toEqual(["Open"]);
    expect(await list("admin")).toEqual([]);
  });

  it("are changed and removed, each a record of the trail without the filters", async () => {
    const id = await saveId("reviewer");
    const changed = { name: "To look at", query: "review=true" };
    const { status, body } = await ask("reviewer", "PUT", `/api/views/${id}`, changed);
    expect({ status, view: body["view"] }).toMatchObject({ status: 200, view: changed });
    expect(await list("reviewer")).toMatchObject([changed]);
    expect((await ask("reviewer", "DELETE", `/api/views/${id}`)).status).toBe(200);
    expect(await list("reviewer")).toEqual([]);
    expect((await ask("reviewer", "DELETE", `/api/views/${id}`)).status).toBe(404);
    expect(await actions()).toEqual(["view.remove", "view.change", "view.save"]);
    const { records } = (await ask("admin", "GET", `/api/audit?subject=${id}`)).body as {
      records: JsonObject[];
    };
    expect(JSON.stringify(records)).not.toContain("review=true");
  });

  it("are nobody else's", async () => {
    const id = await saveId("reviewer");
    for (const method of ["PUT", "DELETE"])
      expect(
        await ask(
          "admin",
          method,
          `/api/views/${id}`,
          method === "PUT" ? { name: "x", query: "" } : undefined,
        ),
      ).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await namesOf("reviewer")).toEqual(["Violations"]);
  });

  it("are shared by supervisors, who alone change those", async () => {
    expect((await save("reviewer", { isShared: true })).status).toBe(403);
    const id = await saveId("supervisor", { isShared: true });
    expect(await list("viewer")).toMatchObject([{ isShared: true, mayChange: false }]);
    expect((await ask("viewer", "DELETE", `/api/views/${id}`)).status).toBe(403);
    const own = await saveId("reviewer", { name: "Mine" });
    const shared = { name: "Mine", query: QUERY, isShared: true };
    expect((await ask("reviewer", "PUT", `/api/views/${own}`, shared)).status).toBe(403);
    const renamed = { name: "All of us", query: QUERY, isShared: true };
    expect((await ask("admin", "PUT", `/api/views/${id}`, renamed)).status).toBe(200);
    expect(await namesOf("reviewer")).toEqual(["All of us", "Mine"]);
    expect(await actions()).toEqual([
      "view.change",
      "view.refused",
      "view.save",
      "view.refused",
      "view.save",
      "view.refused",
    ]);
  });

  it("have a name of their own, text as it is", async () => {
    const name = `<img src=x onerror=alert(1)> "é"`;
    await saveId("viewer", { name });
    expect(await namesOf("viewer")).toEqual([name]);
    const again = await save("viewer", { name, query: "" });
    expect(again).toMatchObject({ status: 409, body: { code: "view_conflict" } });
    await saveId("admin", { name });
    const other = await saveId("viewer", { name: "other" });
    const taken = await ask("viewer", "PUT", `/api/views/${other}`, { name, query: "" });
    expect(taken.status).toBe(409);
  });

  it("are at most a hundred a person, and a hundred shared", { timeout: 60_000 }, async () => {
    for (let count = 0; count < 100; count++)
      await saveId("supervisor", { name: `view ${count}`, isShared: true });
    expect(await save("supervisor", { name: "one more" })).toMatchObject({
      status: 409,
      body: { detail: "at most 100 views may be saved: remove one" },
    });
    expect(await save("admin", { isShared: true })).toMatchObject({ status: 409 });
    await saveId("admin");
    expect(await list("admin")).toHaveLength(101);
  });

  it.each([
    { name: "" },
    { name: " " },
    { name: "x".repeat(81) },
    { name: "two\nlines" },
    { name: "nul\0" },
    { page: "records" },
    { query: "nonsense=1" },
    { query: "risk=200" },
    { query: "severity=info&severity=warning" },
    { query: "limit=10" },
    { query: "state=any" },
    { query: `q=${"x".repeat(2000)}` },
    { query: "q=card+4539+5787+6362+1486" },
    { more: true },
  ])("refuse %j, and say why", async (members) => {
    const { status, body } = await save("viewer", members);
    expect({ status, code: body["code"] }).toEqual({ status: 422, code: "invalid_action" });
    expect(JSON.stringify(body)).not.toContain("4539");
    expect(body["errors"]).toHaveLength(1);
    expect(await list("viewer")).toEqual([]);
  });

  it("name customers by their pseudonyms where they have some", async () => {
    await platform.close();
    platform = await startPlatform({ port: 0, users: USERS, pseudonymKey: PSEUDONYM_KEY });
    expect((await save("viewer", { query: "customer=K0815" })).status).toBe(422);
    const query = "customer=customer-bcdfghjkmnpq";
    await saveId("viewer", { query });
    expect(await list("viewer")).toMatchObject([{ query }]);
  });
});
