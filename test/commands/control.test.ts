import { beforeEach, describe, expect, it } from "vitest";
import { autoText } from "../../src/core/auto.ts";
import type { InboxEntry } from "../../src/core/history.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { begun, committed, finishing, stateOf, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const turns = turnStoreOn(store);
const ingress = openIngress(store);

beforeEach(() => {
  ingress.wakes.length = 0;
});

const waitingIn = async ({ chat }: Place): Promise<InboxEntry[]> =>
  (await redis.lrange(chatKeys(chat).inbox, 0, -1)).map((json) => JSON.parse(json) as InboxEntry);

/** As if the process had died before it answered. */
async function forgetAnswer({ chat }: Place, eventId: string): Promise<void> {
  await redis.zrem(chatKeys(chat).seen, eventId);
  await redis.del(chatKeys(chat).outbox);
}

const fill = async (at: Place, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await ingress.say(at, "wait");
};

const said = "One moment.";

describe.each(["retry", "undo"])("/%s", (name) => {
  it("puts its order into the inbox, with who asked, and wakes the chat", async () => {
    const at = groupPlace();
    await ingress.command(at, "tier", { argument: "smart" });
    const outcome = await ingress.command(at, name, {
      id: "asked-7",
      messageId: "7",
    });
    expect(textOf(outcome)).toBe(said);
    expect(await waitingIn(at)).toEqual([
      {
        kind: "control",
        role: "member",
        v: 1,
        id: `asked-7-${name}`,
        control: name,
        person: at.person,
        messageId: "7",
        group: true,
        preference: { tier: "smart" },
        ownOnly: true,
        atMs: expect.any(Number) as number,
      },
    ]);
    expect(ingress.wakes).toContain(`turn ${at.chat}`);
    const alone = directPlace();
    await ingress.command(alone, name);
    const [entry] = await waitingIn(alone);
    expect(entry).not.toHaveProperty("group");
    expect(entry).not.toHaveProperty("preference");
  });

  it("ends what runs, drops what waits and says so; its own order stays", async () => {
    const at = directPlace();
    await ingress.say(at, "first");
    const turn = await begun(turns, at.chat);
    await fill(at, 2);
    expect(textOf(await ingress.command(at, name))).toBe(`${said} I discarded 2 waiting messages.`);
    expect(await turns.heartbeat(turn.session)).toEqual({
      stopAt: 3,
      waiting: 3,
    });
  });

  it("delivered again does not stop what it has begun", async () => {
    const at = directPlace();
    await ingress.command(at, name, { id: "m1" });
    await forgetAnswer(at, "m1");
    expect(textOf(await ingress.command(at, name, { id: "m1" }))).toBe(said);
    expect(await waitingIn(at)).toHaveLength(1);
    expect(await redis.hget(chatKeys(at.chat).state, "stop")).toBeNull();
  });

  it("finds room behind messages, and says when there is none at all", async () => {
    const at = directPlace();
    await fill(at, 20);
    expect(textOf(await ingress.command(at, name))).toContain("20 waiting");
    for (let index = 0; index < 19; index += 1) await ingress.command(at, name);
    expect(textOf(await ingress.command(at, name))).toMatch(/that's the limit/);
    expect(await waitingIn(at)).toHaveLength(40);
  });
});

it.each([
  ["retry", "", true],
  ["auto", "tidy up", true],
  ["auto", "99", undefined],
  ["undo", "", false],
  ["compact", "", undefined],
])("/%s %s says whether a turn comes of it: %s", async (name, argument, startsTurn) => {
  const outcome = await ingress.command(directPlace(), name, { argument });
  expect("startsTurn" in outcome ? outcome.startsTurn : undefined).toBe(startsTurn);
});

describe("/compact", () => {
  it("waits for its turn, and stops nothing", async () => {
    const at = directPlace();
    await ingress.say(at, "first");
    const turn = await begun(turns, at.chat);
    expect(textOf(await ingress.command(at, "compact", { id: "m9" }))).toBe(said);
    expect(await waitingIn(at)).toMatchObject([
      {
        kind: "control",
        control: "compact",
        id: "m9-compact",
        role: "member",
      },
    ]);
    expect(await turns.heartbeat(turn.session)).toMatchObject({ stopAt: 0 });
    await forgetAnswer(at, "m9");
    await ingress.command(at, "compact", { id: "m9" });
    expect(await waitingIn(at)).toHaveLength(1);
  });
});

const auto = async (at: Place, argument: string, id?: string) =>
  textOf(
    await ingress.command(at, "auto", {
      argument,
      ...(id === undefined ? {} : { id }),
    }),
  );

const given = async (at: Place, options: Record<string, string>) =>
  textOf(
    await ingress.command(at, "auto", {
      argument: Object.values(options).join(" "),
      options,
    }),
  );

describe("/auto", () => {
  it.each([
    ["tidy up", "tidy up", 10, "up to 10 steps"],
    ["tidy up 3", "tidy up", 3, "up to 3 steps"],
    ["tidy up 1", "tidy up", 1, "up to 1 step"],
    ["tidy up\n50", "tidy up", 50, "up to 50 steps"],
    ["count to 100 5", "count to 100", 5, "up to 5 steps"],
    ["release 1.2", "release 1.2", 10, "up to 10 steps"],
    ["  write  two\nlines  2 ", "write  two\nlines", 2, "up to 2 steps"],
  ])("%j works on %j for at most %i turns", async (argument, goal, of, said) => {
    const at = groupPlace();
    await ingress.command(at, "model", { argument: "qwen" });
    expect(textOf(await ingress.command(at, "auto", { argument, id: "m5" }))).toBe(
      `On it. I'll work on this for ${said}; /stop ends it early.`,
    );
    expect(await waitingIn(at)).toMatchObject([
      {
        kind: "message",
        id: "m5-auto",
        person: at.person,
        group: true,
        preference: { model: "local/qwen3:8b" },
        text: autoText(goal, 1, of),
        auto: { goal, step: 1, of },
      },
    ]);
    expect((await begun(turns, at.chat)).state).toMatchObject({
      auto: { goal, step: 1, of },
    });
  });

  it.each([
    ["7", "What's the goal? For example: /auto plan a trip to Lisbon 5"],
    ["\u200b\u00ad 7", "What's the goal? For example: /auto plan a trip to Lisbon 5"],
    ["", "What's the goal? For example: /auto plan a trip to Lisbon 5"],
    ["tidy up 0", /^The number of steps must be 1 to 50, not "0"\. If it belongs to your goal/],
    ["count to 51", /^The number of steps must be 1 to 50, not "51"\./],
    ["down to -1", /not "-1"\./],
    [`x ${"9".repeat(400)}`, /not "9{50}…"\./],
    ["x".repeat(2_001), "The goal is too long (2,001 characters; the limit is 2,000)."],
  ])("%j is refused in words, and begins nothing", async (argument, said) => {
    const at = directPlace();
    const answer = await auto(at, argument);
    if (typeof said === "string") expect(answer).toBe(said);
    else expect(answer).toMatch(said);
    expect(await waitingIn(at)).toEqual([]);
  });

  it.each([
    [{ goal: "say Count to 10" }, "say Count to 10", 10],
    [{ goal: "say Count to 99" }, "say Count to 99", 10],
    [{ goal: "count to 10", turns: "5" }, "count to 10", 5],
  ])("takes goal and turns from options as they are: %j", async (options, goal, of) => {
    const at = directPlace();
    expect(await given(at, options)).toContain(`up to ${of} steps`);
    expect(await waitingIn(at)).toMatchObject([{ auto: { goal, step: 1, of } }]);
  });

  it.each([
    [{ goal: "tidy up", turns: "five" }, 'must be 1 to 50, not "five".'],
    [{ goal: "tidy up", turns: "51" }, 'must be 1 to 50, not "51".'],
    [{ goal: "tidy up", turns: "2.5" }, 'must be 1 to 50, not "2.5".'],
    [{ goal: " ", turns: "5" }, "What's the goal?"],
  ])("refuses options that are none: %j", async (options, problem) => {
    const at = directPlace();
    expect(await given(at, options)).toContain(problem);
    expect(await waitingIn(at)).toEqual([]);
  });

  it("takes a goal of 2,000 characters", async () => {
    const at = directPlace();
    expect(await auto(at, "x".repeat(2_000))).toContain("up to 10 steps");
  });

  it("is refused while another one waits, has just been opened, or runs", async () => {
    const at = directPlace();
    await auto(at, "first 4");
    const refused = "I'm already working on a goal, step 1 of 4. /stop ends it.";
    expect(await auto(at, "second")).toBe(refused);
    const turn = await begun(turns, at.chat);
    expect(turn.opened).toBe(true);
    expect(await auto(at, "second")).toBe(refused);
    expect(textOf(await ingress.command(at, "status"))).toContain("/auto: step 1 of 4.");
    const { revision } = await committed(turns, turn, {
      state: stateOf(turn),
      turn: 1,
    });
    expect(await auto(at, "second")).toBe(refused);
    expect(await waitingIn(at)).toEqual([]);
    const { session } = turn;
    await committed(turns, { session, revision }, finishing(1));
    expect(await auto(at, "second")).toContain("On it.");
  });

  it("that was stopped is not in the way of the next one", async () => {
    const at = directPlace();
    await ingress.say(at, "hello");
    await begun(turns, at.chat);
    await auto(at, "waits");
    await ingress.command(at, "stop");
    expect(await auto(at, "next")).toContain("On it.");
    const running = directPlace();
    await auto(running, "runs");
    await begun(turns, running.chat);
    await ingress.command(running, "stop");
    expect(await auto(running, "next")).toContain("On it.");
  });

  it("delivered again is the same one", async () => {
    const at = directPlace();
    const first = await auto(at, "tidy up", "m1");
    await forgetAnswer(at, "m1");
    expect(await auto(at, "tidy up", "m1")).toBe(first);
    expect(await waitingIn(at)).toHaveLength(1);
  });

  it("says when the inbox is full", async () => {
    const at = directPlace();
    await fill(at, 20);
    expect(await auto(at, "tidy up")).toMatch(/that's the limit/);
  });

  it("may run beside ordinary messages, which are no /auto", async () => {
    const at = directPlace();
    await fill(at, 3);
    await begun(turns, at.chat);
    expect(await auto(at, "tidy up")).toContain("On it.");
  });
});

describe("/stop", () => {
  it("says each time that it has stopped something, and seldom that there was nothing", async () => {
    const at = directPlace();
    for (let times = 0; times < 2; times += 1) {
      await ingress.say(at, "ask");
      const turn = await begun(turns, at.chat);
      expect(textOf(await ingress.command(at, "stop"))).toBe("Stopped.");
      await committed(turns, turn, finishing(turn.state?.turn ?? 0));
    }
    expect(textOf(await ingress.command(at, "stop"))).toContain("Nothing");
    expect(await ingress.command(at, "stop")).toEqual({ type: "refused" });
  });

  it("says once that it ends a turn, and again if it drops what was written since", async () => {
    const at = directPlace();
    await ingress.say(at, "ask");
    await begun(turns, at.chat);
    expect(textOf(await ingress.command(at, "stop"))).toBe("Stopped.");
    expect(await ingress.command(at, "stop")).toEqual({ type: "refused" });
    await ingress.say(at, "wait");
    expect(textOf(await ingress.command(at, "stop"))).toContain("1 waiting message");
  });
});
