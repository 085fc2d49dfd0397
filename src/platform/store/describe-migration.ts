import { countNoun } from "../../util/count-noun.ts";
import type { Migration } from "./schema.ts";

/** The first layout that keeps batches so that they can be given back as they came. */
const FRAME_LAYOUT = 2;

/** Says what became of an older database: what was kept, and what nobody can know any more. */
export function describeMigration({ from, to, facts }: Migration): string {
  const parts = [`database: brought from layout ${from} to ${to}, everything in it is kept`];
  if (facts && facts.events > 0)
    parts.push(`the environment of ${countNoun(facts.events, "event")} was read out of them`);
  if (facts && facts.withoutVersion > 0)
    parts.push(
      `${countNoun(facts.withoutVersion, "event does", "events do")} not say which version of the agent wrote ` +
        `${facts.withoutVersion === 1 ? "it" : "them"}: it is shown as unknown`,
    );
  if (from < FRAME_LAYOUT)
    parts.push("the batches that it had can't be exported as they were received");
  return parts.join("; ");
}
