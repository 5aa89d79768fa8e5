import { describe, expect, it } from "vitest";
import { inboxEntrySchema, type EditEntry } from "../../../src/core/history.ts";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { BegunTurn } from "../../../src/core/ports.ts";
import { readChatStatus } from "../../../src/store/turns/chat-status.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  anna,
  ben,
  begun,
  cancelling,
  committed,
  control,
  finishing,
  message,
  newChat,
  notice,
  reset,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
  wakeMembers,
} from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const turns = turnStoreOn(store);

const stopOf = (chat: ChatKey, { id } = ben, eventId?: string) => inbox.stop(chat, eventId, id);
const waitingIn = async (chat: ChatKey): Promise<string[]> =>
  (await redis.lrange(chatKeys(chat).inbox, 0, -1)).map((json) => {
    const entry = inboxEntrySchema.parse(JSON.parse(json));
    const isStopped = "stopped" in entry && entry.stopped === true;
    return isStopped ? `${entry.id} stopped` : entry.id;
  });
const stopAt = async (chat: ChatKey): Promise<number> =>
  Number((await redis.hget(chatKeys(chat).state, "stop")) ?? 0);

const edit: EditEntry = {
  kind: "edit",
  v: 2,
  id: "e9",
  edits: "2",
  person: ben,
  text: "other words",
  atMs: 1,
};

/** A chat in which a turn of Anna's is open at position 1. */
async function annasTurn() {
  const chat = newChat();
  await inbox.append(chat, message("a1"));
  const turn = await begun(turns, chat);
  return { chat, turn };
}

