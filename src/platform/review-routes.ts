import { AUDIT_EXPORT_PATH, BATCH_LINES_MEDIA_TYPE } from "../events/wire.ts";
import { COUNT, pageOf } from "./openapi/json-schema.ts";
import { jsonOf, textOf } from "./openapi/route-doc.ts";
import { manualItemSchema } from "./review/manual-item.ts";
import { bulkActionSchema, reviewActionSchema } from "./review/review-action.ts";
import {
  AUDIT_RECORD,
  FINDINGS,
  ITEM,
  ME,
  ONE_ITEM,
  RESULTS,
  WHOLE_ITEM,
} from "./review/review-answers.ts";
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
} from "./review-requests.ts";
import { get, receive, type Route } from "./route.ts";
import { UNMASKED_QUERY } from "./unmask-routes.ts";

/** Routes of the review: below /api/, so that the key is asked for, and each action looks at the role. */
export const REVIEW_ROUTES: readonly Route[] = [
  get(
    "/api/me",
    {},
    { summary: "Returns who asks, and the rules of the review.", answers: { 200: jsonOf(ME) } },
    answerMe,
  ),
  get(
    "/api/conversations/:key/findings",
    {},
    {
      summary: "Returns a conversation's findings, with its item if it is in the queue.",
      answers: { 200: jsonOf(FINDINGS) },
      problems: ["not_found"],
      version: "shown",
    },
    answerFindings,
  ),
  get(
    "/api/reviews",
    QUEUE_QUERY,
    { summary: "Lists the review queue.", answers: { 200: jsonOf(pageOf("items", ITEM)) } },
    answerQueue,
  ),
  receive(
    "POST",
    "/api/reviews",
    {
      summary: "Puts a conversation into the queue by hand, or back into it.",
      body: manualItemSchema,
      answers: { 200: jsonOf(ONE_ITEM), 201: jsonOf(ONE_ITEM) },
      problems: ["not_found", "review_conflict"],
      role: "reviewer",
      isOnce: true,
    },
    addItem,
  ),
  receive(
    "POST",
    "/api/reviews/actions",
    {
      summary: "Does the same with many items, each by itself.",
      body: bulkActionSchema,
      answers: { 200: jsonOf(RESULTS) },
      isOnce: true,
    },
    takeBulkAction,
  ),
  get(
    "/api/reviews/:key",
    UNMASKED_QUERY,
    {
      summary: "Returns an item with its findings and what was done to it.",
      answers: { 200: jsonOf(WHOLE_ITEM) },
      problems: ["forbidden", "not_found"],
      version: "shown",
    },
    answerItem,
  ),
  receive(
    "POST",
    "/api/reviews/:key/actions",
    {
      summary: "Does something with an item.",
      body: reviewActionSchema,
      answers: { 200: jsonOf(ONE_ITEM) },
      problems: ["not_found", "review_conflict"],
      role: "reviewer",
      isOnce: true,
      version: "matched",
    },
    takeAction,
  ),
  get(
    "/api/audit",
    AUDIT_QUERY,
    {
      summary: "Lists what was done, the newest first.",
      answers: { 200: jsonOf(pageOf("records", AUDIT_RECORD, COUNT)) },
    },
    answerAudit,
  ),
  get(
    AUDIT_EXPORT_PATH,
    {},
    {
      summary: "Returns the whole audit trail, a record a line.",
      answers: { 200: textOf(BATCH_LINES_MEDIA_TYPE) },
    },
    answerTrail,
  ),
];
