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

/** Moves a token from the fragment, `#token=...` or `#token=.../<page>`, into the tab's storage. */
export function takeTokenFromFragment(): void {
  const [, token, page = "/"] = /^#token=([\w-]+)(\/[a-z]*)?$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  storeToken(token);
  history.replaceState(null, "", `#${page}`);
}

/** Decodes the name of a thing, which may be any text: an agent's id. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readRoute(): Route {
  const [, path = "", id = "", query = ""] =
    /^#\/([\w-]*)(?:\/([^/?]*))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { path, id: decode(id), query };
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
