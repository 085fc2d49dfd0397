/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Suppression } from "../../quality/suppression.ts";
import type { StoredFinding } from "../../store/finding-store.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import { createSuppression, loadSuppressions } from "../quality/quality-api.ts";
import { readField } from "../records/records-api.ts";
import type { Me } from "./review-api.ts";
import { toPhrase } from "./suppression-phrase.ts";
import { useAction } from "../parts/use-action.ts";
import { isSupervisor } from "../parts/use-me.ts";

const DAY_MILLIS = 86_400_000;

/** Writes the UTC day so many days ahead, as a field of a form has it. */
function toDay(days: number): string {
  return new Date(Date.now() + days * DAY_MILLIS).toISOString().slice(0, 10);
}

/** Returns whether later findings like this one can be held back. */
function isWrong({ decision, quote }: StoredFinding): boolean {
  return decision?.disposition === "false_positive" && quote !== "";
}

/** Suppressions that hold, by the finding that each was made of; for who may make some, where one can be made. */
export function useSuppressions(me: Me | undefined, findings: readonly StoredFinding[]) {
  const isAsked = isSupervisor(me) && findings.some(isWrong);
  const [known, setKnown] = useState<ReadonlyMap<string, Suppression>>();
  const load = async (): Promise<void> => {
    const suppressions = await loadSuppressions();
    setKnown(new Map(suppressions.map((each) => [each.findingId, each])));
  };
  useEffect(() => {
    if (isAsked) void load().catch(() => undefined);
  }, [isAsked]);
  return isAsked && me && known ? { me, known, load } : undefined;
}

/** What is known of suppressions, and how it is loaded again. */
export type KnownSuppressions = NonNullable<ReturnType<typeof useSuppressions>>;

interface FormProps {
  readonly finding: StoredFinding;
  readonly agentId: string;
  readonly suppressions: KnownSuppressions;
  readonly onEnd: () => void;
}

/** What was said when it was decided, as the reason to begin with. */
function toReason({ decision }: StoredFinding): string {
  const { reasonCode = null, comment = null } = decision ?? {};
  const parts = [reasonCode === null ? "" : toWords(reasonCode), comment ?? ""];
  return parts.filter((part) => part !== "").join(": ");
}

interface FieldsProps {
  readonly finding: StoredFinding;
  readonly agentId: string;
  /** Days that it is proposed for. */
  readonly days: number;
}

function SuppressFields({ finding, agentId, days }: FieldsProps): VNode {
  return html`<p>
      Later findings of <code>${finding.rule}</code> with these words are kept, but bring no
      conversation into the queue.
    </p>
    <label
      >Words of the quote
      <textarea
        name="phrase"
        rows="2"
        required
        maxlength="300"
        defaultValue=${toPhrase(finding.quote)}
      ></textarea>
    </label>
    <label
      >In answers of
      <select name="agent">
        <option value="this">${agentId}</option>
        <option value="">every agent</option>
      </select>
    </label>
    <label
      >Until (UTC)
      <input name="until" type="date" required min=${toDay(1)} defaultValue=${toDay(days)} />
    </label>
    <label
      >Why
      <textarea
        name="reason"
        rows="2"
        required
        maxlength="4000"
        defaultValue=${toReason(finding)}
      ></textarea>
    </label>`;
}

function SuppressForm({ finding, agentId, suppressions, onEnd }: FormProps): VNode {
  const { isBusy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const { me, load } = suppressions;
  const { id, rule } = finding;
  useLayoutEffect(
    () => form.current?.querySelector<HTMLInputElement>("[name=phrase]")?.focus(),
    [],
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const field = form.current?.querySelector("[name=phrase]");
    const isOfAgent = data.get("agent") === "this";
    void run(async () => {
      await createSuppression({
        findingId: id,
        rule,
        ...(isOfAgent && { agent: agentId }),
        phrase: readField(data, "phrase"),
        until: Date.parse(readField(data, "until")),
        reason: readField(data, "reason"),
      });
      await load();
      onEnd();
    }, field);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onEnd();
  };
  return html`<form
    class="decision"
    ref=${form}
    aria-label=${`Suppress ${rule} in future`}
    onSubmit=${submit}
    onKeyDown=${onKeyDown}
  >
    <${SuppressFields} finding=${finding} agentId=${agentId} days=${me.review.suppressionDays} />
    <span class="actions">
      <button type="submit" class="primary" disabled=${isBusy}>Suppress</button>
      <button type="button" onClick=${onEnd}>Cancel</button>
    </span>
    ${failure !== "" && html`<p class="failed" role="alert">${failure}</p>`}
  </form>`;
}

interface SuppressProps {
  /** Findings of one offence. */
  readonly findings: readonly StoredFinding[];
  readonly agentId: string;
  readonly suppressions: KnownSuppressions;
}

/** Offers to hold later findings back, where one was decided to be a false positive; says so where that is done. */
export function SuppressFinding({ findings, agentId, suppressions }: SuppressProps): VNode | null {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wrong = findings.find(isWrong);
  if (!wrong) return null;
  const made = findings.map(({ id }) => suppressions.known.get(id)).find(Boolean);
  const end = (): void => {
    setOpen(false);
    // What had the focus is gone.
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>("button, a")?.focus());
  };
  return html`<div class="suppress" ref=${place}>
    <p role="status">
      ${
        made &&
        html`Findings with “${made.phrase}” are held back until ${formatDateTime(made.until)} UTC:
          <a href="#/quality">suppressions</a>`
      }
    </p>
    ${
      isOpen
        ? html`<${SuppressForm}
            finding=${wrong}
            agentId=${agentId}
            suppressions=${suppressions}
            onEnd=${end}
          />`
        : !made &&
          html`<button
            type="button"
            data-action="suppress"
            aria-label=${`Suppress ${wrong.rule} in future…`}
            onClick=${() => setOpen(true)}
          >
            Suppress in future…
          </button>`
    }
  </div>`;
}
