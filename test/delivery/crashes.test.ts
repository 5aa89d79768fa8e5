import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { askingEntry, outcomeEntry } from "../../src/core/outbox.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import type { DeliveryDeps } from "../../src/delivery/deps.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import {
  approvalOf,
  expireLease,
  leaseMs,
  newChat,
  notice,
  storeOn,
  turnStoreOn,
  wakeMembers,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import {
  answer,
  deliverAll,
  deliveryDeps,
  draftOf,
  file,
  never,
  resolution,
  writeDraft,
} from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const blobs = createBlobs(store);
const turns = turnStoreOn(store);

class Died extends Error {}

/**
 * Every port call of a delivery has two points, before and after; a process that reaches point `at`
 * is dead from then on.
 */
function mortal(deps: DeliveryDeps, at: number) {
  let points = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Died();
  };
  const pass = () => {
    if (isDead) throw new Died();
    points += 1;
    if (points === at) die();
  };
  const wrap =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      pass();
      const result = await call(...given);
      pass();
      return result;
    };
  const { sender } = deps;
  const mortalSender = {
    platform: sender.platform,
    deduplicates: sender.deduplicates,
    editIntervalMs: sender.editIntervalMs.bind(sender),
    render: sender.render.bind(sender),
    plain: sender.plain.bind(sender),
    send: wrap(sender.send.bind(sender)),
    sendFile: wrap(sender.sendFile.bind(sender)),
    edit: wrap(sender.edit.bind(sender)),
    typing: wrap(sender.typing.bind(sender)),
  };
  return {
    deps: {
      ...deps,
      sender: mortalSender,
      blobs: { ...blobs, get: wrap(blobs.get.bind(blobs)) },
      outbox: {
        open: wrap(outbox.open.bind(outbox)),
        write: wrap(outbox.write.bind(outbox)),
        lastMessageOf: wrap(outbox.lastMessageOf.bind(outbox)),
        asked: wrap(outbox.asked.bind(outbox)),
        countLeftOut: wrap(outbox.countLeftOut.bind(outbox)),
        wasFinal: wrap(outbox.wasFinal.bind(outbox)),
      },
    },
    isDead: () => isDead,
  };
}

/**
 * Delivers, dies at every point in turn, and lets someone else go on. Returns how many points there
 * were.
 */
async function dieEverywhere(
  deduplicates: boolean,
  scene: {
    prepare(chat: ChatKey, deps: DeliveryDeps): Promise<void>;
    after?(chat: ChatKey): Promise<void>;
    check(sender: ScriptedSender, point: number): void;
  },
): Promise<number> {
  for (let point = 1; ; point += 1) {
    const chat = newChat();
    const sender = new ScriptedSender({ deduplicates });
    const deps = deliveryDeps(outbox, sender, { blobs });
    await scene.prepare(chat, deps);
    const dying = mortal(deps, point);
    const result = await deliverChat(dying.deps, chat, never).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
      return undefined;
    });
    expect(result === undefined).toBe(dying.isDead());
    const { state } = chatKeys(chat);
    if ((await redis.hexists(state, "out:owner")) === 1)
      await expireLease(redis, chat, "out:lease");
    await scene.after?.(chat);
    await deliverAll(deps, chat);
    scene.check(sender, point);
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(0);
    expect(await wakeMembers(redis, chat)).toEqual([]);
    // Nothing of the crash is left to cast doubt on what is sent next.
    expect(await redis.hgetall(state)).toEqual({});
    if (!dying.isDead()) return point - 1;
  }
}

/**
 * What is shown, without at most one labelled repetition right behind or in place of its original.
 */
function withoutRepetition(sender: ScriptedSender): string[] {
  const labelled = sender.shown.filter(({ repeated }) => repeated);
  expect(labelled.length).toBeLessThanOrEqual(1);
  return sender.shown
    .filter(({ text, repeated }, index) => !repeated || sender.shown[index - 1]?.text !== text)
    .map(({ text }) => text);
}

