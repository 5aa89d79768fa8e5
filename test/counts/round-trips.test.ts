/**
 * What Redis is asked before an answer leaves, counted over the bots' half and the worker's,
 * BullMQ's own included. A round trip is what is written between two waits; heartbeats, sweeps and
 * what else the clock brings are none of a turn's.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { CommandWatch } from "../support/redis/command-watch.ts";
import { roundTripsOf, type AskedCommand, type RoundTrip } from "../support/redis/round-trips.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { startDeployment, type Deployment } from "./deployment.ts";

const maxUnderLoad = 4;
const maxIdle = 7;
/** That of the turns' worker and that of the process which sends. */
const blockingPops = 2;
const maxPerToolRound = 2;
const crowd = 50;

const redis = await testDatabase();
vi.setConfig({ testTimeout: 3 * timeoutMs, hookTimeout: 3 * timeoutMs });
let watch: CommandWatch;
let deployment: Deployment;

beforeAll(async () => {
  watch = new CommandWatch();
  deployment = await startDeployment({
    botsUrl: redis.url,
    workerUrl: redis.url,
    // A trace is written behind the answer, whenever there is time.
    config: "retention: { traces: off }",
  });
  // Scripts are loaded and queues opened.
  const chat = deployment.telegram.direct("Ann");
  await commandsOf(chat, "call current_time {}", "current_time said");
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  watch[Symbol.dispose]();
});

const mentions = ({ parts }: AskedCommand, word: string): boolean =>
  parts.some((part) => part.includes(word));

/** What the clock or a new day brings, what is counted, and what ends a job: no one waits for it. */
const isAside = ({ name, parts: [key = ""] }: AskedCommand): boolean =>
  /^(parley-(sweep|lease|heartbeat|members|limit-add)|moveStalledJobsToWait|extendLocks?|moveToFinished)$/.test(
    name,
  ) ||
  // The sweeper looks by the clock, too.
  name === "time" ||
  name === "zcount" ||
  /\{cfg\}:(pause|connected|eras|broadcast|chats)/.test(key);

const isFetch = ({ name }: AskedCommand): boolean => name === "moveToActive";

/** Who asks for something to do though there is nothing, or waits for it. */
const isIdling = (command: AskedCommand): boolean =>
  command.name === "bzpopmin" ||
  command.name === "zpopmin" ||
  (isFetch(command) && command.reply?.isEmpty !== false);

const isOfDelivery = (command: AskedCommand): boolean =>
  /^parley-(draft|open|pace|ready|receipt)$/.test(command.name) ||
  mentions(command, "{deliveries-");

/** By which an outbox is delivered. */
const isWake = ({ name }: AskedCommand): boolean => name === "parley-ready";

/** What is read once a second at most, whatever people write. */
const isRemembered = (roundTrip: RoundTrip): boolean =>
  roundTrip.every(({ parts: [key = ""] }) =>
    /\{cfg\}:(person|bans)|\{limits\}:(version|rules)/.test(key),
  );

/** Of these the ones that stand before the answer of the only turn among them. */
function beforeAnswer(commands: readonly AskedCommand[]): AskedCommand[] {
  const commit = commands.findLast(({ name }) => name === "parley-commit");
  const open = commands.find(
    ({ name, writtenAt }) => name === "parley-open" && writtenAt > (commit?.writtenAt ?? Infinity),
  );
  if (commit === undefined || open === undefined)
    throw new Error("there was no turn, or nothing was delivered");
  const wake = commands.find((command) => isWake(command) && command.writtenAt > commit.writtenAt);
  return commands.filter(
    (command) =>
      !isAside(command) &&
      !isIdling(command) &&
      command.writtenAt <= open.writtenAt &&
      // What is delivered sooner is the growing text, which a slow machine shows; its timers may
      // wake the chat once more.
      (command.writtenAt >= commit.writtenAt || !isOfDelivery(command)) &&
      (command === wake || !isWake(command)) &&
      // What the worker does besides, once it has committed, keeps no delivery waiting.
      (command === wake ||
        command.writtenAt <= commit.writtenAt ||
        command.connection !== commit.connection),
  );
}

/** Each connection waits by itself. */
const roundTripsOfEach = (commands: readonly AskedCommand[]): RoundTrip[] =>
  [...Map.groupBy(commands, ({ connection }) => connection).values()]
    .flatMap(roundTripsOf)
    .sort(([one], [other]) => one.writtenAt - other.writtenAt);

const shown = (roundTrips: readonly RoundTrip[]): string =>
  roundTrips.map((roundTrip) => roundTrip.map(({ name }) => name).join(" + ")).join(", ");

/**
 * Says this, waits for the answer's receipt, and fulfils with all that was written from then to
 * there.
 */
async function commandsOf(
  chat: TestChat,
  text: string,
  answer: string,
): Promise<readonly AskedCommand[]> {
  const from = watch.moment;
  const since = () => watch.commands.filter((each) => each.writtenAt > from);
  chat.say(text);
  await chat.wait(answer);
  const name = deployment.chatOf(chat);
  await vi.waitUntil(
    () => {
      const commit = since().findLast(({ name }) => name === "parley-commit");
      return since().some(
        (each) =>
          each.name === "parley-receipt" &&
          each.writtenAt > (commit?.writtenAt ?? Infinity) &&
          mentions(each, name),
      );
    },
    { timeout: timeoutMs },
  );
  return since();
}

