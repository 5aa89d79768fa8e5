import { beforeEach, describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import { createErasures } from "../../src/store/erasure/erasures.ts";
import { configKey } from "../../src/store/keys.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const erasures = createErasures(store);
const admin = newPerson();
const ingress = openIngress(store, { admins: [admin.id] });

beforeEach(() => redis.del(configKey("erasures")));

const forget = (at: Place, argument = "") => ingress.command(at, "forget", { argument });

/** What is asked back: how to confirm it, typed and tapped. */
async function offered(at: Place, argument = "") {
  const asked = await forget(at, argument);
  const [, confirmation = ""] =
    /send (\/forget (?:chat|me) yes-\d{4}) within 5 minutes/.exec(textOf(asked)) ?? [];
  const { buttons = [] } = asked as Acceptance & { type: "answered" };
  expect(buttons).toHaveLength(1);
  expect(buttons[0]?.typed).toBe(confirmation);
  return {
    text: textOf(asked),
    typed: confirmation.replace("/forget ", ""),
    data: buttons[0]?.data ?? "",
  };
}

const begun = "One moment. I'll tell you when everything is deleted.";
const notConfirmed = /^That confirmation is wrong or has expired\./;

describe("/forget", () => {
  it.each(["", "chat", "CHAT"])(
    "%j asks back, and erases the chat once it is confirmed",
    async (argument) => {
      const at = directPlace();
      const { text, typed } = await offered(at, argument);
      expect(text).toContain("notes, to-dos, settings, usage, files");
      expect(await erasures.list()).toEqual([]);
      expect(textOf(await forget(at, typed))).toBe(begun);
      expect(await erasures.list()).toMatchObject([
        {
          of: { what: "chat", chat: at.chat },
          by: "person",
          answerTo: at.chat,
          phase: "asked",
        },
      ]);
    },
  );

  it("me asks back too, says what stays, and takes a tap", async () => {
    const at = directPlace();
    const { text, data } = await offered(at, "me");
    expect(text).toMatch(/role \(you may need to be let in again\)/);
    expect(text).toMatch(/Kept:\n• group notes and to-dos/);
    expect(await ingress.tap(at, data)).toMatchObject({
      type: "answered",
      text: begun,
    });
    // A second tap, or an event that is delivered again, is the same erasure.
    expect(await ingress.tap(at, data)).toMatchObject({ text: begun });
    const { id, name } = at.person;
    expect(await erasures.list()).toMatchObject([
      { of: { what: "person", personId: id, name }, by: "person" },
    ]);
  });

  it("takes the words apart where the platform does", async () => {
    const at = directPlace();
    const { typed } = await offered(at, "me");
    const [what = "", confirmation = ""] = typed.split(" ");
    const options = { what, confirmation };
    const argument = `${what} ${confirmation}`;
    const told = await ingress.command(at, "forget", { argument, options });
    expect(textOf(told)).toBe(begun);
  });

  it("in a group is for admins; others are told what they may", async () => {
    const at = groupPlace();
    expect(textOf(await forget(at))).toMatch(
      /^In a group, only admins can delete the chat\. .* \/forget me/,
    );
    const theirs = groupPlace(admin, at);
    const { typed } = await offered(theirs, "chat");
    expect(textOf(await forget(theirs, typed))).toBe(begun);
    expect(await erasures.list()).toMatchObject([{ by: "admin" }]);
  });

  it("me is not allowed in a group, also by a forged button", async () => {
    const at = groupPlace(admin);
    expect(textOf(await forget(at, "me"))).toMatch(/^That works only in our private chat/);
    expect(await ingress.tap(at, "f:m:1234")).toMatchObject({
      type: "refused",
    });
  });

  it("is confirmed by no one else, nowhere else, for nothing else, and not for ever", async () => {
    const at = directPlace(admin);
    const { typed, data } = await offered(at, "chat");
    const code = typed.slice("chat ".length);
    const elsewhere = directPlace(admin, "78");
    const somebody: Place = { ...at, person: newPerson() };
    expect(textOf(await forget(elsewhere, typed))).toMatch(notConfirmed);
    expect(textOf(await forget(somebody, typed))).toMatch(notConfirmed);
    expect(textOf(await forget(at, `me ${code}`))).toMatch(notConfirmed);
    expect(await ingress.tap(somebody, data)).toMatchObject({
      type: "refused",
      text: expect.stringMatching(notConfirmed),
    });
    const other = code === "yes-0000" ? "yes-0001" : "yes-0000";
    expect(textOf(await forget(at, `chat ${other}`))).toMatch(notConfirmed);
    const key = configKey(`forget:${at.chat}:${admin.id}`);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(5 * 60_000);
    await redis.del(key);
    expect(textOf(await forget(at, typed))).toMatch(notConfirmed);
    expect(await erasures.list()).toEqual([]);
  });

  it("is confirmed once: neither the button nor the same code begins it again", async () => {
    const at = directPlace();
    const { typed, data } = await offered(at, "chat");
    await forget(at, typed);
    const [first] = await erasures.list();
    if (first === undefined) throw new Error("nothing was asked for");
    await erasures.finish(first);
    expect(textOf(await forget(at, typed))).toMatch(notConfirmed);
    expect(await ingress.tap(at, data)).toMatchObject({ type: "refused" });
    expect(await erasures.list()).toEqual([]);
    // The same four digits by chance are another erasure.
    await offered(at, "chat");
    const key = configKey(`forget:${at.chat}:${at.person.id}`);
    const stored = JSON.parse((await redis.get(key)) ?? "") as object;
    const code = typed.slice("chat yes-".length);
    await redis.set(key, JSON.stringify({ ...stored, code }));
    expect(textOf(await forget(at, typed))).toBe(begun);
    const [second] = await erasures.list();
    expect(second?.id).not.toBe(first.id);
  });

  it.each([
    ["everything", /^I can delete "chat" .* or "me" .*, but I don't know "everything"\./],
    ["chat please", /^That code isn't right: "please"\. It looks like yes-1234/],
    ["chat yes-12345", /^That code isn't right: "yes-12345"/],
    ["me yes-1234 now", /^That code isn't right: "yes-1234 now"/],
  ])("%j is refused in words", async (argument, said) => {
    expect(textOf(await forget(directPlace(), argument))).toMatch(said);
  });

  it("is not allowed for those who speak for a group, nor for the banned", async () => {
    const anonymous = directPlace(newPerson({ anonymous: true }));
    expect(textOf(await forget(anonymous))).toMatch(/\bonly\b|not allowed/i);
    const banned = directPlace();
    await ingress.access.setRole(banned.person, "banned");
    expect(textOf(await forget(banned, "me"))).toMatch(/\bonly\b|not allowed/i);
  });
});
