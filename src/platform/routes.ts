import * as z from "zod";
import { agentInfoSchema } from "../events/agent.ts";
import { eventBatchSchema } from "../events/batch.ts";
import { AGENTS_PATH, BATCHES_PATH, JOSE_MEDIA_TYPE, batchAckSchema } from "../events/wire.ts";
import { lazyLooseObject } from "../events/lazy-schema.ts";
import { receiveAgent, receiveBatch } from "./delivery-routes.ts";
import { storeUnavailable } from "./health-routes.ts";
import { objectOf, OBJECT, TEXT, TIME, FLAG, wordOf } from "./openapi/json-schema.ts";
import { jsonOf, type RouteDoc, textOf } from "./openapi/route-doc.ts";
import { LOGS_PATH, TRACES_PATH } from "./otlp/otlp-paths.ts";
import { PROTOBUF_MEDIA_TYPE } from "./otlp/otlp-response.ts";
import { receiveLogs, receiveTraces } from "./otlp/otlp-routes.ts";
import {
  answerLogin,
  beginSignIn,
  CALLBACK_PATH,
  finishSignIn,
  signOut,
} from "./sign-in/sign-in-routes.ts";
import { reasonSchema, unmaskConversation } from "./unmask-routes.ts";
import { get, receive, type Route } from "./route.ts";

/** @param items - The member of an export that holds them. */
function toTelemetryDoc(summary: string, items: string): RouteDoc {
  return {
    summary,
    body: lazyLooseObject(() => ({ [items]: z.array(z.unknown()).optional() })),
    otherBodies: { [PROTOBUF_MEDIA_TYPE]: {} },
    answers: { 200: { ...jsonOf(OBJECT), [PROTOBUF_MEDIA_TYPE]: {} } },
  };
}

/** Routes that receive data. */
export const DELIVERY_ROUTES: readonly Route[] = [
  receive(
    "POST",
    BATCHES_PATH,
    {
      summary: "Receives a batch of events: 202 for a new one, 200 for one that came before.",
      body: eventBatchSchema,
      otherBodies: textOf(JOSE_MEDIA_TYPE),
      answers: { 200: jsonOf(batchAckSchema), 202: jsonOf(batchAckSchema) },
      problems: ["invalid_batch", "no_valid_event", "batch_conflict"],
    },
    receiveBatch,
  ),
  receive(
    "PUT",
    `${AGENTS_PATH}/:id`,
    {
      summary: "Receives an agent's profile: 201 for a new agent.",
      body: agentInfoSchema,
      answers: { 200: jsonOf(agentInfoSchema), 201: jsonOf(agentInfoSchema) },
      problems: ["invalid_agent"],
    },
    receiveAgent,
  ),
  receive("POST", TRACES_PATH, toTelemetryDoc("Receives spans.", "resourceSpans"), receiveTraces),
  receive("POST", LOGS_PATH, toTelemetryDoc("Receives log records.", "resourceLogs"), receiveLogs),
];

const NOTHING = {};

/** Routes with which people sign in and out. */
export const SIGN_IN_ROUTES: readonly Route[] = [
  get(
    "/api/login",
    {},
    {
      summary: "Says how people sign in.",
      answers: { 200: jsonOf(objectOf<{ readonly oidc: boolean }>({ oidc: FLAG })) },
    },
    answerLogin,
  ),
  {
    method: "POST",
    path: "/api/login/start",
    query: {},
    doc: {
      summary: "Begins a sign-in with the identity provider.",
      answers: { 200: jsonOf(objectOf<{ readonly url: string }>({ url: TEXT })) },
      problems: ["not_found"],
    },
    answer: beginSignIn,
  },
  {
    method: "POST",
    path: "/api/logout",
    query: {},
    doc: { summary: "Ends the session of who asks.", answers: { 200: jsonOf(OBJECT) } },
    answer: signOut,
  },
  {
    method: "GET",
    path: CALLBACK_PATH,
    // A provider may add members of its own.
    query: undefined,
    doc: {
      summary: "Ends a sign-in, and begins a session: the provider sends the browser here.",
      answers: { 303: NOTHING },
      problems: ["unauthorized", "forbidden", "not_found"],
    },
    answer: finishSignIn,
  },
];

/** Routes that show more than everybody may see. */
export const UNMASK_ROUTES: readonly Route[] = [
  receive(
    "POST",
    "/api/conversations/:key/unmask",
    {
      summary: "Lets who says why see a conversation unmasked for ten minutes.",
      body: reasonSchema,
      answers: {
        200: jsonOf(objectOf<Record<"key" | "until", unknown>>({ key: TEXT, until: TIME })),
      },
      problems: ["not_found"],
      role: "reviewer",
      isOnce: true,
    },
    unmaskConversation,
  ),
];

const toHealth = (status: string) =>
  jsonOf(objectOf<{ readonly status: string }>({ status: wordOf([status]) }));

/** Routes without authentication: whether the process is alive, and whether a batch would be stored now. */
export const HEALTH_ROUTES: readonly Route[] = [
  get(
    "/healthz",
    {},
    { summary: "Says that the process lives.", answers: { 200: toHealth("ok") } },
    (_, context) => context.json({ status: "ok" }),
  ),
  get(
    "/readyz",
    {},
    { summary: "Says whether a batch would be stored now.", answers: { 200: toHealth("ready") } },
    async ({ store }, context) => {
      if (await store.probe()) return context.json({ status: "ready" });
      throw storeUnavailable();
    },
  ),
];
