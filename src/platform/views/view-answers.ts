import { COUNT, FLAG, listOf, objectOf, TEXT, TIME, wordOf } from "../openapi/json-schema.ts";
import { type ShownView, VIEW_PAGES } from "./saved-view.ts";

const VIEW = objectOf<ShownView>({
  id: TEXT,
  page: wordOf(VIEW_PAGES),
  name: TEXT,
  query: TEXT,
  isShared: FLAG,
  owner: TEXT,
  createdAt: TIME,
  changedAt: TIME,
  version: COUNT,
  mayChange: FLAG,
});
/** One view. */
export const ONE_VIEW = objectOf<{ readonly view: unknown }>({ view: VIEW });

/** Those of a page. */
export const VIEWS = objectOf<{ readonly views: unknown; readonly mayShare: unknown }>({
  views: listOf(VIEW),
  mayShare: FLAG,
});
