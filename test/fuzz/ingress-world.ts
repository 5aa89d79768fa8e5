import { createAccept } from "../../src/ingress/create-accept.ts";
import { chatKey, type ChatAddress, type ChatKey, type Platform } from "../../src/core/chat.ts";
import { messageOf, PermanentError } from "../../src/core/errors.ts";
import type { Accept, Acceptance, Inbound } from "../../src/core/inbound.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { openIngress, type TestIngress } from "../ingress/open-ingress.ts";
import { keysLike } from "../support/redis/test-client.ts";
import { startTestRedis } from "../support/redis/start-test-redis.ts";
import { must } from "./fuzzer.ts";

/** Ids of people, by what they may do; the same numbers on every platform. */
export const actors = {
  owner: 1,
  admin: 2,
  member: 3,
  guest: 4,
  stranger: 5,
  banned: 6,
  other: 8,
} as const;
export const actorIds: readonly number[] = Object.values(actors);
export const botId = 700;
/** Where everybody is together. */
export const groupId = -1_000_000_000_100;
/** The platform's id of the card's message. */
export const cardId = 4;

/** Whose word counts for what; everybody else's for nothing. */
const mayTalk: ReadonlySet<number> = new Set([1, 2, 3, 4]);
const mayDecide: ReadonlySet<number> = new Set([1, 2, 3]);
const mayAdminister: ReadonlySet<number> = new Set([1, 2]);

/**
 * One deployment: an ingress on a real Redis, with an approval of the member's that waits in two chats.
 */
interface Deployment {
  readonly store: Store;
  readonly ingress: TestIngress;
  readonly accept: Accept;
  /** Keys that say who may do what, as they were planted. */
  authority: string;
}

/**
 * The real ingress on a real Redis, and an oracle beside it: what was decided, queued or changed is
 * compared with who the raw payload says it comes from. Two deployments, so that what an admin's
 * input changes never excuses what another's did.
 */
export class IngressWorld implements AsyncDisposable {
  readonly #parts: AsyncDisposableStack;
  readonly #platform: Platform;
  readonly #withAdmins: Deployment;
  readonly #withoutAdmins: Deployment;
  /** Ids of the planted approvals: in the member's direct chat, and in the group. */
  readonly approvalIds: readonly string[];
  readonly #chats: readonly ChatKey[];
  /** What the input of now has led to. */
  #acceptances: Acceptance[] = [];
  #crash: unknown;

