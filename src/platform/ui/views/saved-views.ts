/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ShownView, ViewPage } from "../../views/saved-view.ts";
import { readField } from "../records/records-api.ts";
import { useAction } from "../parts/use-action.ts";
import { loadViews, removeView, replaceView, saveView, type Views } from "./view-api.ts";

/** Names of views are as long as this at most. */
const MAX_NAME = 80;

/** Returns the members of an address in one order. */
function toComparable(query: string): string {
  const members = new URLSearchParams(query);
  members.sort();
  return members.toString();
}

function isChecked(data: FormData, name: string): boolean {
  return data.get(name) !== null;
}

interface NameFieldsProps {
  readonly view?: ShownView;
  readonly mayShare: boolean;
}

/** Fields of what a view is called, and who sees it. */
function NameFields({ view, mayShare }: NameFieldsProps): VNode {
  return html`<label class="name"
      >Name <input name="name" required maxlength=${MAX_NAME} defaultValue=${view?.name ?? ""}
    /></label>
    ${
      mayShare &&
      html`<label
        ><input type="checkbox" name="shared" defaultChecked=${view?.isShared === true} /> for
        everybody</label
      >`
    }`;
}

interface RowProps {
  readonly view: ShownView;
  /** Present filters of the page. */
  readonly query: string;
  readonly mayShare: boolean;
  readonly address: string;
  readonly onOpen: () => void;
  readonly onChanged: (said: string) => Promise<void>;
}

function EditForm({ view, query, mayShare, onChanged, onEnd }: RowProps & { onEnd: () => void }) {
  const { isBusy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>("[name=name]")?.select(), []);
  const isOther = toComparable(view.query) !== toComparable(query) && query !== "";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const name = readField(data, "name");
    const filters = isChecked(data, "filters") ? query : view.query;
    void run(async () => {
      await replaceView(view, { name, query: filters, isShared: isChecked(data, "shared") });
      await onChanged(`${name} is changed.`);
      onEnd();
    }, form.current?.querySelector("[name=name]"));
  };
  return html`<form ref=${form} onSubmit=${submit} aria-label=${`Change ${view.name}`}>
    <${NameFields} view=${view} mayShare=${mayShare} />
    ${isOther && html`<label><input type="checkbox" name="filters" /> with the present filters</label>`}
    <span class="buttons">
      <button type="submit" disabled=${isBusy}>Save</button>
      <button type="button" onClick=${onEnd}>Cancel</button>
    </span>
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

function ViewRow(props: RowProps): VNode {
  const { view, query, address, onOpen, onChanged } = props;
  const [isEdited, setEdited] = useState(false);
  const { failure, run } = useAction();
  const { name, owner, isShared, mayChange } = view;
  const isCurrent = toComparable(view.query) === toComparable(query);
  const remove = (): void => {
    if (!confirm(`Delete the view “${name}”?`)) return;
    void run(async () => {
      await removeView(view);
      await onChanged(`${name} is deleted.`);
    });
  };
  if (isEdited) return html`<li><${EditForm} ...${props} onEnd=${() => setEdited(false)} /></li>`;
  return html`<li>
    <a href=${address} aria-current=${isCurrent ? "true" : undefined} onClick=${onOpen}>${name}</a>
    ${isShared && html`<span class="muted">shared by ${owner}</span>`}
    ${
      mayChange &&
      html`<span class="buttons">
        <button type="button" aria-label=${`Change ${name}`} onClick=${() => setEdited(true)}>
          Change
        </button>
        <button type="button" aria-label=${`Delete ${name}`} onClick=${remove}>Delete</button>
      </span>`
    }
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </li>`;
}

interface SaveFormProps {
  readonly page: ViewPage;
  readonly query: string;
  readonly mayShare: boolean;
  readonly onChanged: (said: string) => Promise<void>;
}

function SaveForm({ page, query, mayShare, onChanged }: SaveFormProps): VNode {
  const { isBusy, failure, run } = useAction();
  if (query === "")
    return html`<p class="muted">Filters that are chosen here can be saved under a name.</p>`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const name = readField(data, "name");
    void run(async () => {
      await saveView({ page, name, query, isShared: isChecked(data, "shared") });
      form.reset();
      await onChanged(`${name} is saved.`);
    }, form.querySelector("[name=name]"));
  };
  return html`<form onSubmit=${submit} aria-label="Save these filters">
    <${NameFields} mayShare=${mayShare} />
    <span class="buttons"
      ><button type="submit" disabled=${isBusy}>Save these filters</button></span
    >
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

function useViews(page: ViewPage) {
  const [loaded, setViews] = useState<Views>({ views: [], mayShare: false });
  const load = async (): Promise<void> => setViews(await loadViews(page));
  useEffect(() => {
    // Where the platform does not answer, the bar at the top says so.
    void load().catch(() => undefined);
  }, [page]);
  return { ...loaded, load };
}

/** Closes a disclosure; the focus goes back to what has opened it. */
function close(details: HTMLDetailsElement | null): void {
  if (!details) return;
  details.open = false;
  details.querySelector("summary")?.focus();
}

interface SavedViewsProps {
  readonly page: ViewPage;
  readonly query: string;
  /** Writes the address of the page with other filters. */
  readonly toAddress: (query: string) => string;
}

/** Opens, saves, changes and deletes filters under a name; what is shown stays in the address. */
export function SavedViews({ page, query, toAddress }: SavedViewsProps): VNode {
  const { views, mayShare, load } = useViews(page);
  const [said, setSaid] = useState("");
  const details = useRef<HTMLDetailsElement>(null);
  const current = views.find((view) => toComparable(view.query) === toComparable(query));
  const onChanged = async (text: string): Promise<void> => {
    await load();
    setSaid(text);
    details.current?.querySelector("summary")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close(details.current);
  };
  return html`<details class="views" ref=${details} onKeyDown=${onKeyDown}>
    <summary>${current ? `View: ${current.name}` : "Views"}</summary>
    ${
      views.length > 0 &&
      html`<ul aria-label="Saved views">
        ${views.map(
          (view) =>
            html`<${ViewRow}
              key=${view.id}
              view=${view}
              query=${query}
              mayShare=${mayShare}
              address=${toAddress(view.query)}
              onOpen=${() => close(details.current)}
              onChanged=${onChanged}
            />`,
        )}
      </ul>`
    }
    <${SaveForm} page=${page} query=${query} mayShare=${mayShare} onChanged=${onChanged} />
    <p class="muted" role="status">${said}</p>
  </details>`;
}
