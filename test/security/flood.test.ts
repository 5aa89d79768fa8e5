import { describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { InboundMessage } from "../../src/core/inbound.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  type TestIngress,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());

/** Inbox places of one chat. */
const places = 20;

/** Sends many messages, each its own event, many at a time. */
async function flood(
  ingress: TestIngress,
  senders: readonly Place[],
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const accept = createAccept(ingress.deps);
  const outcomes: Record<string, number> = {};
  const say = async (index: number): Promise<void> => {
    const at = senders[index % senders.length];
    if (!at) throw new Error("nobody sends");
    const message: InboundMessage = {
      type: "message",
      id: `flood${index}`,
      messageId: `${index}`,
      person: at.person,
      address: at.address,
      direct: at.direct,
      text: `flood ${index}`,
      atMs: 1,
    };
    const { type } = await accept(message);
    outcomes[type] = (outcomes[type] ?? 0) + 1;
  };
  for (let from = 0; from < count; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - from) }, (_, index) => say(from + index)),
    );
  return outcomes;
}

describe("a flood", () => {
  it("of 10,000 messages by one person in one chat keeps 20, is told of once, and leaves little behind", async () => {
    const ingress = openIngress(store);
    const at = directPlace();
    expect(await flood(ingress, [at], 10_000)).toEqual({
      queued: places,
      refused: 10_000 - places,
    });
    expect(await ingress.waiting(at.chat)).toHaveLength(places);
    // A notice, and one edit of it, which will count the others. Adapters would keep their order.
    const told = await ingress.outbox(at.chat);
    expect(told.map(({ kind }) => kind).toSorted()).toEqual(["notice", "resolution"]);
  });

  it("of one person in 50 chats keeps 20 in each, and says and counts so once in each at most", async () => {
    const ingress = openIngress(store);
    const person = newPerson();
    const chats = Array.from({ length: 50 }, () => groupPlace(person));
    await flood(ingress, chats, 2_500);
    for (const { chat } of chats) {
      expect(await ingress.waiting(chat)).toHaveLength(places);
      expect((await ingress.told(chat)).length).toBeLessThanOrEqual(2);
    }
  });

  it("of 1,000 strangers starts no turn, and each is told once", async () => {
    const ingress = openIngress(store, { mode: "allowlist" });
    const strangers = Array.from({ length: 1_000 }, () => directPlace());
    expect(await flood(ingress, strangers, 3_000)).toEqual({ refused: 3_000 });
    expect(ingress.wakes.filter((wake) => wake.startsWith("turn"))).toEqual([]);
    for (const { chat } of strangers) {
      expect(await ingress.waiting(chat)).toEqual([]);
      // What they are told gives way to everybody else's answers.
      expect(await ingress.outbox(chat)).toMatchObject([{ patient: true }]);
    }
  });

  it("of a raid in a group starts no turn, and the group reads five refusals at most", async () => {
    const ingress = openIngress(store, { mode: "allowlist" });
    const group = groupPlace();
    const raiders = Array.from({ length: 200 }, () => groupPlace(newPerson(), group));
    await flood(ingress, raiders, 2_000);
    expect(await ingress.waiting(group.chat)).toEqual([]);
    expect(await ingress.told(group.chat)).toHaveLength(5);
    // A member among them is heard as ever.
    const member = { ...group, person: newPerson() };
    await ingress.access.setRole(member.person, "member");
    expect(await ingress.say(member, "still here?")).toEqual({
      type: "queued",
    });
  });
});
