import { toJudgeRules } from "../../src/assessment/judge-input.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { readBuiltInSource } from "../../src/compliance/packs/pack-source.ts";
import { judgeOptionsSchema } from "../../src/config/judge-options.ts";
import { toFamilyPrompt } from "../../src/judge/judge-request.ts";
import { toRow } from "./config-table.ts";
import { toCode, toTable } from "./markdown.ts";

const CHARACTERS_PER_TOKEN = 4;
const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Writes how long the part of a request is that is the same for all exchanges of a family. */
function toPromptTable(): string {
  const rules = toJudgeRules(builtInRules, readBuiltInSource().rules);
  const families = [...new Set(rules.map(({ category }) => category))];
  const rows = families.map((family) => {
    const own = rules.filter(({ category }) => category === family);
    const { length } = toFamilyPrompt(family, own).system;
    const tokens = Math.round(length / CHARACTERS_PER_TOKEN);
    return [toCode(family), String(own.length), formatCount(length), formatCount(tokens)];
  });
  return toTable(["Family", "Rules", "Characters", "Tokens, about"], rows);
}

/** Generates the tables of docs/judge.md. */
export const toJudgeParts = (): Record<string, string> => ({
  "judge:prompts": toPromptTable(),
  "judge:settings": toTable(
    ["Setting", "Type", "Default", "Meaning"],
    Object.entries(judgeOptionsSchema.shape).map(([name, schema]) => toRow(name, schema)),
  ),
});
