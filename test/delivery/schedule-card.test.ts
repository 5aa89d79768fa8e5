import { describe, expect, it } from "vitest";
import type { Card } from "../../src/core/outbox.ts";
import { callMarkdown, callOf } from "../../src/delivery/card.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

const askedAtMs = Date.parse("2026-11-24T11:00:00Z");
const create = { action: "create", kind: "ask", when: "every monday 9:00", text: "news" };

function cardText(given: object, more: Partial<Card> = {}, language = "en"): string {
  const card: Card = {
    approvalId: "s1-abcdefghijklmnopqrstuv",
    tool: "schedule",
    arguments: JSON.stringify(given),
    facts: { zone: "Europe/Berlin", usdPerTurn: "0.05" },
    requesterName: "Ann",
    approvers: "requester",
    askedAtMs,
    expiresAtMs: askedAtMs + 1,
    ...more,
  };
  const style = { maxArguments: Infinity, asksBelow: false, moment: undefined };
  return callMarkdown(callOf(card), { ...style, locale: localeFor(language) });
}

/** What a card says above the arguments. */
const linesOf = (given: object, more: Partial<Card>): readonly string[] =>
  cardText({ ...given, id: "abc123" }, more)
    .replaceAll("\\", "")
    .split("\n\n")[1]
    ?.split("\n") ?? [];

describe("the card of a schedule", () => {
  it("says the rule, the zone, the next three times and the cost, above the arguments", () => {
    const lines = cardText(create).split("\n");
    expect(lines.slice(0, 5)).toEqual(
      [
        "**Set reminder or schedule**?",
        "",
        String.raw`every Monday at 09:00 \(Europe/Berlin\)`,
        "Next: Mon, Nov 30, 2026, 09:00 · Mon, Dec 7, 2026, 09:00 · Mon, Dec 14, 2026, 09:00",
        String.raw`About $0.20 a month, going by what answers cost in this chat.`,
      ].map((line) =>
        expect.toSatisfy(
          (shown: string) => shown.replaceAll("\\", "") === line.replaceAll("\\", ""),
        ),
      ),
    );
    expect(cardText(create)).toContain("text: news");
  });

  it.each<[object, Partial<Card>, RegExp]>([
    [{ ...create, when: "*/5 * * * *" }, {}, /About \$43\d\.\d\d a month/],
    [
      { ...create, when: "every 2h" },
      {},
      /every 2 h \\?\(Europe\/Berlin\\?\)\n[^]*About \$(?:17\.95|18\.00) a month/,
    ],
    [create, { facts: {} }, /\(?UTC\\?\)[^]*What it will cost a month is unknown/],
    [{ ...create, kind: "remind" }, {}, /It costs nothing/],
    [{ ...create, zone: "Asia/Tokyo" }, {}, /Asia\/Tokyo/],
    [{ ...create, when: "tomorrow 9:00" }, {}, /Wed, Nov 25, 2026, 09:00/],
    [
      { action: "change", id: "abc123", when: "every day 7:00" },
      {},
      /every day at 07:00[^]*Next: Wed, Nov 25/,
    ],
  ])("of %j", (given, more, expected) => {
    expect(cardText(given, more)).toMatch(expected);
  });

  const facts = {
    id: "abc123",
    schedule: JSON.stringify({
      task: { type: "ask", text: "news of\n*all*" },
      timing: { type: "cron", rule: "0 9 * * 1" },
      zone: "Asia/Tokyo",
    }),
  };
  const existing = "Currently: 💬 news of *all* · every Monday at 09:00 (Asia/Tokyo)";

  const about = "About $0.20 a month, going by what answers cost in this chat.";
  const mondays = (first: string, zone = "Asia/Tokyo") => [
    `every Monday at 09:00 (${zone})`,
    expect.stringContaining(`Next: ${first}, 09:00 · `),
    about,
  ];
  const priced = { ...facts, usdPerTurn: "0.05" };

  it.each<[object, readonly unknown[]]>([
    [{ action: "delete" }, [existing]],
    [{ action: "change", text: "x" }, [existing, ...mondays("Mon, Nov 30, 2026")]],
    [{ action: "change", paused: false }, [existing, ...mondays("Mon, Nov 30, 2026")]],
    [{ action: "change", paused: true }, [existing]],
    [
      { action: "change", zone: "europe/berlin" },
      [existing, ...mondays("Mon, Nov 30, 2026", "Europe/Berlin")],
    ],
    [
      { action: "change", when: "every day 7:00" },
      [
        existing,
        "every day at 07:00 (Asia/Tokyo)",
        expect.stringContaining("Next: Wed, Nov 25, 2026, 07:00 · "),
        expect.stringContaining("About $1.50 a month"),
      ],
    ],
    [
      { action: "change", when: "every 5m", paused: true },
      [
        existing,
        "every 5 min (Asia/Tokyo)",
        expect.stringContaining("Next: Tue, Nov 24, 2026, 20:05 · "),
        expect.stringMatching(/About \$43\d\.\d\d a month/),
      ],
    ],
    [
      { action: "change", when: "tomorrow 7:00" },
      [existing, "Wed, Nov 25, 2026, 07:00 (Asia/Tokyo)"],
    ],
  ])("says what %j changes and will cost, to everyone who decides it", (given, expected) => {
    expect(linesOf(given, { facts: priced })).toEqual(expected);
  });

  it("says that a paused schedule is, and when it runs where it goes on", () => {
    const schedule = JSON.stringify({ ...JSON.parse(facts.schedule), paused: true });
    const paused = { facts: { ...priced, schedule } };
    const [first] = linesOf({ action: "change", text: "x" }, paused);
    expect(first).toBe(`${existing} · paused`);
    expect(linesOf({ action: "change", text: "x" }, paused)).toHaveLength(1);
    expect(linesOf({ action: "change", paused: false }, paused)).toEqual([
      first,
      ...mondays("Mon, Nov 30, 2026"),
    ]);
  });

  it("says what a change costs by the kind of what is changed, or that it is unknown", () => {
    const change = { action: "change", when: "every 2h" };
    const task = { type: "remind", text: "tea" };
    const schedule = JSON.stringify({ ...JSON.parse(facts.schedule), task });
    expect(linesOf(change, { facts: { ...priced, schedule } }).at(-1)).toContain("costs nothing");
    expect(linesOf(change, { facts: { usdPerTurn: "0.05" } }).at(-1)).toContain("is unknown");
    // A new one is not the one that its arguments name.
    expect(linesOf(create, { facts: { ...priced, schedule } })).toEqual(
      mondays("Mon, Nov 30, 2026", "UTC"),
    );
  });

  it("says nothing of a schedule when a person has named another one", () => {
    expect(cardText({ action: "delete", id: "other0" }, { facts })).not.toContain("news");
  });

  it.each([
    { action: "delete", id: "abc123" },
    { ...create, when: "nonsense" },
    { ...create, zone: "Europe/Atlantis" },
    { action: 1 },
  ])("stays readable whatever the arguments are: %j", (given) => {
    expect(cardText(given)).toContain("Set reminder or schedule");
  });

  it("says nothing more for other tools", () => {
    expect(cardText(create, { tool: "mail.schedule" })).not.toContain("Next:");
  });

  it.each(languages)("is in %s", (language) => {
    const { schedules } = localeFor(language);
    expect(cardText({ ...create, kind: "remind" }, {}, language)).toContain(
      schedules.card.next("").trim(),
    );
  });
});
