import type { FactOwner } from "../../src/core/facts.ts";
import type { Embedder } from "../../src/core/memory.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { createPersonFacts } from "../../src/store/memory/person-facts.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { recallTool } from "../../src/tools/recall.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf as answerOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { openScene } from "../loop/scene.ts";
import { message, reset, uniqueId } from "../store/support.ts";
import type { TestRedis } from "../support/redis/test-redis.ts";
import { contextIn, textOf } from "../tools/support/context.ts";
import { never, write } from "./support.ts";

export interface Planting {
  readonly people: number;
  readonly groups: number;
  /** Of each chat: secrets in its history, facts, summaries; and of each person as many facts. */
  readonly said: number;
  readonly facts: number;
  readonly summaries: number;
  /** Questions by the tool, by commands, and turns. */
  readonly queries: number;
  readonly commands: number;
  readonly turns: number;
}

/** By which way each kind of secret is shown: said, kept of a chat, a person's own, summarised. */
export const ways = [
  "tool h",
  "/recall h",
  "/memory f",
  "/memory o",
  "/memory export s",
  "turn h",
  "turn f",
  "turn o",
  "turn s",
] as const;

/** How often each way showed what is the asker's to see, and what is not. */
export interface Shown {
  readonly planted: number;
  readonly own: Readonly<Record<string, number>>;
  readonly leaked: readonly string[];
}

/** For it all texts are alike: only their chat keeps them apart. */
const sameForAll: Embedder = {
  model: "p/same",
  embed: (texts) => Promise.resolve(texts.map(() => [1, 0, 0, 0])),
};

const secretOf = (scope: string, index: number): string =>
  `the secret password of vault ${index} is zebra${scope}x${index}`;

/** A place and the scopes of secrets that may be seen there. */
interface Spot {
  readonly place: Place;
  readonly name: string;
  readonly mine: ReadonlySet<string>;
}

/**
 * Plants secrets in the histories, facts and summaries of direct chats and groups in which everyone
 * is, and asks for all of them everywhere: by the tool, by commands, and in turns.
 */
export async function plantAndAsk(
  { store, redis }: { readonly store: Store; readonly redis: TestRedis },
  planting: Planting,
): Promise<Shown> {
  const world = await plant(store, planting);
  const own: Record<string, number> = {};
  const leaked: string[] = [];
  const judge = (way: string, { name, mine }: Spot, text: string): void => {
    for (const [secret, scope = ""] of text.matchAll(/zebra([a-z]+\d+)x\d+/g))
      if (mine.has(scope)) {
        const what = `${way} ${scope[0]}`;
        own[what] = (own[what] ?? 0) + 1;
      } else leaked.push(`${secret} in ${name} by ${way}`);
  };
  await askByTool(world, planting, judge);
  await askByCommands(store, world, planting, judge);
  await askInTurns({ store, redis }, world, planting, judge);
  return { planted: world.scopes.length, own, leaked };
}

type Judge = (way: string, spot: Spot, text: string) => void;
type World = Awaited<ReturnType<typeof plant>>;

async function plant(store: Store, { people, groups, said, facts: kept, summaries }: Planting) {
  const scopes: (readonly [scope: string, index: number])[] = [];
  const persons = Array.from({ length: people }, () => newPerson());
  const [first = newPerson()] = persons;
  const direct = persons.map((person, at): Spot => {
    const mine = new Set(["hd", "sd", "fd", "o"].map((kind) => `${kind}${at}`));
    return { place: directPlace(person), name: `d${at}`, mine };
  });
  const inGroups = Array.from({ length: groups }, (_, at): Spot => {
    const mine = new Set(["hg", "sg", "fg"].map((kind) => `${kind}${at}`));
    return { place: groupPlace(first), name: `g${at}`, mine };
  });
  const spots = [...direct, ...inGroups];
  const facts = createFacts(store, undefined);
  const secrets = (scope: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      scopes.push([scope, index]);
      return secretOf(scope, index);
    });
  const keep = async (owner: FactOwner, scope: string, { place }: Spot) => {
    const by = { id: place.person.id, name: place.person.name };
    for (const [index, text] of secrets(scope, kept).entries())
      await facts.keep(owner, { text, by, chat: place.chat }, `${scope}.${index}`);
  };
  const memory = createMemory({
    windows: createWindowStore(store),
    report: () => undefined,
    meaning: {
      embedder: sameForAll,
      vectors: createVectorStore(store),
      pay: () => Promise.resolve(() => Promise.resolve()),
      monotonic: () => 0,
      report: (cause) => {
        throw new Error(cause);
      },
    },
  });
  for (const spot of spots) {
    const { place, name } = spot;
    const log = secrets(`h${name}`, said).map((text, index) =>
      message(`${index}`, { text, messageId: `${index}`, person: place.person }),
    );
    await write(store, place.chat, log);
    while ((await memory.index(place.chat)) === "more");
    while ((await memory.embed(place.chat, never)) === "more");
    await keep({ chat: place.chat }, `f${name}`, spot);
    const texts = secrets(`s${name}`, summaries).map((text, at) =>
      JSON.stringify({ v: 1, from: at, to: at, atMs: 1, text }),
    );
    await store.redis.rpush(chatKeys(place.chat).summaries, ...texts);
  }
  // Half of what people want to be kept about them they say in a group.
  for (const [at, spot] of direct.entries()) {
    const saidIn = at % 2 === 0 ? spot : (inGroups[at % groups] ?? spot);
    const { person } = spot.place;
    await keep({ person: person.id }, `o${at}`, { ...saidIn, place: { ...saidIn.place, person } });
  }
  return { scopes, spots, persons, memory, facts };
}

