import { describe, expect, test } from "vitest";
import type { Schedule } from "../../src/core/schedule.ts";
import type { Role } from "../../src/core/roles.ts";
import { readTarget, waitingCards } from "../../src/approvals/waiting-cards.ts";
import { createCompletion } from "../../src/roles/completion.ts";
import { chatLeaves } from "../../src/config/file.ts";
import type { StoredPersona } from "../../src/store/personas/personas.ts";
import type { ApprovalView } from "../../src/core/approval.ts";
import { chatKey } from "../../src/core/chat.ts";

const keys = Array.from({ length: 40 }, (_, index) => `some/model-${index}`);
const address = { platform: "discord", bot: "1", chat: "2" } as const;
const person = { id: "discord:3", name: "Ann" };
const asker = { person, address, direct: true, chat: chatKey(address) };

const [first, second] = ["s7-AAAAAAAAAAAAAAAAAAAAAA", "s7-BBBBBBBBBBBBBBBBBBBBBB"] as const;
/** Two calls on one card. */
const shown = [first, second].map(
  (id) =>
    ({
      approval: { id, together: [first, second] },
    }) as unknown as ApprovalView,
);

const completion = (role: Role = "member") =>
  createCompletion({
    skillReviews: {
      list: () =>
        Promise.resolve([
          { name: "pdf", description: "x", state: "approved", version: "1" },
          { name: "docx", description: "x", state: "waiting", version: "2" },
        ]),
    },
    access: { profileOf: () => Promise.resolve({ role, preference: {} }) },
    approvals: { shownOf: () => Promise.resolve(shown) },
    people: {
      withRole: (given) => Promise.resolve([`discord:${given}`]),
      knownPeople: (ids) =>
        Promise.resolve(
          ids.map((id) => ({
            id,
            name: "Somebody",
            ...(id === "discord:guest" ? {} : { username: id.slice(8) }),
          })),
        ),
    },
    personas: {
      list: (owner) =>
        Promise.resolve(
          [
            { owner: "file" as const, name: "coder" },
            { owner: "person:discord:3" as const, name: "chef" },
            { owner: "person:discord:4" as const, name: "secret" },
          ]
            .filter((ref) => ref.owner === owner)
            .map((ref) => ({ ref }) as StoredPersona),
        ),
    },
    models: { keys },
    schedules: {
      list: () =>
        Promise.resolve([
          { id: "abc123", by: person },
          { id: "def456", by: { id: "discord:4", name: "Ben" } },
        ] as unknown as readonly Schedule[]),
    },
    limits: chatLeaves,
  });
const typed = (
  [command, argument]: readonly [string, string],
  text: string,
  given: Readonly<Record<string, string>> = {},
) => ({ asker, command, argument, typed: text, given });

const model = ["model", "model"] as const;
const value = ["settings", "value"] as const;

describe("what is offered", () => {
  test("for limits are scopes and people that the bot knows, to admins alone", async () => {
    const scope = ["limits", "scope"] as const;
    const admin = completion("admin");
    expect(admin.offers(...scope)).toBe(true);
    const all = await admin.complete(typed(scope, ""));
    expect(all).toEqual(expect.arrayContaining(["chat", "global", "role:member", "@member"]));
    // A person without a user name is named by id.
    expect(await admin.complete(typed(scope, "guest"))).toEqual(["role:guest", "discord:guest"]);
    expect(await completion("member").complete(typed(scope, ""))).toEqual([]);
  });

  test.each<[string, string, readonly string[]]>([
    ["messages", "min", ["10/min", "20/min"]],
    ["messages", "7/hour", ["7/hour"]],
    ["cost", "5usd", ["5usd", "5usd/day"]],
    ["turns", "", ["1", "3", "10", "20", "40", "off"]],
    ["deadline", "m", ["5m", "15m", "30m"]],
    ["hugs", "", []],
  ])("for limits of %s, typed %j: %j", async (metric, text, expected) => {
    const admin = completion("admin");
    const offered = await admin.complete(typed(["limits", "value"], text, { metric }));
    expect(offered).toEqual(expected);
  });

  test("for personas are the names that this person may see, to guests as well", async () => {
    const name = ["persona", "name"] as const;
    const guest = completion("guest");
    expect(guest.offers(...name)).toBe(true);
    expect(await guest.complete(typed(name, "", { action: "show" }))).toEqual(["coder", "chef"]);
    expect(await guest.complete(typed(name, "def", { action: "pick" }))).toEqual(["default"]);
    expect(await guest.complete(typed(name, "e"))).toEqual(
      expect.arrayContaining(["coder", "chef", "new", "edit"]),
    );
    expect(await completion("stranger").complete(typed(name, ""))).toEqual([]);
  });

  test("are models by any part of their name, at most 25", async () => {
    const suggesting = completion();
    expect(suggesting.offers(...model)).toBe(true);
    expect(suggesting.offers("model", "for")).toBe(false);
    expect(await suggesting.complete(typed(model, ""))).toEqual(keys.slice(0, 25));
    expect(await suggesting.complete(typed(model, "SOME -39"))).toEqual(["some/model-39"]);
    expect(await suggesting.complete(typed(model, "def"))).toEqual(["default"]);
    expect(await suggesting.complete(typed(model, "nothing"))).toEqual([]);
  });

  test.each<[string, string, readonly string[]]>([
    ["activation", "", ["mention", "always", "default"]],
    ["thinking", "o", ["on", "off"]],
    ["whilebusy", "st", ["steer"]],
    ["maxModelCalls", "7", ["7"]],
    ["deadline", "30", ["30m"]],
    ["maxCost", "5usd", ["5usd"]],
    ["no such setting", "", []],
  ])("are values that %s takes, typed %j: %j", async (name, text, expected) => {
    const offered = await completion().complete(typed(value, text, { name }));
    expect(offered).toEqual(expected);
  });

  test("are the approvals that wait, and each call of a card", async () => {
    const suggesting = completion();
    const ids = await suggesting.complete(typed(["approve", "id"], ""));
    expect(ids).toHaveLength(3);
    const [card = ""] = ids;
    expect(ids).toEqual([card, `${card}.1`, `${card}.2`]);
    const cards = waitingCards(shown);
    expect(readTarget([`${card}.2`], cards)).toMatchObject({
      target: { approvalId: second },
    });
    expect(await suggesting.complete(typed(["deny", "id"], ".2"))).toEqual([`${card}.2`]);
  });

  test.each<Role>(["stranger", "banned"])("is nothing to a %s", async (role) => {
    expect(await completion(role).complete(typed(model, ""))).toEqual([]);
  });

  test("is nothing for what is not known", async () => {
    const suggesting = completion();
    expect(await suggesting.complete(typed(["model", "for"], "m"))).toEqual([]);
    expect(await suggesting.complete(typed(["toString", "x"], "m"))).toEqual([]);
    expect(await suggesting.complete(typed(value, "on"))).toEqual([]);
  });
});
