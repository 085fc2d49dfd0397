import { AGENTS_PATH, AUDIT_EXPORT_PATH, BATCHES_PATH } from "../events/wire.ts";
import { receiveAgent, receiveBatch } from "./delivery-routes.ts";
import { storeUnavailable } from "./health-routes.ts";
import { LOGS_PATH, receiveLogs, receiveTraces, TRACES_PATH } from "./otlp/otlp-routes.ts";
import { AUDIT_QUERY, QUEUE_QUERY } from "./review-queries.ts";
import {
  addItem,
  answerAudit,
  answerFindings,
  answerItem,
  answerMe,
  answerQueue,
  answerTrail,
  takeAction,
  takeBulkAction,
} from "./review-routes.ts";
import {
  answerLogin,
  beginSignIn,
  CALLBACK_PATH,
  finishSignIn,
  signOut,
} from "./sign-in/sign-in-routes.ts";
import { unmaskConversation, UNMASKED_QUERY } from "./unmask-routes.ts";
import { get, receive, type Route } from "./route.ts";

/** Routes that receive data. */
export const DELIVERY_ROUTES: readonly Route[] = [
  receive("POST", BATCHES_PATH, receiveBatch),
  receive("PUT", `${AGENTS_PATH}/:id`, receiveAgent),
  receive("POST", TRACES_PATH, receiveTraces),
  receive("POST", LOGS_PATH, receiveLogs),
];

/** Routes of the review: below /api/, so that the key is asked for, and each action looks at the role. */
export const REVIEW_ROUTES: readonly Route[] = [
  get("/api/me", {}, answerMe),
  get("/api/conversations/:key/findings", {}, answerFindings),
  get("/api/reviews", QUEUE_QUERY, answerQueue),
  receive("POST", "/api/reviews", addItem),
  receive("POST", "/api/reviews/actions", takeBulkAction),
  get("/api/reviews/:key", UNMASKED_QUERY, answerItem),
  receive("POST", "/api/reviews/:key/actions", takeAction),
  get("/api/audit", AUDIT_QUERY, answerAudit),
  get(AUDIT_EXPORT_PATH, {}, answerTrail),
];

/** Paths below /api/ that need no permission to read. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  "/api/login",
  "/api/login/start",
  "/api/logout",
]);

/** Routes with which people sign in and out. */
export const SIGN_IN_ROUTES: readonly Route[] = [
  get("/api/login", {}, answerLogin),
  { method: "POST", path: "/api/login/start", query: {}, answer: beginSignIn },
  { method: "POST", path: "/api/logout", query: {}, answer: signOut },
  // A provider may add members of its own.
  { method: "GET", path: CALLBACK_PATH, query: undefined, answer: finishSignIn },
];

/** Routes that show more than everybody may see. */
export const UNMASK_ROUTES: readonly Route[] = [
  receive("POST", "/api/conversations/:key/unmask", unmaskConversation),
];

/** Routes without authentication: whether the process is alive, and whether a batch would be stored now. */
export const HEALTH_ROUTES: readonly Route[] = [
  get("/healthz", {}, (_, context) => context.json({ status: "ok" })),
  get("/readyz", {}, async ({ store }, context) => {
    if (await store.probe()) return context.json({ status: "ready" });
    throw storeUnavailable();
  }),
];
