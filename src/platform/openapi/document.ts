import * as z from "zod";
import { PROBLEM_MEDIA_TYPE, problemSchema } from "../../events/wire.ts";
import { VERSION } from "../../version.ts";
import { isOtlpPath } from "../otlp/otlp-paths.ts";
import type { Route } from "../route.ts";
import type { JsonSchema } from "./json-schema.ts";
import { listHeaders, listPathParameters, listQueryParameters } from "./parameters.ts";
import { isForReaders, isForSenders } from "./paths.ts";
import { listProblems } from "./problems.ts";
import type { Contents, Schema } from "./route-doc.ts";

/** What differs from platform to platform. */
export interface Conditions {
  /** Name of the cookie of sessions. */
  readonly cookieName: string;
  /** Whether whoever reaches the platform may read. */
  readonly isReadingOpen: boolean;
}

const DESCRIPTION = `What the platform of agent-monitor receives and what its pages do. A query is understood or refused.
Lists have \`next\`, which the next page takes as \`before\`, \`after\` or \`offset\`. Answers below /api/ are masked. Each GET takes HEAD as well, and a method
that a path does not have gets 405. Lines that a request may not have, and headers of more than 16 KiB, get 400 or 431 from the server below.

Of several requests of one person with the same \`Idempotency-Key\`, within 24 hours, the first is done, and all get its answer; a refusal is not kept.
\`If-Match\` guards what several people change: items of the queue. Everything else can't be lost: holds and suppressions end once (409 the second
time), the audit trail, decisions and profiles of agents are only added to, batches, events and telemetry are known again by their ids.`;

function isZod(schema: Schema): schema is z.ZodType {
  return "_zod" in schema;
}

function toJsonSchema(schema: Schema): JsonSchema {
  if (!isZod(schema)) return schema;
  // What JSON Schema can't say is checked all the same.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

function toContent(contents: Contents): JsonSchema {
  const entries = Object.entries(contents).map(([mediaType, schema]) => [
    mediaType,
    { schema: toJsonSchema(schema) },
  ]);
  return Object.fromEntries(entries) as JsonSchema;
}

const ETAG = { ETag: { description: "Version, for `If-Match`.", schema: { type: "string" } } };

function toAnswers({ doc }: Route): JsonSchema {
  const entries = Object.entries(doc.answers).map(([status, contents]) => [
    status,
    {
      description: doc.summary,
      ...(doc.version && { headers: ETAG }),
      ...(Object.keys(contents).length > 0 && { content: toContent(contents) }),
    },
  ]);
  return Object.fromEntries(entries) as JsonSchema;
}

function toProblemContent(path: string, status: number, codes: readonly string[]): JsonSchema {
  if (isOtlpPath(path)) {
    const schema = { $ref: "#/components/schemas/Status" };
    const content = { "application/json": { schema }, "application/x-protobuf": {} };
    return content;
  }
  const ours = {
    type: "object",
    properties: { code: { enum: codes }, status: { const: status } },
  };
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, ours] };
  return { [PROBLEM_MEDIA_TYPE]: { schema } };
}

function toProblems(route: Route): JsonSchema {
  const entries = Array.from(listProblems(route), ([status, codes]) => [
    status,
    { description: codes.join(", "), content: toProblemContent(route.path, status, codes) },
  ]);
  return Object.fromEntries(entries) as JsonSchema;
}

function toSecurity({ path }: Route, { isReadingOpen }: Conditions): readonly JsonSchema[] {
  if (isOtlpPath(path)) return [{ key: [] }, {}];
  if (isForSenders(path)) return [{ key: [] }];
  if (!isForReaders(path)) return [];
  return [{ key: [] }, { session: [] }, ...(isReadingOpen ? [{}] : [])];
}

function toTag(path: string): string {
  if (isForSenders(path)) return "delivery";
  const [, first = "", second] = path.split("/");
  return (first === "api" ? second : undefined) ?? "platform";
}

function toOperation(route: Route, conditions: Conditions): JsonSchema {
  const { method, path, doc } = route;
  const { summary, body, otherBodies, role } = doc;
  const bodies: Contents = { ...(body && { "application/json": body }), ...otherBodies };
  return {
    operationId: [method.toLowerCase(), ...path.split(/\W+/)].filter(Boolean).join("_"),
    summary,
    tags: [toTag(path)],
    ...(role && { description: `Least role: ${role}.` }),
    security: toSecurity(route, conditions),
    parameters: [
      ...listPathParameters(path),
      ...listQueryParameters(route.query),
      ...listHeaders(route),
    ],
    ...(body && { requestBody: { required: true, content: toContent(bodies) } }),
    responses: { ...toAnswers(route), ...toProblems(route) },
  };
}

const STATUS: JsonSchema = {
  type: "object",
  required: ["code", "message"],
  properties: { code: { type: "integer" }, message: { type: "string" } },
};

/** Describes routes as a document of OpenAPI. @see https://spec.openapis.org/oas/v3.1.1.html */
export function createDocument(routes: readonly Route[], conditions: Conditions): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = toOperation(route, conditions);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "agent-monitor platform", version: VERSION, description: DESCRIPTION },
    paths,
    components: {
      schemas: { Problem: toJsonSchema(problemSchema), Status: STATUS },
      securitySchemes: {
        key: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: conditions.cookieName },
      },
    },
  };
}
