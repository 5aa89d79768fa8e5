import type { Approval } from "../../src/core/approval.ts";
import type { TurnStore } from "../../src/core/ports.ts";
import { approvalKey } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { asking, callsOnOneCard } from "../store/asking.ts";
import { begun, committed, message } from "../store/support.ts";
import type { TestIngress, Place } from "./open-ingress.ts";

/**
 * Cards that wait in a place, each with the changes to its calls; their messages' ids are 900, 901
 * and so on.
 */
export async function cardsIn(
  {
    ingress,
    store,
    turns,
  }: {
    readonly ingress: TestIngress;
    readonly store: Store;
    readonly turns: TurnStore;
  },
  at: Place,
  cards: readonly (readonly Partial<Approval>[])[],
): Promise<readonly (readonly Approval[])[]> {
  await ingress.inbox.append(at.chat, message("m0", { person: at.person }));
  const turn = await begun(turns, at.chat);
  const asked = cards.map((changes) =>
    callsOnOneCard(
      turns,
      at.chat,
      changes.map((more) => ({ requester: at.person, ...more })),
    ),
  );
  await committed(turns, turn, asking(turn, asked.flat()));
  for (const [index, card] of asked.entries())
    for (const { id } of card) await store.redis.hset(approvalKey(id), "card", `${900 + index}`);
  return asked;
}
