import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY } from "../helpers.ts";
import { applyAll, mutation, nastyValue } from "../mutations.ts";
import { createAnswerCheck, toSeen } from "./answer-check.ts";
import {
  listOperations,
  type OpenApi,
  type Parameter,
  type PlacedOperation,
} from "./operations.ts";
import { nastyText, valueOf } from "./values.ts";
import { ADMIN_KEY, BEARERS, startWorld, type World } from "./world.ts";

const SEED = 20_261_129;
/** Requests of each operation. */
const RUNS = 15;
const TOO_MANY_BYTES = 300_000;

let world: World;
let document: OpenApi;
let check: ReturnType<typeof createAnswerCheck>;
beforeAll(async () => {
  world = await startWorld();
  document = (await (await world.send("GET", "/openapi.json")).json()) as OpenApi;
  check = createAnswerCheck(document);
});
afterAll(() => world.platform.close());

interface Request {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

const toNameOf = (path: string, name: string): string =>
  new RegExp(`([^/]+)/\\{${name}\\}`).exec(path)?.[1] ?? "";

/** Dots would be taken out of the path by the client, what is no text can't be written. */
const isSegment = (text: string): boolean => text !== "" && !/^\.{1,2}$|\p{Surrogate}/u.test(text);

function segmentOf(path: string, { name }: Parameter): fc.Arbitrary<string> {
  const known = world.known[`${toNameOf(path, name)}/${name}`] ?? "1";
  const others = Object.values(world.known);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(known) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
    { weight: 1, arbitrary: nastyText.filter(isSegment) },
  );
}

function pathOf({ path, operation }: PlacedOperation): fc.Arbitrary<string> {
  const parameters = operation.parameters.filter((each) => each.in === "path");
  return fc
    .tuple(...parameters.map((parameter) => segmentOf(path, parameter)))
    .map((values) =>
      parameters.reduce(
        (text, { name }, index) =>
          text.replace(`{${name}}`, () => encodeURIComponent(values[index] ?? "")),
        path,
      ),
    );
}

function queryOf({ operation }: PlacedOperation): fc.Arbitrary<Request["query"]> {
  const parameters = operation.parameters.filter((each) => each.in === "query");
  const texts = parameters.map(({ name, schema }) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 5, arbitrary: valueOf(schema).map(String) },
        { weight: 1, arbitrary: nastyText },
        { weight: 1, arbitrary: fc.constantFrom(...Object.values(world.known), "WzFd", "W10") },
      ),
    ),
  );
  const unknown = fc.tuple(nastyText, nastyText);
  if (texts.length === 0)
    return fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(unknown, { maxLength: 1 }));
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(fc.oneof(...texts), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(...texts, unknown), { maxLength: 3 }) },
  );
}

const JSON_TYPE = "application/json";

interface Sent extends Pick<Request, "body"> {
  readonly mediaType: string;
}

function bodyOf({ operation }: PlacedOperation): fc.Arbitrary<Sent> {
  const content = operation.requestBody?.content;
  const schema = content?.[JSON_TYPE]?.schema;
  if (!content || !schema) return fc.constant({ body: undefined, mediaType: "" });
  const example = world.bodies[operation.operationId];
  const fromSchema = valueOf(schema);
  const given = example ? fc.oneof(fc.constant(example), fromSchema) : fromSchema;
  const changed = fc
    .tuple(given, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => applyAll(value, changes));
  const jsonOf = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Sent> =>
    values.map((value) => ({ body: JSON.stringify(value), mediaType: JSON_TYPE }));
  const bytes = fc.uint8Array({ maxLength: 60 });
  return fc.oneof(
    { weight: 6, arbitrary: jsonOf(given) },
    { weight: 5, arbitrary: jsonOf(changed) },
    { weight: 1, arbitrary: jsonOf(nastyValue) },
    {
      weight: 2,
      arbitrary: fc.record({
        body: fc.oneof(
          bytes.map((array) => new Uint8Array(array)),
          fc.constantFrom("", "{", "[]", '"', "\ufeff{}", `{"a":${"[".repeat(3000)}`),
          fc.constant("x".repeat(TOO_MANY_BYTES)),
        ),
        mediaType: fc.constantFrom(JSON_TYPE, JSON_TYPE, ...Object.keys(content)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        body: fc.constantFrom(undefined, "a=b", "{}"),
        mediaType: fc.constantFrom("", "text/plain", "application/x-www-form-urlencoded", "a/b;c"),
      }),
    },
  );
}

/** A header of visible characters; a client sends no other. */
const headerText = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 });
/** @param weight - How often it is absent for once that it is there. */
const rarely = (weight: number, values: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.oneof<fc.WeightedArbitrary<string | undefined>[]>(
    { weight, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: values },
  );

const headersOf = fc.record({
  "idempotency-key": rarely(4, fc.oneof(fc.constantFrom("one", '"two"', "three"), headerText)),
  "if-match": rarely(4, fc.oneof(fc.constantFrom('"1"', "*", 'W/"1"', '"1", "2"'), headerText)),
  "content-encoding": rarely(15, fc.constantFrom("gzip", "br", "identity")),
  "content-digest": rarely(15, fc.oneof(fc.constant("sha-256=:AAAA:"), headerText)),
  accept: rarely(4, fc.constantFrom("application/openmetrics-text", "text/html", "*/*")),
  origin: rarely(20, fc.constantFrom("http://evil.example", "null")),
});

const organizationOf = fc.oneof(
  { weight: 10, arbitrary: fc.constant("first-bank") },
  { weight: 1, arbitrary: fc.constantFrom("UTF-8''%zz", "UTF-8''%00", "x".repeat(3000)) },
);

function bearerOf({ path }: PlacedOperation): fc.Arbitrary<string> {
  const usual = path.startsWith("/v1/") ? KEY : ADMIN_KEY;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom<string>(...BEARERS) },
  );
}