/** The secrets one after the other, each asked for somewhere else each time. */
function* questions({ scopes, spots, persons }: World, count: number) {
  for (let at = 0; at < count; at += 1) {
    const [scope = "", index = 0] = scopes[at % scopes.length] ?? [];
    const spot = spots[(at * 7 + Math.floor(at / scopes.length)) % spots.length];
    const person = persons[(at * 3) % persons.length];
    if (spot === undefined || person === undefined) throw new TypeError("no one is there");
    // A direct chat is its person's.
    const place = spot.place.direct ? spot.place : { ...spot.place, person };
    yield { spot, place, index, words: `secret password vault ${index} zebra${scope}x${index}` };
  }
}

async function askByTool(world: World, { queries }: Planting, judge: Judge): Promise<void> {
  const tool = recallTool(world.memory.recall);
  for (const { spot, place, words } of questions(world, queries))
    judge("tool", spot, await textOf(tool, { query: words }, contextIn(place.chat)));
}

async function askByCommands(
  store: Store,
  world: World,
  { commands }: Planting,
  judge: Judge,
): Promise<void> {
  const ingress = openIngress(store);
  const blobs = createBlobs(store);
  const all = await Promise.all(
    world.spots.map(({ place: { chat } }) => world.facts.list({ chat })),
  );
  const ids = all.flatMap((list) => list.slice(0, 3).map(({ id }) => id));
  const run = async (place: Place, name: string, argument: string): Promise<string> =>
    answerOf(await ingress.command(place, name, { argument, answersItself: true }));
  let count = 0;
  for (const { spot, place, words } of questions(world, commands)) {
    count += 1;
    // It repeats no word of the question.
    judge("/recall", spot, await run(place, "recall", words));
    judge("/memory", spot, await run(place, "memory", `list ${1 + (count % 5)}`));
    const id = ids[count % ids.length] ?? "";
    if (!(await world.facts.list({ chat: place.chat })).some((fact) => fact.id === id))
      judge("/memory edit", spot, await run(place, "memory", `edit ${id} changed`));
    if (count > world.spots.length) continue;
    await run(place, "memory", "export");
    const files = (await ingress.outbox(place.chat)).flatMap((entry) =>
      entry.kind === "file" ? [entry.blob] : [],
    );
    for (const blob of files)
      judge("/memory export", spot, (await blobs.get(place.chat, blob))?.toString() ?? "");
  }
  const after = await Promise.all(
    world.spots.map(({ place: { chat } }) => world.facts.list({ chat })),
  );
  if (JSON.stringify(after) !== JSON.stringify(all)) throw new Error("facts were changed");
}

async function askInTurns(
  { store, redis }: { readonly store: Store; readonly redis: TestRedis },
  world: World,
  { turns }: Planting,
  judge: Judge,
): Promise<void> {
  const bySpot = Map.groupBy(questions(world, turns), ({ spot }) => spot);
  for (const [spot, asked] of bySpot) {
    const { chat } = spot.place;
    await using scene = await openScene({ redis, chat });
    scene.with({
      recall: world.memory.recall,
      personFacts: createPersonFacts(store, { facts: world.facts, now: () => performance.now() }),
    });
    for (const { place, index } of asked) {
      const group = place.direct ? {} : { group: true as const };
      // What was said goes out of sight: only what is recalled or kept is left.
      await scene.parts.inbox.append(chat, reset(uniqueId()));
      await scene.say(`What is the secret password of vault ${index}?`, {
        id: uniqueId(),
        person: place.person,
        ...group,
      });
      await scene.settle();
      judge("turn", spot, JSON.stringify(scene.model.requests.at(-1)));
    }
  }
}
