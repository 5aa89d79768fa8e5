import { expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import { askingEntry, outcomeEntry } from "../../src/core/outbox.ts";
import { createInbox } from "../../src/store/inbox.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  approvalOf,
  begun,
  committed,
  message,
  newChat,
  notice,
  stateOf,
  storeOn,
  turnStoreOn,
} from "./support.ts";

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
    const of =
      what === "chat"
        ? { what }
        : { what, personId: first.requester.id, turns: [1] };
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
