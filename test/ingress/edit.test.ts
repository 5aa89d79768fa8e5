import { describe, expect, it } from "vitest";
import type { Person } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import type { InboundEdit } from "../../src/core/inbound.ts";
import { createAccept } from "../../src/ingress/create-accept.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { begun, committed, said as answer, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, groupPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const ingress = openIngress(store);
const accept = createAccept(ingress.deps);

const edit = (at: Place, more: Partial<InboundEdit> = {}) =>
  accept({
    type: "edit",
    id: "e1",
    messageId: "7",
    person: at.person,
    address: at.address,
    direct: at.direct,
    atMs: 1,
    text: "new words",
    ...more,
  });

/** Of each edit that waits, whether it is for the memory alone. */
const pastOnes = async ({ chat }: Place): Promise<readonly boolean[]> =>
  (await store.redis.lrange(chatKeys(chat).inbox, 0, -1))
    .map((json) => JSON.parse(json) as { readonly kind: string; readonly past?: boolean })
    .filter(({ kind }) => kind === "edit")
    .map(({ past }) => past === true);

const say = (at: Place) => ingress.say(at, "old words", { id: "m7", messageId: "7" });

describe("an edit", () => {
  it("of a message that waits goes behind it, once, and wakes the chat", async () => {
    const at = groupPlace();
    await say(at);
    ingress.wakes.length = 0;
    expect(await edit(at)).toEqual({ type: "queued" });
    expect(ingress.wakes).toEqual([`turn ${at.chat}`]);
    expect(await edit(at)).toEqual({ type: "duplicate" });
    const { transcript, inbox } = await begun(turns, at.chat);
    expect(transcript).toMatchObject([{ id: "m7" }]);
    expect(inbox.map(({ entry }) => entry)).toEqual([
      {
        kind: "edit",
        v: 2,
        id: "e1",
        edits: "7",
        person: at.person,
        text: "new words",
        group: true,
        atMs: 1,
      },
    ]);
  });

  it("of a message that is being answered is taken", async () => {
    const at = directPlace();
    await say(at);
    await begun(turns, at.chat);
    expect(await edit(at)).toEqual({ type: "queued" });
    expect(await pastOnes(at)).toEqual([false]);
  });

  it.each<[string, readonly LogEntry[]]>([
    ["", []],
    [", also after /new", [{ kind: "reset", v: 1, id: "r", atMs: 1 }]],
  ])(
    "of one that was answered is for the memory, once%s, and nothing is said",
    async (_, after) => {
      const at = directPlace();
      await say(at);
      const turn = await begun(turns, at.chat);
      const append = [answer(1), ...after];
      await committed(turns, turn, { state: undefined, turn: 1, append, release: {} });
      expect(await edit(at)).toEqual({ type: "queued" });
      expect(await edit(at)).toEqual({ type: "duplicate" });
      // What it read before is news again: the new words are on their way.
      expect(await edit(at, { id: "e2", text: "old words" })).toEqual({ type: "queued" });
      expect(await pastOnes(at)).toEqual([true, true]);
      expect(await ingress.outbox(at.chat)).toEqual([]);
    },
  );

  it.each<[string, Partial<InboundEdit>]>([
    ["to what it reads already", { text: "old words" }],
    ["of a message that was never kept", { messageId: "6" }],
    ["of one that is newer than the history", { messageId: "80" }],
  ])("%s is ignored", async (_, more) => {
    const at = directPlace();
    await say(at);
    await begun(turns, at.chat);
    expect(await edit(at, more)).toEqual({ type: "ignored" });
    expect(await edit(at)).toEqual({ type: "queued" });
  });

  it.each(["/stop", "/STOP now", "@parley_bot /new", "/new@parley_bot"])(
    "to %j is ignored: it runs no command, and is no question",
    async (text) => {
      const at = directPlace();
      await say(at);
      expect(await edit(at, { text })).toEqual({ type: "ignored" });
      expect((await begun(turns, at.chat)).inbox).toEqual([]);
      expect(await edit(at, { text: "/etc/hosts is what?" })).toEqual({
        type: "queued",
      });
    },
  );

  it.each<[string, LogEntry[]]>([
    ["is still being sent", []],
    [
      "was cut by a limit and is still being sent",
      [{ kind: "end", v: 1, turn: 1, reason: "max-model-calls" }],
    ],
  ])("of one whose answer %s is taken, again and again", async (_, end) => {
    const at = directPlace();
    await say(at);
    const turn = await begun(turns, at.chat);
    await committed(turns, turn, {
      state: undefined,
      turn: 1,
      append: [
        {
          kind: "assistant",
          v: 1,
          turn: 1,
          round: 1,
          model: "openai/gpt-test",
          text: "An answer.",
          calls: [],
        },
        ...end,
      ],
      outbox: [{ kind: "message", v: 1, id: "turn-1", text: "An answer." }],
      release: {},
    });
    expect(await edit(at)).toEqual({ type: "queued" });
    expect(await edit(at, { id: "e2", text: "newer" })).toEqual({
      type: "queued",
    });
    expect(await pastOnes(at)).toEqual([false, false]);
  });

  it("of an earlier message while another one is answered is for the memory", async () => {
    const at = directPlace();
    await say(at);
    const first = await begun(turns, at.chat);
    await committed(turns, first, {
      state: undefined,
      turn: 1,
      append: [{ kind: "end", v: 1, turn: 1, reason: "cancelled" }],
      release: {},
    });
    await ingress.say(at, "next", { id: "m8", messageId: "8" });
    await begun(turns, at.chat);
    expect(await edit(at)).toEqual({ type: "queued" });
    expect(await edit(at, { id: "e2", messageId: "8" })).toEqual({ type: "queued" });
    expect(await pastOnes(at)).toEqual([true, false]);
  });

  it("by someone else is ignored", async () => {
    const at = groupPlace();
    await say(at);
    const person: Person = newPerson();
    expect(await edit({ ...at, person })).toEqual({ type: "ignored" });
  });

  it("by who may not write is ignored, without a word", async () => {
    const closed = createAccept(openIngress(store, { mode: "pairing" }).deps);
    const at = directPlace();
    await say(at);
    const { address, person, direct } = at;
    const edited = {
      type: "edit",
      id: "e1",
      messageId: "7",
      text: "new",
    } as const;
    expect(await closed({ ...edited, address, person, direct, atMs: 1 })).toEqual({
      type: "ignored",
    });
    expect(await ingress.outbox(at.chat)).toEqual([]);
  });

  it("takes no place that a message needs", async () => {
    const at = groupPlace();
    await say(at);
    const outcomes: string[] = [];
    for (let index = 0; index < 15; index += 1)
      outcomes.push((await edit(at, { id: `e${index}` })).type);
    expect(outcomes.filter((type) => type === "queued")).toHaveLength(9);
    expect(outcomes.at(-1)).toBe("ignored");
    expect(await ingress.say(at, "more", { id: "m8" })).toEqual({
      type: "queued",
    });
  });

  it("that is too long is ignored", async () => {
    const at = directPlace();
    await say(at);
    expect(await edit(at, { text: "x".repeat(50_001) })).toEqual({
      type: "ignored",
    });
  });
});