describe.each([
  ["does not deduplicate", false],
  ["deduplicates", true],
])("where the platform %s, a death at any point", (_, deduplicates) => {
  it("of a long answer, news and a closed card loses nothing, doubles nothing unsaid, and keeps the order", async () => {
    const points = await dieEverywhere(deduplicates, {
      async prepare(chat, deps) {
        await inbox.post(chat, {
          ...notice("asked", "may I?"),
          buttons: [{ label: "Approve", data: "a:1" }],
        } as never);
        await writeDraft(redis, chat, draftOf("turn-1", "one"));
        await deliverAll(deps, chat);
        await writeDraft(redis, chat, undefined);
        await inbox.post(chat, resolution("asked", "decided"));
        await inbox.post(chat, answer("turn-1", "one more|two|three"));
        await inbox.post(chat, notice("n1", "news"));
      },
      check(sender) {
        expect(withoutRepetition(sender)).toEqual(["decided", "one more", "two", "three", "news"]);
        expect(sender.shown[0]?.buttons).toEqual([]);
        if (deduplicates) expect(sender.shown).toHaveLength(5);
      },
    });
    // open, the closed card and its lookup, four sends or edits, and a receipt for each.
    expect(points).toBe(2 * (1 + 1 + 1 + 4 + 5));
  });

  it("of a card of several and its news leaves one that shows what is true, and that its approvals know", async () => {
    let ids: string[] = [];
    await dieEverywhere(deduplicates, {
      async prepare(chat) {
        const [first, second] = [0, 1].map((index) => approvalOf(turns, chat, { index }));
        if (!first || !second) throw new Error("two approvals");
        ids = [first.id, second.id];
        const asked = [first, second].map((each) => ({
          ...each,
          together: ids,
        })) as [Approval, Approval];
        for (const [index, approval] of asked.entries())
          await redis.hset(approvalKey(approval.id), {
            approval: JSON.stringify(approval),
            status: index === 0 ? "approved" : "pending",
            decidedBy: "Anna",
          });
        await inbox.post(chat, askingEntry(asked, {}));
        for (const id of ["n1", "n2"])
          await inbox.post(chat, outcomeEntry(asked[0], { id, text: "" }));
      },
      check(sender) {
        const card = sender.shown.at(-1);
        expect(card?.text).toContain("✓ 1 approved by Anna");
        expect(card?.buttons).toEqual(["✓ 2", "✗ 2"]);
        expect(sender.shown.length).toBeLessThanOrEqual(deduplicates ? 1 : 2);
      },
    });
    for (const id of ids) expect(await redis.hget(approvalKey(id), "card")).toBe("1");
  });

  it("of a file between words loses nothing, doubles nothing unsaid, and keeps the order", async () => {
    const points = await dieEverywhere(deduplicates, {
      async prepare(chat) {
        await inbox.post(chat, notice("n1", "one"));
        const entry = { id: "f1", content: "all", caption: "two" };
        await inbox.post(chat, await file(blobs, chat, entry));
        await inbox.post(chat, notice("n2", "three"));
      },
      check(sender) {
        expect(withoutRepetition(sender)).toEqual(["one", "[a.md: all] two", "three"]);
        if (deduplicates) expect(sender.shown).toHaveLength(3);
      },
    });
    // open, the bytes, three sends and a receipt for each.
    expect(points).toBe(2 * (1 + 1 + 3 + 3));
  });

  it.each([
    ["its beginning and a file", false],
    ["messages, as the platform takes no file,", true],
  ])(
    "of a very long answer in %s loses nothing, doubles nothing unsaid, and keeps the order",
    async (_, refusesFiles) => {
      const parts = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(2_500));
      const text = parts.join("|");
      const points = await dieEverywhere(deduplicates, {
        async prepare(chat, { sender }) {
          (sender as ScriptedSender).refusesFiles = refusesFiles;
          await inbox.post(chat, answer("turn-1", text));
          await inbox.post(chat, notice("n1", "news"));
        },
        check(sender) {
          const file = `[answer.md: ${text}] The full answer is in answer.md.`;
          const expected = refusesFiles ? [...parts, "news"] : [parts[0], file, "news"];
          expect(withoutRepetition(sender)).toEqual(expected);
          if (deduplicates) expect(sender.shown).toHaveLength(expected.length);
        },
      });
      // open, every request and every receipt; that of the refused file says what is left out.
      expect(points).toBe(2 * (refusesFiles ? 1 + 7 + 7 : 1 + 3 + 3));
    },
  );

  it("of an answer whose reply is refused leaves it out, says it once, or once more with a label", async () => {
    const points = await dieEverywhere(deduplicates, {
      async prepare(chat, { sender }) {
        (sender as ScriptedSender).refuses.add("reply");
        await inbox.post(chat, { ...answer("turn-1", "one|two"), replyTo: "77" });
      },
      check(sender) {
        expect(withoutRepetition(sender)).toEqual(["one", "two"]);
        if (deduplicates) expect(sender.shown).toHaveLength(2);
      },
    });
    // open, the refusal and its receipt, two sends and a receipt for each.
    expect(points).toBe(2 * (1 + 2 + 2 + 2));
  });

  it("of a file that is refused, or gone, says so once, or once more with a label", async () => {
    const points = await dieEverywhere(deduplicates, {
      async prepare(chat, { sender }) {
        (sender as ScriptedSender).refusesFiles = true;
        const refused = await file(blobs, chat, { id: "f1", content: "x" });
        const gone = await file(blobs, chat, { id: "f2", content: "y" });
        await blobs.remove(chat, gone.blob);
        await inbox.post(chat, refused);
        await inbox.post(chat, gone);
      },
      check(sender) {
        expect(withoutRepetition(sender)).toEqual([
          "Sorry, I couldn't send the file here.",
          "The file is no longer available.",
        ]);
        if (deduplicates) expect(sender.shown).toHaveLength(2);
      },
    });
    // open, twice the bytes, the refusal and its receipt, two sends and a receipt for each.
    expect(points).toBe(2 * (1 + 2 + 2 + 2 + 2));
  });

  it("of a first draft leaves one answer that says if there may be another", async () => {
    const points = await dieEverywhere(deduplicates, {
      async prepare(chat) {
        await writeDraft(redis, chat, draftOf("turn-1", "half an ans"));
      },
      async after(chat) {
        await writeDraft(redis, chat, undefined);
        await inbox.post(chat, answer("turn-1", "the answer"));
      },
      check(sender) {
        const { texts } = sender;
        if (deduplicates) expect(texts).toEqual(["the answer"]);
        else if (texts.includes("half an ans"))
          expect(texts).toEqual(["half an ans", "+the answer"]);
        else expect(texts.map((text) => text.replace("+", ""))).toEqual(["the answer"]);
      },
    });
    expect(points).toBe(2 * 3);
  });

  it("of a growing draft leaves one answer with the right text", async () => {
    await dieEverywhere(deduplicates, {
      async prepare(chat, deps) {
        await writeDraft(redis, chat, draftOf("turn-1", "one"));
        await deliverAll(deps, chat);
        await writeDraft(redis, chat, draftOf("turn-1", "one, no, two"));
      },
      async after(chat) {
        await writeDraft(redis, chat, undefined);
        await inbox.post(chat, answer("turn-1", "one"));
      },
      check(sender) {
        expect(sender.texts).toEqual(["one"]);
      },
    });
  });
});
