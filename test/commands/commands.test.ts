import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { answer, type Command } from "../../src/commands/command.ts";
import { chatKey } from "../../src/core/chat.ts";
import { unreachable } from "../../src/core/errors.ts";
import { memoryOn, write } from "../memory/support.ts";
import { message } from "../store/support.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import {
  approvalOf,
  begun,
  committed,
  dump,
  finishing,
  reset,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
  waitingFor,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

// Nothing in this file works on turns or deliveries: commands answer whatever the workers do.
const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const turns = turnStoreOn(store);
const ingress = openIngress(store);

// One of the commands pauses everybody.
afterEach(() => redis.del(configKey("pause")));

type Role = "admin" | "member" | "guest" | "stranger" | "banned";

async function placeOf(role: Role) {
  const at = directPlace();
  const closed = openIngress(store, { mode: "allowlist" });
  if (role !== "stranger") await closed.access.setRole(at.person, role);
  return { at, closed };
}

const mayUse = (role: Role, command: Command): boolean => {
  switch (role) {
    case "admin":
      return command.role !== "owner";
    case "member":
      return command.role !== "admin" && command.role !== "owner";
    case "guest":
      return command.role === "guest" || command.role === "stranger";
    case "stranger":
      return command.role === "stranger";
    case "banned":
      return false;
    default:
      return unreachable(role);
  }
};

