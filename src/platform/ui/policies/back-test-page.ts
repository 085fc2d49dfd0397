/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BackTest } from "../../policies/back-tests.ts";
import { ApiError, usePolling } from "../api.ts";
import { BackTestResults } from "./back-test-results.ts";
import { formatCount } from "../../../util/count-noun.ts";
import { formatDateTime } from "../parts/format.ts";
import {
  type BackTestRequest,
  cancelBackTest,
  loadBackTest,
  loadBackTests,
  startBackTest,
} from "./policy-api.ts";

const MAX_ANSWERS = 5000;
const DAY_MILLIS = 86_400_000;

const STATES: Readonly<Record<BackTest["state"], string>> = {
  running: "running",
  done: "done",
  cancelled: "cancelled",
  stopped: "stopped: its time was over. Choose fewer answers.",
  failed: "failed: see the log of the platform",
};

function Progress({ test, onCancel }: { test: BackTest; onCancel: () => void }): VNode {
  const { progress, state, pack, startedBy, startedAt } = test;
  const total = progress.total ?? 0;
  const isRunning = state === "running";
  return html`<div class="progress-line" role="status">
      <strong>${pack.title} ${pack.version}</strong>
      <progress
        value=${progress.done}
        max=${Math.max(total, 1)}
        aria-label="Answers evaluated"
      ></progress>
      <span class="nowrap"
        >${progress.total === null ? "looking for answers" : `${formatCount(progress.done)} of ${formatCount(total)} answers`}</span
      >
      <span>${STATES[state]}</span>
      ${isRunning && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
    </div>
    <p class="muted note">
      Started ${formatDateTime(startedAt)} UTC by ${startedBy}; the pack's digest is
      <code> ${pack.sha256.slice(0, 16)}</code>. It stands in the audit trail.
    </p>`;
}

function toMillis(date: string, plus: number): number | undefined {
  const millis = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(millis) ? millis + plus : undefined;
}

async function readRequest(form: HTMLFormElement): Promise<BackTestRequest> {
  const fields = new FormData(form);
  const read = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const from = toMillis(read("from"), 0);
  const to = toMillis(read("to"), DAY_MILLIS);
  return {
    pack: read("pack"),
    limit: Number(read("limit")),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

interface FormProps {
  readonly isRunning: boolean;
  readonly onStart: (test: BackTest) => void;
}

function BackTestForm({ isRunning, onStart }: FormProps): VNode {
  const [pack, setPack] = useState("");
  const [problems, setProblems] = useState<readonly string[]>([]);
  const takeFile = (event: Event): void => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    if (file) void file.text().then(setPack);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void readRequest(event.currentTarget as HTMLFormElement)
      .then(startBackTest)
      .then((test) => {
        setProblems([]);
        onStart(test);
      })
      .catch((error: unknown) => {
        const said = error instanceof Error ? error.message : "the platform does not answer";
        setProblems([said, ...(error instanceof ApiError ? error.problems : [])]);
      });
  };
  return html`<form class="stack" onSubmit=${submit}>
      <label>
        Pack, as YAML
        <textarea
          class="code"
          name="pack"
          rows="10"
          spellcheck="false"
          required
          value=${pack}
          onInput=${(event: Event) => setPack((event.currentTarget as HTMLTextAreaElement).value)}
        ></textarea>
      </label>
      <div class="fields">
        <label>or a file <input type="file" accept=".yaml,.yml" onChange=${takeFile} /></label>
        <label>From (UTC) <input type="date" name="from" /></label>
        <label>To <input type="date" name="to" /></label>
        <label
          >Answers at most
          <input type="number" name="limit" min="1" max=${MAX_ANSWERS} value="1000" required
        /></label>
        <button type="submit" class="primary" disabled=${isRunning}>Run</button>
      </div>
    </form>
    <div role="alert">
      ${
        problems.length > 0 &&
        html`<ul class="problems">
          ${problems.map((problem) => html`<li key=${problem}>${problem}</li>`)}
        </ul>`
      }
    </div>`;
}

/** Follows a test until it has ended. */
function useBackTest() {
  const [test, setTest] = useState<BackTest>();
  const id = test?.id;
  useEffect(() => {
    void loadBackTests()
      .then(([newest]) => newest && loadBackTest(newest.id).then(setTest))
      .catch(() => undefined);
  }, []);
  const isRunning = test?.state === "running";
  usePolling(
    async (isCurrent) => {
      if (id === undefined || !isRunning) return;
      // When the platform does not answer, the bar at the top shows it.
      const newest = await loadBackTest(id).catch(() => undefined);
      if (newest && isCurrent()) setTest(newest);
    },
    [id, isRunning],
  );
  return { test, setTest, isRunning };
}

/** Runs a bank's own pack over what is stored, before it is switched on. */
export function BackTestPage(): VNode {
  const { test, setTest, isRunning } = useBackTest();
  const cancel = (): void => {
    if (test) void cancelBackTest(test.id).catch(() => undefined);
  };
  return html`<section class="card" aria-label="Back-test">
      <h3>Try a pack on stored answers</h3>
      <p class="muted">
        The newest answers of the period are evaluated with the pack and without it. Nothing else
        changes; it takes the role supervisor.
      </p>
      <${BackTestForm} isRunning=${isRunning} onStart=${setTest} />
    </section>
    ${
      test &&
      html`<section class="card" aria-label="Result of the back-test">
        <h3>Result</h3>
        <${Progress} test=${test} onCancel=${cancel} />
        ${test.result && html`<${BackTestResults} result=${test.result} />`}
      </section>`
    }`;
}
