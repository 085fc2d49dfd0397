import * as z from "zod";
import { describe, expect, it } from "vitest";
import { agentInfoSchema } from "../../src/events/agent.ts";
import {
  describeValue,
  toFieldPath,
  toValidationDetails,
  ValidationError,
} from "../../src/events/validation-error.ts";
import { agentInfo } from "../helpers/events.ts";

describe("ValidationError", () => {
  it("is an Error that names every problem, and the first on itself", () => {
    const details = [
      { field: "a", message: "is required", code: "invalid_type", value: 1 },
      { field: "b[0]", message: "is too big", code: "too_big" },
    ];
    const error = new ValidationError("config", details);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("ValidationError");
    expect(error.message).toBe("config: a is required; b[0] is too big");
    expect(error.details).toEqual(details);
    expect(error).toMatchObject({ field: "a", value: 1 });
  });

  it("has no value where the first problem has none, and stands being empty", () => {
    expect(
      new ValidationError("x", [{ field: "a", message: "m", code: "c" }]).value,
    ).toBeUndefined();
    expect(new ValidationError("x", []).field).toBeUndefined();
  });
});

describe("toFieldPath", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b", 0, "c"], "a.b[0].c"],
    [[0], "[0]"],
    [["a", Symbol("s")], "a.Symbol(s)"],
  ])("writes %j as %s", (path, text) => {
    expect(toFieldPath(path)).toBe(text);
  });
});

describe("describeValue", () => {
  it.each([
    ["secret", "string of 6 characters"],
    [null, "null"],
    [undefined, "undefined"],
    [[1, 2], "array of 2"],
    [{ secret: 1 }, "object"],
    [5, "number"],
    [5n, "bigint"],
    [() => "secret", "function"],
  ])("says of %s that it is: %s", (value, text) => {
    expect(describeValue(value)).toBe(text);
  });
});

describe("toValidationDetails", () => {
  it("lists every problem of an agent without any of its values", () => {
    const secret = "secret-text";
    const parsed = agentInfoSchema.safeParse({
      ...agentInfo,
      id: "..",
      category: secret,
      availableTools: [{ name: "", description: 1, category: "c", riskLevel: secret }],
      complianceSettings: { sr11_7_enabled: secret, risk_threshold: 101 },
    });
    const details = toValidationDetails(parsed.error?.issues ?? []);
    expect(details.map(({ field }) => field)).toEqual([
      "id",
      "category",
      "availableTools[0].name",
      "availableTools[0].description",
      "availableTools[0].riskLevel",
      "complianceSettings.sr11_7_enabled",
      "complianceSettings.fair_lending_monitoring",
      "complianceSettings.bsa_aml_checks",
      "complianceSettings.risk_threshold",
    ]);
    expect(JSON.stringify(details)).not.toContain(secret);
    for (const detail of details) expect(detail).not.toHaveProperty("value");
  });

  it("shows the values that it is given", () => {
    const { error } = z.object({ a: z.number() }).safeParse({ a: "x" });
    const [detail] = toValidationDetails(error?.issues ?? [], () => "x");
    expect(detail).toEqual({
      field: "a",
      message: expect.any(String) as string,
      code: "invalid_type",
      value: "x",
    });
  });
});