describe("a stop of one person", () => {
  it("leaves another's turn and messages alone, drops their own, and names whose turn it is", async () => {
    const { chat, turn } = await annasTurn();
    for (const entry of [
      message("b2", { person: ben }),
      message("a3"),
      { ...control("b4"), person: ben },
      message("b5", { person: ben, burst: "album" }),
    ])
      await inbox.append(chat, entry);
    const stopped = {
      wasRunning: false,
      waiting: 2,
      orders: 1,
      runsOnFor: "Anna",
    };
    expect(await stopOf(chat, ben, "e1")).toEqual(stopped);
    expect(await turns.heartbeat(turn.session)).toMatchObject({ stopAt: 0 });
    expect(await waitingIn(chat)).toEqual(["b2 stopped", "a3", "b4 stopped", "b5 stopped"]);
    // Neither a second delivery nor a second stop counts them again.
    expect(await stopOf(chat, ben, "e1")).toEqual(stopped);
    expect(await stopOf(chat)).toEqual({
      wasRunning: false,
      waiting: 0,
      orders: 0,
      runsOnFor: "Anna",
    });
    expect((await readChatStatus(store, chat)).queued).toBe(1);
  });

  it("ends their own turn, as far as all is theirs, and nothing of others behind it", async () => {
    const { chat, turn } = await annasTurn();
    for (const entry of [
      message("a2"),
      reset("r3"),
      message("a4"),
      message("b5", { person: ben }),
      message("a6"),
    ])
      await inbox.append(chat, entry);
    expect(await stopOf(chat, anna)).toEqual({
      wasRunning: true,
      turn: 1,
      waiting: 3,
      orders: 0,
    });
    expect(await turns.heartbeat(turn.session)).toMatchObject({ stopAt: 4 });
    expect(await waitingIn(chat)).toEqual(["a2", "r3", "a4", "b5", "a6 stopped"]);
  });

  it("ends a turn that has their message in it, no matter who asked first", async () => {
    for (const owner of [anna, ben]) {
      const { chat, turn } = await annasTurn();
      await committed(turns, turn, {
        state: stateOf(turn),
        turn: 1,
        append: [said(1, "looking"), message("b2", { person: ben })],
      });
      expect(await stopOf(chat, owner)).toMatchObject({ wasRunning: true });
      expect(await stopAt(chat)).toBe(1);
    }
  });

  it("is not theirs for what they wrote to an earlier turn", async () => {
    const chat = newChat();
    await inbox.append(chat, message("b1", { person: ben }));
    const first = await begun(turns, chat);
    await committed(turns, first, {
      state: undefined,
      turn: 1,
      append: [said(1)],
      release: {},
    });
    await inbox.append(chat, message("a2"));
    const second = await begun(turns, chat);
    expect(await stopOf(chat)).toMatchObject({ runsOnFor: "Anna" });
    // Nor once the turn has been written down as a whole.
    await committed(turns, second, {
      state: openTurn(2, message("a2")),
      turn: 2,
    });
    expect(await stopOf(chat)).toMatchObject({
      wasRunning: false,
      runsOnFor: "Anna",
    });
    expect(await stopAt(chat)).toBe(0);
  });

  it("of an idle chat drops their own alone, and lets another's album wait for its pictures", async () => {
    const chat = newChat();
    await inbox.append(chat, message("a1", { burst: "album" }));
    await inbox.append(chat, message("b2", { person: ben, burst: "other album" }));
    expect(await stopOf(chat)).toEqual({
      wasRunning: false,
      waiting: 1,
      orders: 0,
    });
    expect(await waitingIn(chat)).toEqual(["a1", "b2 stopped"]);
    expect((await turns.begin(chat)).type).toBe("later");
  });

  it("reaches a message that a worker has read and not yet opened", async () => {
    const chat = newChat();
    await inbox.append(chat, message("a1", { burst: "album" }));
    await inbox.append(chat, message("b2", { person: ben }));
    const session = await begun(turns, chat);
    expect(session.state).toBeUndefined();
    await stopOf(chat);
    const { stopAt: stopped } = await committed(turns, session, {
      state: openTurn(2, message("b2", { person: ben })),
      turn: 2,
      take: 2,
    });
    expect(stopped).toBe(2);
  });

  it.each([
    ["an edit", edit],
    ["a message that is collected with it", message("a3")],
  ])("reaches it in front of %s", async (_, behind) => {
    const chat = newChat();
    await inbox.append(chat, message("a1", { burst: "album" }));
    await inbox.append(chat, message("b2", { person: ben }));
    await inbox.append(chat, behind);
    const session = await begun(turns, chat);
    await stopOf(chat);
    const { stopAt: stopped } = await committed(turns, session, {
      state: openTurn(2, message("b2", { person: ben })),
      turn: 2,
      take: 3,
    });
    expect(stopped).toBe(2);
  });

  it("ends no turn behind a message that was known to be stopped", async () => {
    const chat = newChat();
    await inbox.append(chat, message("a1", { burst: "album" }));
    await inbox.append(chat, message("b2", { person: ben }));
    await stopOf(chat);
    await inbox.append(chat, message("a3"));
    const session = await begun(turns, chat);
    const { stopAt: stopped } = await committed(turns, session, {
      state: openTurn(3, message("a3")),
      turn: 3,
      take: 3,
    });
    expect(stopped).toBe(0);
  });

  it("counts no edit: there is nothing to stop", async () => {
    const { chat } = await annasTurn();
    await inbox.append(chat, message("a2"));
    await inbox.append(chat, edit);
    expect(await stopOf(chat)).toEqual({
      wasRunning: false,
      waiting: 0,
      orders: 0,
      runsOnFor: "Anna",
    });
  });

  it("keeps no pause from taking what is behind their message", async () => {
    const { chat, turn } = await annasTurn();
    await inbox.append(chat, message("b2", { person: ben }));
    await stopOf(chat);
    await committed(turns, turn, { state: undefined, turn: 1, release: {} });
    const paused = turnStoreOn(store, { hold: () => "new" });
    expect((await paused.begin(chat)).type).toBe("begun");
  });
});

/** The stop of a turn whose notice has the stop's id. */
const stopTurn = (chat: ChatKey, turn: number, eventId: string) =>
  inbox.stopTurn(chat, { turn, eventId, notice: notice(eventId) });

async function begunAgain(chat: ChatKey, id: string): Promise<BegunTurn> {
  await inbox.append(chat, message(id));
  return await begun(turns, chat);
}

const noticesIn = async (chat: ChatKey): Promise<string[]> =>
  (await redis.lrange(chatKeys(chat).outbox, 0, -1)).map((stored) => stored.split(" ")[0] ?? "");

