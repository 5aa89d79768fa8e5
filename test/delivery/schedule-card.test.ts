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
    [{ ...create, when: "every 2h" }, {}, /every 2 h\n[^]*About \$(?:17\.95|18\.00) a month/],
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

  it.each<[object, readonly string[]]>([
    [{ action: "delete" }, [existing]],
    [{ action: "change", text: "x" }, [existing]],
    [
      { action: "change", when: "every day 7:00" },
      [existing, "every day at 07:00 (Asia/Tokyo)", "Next: Wed, Nov 25, 2026, 07:00 ·"],
    ],
  ])("says what %j is about, to everyone who decides it", (given, expected) => {
    const text = cardText({ ...given, id: "abc123" }, { facts }).replaceAll("\\", "");
    for (const line of expected) expect(text).toContain(line);
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
