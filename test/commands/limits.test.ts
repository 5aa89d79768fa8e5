import { beforeEach, describe, expect, it } from "vitest";
import { placesOf } from "../../src/core/places.ts";
import { typedScopes } from "../../src/commands/limit-scope.ts";
import { limitExamples } from "../../src/text/limit-text.ts";
import type { LimitRule } from "../../src/core/limits.ts";
import { earlyInAMinute, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type TestIngress,
  type Place,
} from "../ingress/open-ingress.ts";

const store = storeOn(await testDatabase());
const boss = newPerson({ id: "telegram:1", name: "Boss" });
const open = (...file: readonly LimitRule[]): TestIngress =>
  openIngress(store, { admins: [boss.id] }, file);
const bossPlace = directPlace(boss);

const limits = async (ingress: TestIngress, at: Place, argument = "", more = {}) =>
  textOf(
    await ingress.command(at, "limits", {
      argument,
      answersItself: true,
      ...more,
    }),
  );
const audited = async (ingress: TestIngress) => (await ingress.deps.audit.newest({}, 10)).records;

beforeEach(async () => {
  await store.redis.flushdb();
  await earlyInAMinute();
});

describe("/limits set", () => {
  it("holds from the next message on, and is audited", async () => {
    const ingress = open();
    const at = directPlace();
    await ingress.say(at, "one");
    expect(await limits(ingress, bossPlace, "set person messages 2/day")).toBe(
      "New limit for each person: 2 messages a day (before: none). It applies from the next message on.",
    );
    expect((await ingress.say(at, "two")).type).toBe("queued");
    expect(textOf(await ingress.say(at, "three"))).toMatch(
      /your limit of 2 messages a day\..* resets /,
    );
    expect(await limits(ingress, bossPlace, "set person messages 3/day")).toBe(
      "New limit for each person: 3 messages a day (before: 2 messages a day). It applies from the next message on.",
    );
    expect((await ingress.say(at, "three again")).type).toBe("queued");
    expect(await audited(ingress)).toMatchObject([
      {
        action: "limit-set",
        by: { id: boss.id },
        chat: bossPlace.chat,
        target: "person",
        outcome: "done",
        details: { "messages/day": "messages 2/day → messages 3/day" },
      },
      {
        action: "limit-set",
        target: "person",
        details: { "messages/day": "none → messages 2/day" },
      },
    ]);
  });

  it("for one person beats everybody's, and for a chat holds for all in it", async () => {
    const ingress = open();
    const at = groupPlace();
    await limits(ingress, bossPlace, "set person messages 0/day");
    await limits(ingress, bossPlace, `set ${at.person.id} messages 5/day`);
    expect((await ingress.say(at, "hello")).type).toBe("queued");
    await limits(ingress, { ...at, person: boss }, "set chat messages 1/day");
    expect(textOf(await ingress.say(at, "hello"))).toContain("(for this chat)");
  });

  it.each([
    ["person messages 20/min", "for each person", "20 messages a minute"],
    ["person messages 20", "for each person", "20 messages a day"],
    ["global cost $5", "for everyone together", "$5.00 a day"],
    ["global cost 100 usd per month", "for everyone together", "$100.00 a month"],
    ["role:guest tokens 200k tokens/day", "for each guest", "200,000 tokens a day"],
    ["role guest tokens 200k", "for each guest", "200,000 tokens a day"],
    ["ROLE:Guest TOKENS 200K/DAY", "for each guest", "200,000 tokens a day"],
    ["platform messages 5/h", "for everyone on Telegram", "5 messages an hour"],
    ["platform:discord turns 3", "for everyone on Discord", "3 answers at once"],
    ["platform discord turns 3", "for everyone on Discord", "3 answers at once"],
    ["chats model-calls 10", "for each chat", "10 model requests per answer"],
    ["chats requests 10", "for each chat", "10 model requests per answer"],
    ["chats answers 3", "for each chat", "3 answers at once"],
    ["chats tool-uses 4", "for each chat", "4 tool uses per answer"],
    ["chat model calls 10", "for this chat", "10 model requests per answer"],
    ["chat toolExecutions 40/turn", "for this chat", "40 tool uses per answer"],
    ["telegram:5 deadline 15m", "for telegram:5", "15 min per answer"],
    ["person tokens 50k/turn", "for each person", "50,000 tokens per answer"],
    ["person tokens off/day", "for each person", "unlimited tokens a day"],
  ])("reads %j", async (argument, whose, limit) => {
    const said = await limits(open(), bossPlace, `set ${argument}`);
    expect(said).toBe(
      `New limit ${whose}: ${limit} (before: none). It applies from the next message on.`,
    );
  });

  it("names people as those who wrote call them, or by their message", async () => {
    const ingress = open();
    const sam = newPerson({ name: "Sam", username: "sam_1" });
    const shown = "Sam (@sam_1, Telegram)";
    await ingress.say(directPlace(sam), "hello");
    expect(await limits(ingress, bossPlace, "set @Sam_1 messages 5")).toContain(
      `New limit for ${shown}: 5 messages a day `,
    );
    expect(await audited(ingress)).toMatchObject([{ target: sam.id }]);
    expect(await limits(ingress, bossPlace, "set messages 6", { about: sam })).toContain(
      `New limit for ${shown}: 6 messages a day (before: 5 messages a day).`,
    );
  });

  it("takes its arguments by name", async () => {
    const ingress = open();
    const options = {
      action: "set",
      scope: "person",
      metric: "model-calls",
      value: "7",
    };
    expect(await limits(ingress, bossPlace, "", { options })).toContain(
      ": 7 model requests per answer ",
    );
    const mention = { ...options, scope: "<@!42>" };
    expect(await limits(ingress, bossPlace, "", { options: mention })).toContain(
      "New limit for discord:42: ",
    );
    expect(
      await limits(ingress, bossPlace, "", {
        options: { action: "reset", scope: "person" },
      }),
    ).toContain("(before: 7 model requests per answer).");
    expect(await limits(ingress, bossPlace, "", { options: {} })).toContain("You have no limits");
  });

  it.each([...typedScopes, "telegram:5", "@sam_1", "chat:telegram:77:-9"])(
    "takes every metric for %s, typed and by name, and gives it back",
    async (scope) => {
      const ingress = open();
      const sam = newPerson({ name: "Sam", username: "sam_1" });
      await ingress.say(directPlace(sam), "hello");
      for (const [metric, example] of Object.entries(limitExamples)) {
        const [value = ""] = example.split(" or ");
        const set = await limits(ingress, bossPlace, `set ${scope} ${metric} ${value}`);
        const [, phrase = ""] = /: (.+) \(before: none\)\./.exec(set) ?? [];
        expect(phrase).toMatch(/^(?:\$?\d|200,000).* (?:a|per|at) \w+$/);
        const options = { action: "set", scope, metric, value: "off" };
        const off = await limits(ingress, bossPlace, "", { options });
        expect(off).toContain(`(before: ${phrase}).`);
        expect(await limits(ingress, bossPlace, `reset ${scope} ${metric}`)).toContain(
          "none (before: unlimited ",
        );
      }
      expect(await limits(ingress, bossPlace)).not.toContain("Set from chats");
    },
  );

  it("off is said of each window", async () => {
    const said = await limits(open(), bossPlace, "set role:admin cost off");
    expect(said.split("\n")).toHaveLength(4);
    expect(said).toContain(": unlimited spending a month (before: none).");
  });

  it.each([
    ["", /^To set one: \/limits set <scope> <metric> <value>/],
    ["everybody messages 5", /^I don't know who "everybody" is/],
    ["role:king messages 5", /^I don't know who "role:king" is/],
    ["role messages 5", /^I don't know who "role" is/],
    ["platform:icq messages 5", /^I don't know who "platform:icq" is/],
    ["global:1 messages 5", /^I don't know anyone called "global:1"/],
    ["@nobody_here messages 5", /nobody_here/],
    ["person", /^To set one: /],
    [
      "person hugs 5",
      /^I can't limit "hugs"\. Use messages, tokens, cost, answers, requests, tool-uses, time\.$/,
    ],
    [
      "person messages 20/fortnight",
      /^I don't understand "20\/fortnight"\. For messages, use a limit like 20\/min or 500\/day, per day, hour, min, month, or off\.$/,
    ],
    ["person messages", /^To set one: /],
    ["person turns 3/day", /^I don't understand "3\/day"\. Use a limit like 3, or off\.$/],
    ["person messages lots", /^I don't understand "lots"/],
    ["person deadline 10", /^I don't understand "10"\. Use a limit like 10m/],
    ["person cost 5eur", /^I don't understand "5eur"/],
    [`person messages ${"9".repeat(60)}`, /^I don't understand "9{50}…"/],
  ])("explains what is wrong with %j", async (argument, expected) => {
    const ingress = open();
    expect(await limits(ingress, bossPlace, `set ${argument}`)).toMatch(expected);
    expect(await audited(ingress)).toEqual([]);
  });

  it("an unknown action is explained", async () => {
    expect(await limits(open(), bossPlace, "drop person")).toBe(
      `I don't understand "drop". Use /limits, /limits set or /limits reset.`,
    );
  });
});

describe("/limits reset", () => {
  it("goes back to the operator's file, and is audited", async () => {
    const ingress = open({
      scope: { kind: "person" },
      limit: { metric: "messages", per: "day", max: 9 },
    });
    await limits(ingress, bossPlace, "set person messages 2/day");
    await limits(ingress, bossPlace, "set person tokens 5k/day");
    expect(await limits(ingress, bossPlace, "reset person messages")).toBe(
      "The limit for each person is back to the configured one: 9 messages a day (before: 2 messages a day).",
    );
    expect(await limits(ingress, bossPlace, "reset person")).toBe(
      "The limit for each person is back to the configured one: none (before: 5,000 tokens a day).",
    );
    expect(await limits(ingress, bossPlace, "reset person")).toBe(
      "No limit was set in a chat for each person, so there's nothing to reset.",
    );
    expect(await audited(ingress)).toMatchObject([
      {
        action: "limit-reset",
        details: { "tokens/day": "tokens 5000/day → none" },
      },
      {
        action: "limit-reset",
        details: { "messages/day": "messages 2/day → messages 9/day" },
      },
      { action: "limit-set" },
      { action: "limit-set" },
    ]);
  });

  it("of everything is audited whole", async () => {
    const ingress = open();
    for (const metric of ["messages", "tokens", "cost"])
      await limits(ingress, bossPlace, `set person ${metric} off`);
    await limits(ingress, bossPlace, "set person turns 3");
    await limits(ingress, bossPlace, "reset person");
    const [record] = await audited(ingress);
    const said = JSON.stringify(record);
    for (const gone of ["messages off/min", "tokens off/turn", "turns 3"])
      expect(said).toContain(`${gone} → none`);
    expect(said.match(/→/g)).toHaveLength(13);
  });

  it("explains a metric that there is not", async () => {
    expect(await limits(open(), bossPlace, "reset person hugs")).toMatch(/^I can't limit "hugs"/);
  });
});

describe("a person who is no admin", () => {
  it.each(["set person messages 5", "reset global", "set nonsense"])(
    "may not %s, and that is noted",
    async (argument) => {
      const ingress = open();
      const at = directPlace();
      expect(await limits(ingress, at, argument)).toBe("Only admins can change limits.");
      expect(await audited(ingress)).toMatchObject([
        {
          action: "attempt-denied",
          by: { id: at.person.id },
          target: "/limits",
          details: { asked: argument },
        },
      ]);
      expect(await limits(ingress, at)).toContain("You have no limits");
    },
  );

  it("but administers the group may set those of the group alone", async () => {
    const ingress = openIngress(store, {
      admins: [boss.id],
      trustGroupAdmins: true,
    });
    const at = groupPlace();
    for (const place of placesOf(at)) await ingress.access.setRule(place, "allow");
    const asGroupAdmin = (argument: string) =>
      limits(ingress, at, argument, {
        isGroupAdmin: () => Promise.resolve(true),
      });
    expect(await asGroupAdmin("set chat messages 5/min")).toContain(
      "New limit for this chat: 5 messages a minute ",
    );
    const elsewhere = `chat:${groupPlace().chat}`;
    for (const scope of ["chats", "person", "global", "platform", "role:guest", elsewhere])
      expect(await asGroupAdmin(`set ${scope} messages 5/min`)).toBe(
        "Only the bot's admins can change this limit. You can set the limits of this chat.",
      );
  });
});

describe("/limits", () => {
  it("shows what holds for the asker here, and what is used", async () => {
    const ingress = open(
      {
        scope: { kind: "person" },
        limit: { metric: "messages", per: "day", max: 20 },
      },
      {
        scope: { kind: "global" },
        limit: { metric: "cost", per: "month", max: 100 },
      },
      {
        scope: { kind: "chat" },
        limit: { metric: "deadline", per: "turn", max: 600_000 },
      },
      {
        scope: { kind: "person" },
        limit: { metric: "turns", per: "at-once", max: 3 },
      },
    );
    const at = directPlace();
    await ingress.say(at, "one");
    await ingress.say(at, "two");
    const lines = (await limits(ingress, at)).split("\n");
    expect(lines).toEqual([
      "Your limits in this chat:",
      expect.stringMatching(
        /^• 20 messages a day \(for you\) – used: 2, resets in .* \(00:00 UTC\)$/,
      ),
      expect.stringMatching(
        /^• \$100\.00 a month \(for everyone together\) – used: \$0, resets in .* \(.*00:00 UTC\)$/,
      ),
      "• 3 answers at once (for you) – running: 0",
      "• 10 min per answer",
    ]);
    expect(await limits(ingress, bossPlace)).toContain("/limits set <scope>");
  });

  it("shows admins what was set from chats, and no one else", async () => {
    const ingress = open();
    const at = groupPlace();
    await limits(ingress, { ...at, person: boss }, "set chat messages 30/day");
    await limits(ingress, bossPlace, "set role:guest tokens 5k/hour");
    expect(await limits(ingress, bossPlace)).toContain(
      `\nSet by admins in chats:\n• 30 messages a day (for the chat chat:${at.chat})\n• 5,000 tokens an hour (for each guest)\n`,
    );
    expect(await limits(ingress, directPlace())).not.toContain("Set from chats");
    for (let id = 100; id < 130; id += 1)
      await limits(ingress, bossPlace, `set telegram:${id} messages 5`);
    const all = (await limits(ingress, bossPlace)).split("\n");
    expect(all.filter((line) => line.startsWith("• "))).toHaveLength(20);
    expect(all).toContain("… and 12 more");
  });

  it("calls another chat by its name, where the bot has heard it", async () => {
    const ingress = open();
    const at = groupPlace();
    await ingress.command({ ...at, person: boss }, "whoami", { chatTitle: "Team" });
    const scope = `chat:${at.chat}`;
    expect(await limits(ingress, bossPlace, `set ${scope} messages 30/day`)).toBe(
      'New limit for the chat "Team": 30 messages a day (before: none). It applies from the next message on.',
    );
    expect(await limits(ingress, bossPlace)).toContain(`(for the chat "Team" (${scope}))`);
    expect(await limits(ingress, bossPlace, `reset ${scope} messages`)).toMatch(
      /^The limit for the chat "Team" is back/,
    );
  });

  it("lists what was set by name or id, so that it can be taken back from anywhere", async () => {
    const ingress = open();
    const at = groupPlace();
    await limits(ingress, { ...at, person: boss }, "set chat messages 30/day");
    await limits(ingress, bossPlace, "set chats messages 40/day");
    await limits(ingress, bossPlace, "set person messages 50/day");
    await limits(ingress, bossPlace, "set telegram:5 messages 60/day");
    await limits(ingress, bossPlace, "set platform messages 70/day");
    const [, list = ""] = (await limits(ingress, bossPlace)).split("Set by admins in chats:");
    const listed = [...list.matchAll(/^• (.*a day) \((.*)\)$/gm)].map(([, ...parts]) => parts);
    const each = [
      [`chat:${at.chat}`, `for the chat chat:${at.chat}`],
      ["chats", "for each chat"],
      ["person", "for each person"],
      ["telegram:5", "for telegram:5"],
      ["platform", "for everyone on Telegram"],
    ];
    expect(listed).toHaveLength(each.length);
    const said = new Set(listed.map(([, whose]) => whose));
    expect(said).toEqual(new Set(each.map(([, whose]) => whose)));
    for (const [scope, whose] of each) {
      const [limit] = listed.find(([, shown]) => shown === whose) ?? [];
      expect(await limits(ingress, bossPlace, `reset ${scope} messages`)).toBe(
        `The limit ${whose} is back to the configured one: none (before: ${limit}).`,
      );
    }
    expect(await limits(ingress, bossPlace)).not.toContain("Set from chats");
    expect(await limits(ingress, bossPlace, "set person:telegram:5 messages 1")).toContain(
      "New limit for telegram:5: ",
    );
  });

  it("is answered in private", async () => {
    const ingress = open();
    const at = groupPlace();
    await ingress.command(at, "limits");
    expect(await ingress.told(at.chat)).toEqual([
      expect.not.stringContaining("You have no limits"),
    ]);
  });

  it("reads its own texts back", async () => {
    const ingress = open();
    await limits(ingress, bossPlace, "set global cost 0.25usd/hour");
    await limits(ingress, bossPlace, "set global tokens 1m/month");
    const shown = (await limits(ingress, bossPlace)).matchAll(/• (.*) \(every/g);
    for (const [, limit] of shown)
      expect(await limits(ingress, bossPlace, `set global ${limit}`)).toContain(
        `is now ${limit}. Before: ${limit}.`,
      );
  });
});

describe("/usage", () => {
  it("says what the asker has used, and to admins what everybody has", async () => {
    const ingress = open();
    const at = directPlace();
    await ingress.say(at, "one");
    const usage = async (where: Place) =>
      textOf(await ingress.command(where, "usage", { answersItself: true }));
    const mine = await usage(at);
    expect(mine).toContain("You, today: 1 message, 0 tokens");
    // A model without a price isn't free.
    expect(mine).not.toContain("$");
    expect(mine).toContain("You, this month: 1 message,");
    expect(mine).not.toContain("Everyone");
    const all = await usage(bossPlace);
    expect(all).toContain("You, today: 0 messages,");
    expect(all).toContain("Everyone, today: 1 message,");
    expect(all).toContain("Everyone, this month: 1 message,");
  });
});
