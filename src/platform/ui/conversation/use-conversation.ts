import { useRef, useState } from "preact/hooks";
import { ApiError, usePolling } from "../api.ts";
import { type ConversationDetail, loadConversation } from "./conversation-api.ts";

/** What a page can show of a conversation. */
export type ConversationState =
  | { readonly status: "failed"; readonly reason: string }
  | { readonly status: "loading" | "missing" | "offline" }
  | { readonly status: "ready"; readonly detail: ConversationDetail };

function toState(error: unknown): ConversationState {
  if (!(error instanceof ApiError)) return { status: "offline" };
  return error.status === 404 ? { status: "missing" } : { status: "failed", reason: error.message };
}

/**
 * Loads a conversation and follows it as it grows. What is shown stays where the platform does not answer for a while.
 *
 * @param wanted - Events that are to be there, if it has as many.
 */
export function useConversation(
  key: string,
  wanted: number,
  isUnmasked: boolean,
): ConversationState {
  const [state, setState] = useState<ConversationState>({ status: "loading" });
  const last = useRef<ConversationDetail | undefined>(undefined);
  usePolling(
    async (isCurrent) => {
      try {
        const old = last.current?.isUnmasked === isUnmasked ? last.current : undefined;
        const detail = await loadConversation({ key, isUnmasked }, wanted, old);
        if (!isCurrent() || detail === last.current) return;
        last.current = detail;
        setState({ status: "ready", detail });
      } catch (error) {
        const failed = toState(error);
        if (!isCurrent() || (last.current && failed.status !== "missing")) return;
        last.current = undefined;
        setState(failed);
      }
    },
    [key, wanted, isUnmasked],
  );
  return state;
}