  private constructor(
    parts: AsyncDisposableStack,
    platform: Platform,
    stores: readonly [Store, Store],
  ) {
    this.#parts = parts;
    this.#platform = platform;
    this.#chats = plantedChats(platform);
    this.approvalIds = this.#chats.map(
      (chat, index) => `${chatKeys(chat).shard}-AbCdEfGhIjKlMnOpQrStU${index}`,
    );
    this.#withAdmins = this.#deployment(stores[0]);
    this.#withoutAdmins = this.#deployment(stores[1]);
  }

  static async open(platform: Platform): Promise<IngressWorld> {
    await using parts = new AsyncDisposableStack();
    const redis = parts.use(await startTestRedis());
    const connect = (number: number): Store => {
      const store = openStore(`${redis.url}/${number}`, () => undefined);
      parts.defer(() => store.redis.disconnect());
      return store;
    };
    const stores = [connect(1), connect(2)] as const;
    const world = new IngressWorld(parts.move(), platform, stores);
    await world.#plant(world.#withAdmins);
    await world.#plant(world.#withoutAdmins);
    return world;
  }

  /** Ingress for an input that says it comes from these people. */
  acceptFor(people: readonly number[]): Accept {
    return this.#deploymentFor(people).accept;
  }

  /** Of commands and buttons, the names that people and platforms know. */
  get commands() {
    return this.#withAdmins.ingress.deps.commands;
  }

  /** @throws where the input did more than these people may do. @returns what it led to. */
  async judge(people: readonly number[]): Promise<string> {
    const { store } = this.#deploymentFor(people);
    const acceptances = this.#acceptances;
    const crash = this.#crash;
    this.#acceptances = [];
    this.#crash = undefined;
    if (crash !== undefined) throw crash;
    const talked = acceptances.some(
      (each) => each.type === "queued" || (each.type === "answered" && each.startsTurn === true),
    );
    must(!talked || people.some((id) => mayTalk.has(id)), "somebody talked who may not");
    if (talked) await this.#empty(store);
    const decided = await this.#decided(store);
    must(!decided || people.some((id) => mayDecide.has(id)), "somebody decided who may not");
    if (decided) await this.#ask(store);
    if (decided) return "decided";
    return talked ? "queued" : (acceptances.at(-1)?.type ?? "nothing");
  }

  /** @throws where someone who is no admin has changed who may do what; then both start again. */
  async check(): Promise<void> {
    const { store, authority } = this.#withoutAdmins;
    const now = await authorityOf(store);
    must(
      now === authority,
      `somebody changed who may do what who may not:\n${authority}\nbecame\n${now}`,
    );
    for (const each of [this.#withAdmins, this.#withoutAdmins]) {
      await each.store.redis.flushdb();
      await this.#plant(each);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }

  #deploymentFor(people: readonly number[]): Deployment {
    return people.some((id) => mayAdminister.has(id)) ? this.#withAdmins : this.#withoutAdmins;
  }

  #deployment(store: Store): Deployment {
    const name = (id: number): string => `${this.#platform}:${id}`;
    const ingress = openIngress(store, {
      mode: "pairing",
      admins: [name(actors.owner)],
      allow: [name(actors.member)],
      ban: [name(actors.banned)],
    });
    const accept = createAccept(ingress.deps);
    return {
      store,
      ingress,
      authority: "",
      accept: async (inbound: Inbound) => {
        try {
          const acceptance = await accept(inbound);
          this.#acceptances.push(acceptance);
          return acceptance;
        } catch (error) {
          // Ids that no platform has make no key; anything else is a fault of ours.
          if (!isOddId(error)) this.#crash = error;
          throw error;
        }
      },
    };
  }

  async #plant(deployment: Deployment): Promise<void> {
    const { store, ingress } = deployment;
    for (const role of ["admin", "guest"] as const)
      await ingress.access.setRole({ id: `${this.#platform}:${actors[role]}`, name: role }, role);
    await this.#ask(store);
    deployment.authority = await authorityOf(store);
  }

  /** The approvals are pending, and known to their chats. */
  async #ask({ redis }: Store): Promise<void> {
    for (const [index, id] of this.approvalIds.entries()) {
      const chat = this.#chats[index] ?? ("" as ChatKey);
      await redis.del(approvalKey(id));
      await redis.hset(approvalKey(id), {
        approval: JSON.stringify(this.#approval(id, chat)),
        status: "pending",
        expiresAt: String(farAwayMs),
        card: String(cardId),
      });
      await redis.hset(chatKeys(chat).state, "approvals", id);
    }
  }

  #approval(id: string, chat: ChatKey) {
    return {
      v: 1,
      id,
      chat,
      turn: 1,
      round: 1,
      index: 0,
      tool: "files.delete",
      arguments: '{"path":"a"}',
      digest: "digest",
      requester: { id: `${this.#platform}:${actors.member}`, name: "member" },
      approvers: "requester-or-admins",
      expiresAtMs: farAwayMs,
    };
  }

  async #decided({ redis }: Store): Promise<boolean> {
    const found = await Promise.all(
      this.approvalIds.map((id) => redis.hget(approvalKey(id), "status")),
    );
    return found.some((status) => status !== "pending");
  }

  /** No one works here: what waits would fill the inboxes, and everything be refused. */
  async #empty({ redis }: Store): Promise<void> {
    const waiting = await keysLike(redis, "parley:{s*}:in:*");
    if (waiting.length > 0) await redis.del(...waiting);
  }
}

const farAwayMs = 4_000_000_000_000;

const isOddId = (error: unknown): boolean =>
  error instanceof PermanentError && messageOf(error).includes("cannot be part of a chat's key");

function plantedChats(platform: Platform): readonly ChatKey[] {
  const at = (chat: number): ChatAddress => ({
    platform,
    bot: String(botId),
    chat: String(Math.abs(chat) === -groupId && platform === "discord" ? -chat : chat),
  });
  return [chatKey(at(actors.member)), chatKey(at(groupId))];
}

/** What says who may do what: roles, limits, grants, the kill switch. One text, to be compared. */
async function authorityOf({ redis }: Store): Promise<string> {
  const lines: string[] = [];
  for (const key of (await keysLike(redis, "parley:{*}:*")).sort()) {
    const name = key.slice(key.indexOf("}:") + 2);
    const content = ofAdmins.test(name)
      ? await contentOf(redis, key)
      : name.startsWith("person:")
        ? await redis.hget(key, "role")
        : null;
    if (content !== null) lines.push(`${name} ${content}`);
  }
  return lines.join("\n");
}

/**
 * Roles, limits, the kill switch, groups and servers that are let in or shut out, news for
 * everybody, standing permissions.
 */
const ofAdmins = /^(?:role:.*|rules|version|pause|places|bans|broadcasts|broadcast:.*|grants:.*)$/;

async function contentOf(redis: Store["redis"], key: string): Promise<string> {
  const type = await redis.type(key);
  switch (type) {
    case "hash":
      return JSON.stringify(await redis.hgetall(key));
    case "set":
      return (await redis.smembers(key)).sort().join(" ");
    case "string":
      return (await redis.get(key)) ?? "";
    default:
      return type;
  }
}
