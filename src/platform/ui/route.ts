/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { storeToken } from "./api.ts";

/** Moves a token from the fragment, `#token=...`, into the tab's storage. */
export function takeTokenFromFragment(): void {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  storeToken(token);
  history.replaceState(null, "", "#/");
}

/** Route in the address: `#/c/<key>`, `#/traces`, `#/t/<trace id>`, or else the conversations. */
export type Route =
  | { readonly page: "conversations"; readonly key: string | undefined }
  | { readonly page: "traces"; readonly traceId: string | undefined };

function readRoute(): Route {
  const traceId = /^#\/t\/([\da-f]{32})$/.exec(location.hash)?.[1];
  if (traceId !== undefined || location.hash === "#/traces") return { page: "traces", traceId };
  return { page: "conversations", key: /^#\/c\/([\w-]+)$/.exec(location.hash)?.[1] };
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
