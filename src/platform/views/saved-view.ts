import * as z from "zod";

/** Pages of which the filters can be saved. */
export const VIEW_PAGES = ["conversations", "queue"] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

/** Views that one person may have saved, and that may be shared with everybody. */
export const MAX_VIEWS = 100;

// SQLite would end a text at NUL, and a name is read in one line.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f]/;

const changeable = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .refine((name) => !CONTROLS.test(name), "expected a text in one line"),
  query: z.string().max(2000).describe("Filter and order, as the address of the page has them."),
  isShared: z.boolean().default(false).describe("Whether everybody sees it; for supervisors."),
};

/** What somebody saves. */
export const newViewSchema = z.strictObject({ page: z.enum(VIEW_PAGES), ...changeable });

/** What becomes of a view that is there. */
export const changedViewSchema = z.strictObject(changeable);
export type ChangedView = z.infer<typeof changedViewSchema>;

/** Filters of a page under a name. */
export interface SavedView extends ChangedView {
  readonly id: string;
  readonly page: ViewPage;
  readonly owner: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Counts its changes, from 1. */
  readonly version: number;
}

/** A view as somebody sees it. */
export interface ShownView extends SavedView {
  readonly mayChange: boolean;
}