describe("every command", () => {
  const matrix = (["admin", "member", "guest", "stranger", "banned"] as const).flatMap((role) =>
    allCommands.flatMap((command) =>
      [command.spec.name, ...(command.spec.aliases ?? [])].map(
        (name) => [name, role, mayUse(role, command)] as const,
      ),
    ),
  );

  it.each(matrix)("/%s of a %s runs: %s", async (name, role, may) => {
    const { at, closed } = await placeOf(role);
    const ran: string[] = [];
    const commands = allCommands.map((command): Command => ({
      ...command,
      run: (call, deps) => {
        ran.push(call.role);
        return command.run(call, deps);
      },
    }));
    const outcome = await createAccept({ ...closed.deps, commands })({
      type: "command",
      id: "m1",
      ...at,
      name,
      argument: "telegram:5",
      answersItself: false,
      atMs: 1,
    });
    expect(ran).toEqual(may ? [role] : []);
    const told = await closed.told(at.chat);
    if (may) {
      expect(outcome.type).toBe("answered");
      expect(told).toEqual([textOf(outcome)]);
    } else {
      expect(textOf(outcome)).toMatch(/\bonly\b|not allowed/i);
      expect(told).toEqual([textOf(outcome)]);
    }
  });

  it("that is delivered again is neither run nor answered again", async () => {
    const at = directPlace();
    let runs = 0;
    const counting: Command = {
      spec: { name: "count", description: "Counts" },
      role: "member",
      isPrivate: false,
      run: () => {
        runs += 1;
        return Promise.resolve(answer(`run ${runs}`));
      },
    };
    const accept = createAccept({ ...ingress.deps, commands: [counting] });
    const deliver = () =>
      accept({
        type: "command",
        id: "m1",
        ...at,
        name: "count",
        argument: "",
        answersItself: false,
        atMs: 1,
      });
    expect((await deliver()).type).toBe("answered");
    for (let again = 0; again < 3; again += 1)
      expect(await deliver()).toEqual({ type: "duplicate" });
    expect(runs).toBe(1);
    expect(await ingress.told(at.chat)).toEqual(["run 1"]);
  });

  it("is answered by the adapter where the adapter can, and then not through the outbox", async () => {
    for (const { spec } of allCommands) {
      const at = directPlace();
      const outcome = await ingress.command(at, spec.name, {
        answersItself: true,
        argument: "x",
      });
      expect(textOf(outcome)).not.toBe("");
      expect(await ingress.told(at.chat)).toEqual([]);
    }
  });

  it.each(allCommands.map(({ spec }) => [spec.name, spec] as const))(
    "/%s fits into Discord's and Telegram's menus",
    (_, { name, aliases = [], description, arguments: given = [] }) => {
      for (const each of [name, ...aliases]) expect(each).toMatch(/^[a-z0-9_]{1,32}$/);
      const descriptions = [description, ...given.map((each) => each.description)];
      for (const each of descriptions) {
        expect(each.length).toBeGreaterThan(0);
        expect(each.length).toBeLessThanOrEqual(100);
      }
      expect(new Set(given.map((each) => each.name)).size).toBe(given.length);
      for (const each of given) {
        expect(each.name).toMatch(/^[a-z0-9_]{1,32}$/);
        expect(each.choices?.length ?? 1).toBeLessThanOrEqual(25);
      }
      const required = given.map((each) => each.required);
      expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
    },
  );

  it("without an argument that it needs says what it needs", async () => {
    expect(textOf(await ingress.command(directPlace(), "auto"))).toMatch(/^What's the goal\?/);
  });

  it("that does not exist is named, and no longer than it may be", async () => {
    const at = directPlace();
    expect(textOf(await ingress.command(at, "launch"))).toBe(
      "I don't know /launch. /help all lists all commands.",
    );
    const long = textOf(await ingress.command(at, "x".repeat(5_000)));
    expect(long.length).toBeLessThan(100);
  });

  it("bears any name and argument: it answers, and answers briefly", async () => {
    const admin = directPlace();
    const owned = openIngress(store, { admins: [admin.person.id] });
    const names = allCommands.map(({ spec }) => spec.name);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.constantFrom(...names, "__proto__", "constructor"),
          fc.string({ unit: "binary", maxLength: 40 }),
        ),
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.constantFrom(
            "x".repeat(50_001),
            "telegram:1 telegram:2",
            "telegram:00000000000000000000000000001",
            "\u0000",
            "*",
            "{cfg}",
            "`rm -rf`",
            "\ud83d",
          ),
        ),
        fc.boolean(),
        async (name, argument, isAdmin) => {
          const at = isAdmin ? admin : directPlace();
          const outcome = await owned.command(at, name, {
            argument,
            answersItself: true,
          });
          expect(textOf(outcome)).not.toBe("");
          expect(textOf(outcome).length).toBeLessThan(2_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a private answer", () => {
  const privates = allCommands.filter(
    ({ isPrivate, role }) => isPrivate && role !== "admin" && role !== "owner",
  );

  it.each(privates.map(({ spec }) => spec.name))(
    "to /%s in a group goes to the asker's own chat",
    async (name) => {
      const own = directPlace();
      const group = groupPlace(own.person);
      await ingress.command(group, name);
      expect(await ingress.told(group.chat)).toEqual([
        expect.stringContaining("I've sent you the answer privately."),
      ]);
      expect(await ingress.told(own.chat)).toHaveLength(1);
      expect((await ingress.told(own.chat))[0]).toMatch(
        /^For the group telegram:[^\n]*\n(Name:|Role:|This chat so far|Settings for|You have no limits|Owners:)/,
      );
    },
  );

  it.each([
    ["Family", undefined, 'the group "Family":'],
    [" Fam\nily ", "9", 'the group "Fam ily", topic 9:'],
    ["x".repeat(300), undefined, `the group "${"x".repeat(60)}…":`],
  ])("says which group it is about: %j, topic %s", async (chatTitle, thread, said) => {
    const own = directPlace();
    const group = groupPlace(own.person);
    const address = {
      ...group.address,
      ...(thread === undefined ? {} : { thread }),
    };
    await ingress.command({ ...group, address }, "settings", { chatTitle });
    expect((await ingress.told(own.chat))[0]).toContain(`For ${said}`);
  });

  it("comes for each group that it was asked in, though their messages have the same numbers", async () => {
    const own = directPlace();
    const groups = [groupPlace(own.person), groupPlace(own.person)];
    for (const group of groups) await ingress.command(group, "usage", { id: "m55" });
    const entries = await ingress.outbox(own.chat);
    expect(entries).toHaveLength(2);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it("comes once, though its process died before it said so in the group", async () => {
    const own = directPlace();
    const group = groupPlace(own.person);
    await ingress.command(group, "usage", { id: "m1" });
    await redis.del(chatKeys(group.chat).seen, chatKeys(group.chat).outbox);
    await ingress.command(group, "usage", { id: "m1" });
    expect(await ingress.told(own.chat)).toHaveLength(1);
    expect(await ingress.told(group.chat)).toHaveLength(1);
  });

  it("for which there is no room says so", async () => {
    const own = directPlace();
    const group = groupPlace(own.person);
    const others = Array.from({ length: 1_000 }, (_, index) => `n${index} {}`);
    await redis.rpush(chatKeys(own.chat).outbox, ...others);
    expect(textOf(await ingress.command(group, "usage"))).toMatch(
      /^Sorry, I have too many private/,
    );
    expect(await redis.llen(chatKeys(own.chat).outbox)).toBe(1_000);
  });

  it("that cannot reach its asker says where to ask", async () => {
    const anonymous = groupPlace(newPerson({ anonymous: true }));
    const elsewhere = groupPlace(newPerson({ id: "discord:55" }));
    for (const at of [anonymous, elsewhere]) {
      await ingress.command(at, "whoami");
      expect(await ingress.told(at.chat)).toEqual([
        "Let's do that in private. Message me directly.",
      ]);
    }
  });

  it("in a direct chat is simply the answer", async () => {
    const at = directPlace();
    expect(await ingress.command(at, "whoami")).toMatchObject({
      isPrivate: true,
    });
    expect((await ingress.told(at.chat))[0]).toMatch(/^Name: [^\n]*\nID: /);
  });
});

describe("/stop", () => {
  it("with nothing to stop says so and leaves no mark", async () => {
    const at = directPlace();
    expect(textOf(await ingress.command(at, "stop"))).toBe("Nothing is running.");
    await ingress.say(at, "hello");
    expect(await begun(turns, at.chat)).toMatchObject({ opened: true });
  });

  it.each([
    [0, "Stopped."],
    [1, "Stopped. I also discarded 1 waiting message."],
    [2, "Stopped. I also discarded 2 waiting messages."],
  ])("with %i waiting says what becomes of them", async (count, said) => {
    const at = directPlace();
    await ingress.say(at, "first");
    const turn = await begun(turns, at.chat);
    for (let index = 0; index < count; index += 1) await ingress.say(at, "next");
    expect(textOf(await ingress.command(at, "cancel"))).toBe(said);
    expect(ingress.wakes).toContain(`turn ${at.chat}`);
    expect(await turns.heartbeat(turn.session)).toMatchObject({
      stopAt: 1 + count,
    });
    await ingress.say(at, "later");
    await committed(turns, turn, finishing(1));
    const next = await begun(turns, at.chat);
    expect(next.stopAt).toBe(1 + count);
    expect(next.opened).toBe(count === 0);
  });
});

it.each([true, false])(
  "/stop that is delivered again leaves what came behind it alone; its adapter answers: %s",
  async (answersItself) => {
    const at = directPlace();
    await ingress.say(at, "wait");
    const again = { id: "i1", answersItself };
    const said = "Stopped. I also discarded 1 waiting message.";
    expect(textOf(await ingress.command(at, "stop", again))).toBe(said);
    await ingress.say(at, "do this instead");
    expect(await ingress.command(at, "stop", again)).toEqual({
      type: "duplicate",
    });
    // Who carried it out ended before it was remembered.
    await redis.zrem(chatKeys(at.chat).seen, "i1");
    expect(textOf(await ingress.command(at, "stop", again))).toBe(said);
    expect((await begun(turns, at.chat)).stopAt).toBe(1);
  },
);

it.each([
  ["stop", "Stopped. I also discarded 2 waiting messages."],
  ["new", "New conversation"],
])(
  "/%s keeps out what was on its way, though it be delivered again, and counts once what got in",
  async (name, said) => {
    const at = directPlace();
    await ingress.say(at, "was quicker", { id: "m901" });
    const given = { dropEarlier: () => ["m900", "m901"] };
    expect(textOf(await ingress.command(at, name, given))).toContain(said);
    const waiting = await ingress.waiting(at.chat);
    // Its process has died before the platform knew that it was taken.
    expect(await ingress.say(at, "a file", { id: "m900" })).toEqual({
      type: "duplicate",
    });
    expect(await ingress.waiting(at.chat)).toEqual(waiting);
    expect(await ingress.say(at, "the next")).toEqual({ type: "queued" });
  },
);

it("/stop counts what it drops itself, and no orders", async () => {
  const at = directPlace();
  const stop = async () => textOf(await ingress.command(at, "stop", { answersItself: true }));
  await ingress.command(at, "compact");
  expect(await stop()).toBe("Stopped.");
  expect(await stop()).toBe("Nothing is running.");
  await ingress.say(at, "one");
  await ingress.command(at, "compact");
  expect(textOf(await ingress.command(at, "undo"))).toBe(
    "One moment. I discarded 1 waiting message.",
  );
  expect(textOf(await ingress.command(at, "status"))).toMatch(/^Queued\.\nModel:/);
  expect(await stop()).toBe("Stopped.");
  expect(textOf(await ingress.command(at, "status"))).toMatch(/^Nothing is running\.\nModel:/);
});

const finish = async (at: Place) => {
  const turn = await begun(turns, at.chat);
  await committed(turns, turn, {
    ...finishing(stateOf(turn).turn),
    append: [said(1, "old answer")],
  });
};

describe("/new", () => {
  it("ends what runs, and nothing of what was said before is seen after it", async () => {
    const at = directPlace();
    await ingress.say(at, "my secret is a zebra");
    await finish(at);
    expect(textOf(await ingress.command(at, "new", { id: "new-again" }))).toContain(
      "New conversation",
    );
    await ingress.command(at, "new", { id: "new-again" });
    expect(await ingress.waiting(at.chat)).toEqual(["new-again-reset"]);
    const turn = await begun(turns, at.chat);
    expect(turn).toMatchObject({ opened: false, state: undefined });
    await committed(turns, turn, {
      state: undefined,
      turn: 2,
      take: 1,
      append: [reset("new-again-reset")],
      release: {},
    });
    await ingress.say(at, "what is my secret?");
    const { transcript } = await begun(turns, at.chat);
    expect(JSON.stringify(transcript)).not.toContain("zebra");
    expect(transcript).toHaveLength(1);
  });

  it("finds room in an inbox that is full of messages", async () => {
    const at = directPlace();
    for (let index = 0; index < 20; index += 1) await ingress.say(at, "wait");
    await ingress.command(at, "reset", { id: "reset-when-full" });
    expect(await ingress.waiting(at.chat)).toHaveLength(21);
    expect((await begun(turns, at.chat)).stopAt).toBe(20);
  });
});

describe("/status and /usage", () => {
  it("tell how the chat stands", async () => {
    const at = directPlace();
    const status = async () => textOf(await ingress.command(at, "status"));
    expect(await status()).toContain("Nothing is running.");
    await ingress.say(at, "delete it");
    expect(await status()).toMatch(/^Queued\.\n.*waiting: 1\n/);
    const turn = await begun(turns, at.chat);
    expect(await status()).toMatch(/^Working on an answer\./);
    const approval = approvalOf(turns, at.chat);
    const { revision } = await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [approval]),
      turn: 1,
      append: [said(1)],
      ask: [approval],
    });
    expect(await status()).toMatch(/approve or deny[^]*conversation: 2/);
    await committed(
      turns,
      { session: turn.session, revision },
      finishing(1, {
        close: [{ id: approval.id, status: "cancelled" }],
        usage: { turns: 1, modelCalls: 2, inputTokens: 30, outputTokens: 4 },
      }),
    );
    expect(textOf(await ingress.command(at, "usage"))).toMatch(
      /^This chat so far:\nAnswers: 1\nModel requests: 2\nInput tokens: 30\nOutput tokens: 4\nYou, today: /,
    );
  });

  it("tell tokens and cost by model: what is unknown and what is estimated is said", async () => {
    const at = directPlace();
    for (const models of [
      {
        "openai/gpt-5": {
          requests: 2,
          inputTokens: 1_000,
          outputTokens: 50,
          costUsd: 0.0123,
        },
        "local/qwen3:8b": { requests: 1, inputTokens: 7, outputTokens: 3 },
      },
      {
        "openai/gpt-5": {
          requests: 1,
          inputTokens: 500,
          outputTokens: 5,
          costUsd: 1,
          estimated: true,
        },
      },
    ]) {
      await ingress.say(at, "hello");
      const turn = await begun(turns, at.chat);
      const usage = {
        turns: 1,
        modelCalls: 1,
        inputTokens: 9,
        outputTokens: 9,
      };
      await committed(turns, turn, finishing(stateOf(turn).turn, { usage: { ...usage, models } }));
    }
    expect(
      textOf(await ingress.command(at, "usage"))
        .split("\n")
        .slice(5, -2),
    ).toEqual([
      "local/qwen3:8b: 1 request, 7 input and 3 output tokens, cost unknown",
      "openai/gpt-5: 3 requests, about 1,500 input and 55 output tokens, about $1.01",
      "Cost: about $1.01, plus models without a known price",
    ]);
  });

  it("tell which tier and model hold for the asker, and why", async () => {
    const at = groupPlace();
    const other = groupPlace(newPerson(), at);
    const lines = async (place: Place) =>
      textOf(await ingress.command(place, "status"))
        .split("\n")
        .filter((line) => /^(Model|Tier)/.test(line));
    expect(await lines(at)).toEqual(["Model: openai/gpt-5, local/qwen3:8b", "Tier: automatic"]);
    await ingress.command(at, "tier", { argument: "deep" });
    await ingress.deps.settings.set(at.chat, "model", "local/qwen3:8b");
    expect(await lines(at)).toEqual([
      "Model: openrouter/deepseek/r2, openai/gpt-5",
      "Tier: deep (your choice)",
    ]);
    expect(await lines(other)).toEqual([
      "Model: local/qwen3:8b, openai/gpt-5 (set for this chat)",
      "Tier: automatic",
    ]);
  });

  it("change nothing, but that they were answered is remembered", async () => {
    // What other tests left behind may end by itself at any moment.
    await redis.flushdb();
    const at = directPlace();
    await ingress.say(at, "hello");
    const others = async () => ({
      ...(await dump(redis)),
      [chatKeys(at.chat).seen]: undefined,
    });
    const before = await others();
    for (const name of ["status", "usage", "whoami", "help", "tier", "model", "settings"])
      await ingress.command(at, name, { answersItself: true });
    expect(await others()).toEqual(before);
  });
});

describe("/status", () => {
  type Modes = [recall: "auto" | "tool" | "off", embeddings: "none" | "used" | "failing"];
  const own = "Memory: I search earlier messages by myself";
  const asked = "Memory: earlier messages are searched when needed";
  const isOff = "Memory: earlier messages aren't searched";
  const isAway = "Memory: search by meaning isn't available right now, only keywords";
  it.each<[...Modes, direct: readonly string[], inGroup: readonly string[]]>([
    ["auto", "none", [`${own} (keywords only)`], [`${asked} (keywords only)`]],
    ["tool", "none", [`${asked} (keywords only)`], [`${asked} (keywords only)`]],
    ["auto", "used", [`${own} (keywords and meaning)`], [`${asked} (keywords and meaning)`]],
    [
      "auto",
      "failing",
      [`${own} (keywords and meaning)`, isAway],
      [`${asked} (keywords and meaning)`, isAway],
    ],
    ["off", "none", [isOff], [isOff]],
  ])(
    "says how earlier messages are searched: recall %s, a model for embeddings %s",
    async (recall, embeddings, direct, inGroup) => {
      const accept = createAccept({ ...ingress.deps, memory: { recall, embeddings } });
      const command = { type: "command", name: "status", argument: "", atMs: 1 } as const;
      for (const [at, lines] of [
        [directPlace(), direct],
        [groupPlace(), inGroup],
      ] as const) {
        const id = `status ${at.chat}`;
        const said = textOf(await accept({ ...command, ...at, id, answersItself: true }));
        expect(said.split("\n").filter((line) => line.startsWith("Memory"))).toEqual(lines);
      }
    },
  );
});

describe("/todos", () => {
  it("shows the chat's list, or says how it comes to one", async () => {
    const at = directPlace();
    const shown = async () => textOf(await ingress.command(at, "todos"));
    expect(await shown()).toMatch(/^The to-do list is empty\. Ask me for/);
    await createTodos(store).replace(at.chat, [
      { text: "Buy milk", done: true },
      { text: "Boil it", done: false },
    ]);
    expect(await shown()).toBe("To-do list: 1 of 2 done\n1. ☑ Buy milk\n2. ☐ Boil it");
    const elsewhere = directPlace();
    expect(textOf(await ingress.command(elsewhere, "todos"))).toMatch(/is empty/);
  });
});

describe("/recall", () => {
  it("shows what was said here with its time, in the asker's language, and nothing of elsewhere", async () => {
    const at = directPlace();
    const find = async (words: string) =>
      textOf(await ingress.command(at, "recall", { argument: words }));
    expect(await find("")).toBe("/recall <words>: Words to look for.");
    expect(await find("boiler")).toBe("I found nothing about that in this chat.");
    const memory = memoryOn(store);
    const text = "The boiler needs a valve.";
    await write(store, at.chat, [message("m", { text, atMs: Date.UTC(2026, 4, 12, 14, 3) })]);
    expect(await find("boiler")).toMatch(/still indexing/);
    await memory.index(at.chat);
    expect(await find("boilers")).toBe(`May 12, 2026, 2:03 PM\nAnna: ${text}`);
    const elsewhere = directPlace();
    expect(textOf(await ingress.command(elsewhere, "recall", { argument: "boiler" }))).toMatch(
      /found nothing/,
    );
    expect(textOf(await ingress.command(at, "status"))).toContain(
      "Memory: I search earlier messages",
    );
  });
});

it("/recall shows of a long message what is around the words, once, and fits on a phone", async () => {
  const at = directPlace();
  const filler = "and so on and so forth ".repeat(60);
  const answer = `First of all, ${filler}the gasket of the boiler is worn, ${filler}boiler again.`;
  const atMs = Date.UTC(2026, 4, 12, 14, 3);
  await write(store, at.chat, [
    message("m1", { text: `Tell me. ${filler}`, atMs }),
    said(1, answer),
  ]);
  await memoryOn(store).index(at.chat);
  const shown = textOf(await ingress.command(at, "recall", { argument: "gaskets" }));
  const lines = shown.split("\n");
  expect(lines.filter((line) => line.startsWith("Me: "))).toHaveLength(1);
  expect(shown).toMatch(/^Me: ….*the gasket of the boiler is worn, .*…$/m);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(130);
});

it.each([
  [
    "when did we buy the boiler",
    `The weather is fine today, and the people did what the people do. ${"So it goes. ".repeat(20)}We bought the boiler in Hamburg.`,
    "bought the boiler in Hamburg.",
  ],
  [
    "where are the gaskets",
    `${"the one where the others are ".repeat(40)}a gasket lies in the drawer ${"and the rest ".repeat(20)}`,
    "a gasket lies in the drawer",
  ],
  ["bought oats", `Oats are fine. ${"So it goes. ".repeat(30)}Ben buys oats.`, "Ben buys oats."],
  ["Marz", `${"So geht es weiter. ".repeat(20)}Im März kommt Ben.`, "Im März kommt Ben."],
  ["锅炉", `${"今天天气很好，大家都在公园里散步。".repeat(18)}我们在汉堡买了锅炉。`, "买了锅炉"],
  [
    "manual",
    `See https://example.org/${"x/".repeat(150)}manual/${"y/".repeat(60)} now`,
    "x/manual/y/",
  ],
])("/recall %s shows what of a long message is about that", async (words, text, part) => {
  const at = directPlace();
  await write(store, at.chat, [message("m1", { text, atMs: Date.UTC(2026, 4, 12, 14, 3) })]);
  await memoryOn(store).index(at.chat);
  const shown = textOf(await ingress.command(at, "recall", { argument: words }));
  expect(shown).toContain(part);
  for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(130);
});

describe("/help and /whoami", () => {
  it("list on Discord what admins find below /admin", async () => {
    const at = directPlace(newPerson({ id: "discord:56" }));
    const all = { argument: "all" };
    const owned = openIngress(store, { admins: [at.person.id] });
    const shown = textOf(await owned.command(at, "help", all)).replaceAll("\u2063", "");
    for (const name of ["/limits", "/admin limits-set", "/admin limits-reset", "/admin role"])
      expect(shown).toContain(`${name} – `);
    const members = textOf(await ingress.command(at, "help", all));
    expect(members).not.toContain("/admin limits-set");
  });

  it("show what the asker may do", async () => {
    const at = directPlace();
    const owned = openIngress(store, { admins: [at.person.id] });
    expect(textOf(await owned.command(at, "help"))).toContain("/allow – ");
    expect(textOf(await ingress.command(at, "help"))).not.toContain("/allow");
    expect(textOf(await owned.command(at, "whoami"))).toContain("Role: owner");
    const thread = { ...at, chat: chatKey({ ...at.address, thread: "9" }) };
    expect(
      textOf(
        await ingress.command({ ...thread, address: { ...at.address, thread: "9" } }, "whoami"),
      ),
    ).toContain(`Chat: ${thread.chat}`);
  });
});