describe("a stop of one turn", () => {
  it("ends it while it is open, or the next to be opened, and no other one", async () => {
    const { chat, turn } = await annasTurn();
    await inbox.append(chat, message("b2", { person: ben }));
    const nothing = { wasRunning: false, waiting: 0, orders: 0 };
    for (const other of [0, 2]) {
      expect(await stopTurn(chat, other, `open-${other}`)).toEqual(nothing);
      expect(await stopAt(chat)).toBe(0);
    }
    await committed(turns, turn, { state: undefined, turn: 1, release: {} });
    for (const other of [1, 3])
      expect(await stopTurn(chat, other, `queued-${other}`)).toEqual(nothing);
    expect(await stopAt(chat)).toBe(0);
    expect(await stopTurn(chat, 2, "t2")).toEqual({ ...nothing, waiting: 1 });
    expect(await stopAt(chat)).toBe(2);
    const again = await annasTurn();
    expect(await stopTurn(again.chat, 1, "t1")).toEqual({ ...nothing, wasRunning: true, turn: 1 });
    await inbox.append(again.chat, message("a2"));
    // Delivered again it is the same stop.
    expect(await stopTurn(again.chat, 1, "t1")).toEqual({ ...nothing, wasRunning: true, turn: 1 });
    expect(await stopAt(again.chat)).toBe(1);
  });

  it("posts its notice once, when the turn has ended cancelled", async () => {
    const { chat, turn } = await annasTurn();
    await stopTurn(chat, 2, "another");
    for (let times = 0; times < 2; times += 1) await stopTurn(chat, 1, "t1");
    // It has been stopped already.
    await stopTurn(chat, 1, "t1-again");
    expect(await noticesIn(chat)).toEqual([]);
    // Another step may still be committed before its worker looks.
    const { revision } = await committed(turns, turn, { state: stateOf(turn), turn: 1 });
    expect(await noticesIn(chat)).toEqual([]);
    await committed(turns, { ...turn, revision }, cancelling(1));
    expect(await noticesIn(chat)).toEqual(["t1"]);
    expect(await wakeMembers(redis, chat)).toContain("out");
    await committed(turns, await begunAgain(chat, "a2"), cancelling(2));
    expect(await noticesIn(chat)).toEqual(["t1"]);
  });

  it("posts no notice where a complete answer wins the race", async () => {
    const { chat, turn } = await annasTurn();
    expect(await stopTurn(chat, 1, "t1")).toMatchObject({ wasRunning: true });
    await committed(turns, turn, finishing(1));
    const answered = await noticesIn(chat);
    expect(answered).toHaveLength(1);
    expect(answered).not.toContain("t1");
    // Nor does it come with the end of a later turn.
    await committed(turns, await begunAgain(chat, "a2"), cancelling(2));
    expect(await noticesIn(chat)).toEqual(answered);
  });

  it.each([
    ["when messages waited", { append: [message("a2")], commit: {} }],
    ["when more would have followed", { append: [], commit: { enqueue: [message("auto-2")] } }],
  ])("posts its notice after a complete answer %s", async (_, { append, commit }) => {
    const { chat, turn } = await annasTurn();
    for (const entry of append) await inbox.append(chat, entry);
    const theirs = { ...notice("t1"), replyTo: "44" };
    await inbox.stopTurn(chat, { turn: 1, eventId: "t1", notice: theirs });
    // Not at once: it would come before the answer.
    expect(await noticesIn(chat)).toEqual([]);
    await committed(turns, turn, finishing(1, commit));
    const posted = await redis.lrange(chatKeys(chat).outbox, 0, -1);
    expect(posted[1]).toBe(`t1 ${JSON.stringify(notice("t1"))}`);
    expect(posted).toHaveLength(2);
    expect(await wakeMembers(redis, chat)).toContain("out");
  });

  it("posts its notice as a reply where the turn was ended and messages waited", async () => {
    const { chat, turn } = await annasTurn();
    await inbox.append(chat, message("a2"));
    const theirs = { ...notice("t1"), replyTo: "44" };
    await inbox.stopTurn(chat, { turn: 1, eventId: "t1", notice: theirs });
    await committed(turns, turn, cancelling(1));
    const posted = await redis.lrange(chatKeys(chat).outbox, 0, -1);
    expect(posted).toEqual([`t1 ${JSON.stringify(theirs)}`]);
  });

  it("posts its notice at once where messages waited, and not for what is over", async () => {
    const { chat, turn } = await annasTurn();
    await inbox.append(chat, message("a2"));
    await committed(turns, turn, { state: undefined, turn: 1, release: {} });
    // Its answer was complete.
    await stopTurn(chat, 1, "over");
    expect(await noticesIn(chat)).toEqual([]);
    await stopTurn(chat, 2, "t2");
    await stopTurn(chat, 2, "t2-again");
    expect(await noticesIn(chat)).toEqual(["t2"]);
    expect(await wakeMembers(redis, chat)).toContain("out");
  });

  it("posts no notice where its author's own stop has ended it", async () => {
    const { chat, turn } = await annasTurn();
    await stopOf(chat, anna);
    await stopTurn(chat, 1, "t1");
    await committed(turns, turn, cancelling(1));
    expect(await noticesIn(chat)).toEqual([]);
  });
});
