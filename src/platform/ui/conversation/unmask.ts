/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { postJson } from "../api.ts";

/** As long as the platform shows it. */
const UNMASKED_MILLIS = 600_000;

interface UnmaskProps {
  readonly conversationKey: string;
  readonly isUnmasked: boolean;
  /** Called with whether the conversation is to be shown unmasked. */
  readonly onChange: (isUnmasked: boolean) => void;
}

/** Asks why somebody has to see cards, accounts and the like, and shows them; the reason goes into the audit trail. */
export function UnmaskButton({ conversationKey, isUnmasked, onChange }: UnmaskProps): VNode {
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (!isUnmasked) return undefined;
    const timer = setTimeout(() => onChange(false), UNMASKED_MILLIS);
    return () => clearTimeout(timer);
  }, [isUnmasked]);
  const unmask = async (): Promise<void> => {
    const reason = prompt("Why do you have to see it unmasked? It goes into the audit trail.");
    if (reason === null || reason.trim() === "") return;
    try {
      const path = `/api/conversations/${encodeURIComponent(conversationKey)}/unmask`;
      await postJson(path, { reason: reason.trim() }, {});
      setFailure(undefined);
      onChange(true);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "it was not done");
    }
  };
  return html`${failure !== undefined && html`<span class="failed" role="alert">${failure}</span>`}
    <button
      type="button"
      data-action="unmask"
      aria-pressed=${isUnmasked}
      onClick=${() => (isUnmasked ? onChange(false) : void unmask())}
    >
      ${isUnmasked ? "Mask again" : "Unmask"}
    </button>`;
}
