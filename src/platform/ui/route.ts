/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { storeToken } from "./api.ts";

/** Place in the address: `#/<page>/<id>?<query>`; the start page has no name there. */
export interface Route {
  readonly path: string;
  /** What is chosen on the page; empty where nothing is. */
  readonly id: string;
  /** Filter and order, as a page writes them. */
  readonly query: string;
}

/** Moves a token from the fragment, `#token=...`, into the tab's storage. */
export function takeTokenFromFragment(): void {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  storeToken(token);
  history.replaceState(null, "", "#/");
}

function readRoute(): Route {
  const [, path = "", id = "", query = ""] =
    /^#\/([\w-]*)(?:\/([\w.-]*))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { path, id, query };
}

/** Returns the current route, and follows the address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = (): void => {
      takeTokenFromFragment();
      setRoute(readRoute());
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}
