import { expect, it } from "vitest";
import { SpoolBudget } from "../../../src/delivery/spool/spool-context.ts";

it("counts what this process and others have, up to the bound", () => {
  const budget = new SpoolBudget(100);
  expect(budget.hasRoomFor(100)).toBe(true);
  expect(budget.hasRoomFor(101)).toBe(false);
  budget.addOwn(60);
  budget.setOthers(30);
  expect([budget.used, budget.own]).toEqual([90, 60]);
  expect(budget.hasRoomFor(10)).toBe(true);
  expect(budget.hasRoomFor(11)).toBe(false);
  budget.addOwn(-40);
  budget.setOthers(0);
  expect(budget.used).toBe(20);
  expect(budget.hasRoomFor(80)).toBe(true);
});
