import type { ChangedView, ShownView, ViewPage } from "../../views/saved-view.ts";
import { deleteJson, getJson, postJson, putJson } from "../api.ts";

/** Views that somebody sees. */
export interface Views {
  readonly views: readonly ShownView[];
  /** Whether who works with the page may share one with everybody. */
  readonly mayShare: boolean;
}

const toPath = ({ id }: ShownView): string => `/api/views/${encodeURIComponent(id)}`;
/** The view is changed only as it was shown. */
const toMatch = ({ version }: ShownView) => ({ "if-match": `"${version}"` });

/** Loads the views of a page. */
export function loadViews(page: ViewPage): Promise<Views> {
  return getJson(`/api/views?page=${page}`);
}

/** Saves filters under a name. */
export function saveView(view: ChangedView & { readonly page: ViewPage }): Promise<object> {
  return postJson("/api/views", view);
}

/** Changes the name, the filters or the readers of a view. */
export function replaceView(shown: ShownView, view: ChangedView): Promise<object> {
  return putJson(toPath(shown), view, toMatch(shown));
}

/** Removes a view. */
export function removeView(shown: ShownView): Promise<object> {
  return deleteJson(toPath(shown), toMatch(shown));
}
