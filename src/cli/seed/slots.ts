import type { Random } from "./random.ts";

const MERCHANTS = [
  "Corner Grocer",
  "Blue Heron Books",
  "Lakeside Fuel",
  "Juniper Pharmacy",
  "Parcel Barn",
  "Northline Transit",
  "Copper Kettle Cafe",
  "Trailhead Outfitters",
];
const PAYEES = ["my landlord", "my sister", "the plumber", "the daycare", "the gym", "my roommate"];
const CITIES = ["Dayton", "Boise", "Tulsa", "Savannah", "Duluth", "Tacoma", "Macon", "Erie"];
const STREETS = ["Maple Street", "Harbor Road", "Cedar Avenue", "Mill Lane", "Ridge Drive"];
const ACCOUNTS = ["everyday checking", "joint checking", "savings", "money market"];
const BUSINESSES = [
  "a landscaping business",
  "a nail salon",
  "a used car lot",
  "an import company",
  "a food truck",
];
const DAY_MILLIS = 86_400_000;

const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const DAY = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

/** Values for the slots of one exchange. */
export type Slots = ReturnType<typeof fillSlots>;

/** Draws values for all slots of an exchange at a time. */
export function fillSlots(random: Random, at: number) {
  const dollars = (least: number, most: number): string =>
    MONEY.format(random.integer(least * 100, most * 100) / 100);
  const whole = (least: number, most: number, step: number): string =>
    `$${(random.integer(least / step, most / step) * step).toLocaleString("en-US")}`;
  const day = (from: number, to: number): string =>
    DAY.format(at + random.integer(from, to) * DAY_MILLIS);
  return {
    amount: dollars(80, 4200),
    small: dollars(4, 140),
    balance: dollars(120, 18_400),
    cash: whole(11_000, 24_000, 1000),
    price: whole(180_000, 620_000, 5000),
    down: whole(15_000, 90_000, 5000),
    income: whole(48_000, 160_000, 2000),
    last4: String(random.integer(1000, 9999)),
    past: day(-20, -1),
    soon: day(1, 9),
    merchant: random.pick(MERCHANTS),
    payee: random.pick(PAYEES),
    city: random.pick(CITIES),
    street: `${random.integer(2, 980)} ${random.pick(STREETS)}`,
    account: random.pick(ACCOUNTS),
    business: random.pick(BUSINESSES),
    reference: `${random.pick(["TR", "CL", "RQ"])}-${random.integer(100_000, 999_999)}`,
    case: `A-${random.integer(10_000, 99_999)}`,
    count: String(random.integer(3, 14)),
    days: String(random.integer(2, 10)),
  };
}

/** Writes the values into a text. */
export function writeSlots(template: string, slots: Slots): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    name in slots ? slots[name as keyof Slots] : whole,
  );
}