/** How often what is counted is tried: on a busy machine a clock may bring something in between. */
const tries = 3;

/**
 * The fewest round trips of several before an answer, each in a new chat of a new person who has
 * said something.
 */
async function fewestBefore(
  text: string,
  answer: string,
  prepare: (chat: TestChat) => Promise<unknown> = () => Promise.resolve(),
) {
  const found: { turn: RoundTrip[]; remembered: RoundTrip[] }[] = [];
  for (let index = 0; index < tries; index += 1) {
    const chat = deployment.telegram.direct("Ann");
    await commandsOf(chat, "say warm", "warm");
    await prepare(chat);
    const path = beforeAnswer(await commandsOf(chat, text, answer));
    const [remembered, turn] = [true, false].map((wanted) =>
      roundTripsOfEach(path).filter((each) => isRemembered(each) === wanted),
    );
    found.push({ turn: turn ?? [], remembered: remembered ?? [] });
  }
  const [fewest] = found.sort(
    (one, other) =>
      one.turn.length - other.turn.length || one.remembered.length - other.remembered.length,
  );
  if (fewest === undefined) throw new Error("nothing was tried");
  return fewest;
}

const calculate = (sum: string): string => `calculate {"expression":"${sum}"}`;

describe("a turn, when no one else wants anything", () => {
  it("costs at most seven round trips before its answer leaves, over all processes, and one that reads what is known of the person", async () => {
    const { turn, remembered } = await fewestBefore("say plain", "plain");
    // The whole way was counted: the queue, the turn, and at last the delivery.
    expect(shown(turn)).toMatch(
      /parley-ingest.*moveToActive.*parley-begin.*parley-commit.*parley-ready.*parley-open/,
    );
    // Who is idle is told by a blocking command that there is a job, or a chat to send to: each is
    // a round trip of its own.
    expect(turn.length + blockingPops, shown(turn)).toBeLessThanOrEqual(maxIdle);
    expect(remembered.length, shown(remembered)).toBeLessThanOrEqual(1);
  });

  it("costs one more where an earlier conversation can be recalled", async () => {
    const { turn } = await fewestBefore("say plain", "plain", (chat) => chat.command("new"));
    expect(shown(turn)).toMatch(/hmget \+ hmget \+ llen/);
    expect(turn.length + blockingPops, shown(turn)).toBeLessThanOrEqual(maxIdle + 1);
  });

  it("costs at most two round trips more for each round of tools", async () => {
    const one = await fewestBefore(`call ${calculate("1+1")}`, "said: 2");
    const two = await fewestBefore(`call ${calculate("1+2")} then ${calculate("2+2")}`, "said: 4");
    // The blocking commands are counted above.
    for (const [rounds, { turn }] of [one, two].entries()) {
      const commits = turn.filter((roundTrip) =>
        roundTrip.some(({ name }) => name === "parley-commit"),
      );
      expect(commits.length).toBeGreaterThan(rounds + 1);
      expect(turn.length, shown(turn)).toBeLessThanOrEqual(
        maxIdle - blockingPops + maxPerToolRound * (rounds + 1),
      );
    }
  });
});

describe("plain turns of many chats at once", () => {
  it("cost a chat at most four round trips before its answer leaves, and share what is asked for turns", async () => {
    const chats = Array.from({ length: crowd }, (_, index) =>
      deployment.telegram.direct(`Person${index}`),
    );
    const from = watch.moment;
    for (const chat of chats) chat.say("say hello");
    await Promise.all(chats.map((chat) => chat.wait("hello")));
    const commands = watch.commands.filter((each) => each.writtenAt > from);
    // No limit is set: what people use is counted for many turns at once.
    expect(commands.map(({ name }) => name)).not.toContain("parley-limit-count");
    // A chat's own: what is asked for many of them at once, as the next job with the last one's
    // end, names none.
    const roundTrips = chats
      .map((chat) => {
        const name = deployment.chatOf(chat);
        const own = commands.filter((each) => mentions(each, name));
        return roundTripsOf(beforeAnswer(own));
      })
      .sort((one, other) => one.length - other.length);
    for (const each of roundTrips)
      expect(shown(each)).toMatch(/parley-ingest.*parley-begin.*parley-commit.*parley-open/);
    // The sweeper looks after a chat that a busy machine keeps waiting for longer than a second.
    const middle = roundTrips[chats.length / 2] ?? [];
    expect(middle.length, shown(middle)).toBeLessThanOrEqual(maxUnderLoad);
    // All but delivery, which Telegram's pace stretches: what must wait is looked at more than
    // once.
    const turns = roundTripsOfEach(
      commands.filter((each) => !isAside(each) && !isOfDelivery(each)),
    );
    expect(turns.length / chats.length).toBeLessThanOrEqual(maxUnderLoad);
  });
});
