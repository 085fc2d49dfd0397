import { expect, it } from "vitest";
import { toNamedUuid } from "../../src/util/ids.ts";

it("makes a UUID version 8 of texts: one for the same, others for others", () => {
  const id = toNamedUuid("answer", "privacy", "1");
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(toNamedUuid("answer", "privacy", "1")).toBe(id);
  expect(toNamedUuid("answer", "privacy1", "")).not.toBe(id);
  // A process of tomorrow must give the same.
  expect(toNamedUuid("a", "b")).toBe("0473ef2d-c0d3-84ab-a59d-3580c1134e9d");
});