function requestOf(placed: PlacedOperation): fc.Arbitrary<Request> {
  const whole = fc.tuple(
    pathOf(placed),
    queryOf(placed),
    bodyOf(placed),
    headersOf,
    bearerOf(placed),
    organizationOf,
  );
  return whole.map(([path, query, { body, mediaType }, headers, bearer, organization]) => {
    const all: Readonly<Record<string, string | undefined>> = headers;
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return {
      path,
      query,
      body,
      headers: {
        ...(Object.fromEntries(given) as Record<string, string>),
        "x-organization-id": organization,
        ...(mediaType !== "" && { "content-type": mediaType }),
        ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
      },
    };
  });
}

/** Lists what anybody would try: what is accepted, by each user, of something unknown, without a body and as another type. */
function listPlain({ path, operation }: PlacedOperation): Request[] {
  const toPath = (toId: (place: string) => string): string =>
    path.replaceAll(
      /([^/]+)\/\{(\w+)\}/g,
      (_, before: string, name: string) => `${before}/${toId(`${before}/${name}`)}`,
    );
  const example = world.bodies[operation.operationId];
  const base = {
    path: toPath((place) => encodeURIComponent(world.known[place] ?? "1")),
    query: [],
    body: example && JSON.stringify(example),
    headers: {
      "x-organization-id": "first-bank",
      authorization: `Bearer ${path.startsWith("/v1/") ? KEY : ADMIN_KEY}`,
      ...(example && { "content-type": JSON_TYPE }),
    },
  };
  const withHeaders = (headers: Readonly<Record<string, string>>): Request => ({
    ...base,
    headers: { ...base.headers, ...headers },
  });
  return [
    base,
    { ...base, path: toPath(() => "unknown") },
    { ...base, query: [["unknown", "1"]] },
    ...BEARERS.map((bearer) => withHeaders({ authorization: `Bearer ${bearer}` })),
    withHeaders({ "if-match": '"999"' }),
    withHeaders({ "idempotency-key": "not one" }),
    ...(example
      ? [
          { ...base, body: "" },
          { ...base, body: "{}" },
          { ...base, body: "x".repeat(TOO_MANY_BYTES) },
          withHeaders({ "content-type": "text/plain" }),
          withHeaders({ "content-encoding": "br" }),
          withHeaders({ "content-digest": "sha-256=:AAAA:" }),
        ]
      : []),
  ];
}

const send = (method: string, { path, query, headers, body }: Request): Promise<Response> => {
  const search = new URLSearchParams(query as [string, string][]).toString();
  const url = `${world.platform.url}${path}${search === "" ? "" : `?${search}`}`;
  return fetch(url, { method, headers, redirect: "manual", ...(body !== undefined && { body }) });
};

/** Takes away what would meet the requests that follow. */
async function tidyUp({ path }: PlacedOperation): Promise<void> {
  if (path === "/api/faults") await world.send("DELETE", "/api/faults");
}

/** What needs a provider, a test that runs, or a pack that takes seconds. */
const WITHOUT_SUCCESS = [
  "post_api_login_start",
  "get_login_callback",
  "post_api_policies_backtests",
  "get_api_policies_backtests_id",
  "delete_api_policies_backtests_id",
];

it("answers every operation in a documented way, whatever is sent", async () => {
  const failures: string[] = [];
  const succeeded = new Set<string>();
  for (const [index, placed] of listOperations(document).entries()) {
    const { method, operation } = placed;
    const samples = fc.sample(requestOf(placed), { numRuns: RUNS, seed: SEED + index });
    for (const request of [...listPlain(placed), ...samples]) {
      const response = await send(method, request);
      if (response.ok) succeeded.add(operation.operationId);
      const problem = check(placed, await toSeen(response));
      if (problem !== undefined)
        failures.push(
          `${operation.operationId} ${problem} for ${JSON.stringify(request).slice(0, 600)}`,
        );
      await tidyUp(placed);
    }
  }
  expect(failures).toEqual([]);
  const ids = listOperations(document).map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !succeeded.has(id))).toEqual(WITHOUT_SUCCESS);
  await world.verifyTrail();
  expect((await world.send("GET", "/readyz")).status).toBe(200);
}, 300_000);
