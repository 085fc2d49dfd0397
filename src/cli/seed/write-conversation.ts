import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Exchange, SeedTool } from "./agent-script.ts";
import { ConversationWriter, type Occasion } from "./conversation-writer.ts";
import type { Evaluate } from "./evaluate.ts";
import type { Random } from "./random.ts";
import { fillSlots, writeSlots } from "./slots.ts";

const GREETINGS = ["", "", "", "Hi, ", "Hello. ", "Good morning. ", "Hey, "];
const OFFERS = [
  "",
  "",
  "",
  " Is there anything else?",
  " Let me know if you have another question.",
];
const THANKS = ["Thanks, that's all.", "Great, thank you.", "ok thanks", "Thank you, goodbye."];
const FAREWELLS = [
  "You're welcome. Have a good day.",
  "Glad I could help. Goodbye.",
  "Thank you for banking with us.",
];
const MORE_TOPICS = 0.3;
const MODEL_ERRORS = 0.03;

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function apologize(tool: SeedTool): string {
  return `I'm sorry, I can't do that right now: ${tool.failure}. Please try again in a few minutes, or call us.`;
}

function holdExchange(
  writer: ConversationWriter,
  { script, start }: Occasion,
  exchange: Exchange,
  random: Random,
): void {
  const slots = fillSlots(random, start);
  const userText = writeSlots(random.pick(exchange.user), slots);
  const user = capitalize(`${random.pick(GREETINGS)}${userText}`);
  writer.say(user);
  if (random.chance(MODEL_ERRORS)) writer.fail();
  const tool = script.tools.find(({ name }) => name === exchange.tool);
  const fails = exchange.toolFails === true;
  const used = tool ? [writer.callTool(tool, slots, !fails, fails)] : [];
  const isHonest = !fails && used.some(({ success }) => !success);
  const text = `${writeSlots(random.pick(exchange.answer), slots)}${random.pick(OFFERS)}`;
  writer.answer(tool && isHonest ? apologize(tool) : text, user, used);
}

/** Writes the events of a conversation in order of time, with what the rules find in it. */
export function writeConversation(
  occasion: Occasion,
  random: Random,
  evaluate: Evaluate,
): readonly DetailedEvent[] {
  const { script, version } = occasion;
  const writer = new ConversationWriter(occasion, random, evaluate);
  writer.start();
  const lapse = random.chance(version.lapses) ? random.pick(script.lapses) : undefined;
  const topics = [random.pick(script.topics)];
  while (random.chance(MORE_TOPICS)) topics.push(random.pick(script.topics));
  const exchanges = [...new Set(topics)].flatMap((topic) =>
    topic.exchanges.slice(0, random.integer(1, topic.exchanges.length)),
  );
  if (lapse) exchanges.splice(random.integer(0, exchanges.length), 0, lapse);
  for (const exchange of exchanges) {
    holdExchange(writer, occasion, exchange, random);
    if (exchange === lapse) writer.judge();
  }
  if (random.chance(0.5)) {
    const thanks = random.pick(THANKS);
    writer.say(thanks);
    writer.answer(random.pick(FAREWELLS), thanks, []);
  }
  writer.end();
  return writer.events;
}
