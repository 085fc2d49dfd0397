import { CONVERSATIONS_QUERY } from "../conversation-routes.ts";
import type { Customers } from "../customers/customers.ts";
import type { PlatformContext } from "../platform-context.ts";
import { maskJsonSteps, maskText } from "../masking.ts";
import { ProblemError } from "../problem.ts";
import { type QueryMembers, readMembers } from "../read-query.ts";
import { QUEUE_QUERY } from "../review-queries.ts";
import type { ChangedView, ViewPage } from "./saved-view.ts";
import { hideCustomers } from "../customers/hide-customers.ts";
import type { Steps } from "../turns.ts";

const { limit: _limit, before: _before, ...CONVERSATIONS } = CONVERSATIONS_QUERY;
const { limit: _queueLimit, after: _after, ...QUEUE } = QUEUE_QUERY;
/** Members of the address of each page. */
const MEMBERS: Readonly<Record<ViewPage, QueryMembers>> = {
  conversations: CONVERSATIONS,
  queue: QUEUE,
};

function invalidView(member: "name" | "query", detail: string): ProblemError {
  const errors = [{ pointer: `/${member}`, code: "invalid_view", detail }];
  return new ProblemError("invalid_action", "the view is invalid", { errors });
}

/** Returns whether an answer would hide something of it. */
function* isMasked(value: object, customers: Customers | undefined): Steps<boolean> {
  const json = JSON.stringify(value);
  return (yield* maskJsonSteps(json, customers)) !== json;
}

/** Reads the filters of a page, as its address has them: those that it would refuse are refused here. */
function* readFilters(
  text: string,
  page: ViewPage,
  customers: Customers | undefined,
): Steps<string> {
  const given = new URLSearchParams(text);
  try {
    readMembers(given, MEMBERS[page]);
  } catch (error) {
    throw error instanceof ProblemError ? invalidView("query", error.message) : error;
  }
  const query = given.toString();
  const hasIds =
    (yield* isMasked({ query }, customers)) ||
    (yield* isMasked(Object.fromEntries(given), customers));
  if (hasIds)
    throw invalidView("query", "expected no cards, accounts, secrets or ids of customers");
  return query;
}

/** Reads what somebody saves; a name is read by others as well. */
export function* readView<View extends ChangedView>(
  { customers }: PlatformContext,
  given: View,
  page: ViewPage,
): Steps<View> {
  const query = yield* readFilters(given.query, page, customers);
  // oxlint-disable-next-line require-yield -- a short text
  const name = yield* hideCustomers(customers, function* (mask) {
    return maskText(given.name, mask);
  });
  return { ...given, query, name };
}
