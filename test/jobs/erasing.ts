import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { archivePrefix } from "../../src/cli/admin/export-chat.ts";
import { startErasures } from "../../src/jobs/erasure.ts";
import type { Settings } from "../../src/config/settings.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { readChat } from "../../src/store/turns/chat-archive.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createRelayedCards } from "../../src/store/approvals/relayed-cards.ts";
import type { Erasures } from "../../src/store/erasure/erasures.ts";
import { serialiseOut } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createLeases } from "../../src/store/operations/leases.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import type { Scene } from "../loop/scene.ts";
import { until } from "../store/support.ts";

/** What a test of erasures needs around its scenes: what a deployment does, and archives. */
export function erasing({
  store,
  erasures,
  dataFolder,
}: {
  readonly store: Store;
  readonly erasures: Erasures;
  readonly dataFolder: string;
}) {
  const post = async (chat: ChatKey, entry: OutboxEntry): Promise<void> => {
    await store.redis.rpush(chatKeys(chat).outbox, serialiseOut(entry));
  };

  const depsOf = ({ parts }: Scene): Parameters<typeof startErasures>[0] => ({
    store,
    inbox: parts.inbox,
    approvals: createApprovalStore(store),
    relayedCards: createRelayedCards(store),
    leases: createLeases(store),
    erasures,
    settings: { dataFolder, retention: {} } as Settings,
    log: parts.deps.log,
    post,
    waker: {
      id: "waker",
      wake: () => Promise.resolve(),
      wakeHere: () => Promise.resolve(),
      wakeAgain: () => Promise.resolve(),
      wakeIn: () => undefined,
      offer: () => ({ [Symbol.dispose]: () => undefined }),
      turns: () => Promise.resolve({ waiting: 0, active: 0 }),
      deliveries: () => Promise.resolve(0),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  });

  /**
   * What a deployment does with what was asked for; each scene's worker runs when its chat is
   * woken.
   */
  async function carryOut(...scenes: readonly Scene[]): Promise<void> {
    const [first] = scenes as [Scene];
    await using _ = startErasures(depsOf(first));
    await until(async () => {
      for (const scene of scenes) {
        scene.news();
        await scene.settle();
      }
      return (await erasures.list()).length === 0;
    }, "the erasure's end");
    await until(async () => !(await erasures.isFileDue()), "the order to rewrite the file");
  }

  async function archive(chat: ChatKey): Promise<string> {
    const lines = [];
    for await (const line of (await readChat(store, chat)) ?? []) lines.push(JSON.stringify(line));
    const folder = join(dataFolder, "archives");
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${archivePrefix(chat)}2026.jsonl`);
    await writeFile(path, `${lines.join("\n")}\n`);
    return path;
  }
  return { post, depsOf, carryOut, archive };
}
