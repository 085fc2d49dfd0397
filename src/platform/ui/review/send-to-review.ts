/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ManualItem } from "../../review/manual-item.ts";
import type { FindingSeverity } from "../../review/review-policy.ts";
import type { ShownItem } from "../../store/review-queue.ts";
import { isShortcut } from "../parts/is-shortcut.ts";
import { toQueueAddress } from "./queue.ts";
import { addItem, loadMe, type Me } from "./review-api.ts";
import { useAction } from "../parts/use-action.ts";
import { useKeys } from "../parts/use-keys.ts";

const SEVERITIES: readonly { readonly value: FindingSeverity | ""; readonly label: string }[] = [
  { value: "", label: "as found" },
  { value: "info", label: "● info" },
  { value: "warning", label: "◆ warning" },
  { value: "violation", label: "▲ violation" },
];

function readForm(form: HTMLFormElement, key: string): ManualItem {
  const data = new FormData(form);
  const severity = data.get("severity") as FindingSeverity | "";
  const comment = (data.get("comment") as string).trim();
  return { key, comment, ...(severity !== "" && { severity }) };
}

interface DialogProps {
  readonly conversationKey: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AddDialog({ conversationKey, onClose, onDone }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const { isBusy, failure, run } = useAction();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = readForm(event.currentTarget as HTMLFormElement, conversationKey);
    void run(async () => {
      await addItem(given);
      onDone();
    });
  };
  return html`<dialog ref=${dialog} aria-label="Send to review" onClose=${onClose}>
    <h2>Send to review</h2>
    <form class="decision" onSubmit=${submit}>
      <label
        >Why it is to be reviewed
        <textarea name="comment" rows="3" maxlength="4000" required autofocus></textarea>
      </label>
      <label
        >Severity
        <select name="severity">
          ${SEVERITIES.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
        </select>
      </label>
      ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
      <div class="line">
        <button type="submit" class="primary" disabled=${isBusy}>Send</button>
        <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
      </div>
    </form>
  </dialog>`;
}

function mayAdd(me: Me | undefined, item: ShownItem | null): boolean {
  if (!me || me.role === "viewer" || (item && item.state !== "closed")) return false;
  return item === null || me.role !== "reviewer";
}

interface SendProps {
  readonly conversationKey: string;
  /** Its item, where it is or was in the queue. */
  readonly item: ShownItem | null;
}

/** Puts a conversation into the review queue by hand, by a button or by `r`; a supervisor also puts a closed one back. */
export function SendToReview({ conversationKey, item }: SendProps): VNode | null {
  const [me, setMe] = useState<Me>();
  const [state, setState] = useState<"done" | "open">();
  useEffect(() => {
    void loadMe()
      .then(setMe)
      .catch(() => undefined);
  }, []);
  const may = mayAdd(me, item);
  // The page has the item itself before long.
  useLayoutEffect(() => setState(undefined), [item?.version]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "r" || !isShortcut(event) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    setState("open");
  };
  useKeys(may ? onKey : undefined);
  if (!may) return null;
  if (state === "done")
    return html`<a href=${toQueueAddress("", conversationKey)}>In the queue</a>`;
  return html`<button
      type="button"
      data-action="send-to-review"
      aria-keyshortcuts="r"
      title="Send to review (r)"
      onClick=${() => setState("open")}
    >
      Send to review
    </button>
    ${
      state === "open" &&
      html`<${AddDialog}
        conversationKey=${conversationKey}
        onClose=${() => setState((now) => (now === "open" ? undefined : now))}
        onDone=${() => setState("done")}
      />`
    }`;
}
