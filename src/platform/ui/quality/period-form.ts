/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Period } from "../../quality/period.ts";
import { formatDateTime } from "../parts/format.ts";

const DAY_MILLIS = 86_400_000;
const toDay = (millis: number): string => formatDateTime(millis).slice(0, 10);

/** The days that a page shows, and where it is. */
interface PeriodFormProps {
  readonly path: string;
  readonly query: string;
  readonly period: Period;
}

/** Asks for the days of a page, the last one included, and writes them into its address. */
export function PeriodForm({ path, query, period }: PeriodFormProps): VNode {
  const choose = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [from, last] = [data.get("from") as string, data.get("last") as string];
    const members = new URLSearchParams(query);
    members.set("from", from);
    members.set("to", toDay(Date.parse(`${last}T00:00:00Z`) + DAY_MILLIS));
    location.hash = `#/${path}?${members.toString()}`;
  };
  const last = toDay(period.to - DAY_MILLIS);
  return html`<form class="period" onSubmit=${choose}>
    <label
      >From
      <input type="date" name="from" value=${toDay(period.from)} max=${last} required />
    </label>
    <label>to <input type="date" name="last" value=${last} required /></label>
    <button type="submit">Show</button>
  </form>`;
}
