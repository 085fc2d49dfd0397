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

function readKey(): string | undefined {
  return /^#\/c\/([\w-]+)$/.exec(location.hash)?.[1];
}

/** Gives the key of the conversation that the address names, `#/c/<key>`. */
export function useConversationKey(): string | undefined {
  const [key, setKey] = useState(readKey);
  useEffect(() => {
    const update = (): void => {
      takeTokenFromFragment();
      setKey(readKey());
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return key;
}
