import { afterAll, beforeAll, expect, it } from "vitest";
import { createAgent, type JsonObject, putAgent } from "../helpers.ts";
import { listOperations, type OpenApi, type PlacedOperation } from "./operations.ts";
import { startWorld, type World } from "./world.ts";

const MAX_PAGES = 60;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (const id of ["agent-2", "agent-3", "agent-4"])
    await putAgent(world.platform, createAgent({ id }), id);
});
afterAll(() => world.platform.close());

const read = async (path: string): Promise<JsonObject> => {
  const response = await world.send("GET", path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as JsonObject;
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Reads all pages of a list, of so many rows each. */
async function readPages(address: string, from: string, limit: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  let next: string | number | null | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const begin = next === undefined ? "" : `&${from}=${next}`;
    const body = await read(`${address}?limit=${limit}${begin}`);
    rows.push(...(Object.values(body).find(isList) ?? []));
    next = body["next"] as string | number | null;
    if (next === null) return rows;
  }
  throw new Error(`${address} has no end`);
}

/** Returns the parameter that takes `next`. */
function findStart({ operation }: PlacedOperation): string | undefined {
  const names = operation.parameters.map(({ name }) => name);
  if (!names.includes("limit")) return undefined;
  return names.find((name) => ["before", "after", "offset"].includes(name));
}

it("leads through every list with `next`, and shows no row twice", async () => {
  const document = (await read("/openapi.json")) as unknown as OpenApi;
  const lists = listOperations(document).filter((placed) => findStart(placed) !== undefined);
  expect(lists.length).toBeGreaterThan(10);
  for (const placed of lists) {
    const path = placed.path.replaceAll(
      /([^/]+)\/\{(\w+)\}/g,
      (_, before: string, name: string) => `${before}/${world.known[`${before}/${name}`] ?? ""}`,
    );
    const from = findStart(placed) ?? "";
    const [whole, oneByOne] = [await readPages(path, from, 200), await readPages(path, from, 1)];
    expect(whole.length, path).toBeGreaterThan(0);
    expect(oneByOne, path).toEqual(whole);
  }
});
