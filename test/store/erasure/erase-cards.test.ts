import { expect, it } from "vitest";
import type { Approval } from "../../../src/core/approval.ts";
import { askingEntry, outcomeEntry } from "../../../src/core/outbox.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  approvalOf,
  ben,
  begun,
  committed,
  message,
  newChat,
  notice,
  stateOf,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const turns = turnStoreOn(store);

it.each(["chat", "turns"] as const)(
  "erasing %s leaves of a card of several that it loses its buttons, and nothing that it could say",
  async (what) => {
    const chat = newChat();
    await createInbox(store).append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const plain = [0, 1].map((index) => approvalOf(turns, chat, { index }));
    const together = plain.map(({ id }) => id);
    const [first, second] = plain.map((each): Approval => ({
      ...each,
      together,
    }));
    if (!first || !second) throw new Error("two approvals");
    const { revision } = await committed(turns, turn, {
      state: stateOf(turn),
      turn: 1,
      ask: [first, second],
      outbox: [
        askingEntry([first, second], {}),
        outcomeEntry(first, { id: "closed", text: "" }),
        notice("other"),
      ],
    });
    const of = what === "chat" ? { what } : { what, personId: first.requester.id, turns: [1] };
    const erased = await turns.erase(turn.session, revision, { take: 0, of });
    expect(erased.type).toBe("erased");
    for (const { id } of [first, second])
      expect(await redis.hget(approvalKey(id), "approval")).toBeNull();
    const left = await redis.lrange(chatKeys(chat).outbox, 0, -1);
    expect(left.map((entry) => entry.split(" ", 1)[0])).toEqual(
      what === "chat" ? ["closed"] : ["closed", "other"],
    );
  },
);

const outcome = (approval: Approval, text: string) =>
  outcomeEntry(approval, { id: `decided-${approval.id}`, text });

it("of others' calls that a person decided or changed, what waits to be sent loses their words, and the rest stays", async () => {
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  const turn = await begun(turns, chat);
  const facts = { schedule: "words of a schedule" };
  const asked = (more: Partial<Approval> = {}) => approvalOf(turns, chat, { facts, ...more });
  const [denied, changed, others] = [asked(), asked(), asked()];
  const pair = [asked({ index: 0 }), asked({ index: 1 })];
  const together = pair.map(({ id }) => id);
  const [first] = pair.map((each): Approval => ({ ...each, together }));
  if (!first) throw new Error("an approval");
  const approvals = [denied, changed, others, first];
  const { revision } = await committed(turns, turn, {
    state: stateOf(turn),
    turn: 1,
    ask: approvals,
    outbox: [
      outcome(denied, "Denied by Ben: too dear"),
      outcome(changed, "Changed by Ben"),
      { ...notice("x"), id: `change-${changed.id}` },
      outcome(others, "Denied by Cat"),
      outcome(first, ""),
    ],
  });
  const write = (id: string, fields: object) => redis.hset(approvalKey(id), fields);
  await write(denied.id, { decidedById: ben.id, reason: "too dear" });
  await write(changed.id, { edit: JSON.stringify({ by: ben }) });
  await write(others.id, { decidedById: "telegram:22" });
  await write(first.id, { firstId: ben.id });
  const of = { what: "turns", personId: ben.id, turns: [] } as const;
  await turns.erase(turn.session, revision, { take: 0, of });
  const left = (await redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
    (entry) => JSON.parse(entry.slice(entry.indexOf(" "))) as object,
  );
  expect(left.filter((entry) => JSON.stringify(entry).includes(facts.schedule))).toHaveLength(1);
  expect(left).toMatchObject([
    { text: "Erased.", erased: true },
    { text: "Erased.", erased: true },
    { text: "Denied by Cat" },
    { kind: "cards-outcome" },
  ]);
  // Its requester's approval is drawn from what is left of it.
  expect(await redis.hget(approvalKey(first.id), "approval")).not.toBeNull();
});

it("erasing a chat leaves another chat's approval, whose card it has a copy of, as it is", async () => {
  const [admins, chat] = [newChat(), newChat()];
  await createInbox(store).append(admins, message("m1"));
  const turn = await begun(turns, admins);
  // In the same shard, where the keys of both are within reach.
  const asked: Approval = { ...approvalOf(turns, admins), chat, elsewhere: true };
  await redis.hset(approvalKey(asked.id), { approval: JSON.stringify(asked), status: "pending" });
  const { revision } = await committed(turns, turn, {
    state: stateOf(turn),
    turn: 1,
    outbox: [{ ...outcome(asked, ""), kind: "cards-outcome", heading: "Ben asks" } as never],
  });
  await turns.erase(turn.session, revision, { take: 0, of: { what: "chat" } });
  expect(await redis.hget(approvalKey(asked.id), "approval")).not.toBeNull();
});
