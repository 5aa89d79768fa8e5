import type { InboundCommand } from "../../src/core/inbound.ts";
import type { Random } from "../chaos/storm/random.ts";
import { actorIds, botId, cardId, IngressWorld, groupId } from "./ingress-world.ts";
import { evilString } from "./evil.ts";
import type { Fuzzer, FuzzResult } from "./fuzzer.ts";
import { argumentsOf, wordsOf } from "./words.ts";

/** What a platform's adapter hands over. */
interface Given {
  readonly actor: number;
  readonly isDirect: boolean;
  readonly name: string;
  readonly argument: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** Every command's own reading of its arguments, typed and as options, for everybody. */
export async function commandFuzzer(): Promise<Fuzzer> {
  const world = await IngressWorld.open("discord");
  const words = wordsOf(world).map((word) => word.replace(/^\/\S+ ?/, ""));
  const names = world.commands.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
  const optionNames = [
    ...new Set(
      world.commands.flatMap(({ spec }) => (spec.arguments ?? []).map(({ name }) => name)),
    ),
  ];
  let events = 0;
  return {
    name: "commands",
    covers:
      "a command's name and arguments → ingress → the command → Redis; nobody talks, decides or administers who may not",
    mustReach: ["queued", "decided", "refused", "answered"],
    make: (random) => JSON.stringify(makeCommand(random, { names, words, optionNames })),
    async run(input): Promise<FuzzResult> {
      const { actor, isDirect, ...given } = JSON.parse(input) as Given;
      events += 1;
      const command: InboundCommand = {
        ...given,
        type: "command",
        id: `i${events}`,
        messageId: String(cardId),
        person: {
          id: `discord:${actor}`,
          name: `Person ${actor}`,
          username: `user${actor}`,
        },
        address: {
          platform: "discord",
          bot: String(botId),
          chat: String(isDirect ? actor : -groupId),
        },
        direct: isDirect,
        atMs: 1,
        answersItself: events % 2 === 0,
      };
      await world.acceptFor([actor])(command);
      const outcome = await world.judge([actor]);
      return { passed: names.includes(given.name), outcome };
    },
    check: () => world.check(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function makeCommand(
  random: Random,
  pools: {
    readonly names: readonly string[];
    readonly words: readonly string[];
    readonly optionNames: readonly string[];
  },
): Given {
  const { names, words, optionNames } = pools;
  const name = random.chance(0.95) ? random.pick(names) : evilString(random, random.pick(names));
  const word = (): string =>
    random.chance(0.6) ? random.pick(words) : evilString(random, argumentsOf(name));
  const usual = random.chance(0.5) ? argumentsOf(name).split(" ") : [];
  const argument = random
    .shuffled([...usual, ...Array.from({ length: random.whole(0, 4) }, word)])
    .join(random.chance(0.95) ? " " : evilString(random, " "));
  const options = Object.fromEntries(
    Array.from({ length: random.whole(1, 3) }, () => [
      random.chance(0.9) ? random.pick(optionNames) : evilString(random, "x"),
      word(),
    ]),
  );
  return {
    actor: random.pick(actorIds),
    isDirect: random.chance(0.5),
    name,
    argument,
    ...(random.chance(0.4) ? { options } : {}),
  };
}
