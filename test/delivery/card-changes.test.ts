import { describe, expect, it } from "vitest";
import { shortApprovalId } from "../../src/core/approval.ts";
import { cardOf, type Card } from "../../src/core/outbox.ts";
import { cardButtons } from "../../src/delivery/card-buttons.ts";
import { callMarkdown, callOf, cardsMarkdown, type CardStyle } from "../../src/delivery/card.ts";
import { localeFor } from "../../src/locales/locale-for.ts";

const locale = localeFor("en");
const style: CardStyle = {
  maxArguments: Infinity,
  asksBelow: false,
  moment: undefined,
  locale,
};
const card = (more: Partial<Card> = {}): Card => ({
  approvalId: "s1-abcdefghijklmnopqrstuv",
  tool: "files.delete",
  arguments: '{"path":"a"}',
  requesterName: "Ann",
  approvers: "requester",
  expiresAtMs: 1,
  ...more,
});
const labels = (calls: readonly Card[], more: { readonly hasForms?: boolean } = {}) =>
  cardButtons(calls.map(callOf), locale, more).map(({ label }) => label);

const shown = (more: Partial<Card>) => callMarkdown(callOf(card(more)), style);

it("a card says who changed its arguments, or that someone did whose name was erased", () => {
  expect(shown({})).not.toContain("changed the arguments");
  expect(shown({ changedBy: "Ben" })).toContain("Ben changed the arguments.");
  expect(shown({ changedBy: "" })).toContain("\n\nSomeone changed the arguments.");
});

it("a card in a private chat speaks to its one person", () => {
  expect(shown({ direct: true, changedBy: "Ann" })).toContain("You changed the arguments.");
  // On the operator's page an admin can have changed them.
  const byOther = { direct: true, changedBy: "Ada", changedByOther: true } as const;
  expect(shown(byOther)).toContain("Ada changed the arguments.");
  expect(shown({ direct: true })).not.toContain("changed the arguments");
});

describe("the buttons of a card", () => {
  it("begin with Approve and Deny, and have Edit where a tap can open a form", () => {
    expect(labels([card()])).toEqual(["Approve", "Deny"]);
    expect(labels([card()], { hasForms: true })).toEqual(["Approve", "Deny", "Edit"]);
    expect(labels([card({ arguments: "{}" })], { hasForms: true })).toEqual(["Approve", "Deny"]);
  });

  it("allow the same for an hour, or for as long as the operator lets it stand", () => {
    const hour = 3_600_000;
    for (const [alwaysAllowMs, label] of [
      [8 * hour, "Allow for 1 h"],
      [hour / 2, "Allow for 30 min"],
    ] as const)
      expect(labels([card({ alwaysAllowMs })])).toEqual(["Approve", "Deny", label]);
    expect(labels([card({ alwaysAllowMs: 0 })])).toEqual(["Approve", "Deny"]);
  });

  it("of several calls are for deciding and changing them: 25 are the most that there can be", () => {
    const calls = Array.from({ length: 8 }, (_, index) =>
      card({
        approvalId: `s1-${index}`,
        alwaysAllowMs: 3_600_000,
        arguments: '{"password":"hunter2hunter2"}',
      }),
    );
    const shown = labels(calls, { hasForms: true });
    expect(shown.slice(-3)).toEqual(["✗ 8", "Edit…", "Show hidden values"]);
    expect(shown).toHaveLength(20);
    expect(labels(calls).at(-2)).toBe("✗ 8");
    const fixed = calls.map((call) => ({ ...call, arguments: "{}" }));
    expect(labels(fixed, { hasForms: true }).at(-1)).toBe("✗ 8");
  });

  it("of several calls of which one is left are for that one", () => {
    const calls = [card(), card({ approvalId: "s1-last" })].map(callOf);
    const [first, ...others] = calls.map((call, index) =>
      index === 0 ? { ...call, status: "denied" as const } : call,
    );
    const buttons = first && cardButtons([first, ...others], locale, { hasForms: true });
    expect(buttons?.map(({ data }) => data)).toEqual(["a:s1-last", "d:s1-last", "e:s1-last"]);
  });

  it("carry at most 64 bytes", () => {
    const all = cardButtons(
      [callOf(card({ approvalId: `s255-${"x".repeat(22)}`, alwaysAllowMs: 1 }))],
      locale,
      { hasForms: true },
    );
    expect(all).toHaveLength(4);
    for (const { data } of all) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  });
});

const changedBy = (name: string) => callMarkdown(callOf(card({ changedBy: name })), style);

describe("a card", () => {
  it("has its id, and no command, where there are buttons", () => {
    const question = callMarkdown(callOf(card()), style);
    expect(question).toContain(`ID: \`${shortApprovalId(card().approvalId)}\``);
    expect(question).not.toContain("/");
    expect(callMarkdown(callOf(card()), { ...style, asksBelow: true })).not.toContain("ID:");
  });

  it("names the person who has changed the arguments, as nothing but a name", () => {
    expect(changedBy("Bob")).toContain("Bob changed the arguments.");
    expect(changedBy("**Bob**\u202e")).toContain(
      String.raw`\*\*Bob\*\*\\u202e changed the arguments.`,
    );
  });

  it("of several says which of them was changed, and who changed it", () => {
    const changed = {
      ...callOf(card({ approvalId: "s1-b" })),
      status: "changed",
      decidedBy: "Bob",
    } as const;
    const shown = cardsMarkdown([callOf(card()), changed], style);
    expect(shown).toContain("✎ 2 changed by Bob");
    expect(cardButtons([callOf(card()), changed], locale).map(({ label }) => label)).toEqual([
      "✓ 1",
      "✗ 1",
    ]);
  });
});

it("the card of a call that was changed says whether its requester did it", () => {
  const approval = { v: 1, id: "s1-a", chat: "telegram:7:1", turn: 1, round: 1, index: 0 } as const;
  const call = { tool: "files.delete", arguments: "{}", digest: "d", expiresAtMs: 1 } as const;
  const cardBy = (changedById?: string) =>
    cardOf({
      ...approval,
      ...call,
      requester: { id: "telegram:1", name: "Ann" },
      approvers: "requester-or-admins",
      direct: true,
      changedBy: "Ada",
      changedById,
    });
  expect(cardBy("telegram:2").changedByOther).toBe(true);
  for (const id of ["telegram:1", undefined])
    expect(cardBy(id)).not.toHaveProperty("changedByOther");
});
