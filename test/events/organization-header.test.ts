import fc from "fast-check";
import { expect, it } from "vitest";
import { fromOrganizationHeader, toOrganizationHeader } from "../../src/events/wire.ts";

it.each([
  ["first-bank", "first-bank"],
  ["50%", "50%"],
  ["First Bank", "UTF-8''First%20Bank"],
  ["Crédit Agricole (Île-de-France)", "UTF-8''Cr%C3%A9dit%20Agricole%20%28%C3%8Ele-de-France%29"],
  ["三菱", "UTF-8''%E4%B8%89%E8%8F%B1"],
  ["utf-8''x", "UTF-8''utf-8%27%27x"],
])("writes %s as %s", (organizationId, header) => {
  expect(toOrganizationHeader(organizationId)).toBe(header);
});

it("gives every identifier back, and writes what a header may carry", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (organizationId) => {
      const header = toOrganizationHeader(organizationId);
      expect(header).toMatch(/^[\u0021-\u007e]+$/);
      expect(fromOrganizationHeader(header)).toBe(organizationId);
    }),
  );
});

it("reads nothing out of what is encoded wrongly", () => {
  expect(fromOrganizationHeader("UTF-8''%E4%B8")).toBeUndefined();
  expect(fromOrganizationHeader("UTF-8''%")).toBeUndefined();
});
