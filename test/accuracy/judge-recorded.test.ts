import { describe, expect, it } from "vitest";
import { HELD_OUT, JUDGE_REPLIES } from "./authors/places.ts";
import { readAuthorTexts } from "./authors/texts.ts";
import { createReplay } from "./evaluate-items.ts";
import { createTextQuestions, judgeAuthorText } from "./judge/judge-text.ts";
import { readRecordedTexts } from "./judge/recorded.ts";

/** Making every request again takes half a minute; another prompt or other rules change all requests of a family. */
const MAX_TEXTS = 60;

const { byText } = readRecordedTexts(JUDGE_REPLIES);
const step = Math.max(1, Math.floor(byText.size / MAX_TEXTS));
const sample = new Set([...byText.keys()].filter((_, index) => index % step === 0));

describe("recorded replies about held-out texts", () => {
  it.skipIf(byText.size === 0)(
    "are to the requests that prompt and rules make now: record anew what has changed",
    async () => {
      const replay = createReplay([]);
      const questions = createTextQuestions();
      let [recorded, stale] = [0, 0];
      for (const text of readAuthorTexts(HELD_OUT).filter(({ id }) => sample.has(id))) {
        const made = new Set<string>();
        await judgeAuthorText(text, replay(text), {
          questions,
          isSampled: true,
          async ask({ request }) {
            made.add(request.id);
            return "not_recorded";
          },
        });
        const ids = [...(byText.get(text.id) ?? [])];
        recorded += ids.length;
        stale += ids.filter((id) => !made.has(id)).length;
      }
      expect(recorded).toBeGreaterThan(0);
      // Numbers alone: which texts are held out is for nobody to read here.
      expect(stale).toBe(0);
    },
  );
});
