import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import type { ChatSettings } from "../../src/core/chat-settings.ts";
import { durationText } from "../../src/text/durations.ts";
import { shownSetting, valueButtons } from "../../src/commands/setting-buttons.ts";
import { settingNames } from "../../src/commands/setting-values.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const ingress = openIngress(store);
const { settings } = ingress.deps;

const set = async (at: Place, argument: string) =>
  textOf(await ingress.command(at, "settings", { argument, answersItself: true }));

const buttonsOf = (answer: Acceptance) =>
  answer.type === "answered" ? (answer.buttons ?? []) : [];

async function adminPlace(): Promise<Place> {
  const at = directPlace();
  await ingress.access.setRole(at.person, "admin");
  return at;
}

describe("/settings", () => {
  it("shows all effective settings and where they come from", async () => {
    const at = await adminPlace();
    await set(at, "whileBusy steer");
    await set(at, "maxTokens 200k");
    await set(at, "deadline off");
    await ingress.command(at, "tier", { argument: "smart" });
    expect((await set(at, "")).split("\n")).toEqual([
      "Settings for this chat:",
      "Answers:",
      "• whileBusy: steer (default: followup) – if you write while I'm still answering",
      "• tools: names – how much of my tool use you see",
      "• activation: mention – when I answer in a group",
      "• thinking: off – show my reasoning",
      "Tools and permissions:",
      "• permissions: ask – whether I ask before I act",
      "• toolFailure: off – stop when a tool fails",
      "• confirmationDenied: on; deep: off – stop when someone says no",
      "• policyDenied: off – stop when a rule says no",
      "Limits:",
      "• maxModelCalls: 20 – most model requests per answer",
      "• maxToolExecutions: 80 – most tool uses per answer",
      "• deadline: off (default: 15 min; deep: 1 h) – most time per answer",
      "• maxTokens: 200,000 (default: off) – most tokens per answer",
      "• maxCost: off – most money per answer",
      "• loopSameCall: 3 – repeats of one action that count as a loop",
      "• loopSameTool: 5 – uses of one tool in a row that count as a loop",
      "• loopHints: 5; deep: 2 – hints to get out of a loop before I stop",
      "Memory of the conversation:",
      "• compactAt: 0.7 – how full my memory gets before I summarize, from 0 to 1",
      "• keepTurns: 10 – how many answers keep their tool results in full",
      "• strategy: summarise – how I shorten a long conversation",
      "Model:",
      "• tier: smart (your choice; see /tier)",
      "• model: automatic (see /model)",
      "• temperature: 0.3; deep: the model's own – how varied my wording is, 0 is the least",
      "• maxOutputTokens: the model's own; deep: 8,000 – most tokens per model reply",
      "• repeatPenalty: the model's own – how much I avoid repeating myself, 1 is off",
      'To change one: /settings <name> <value>, or "default" to reset it.',
    ]);
  });

  it.each<[string, string, ChatSettings]>([
    ["whilebusy Collect", "whileBusy is now collect", { whileBusy: "collect" }],
    ["tools off", "tools is now off", { tools: "off" }],
    ["thinking on", "thinking is now on", { thinking: "on" }],
    ["maxModelCalls 5", "maxModelCalls is now 5", { maxModelCalls: 5 }],
    ["maxToolExecutions 0", "maxToolExecutions is now 0", { maxToolExecutions: 0 }],
    ["deadline 1h 30m", "deadline is now 1 h 30 min", { deadline: 5_400_000 }],
    ["maxTokens 1.5m", "maxTokens is now 1,500,000", { maxTokens: 1_500_000 }],
    ["maxCost $0.50", "maxCost is now $0.50", { maxCost: 0.5 }],
    ["maxCost 1.255usd", "maxCost is now $1.255", { maxCost: 1.255 }],
    ["maxCost 2usd", "maxCost is now $2.00", { maxCost: 2 }],
    ["toolFailure on", "toolFailure is now on", { toolFailure: "on" }],
    ["confirmationDenied off", "confirmationDenied is now off", { confirmationDenied: "off" }],
    ["policyDenied ON", "policyDenied is now on", { policyDenied: "on" }],
    ["loopSameCall 4", "loopSameCall is now 4", { loopSameCall: 4 }],
    ["loopsametool 9", "loopSameTool is now 9", { loopSameTool: 9 }],
    ["loopHints 0", "loopHints is now 0", { loopHints: 0 }],
    ["compactAt 0.5", "compactAt is now 0.5", { compactAt: 0.5 }],
    ["keepturns 3", "keepTurns is now 3", { keepTurns: 3 }],
    ["strategy Truncate", "strategy is now truncate", { strategy: "truncate" }],
    ["temperature 0", "temperature is now 0", { temperature: 0 }],
    ["maxOutputTokens 2k", "maxOutputTokens is now 2,000", { maxOutputTokens: 2_000 }],
    ["repeatPenalty 1.1", "repeatPenalty is now 1.1", { repeatPenalty: 1.1 }],
    ["deadline 2H", "deadline is now 2 h", { deadline: 7_200_000 }],
  ])("%s: %s", async (argument, said, stored) => {
    const at = await adminPlace();
    expect(await set(at, argument)).toBe(`${said} in this chat.`);
    expect(await settings.read(at.chat)).toEqual(stored);
    const [name] = argument.split(" ");
    expect(await set(at, `${name} default`)).toMatch(/is back to the default: /);
    expect(await settings.read(at.chat)).toEqual({});
    expect(await store.redis.exists(chatKeys(at.chat).settings)).toBe(0);
  });

  it.each(["deadline", "maxTokens", "maxCost"] as const)(
    "%s off is more than any turn can use, in the store too",
    async (name) => {
      const at = await adminPlace();
      expect(await set(at, `${name} Off`)).toBe(`${name} is now off in this chat.`);
      const { [name]: stored } = await settings.read(at.chat);
      expect(stored).toBeGreaterThan(1e15);
      expect(await set(at, name)).toContain(`${name}: off (default:`);
    },
  );

  it.each([
    [
      "maxModelCalls off",
      `maxModelCalls can't be "off". It must be a whole number from 1 to 1,000.`,
    ],
    ["maxModelCalls 0", `maxModelCalls can't be "0". It must be a whole number from 1 to 1,000.`],
    [
      "maxToolExecutions -1",
      `maxToolExecutions can't be "-1". It must be a whole number from 0 to 10,000.`,
    ],
    ["deadline 15", `deadline can't be "15". Use a time such as 15m or 24h, or off.`],
    ["maxTokens many", /^maxTokens can't be "many"\. It must be a whole number/],
    ["maxCost 5eur", `maxCost can't be "5eur". Use US dollars such as 5usd, or off.`],
    [
      "whileBusy wait",
      `whileBusy can't be "wait". Use followup, steer, interrupt, collect or default.`,
    ],
    ["thinking true", `thinking can't be "true". Use on, off or default.`],
    ["policyDenied maybe", /Use on, off or default/],
    ["loopSameCall 1", `loopSameCall can't be "1". It must be a whole number from 2 to 100.`],
    ["loopHints off", /It must be a whole number from 0 to 100\.$/],
    ["compactAt 1", `compactAt can't be "1". It must be a number from 0.05 to 0.95.`],
    ["compactAt off", /It must be a number from 0\.05 to 0\.95\.$/],
    ["keepTurns -1", `keepTurns can't be "-1". It must be a whole number from 0 to 1,000.`],
    ["strategy forget", /Use summarise, agent, truncate or default\.$/],
    ["temperature 2.1", `temperature can't be "2.1". It must be a number from 0 to 2.`],
    ["temperature hot", /It must be a number from 0 to 2\.$/],
    ["maxOutputTokens off", /It must be a whole number from 1 to 100,000,000\.$/],
    ["repeatPenalty 11", /It must be a number from 0 to 10\.$/],
    ["limits 5", /^I don't have a setting "limits"\./],
    ["whilebuzy steer", `I don't have a setting "whilebuzy". Did you mean whileBusy?`],
    ["colour blue", /^I don't have a setting "colour"\. Available: whileBusy, /],
    ["__proto__ 1", /^I don't have a setting "__proto__"/],
    ["tier smart", /^I don't have a setting "tier"/],
    [`maxTokens ${"9".repeat(5_000)}`, /^maxTokens can't be "9{50}…"\. It must/],
  ])("%s is refused: what, where, and what was expected", async (line, said) => {
    const at = await adminPlace();
    const answer = await set(at, line);
    if (typeof said === "string") expect(answer).toBe(said);
    else expect(answer).toMatch(said);
    expect(await settings.read(at.chat)).toEqual({});
  });

  it("are changed by anybody in a direct chat, but for the limits of turns", async () => {
    const at = directPlace();
    for (const line of ["whileBusy steer", "tools full", "thinking on"])
      expect(await set(at, line)).toContain("is now");
    for (const line of [
      "maxModelCalls 5",
      "maxToolExecutions 5",
      "deadline 1h",
      "maxTokens 5",
      "maxCost 5",
      "toolFailure on",
      "confirmationDenied on",
      "policyDenied on",
      "loopSameCall 9",
      "loopSameTool 9",
      "loopHints 9",
      "compactAt 0.5",
      "keepTurns 3",
      "strategy truncate",
      "temperature 1",
      "maxOutputTokens 100",
      "repeatPenalty 1",
      "permissions auto",
      "permissions ask",
      "maxCost default",
    ])
      expect(await set(at, line)).toMatch(/^Only an admin can change \w+\.$/);
    expect(await settings.read(at.chat)).toEqual({
      whileBusy: "steer",
      tools: "full",
      thinking: "on",
    });
    expect(await set(at, "maxCost")).toBe(
      "maxCost: off – most money per answer\nOnly an admin can change maxCost.",
    );
    expect(await set(at, "tools")).toBe(
      "tools: full (default: names) – how much of my tool use you see\n• off – show nothing\n• names – show the names of tools\n• full – show names and details\nTo change it: /settings tools <value>. Use off, names, full or default.",
    );
  });

  it.each([
    ["maxModelCalls", "It must be a whole number from 1 to 1,000."],
    ["deadline", "Use a time such as 15m or 24h, or off."],
    ["maxCost", "Use US dollars such as 5usd, or off."],
    ["whileBusy", "Use followup, steer, interrupt, collect or default."],
    ["loopHints", "It must be a whole number from 0 to 100."],
  ])("%s without a value says what it may be: %s", async (name, expected) => {
    expect((await set(await adminPlace(), name)).split("\n").at(-1)).toBe(
      `To change it: /settings ${name} <value>. ${expected}`,
    );
  });

  it("take name and value from the options, where there are some", async () => {
    const at = await adminPlace();
    const given = async (options: Record<string, string>) =>
      textOf(
        await ingress.command(at, "settings", {
          argument: Object.values(options).join(" "),
          options,
        }),
      );
    expect(await given({ name: "deadline", value: " 1h 30m " })).toBe(
      "deadline is now 1 h 30 min in this chat.",
    );
    expect(await given({ value: "tools" })).toMatch(/^Which setting\? Available: whileBusy, /);
    expect(await given({})).toMatch(/^Settings for this chat:/);
    expect(await settings.read(at.chat)).toEqual({ deadline: 5_400_000 });
  });

  it("are changed in a group by admins only", async () => {
    const group = groupPlace();
    const admin = groupPlace(newPerson(), group);
    await ingress.access.setRole(admin.person, "admin");
    expect(await set(group, "tools off")).toBe("Only an admin can change tools in a group.");
    expect(await settings.read(group.chat)).toEqual({});
    expect(await set(admin, "tools off")).toContain("is now off");
    expect(await settings.read(group.chat)).toEqual({ tools: "off" });
  });

  it("offers a button for each group, which shows its settings, each with a button", async () => {
    const at = await adminPlace();
    const shown = async (argument: string) => {
      const answer = await ingress.command(at, "settings", { argument, answersItself: true });
      return { text: textOf(answer), buttons: buttonsOf(answer) };
    };
    const groups = (await shown("")).buttons;
    expect(groups.map(({ label }) => label)).toEqual([
      "Answers",
      "Tools and permissions",
      "Limits",
      "Memory of the conversation",
      "Model",
    ]);
    const names: string[] = [];
    const commands: string[] = [];
    for (const { data } of groups) {
      const group = shownSetting(data);
      expect(group).toBe(data.slice(3));
      const { text, buttons } = await shown(group ?? "");
      for (const { label, data } of buttons) {
        expect(text).toContain(`• ${label}: `);
        if (data.startsWith("cc:")) {
          commands.push(data);
          continue;
        }
        expect(shownSetting(data)).toBe(label);
        names.push(label);
      }
    }
    expect(names).toEqual(settingNames);
    expect(commands).toEqual(["cc:tier:chat", "cc:model:chat"]);
    expect(settingNames.length).toBeLessThanOrEqual(25);
  });

  it("fits on a phone", async () => {
    const lines = (await set(await adminPlace(), "")).split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it("goes from a group to its settings and their values by taps, in a group of people too", async () => {
    const admin = groupPlace();
    const member = groupPlace(newPerson(), admin);
    await ingress.access.setRole(admin.person, "admin");
    await ingress.command(admin, "settings");
    await ingress.tap(admin, "st:limits");
    await ingress.tap(admin, "st:maxTokens");
    const said = (await ingress.outbox(admin.chat)).flatMap((entry) =>
      entry.kind === "notice"
        ? [[entry.text.split("\n")[0], (entry.buttons ?? []).map(({ data }) => data)]]
        : [],
    );
    expect(said).toMatchObject([
      [
        "Settings for this chat:",
        ["st:answers", "st:actions", "st:limits", "st:memory", "st:model"],
      ],
      ["Limits:", expect.arrayContaining(["st:maxTokens"])],
      [expect.stringMatching(/^maxTokens: off/), expect.arrayContaining(["sv:maxTokens:100k"])],
    ]);
    expect(await ingress.tap(member, "sv:maxTokens:100k")).toMatchObject({ type: "refused" });
    expect(await settings.read(admin.chat)).toEqual({});
    expect(await ingress.tap(admin, "sv:maxTokens:100k")).toMatchObject({ type: "answered" });
    expect(await settings.read(admin.chat)).toEqual({ maxTokens: 100_000 });
  });

  it("goes on to the chat's tier and model, each tier with a line, for those who may", async () => {
    const admin = groupPlace();
    const member = groupPlace(newPerson(), admin);
    await ingress.access.setRole(admin.person, "admin");
    await ingress.tap(admin, "cc:tier:chat");
    await ingress.tap(admin, "cc:model:chat");
    const [tier, model] = (await ingress.outbox(admin.chat)).flatMap((entry) =>
      entry.kind === "notice" ? [entry] : [],
    );
    expect(tier?.text.split("\n")).toEqual(
      expect.arrayContaining([
        "This chat's tier: automatic (usually balanced).",
        expect.stringMatching(/^fast: /),
        expect.stringMatching(/^smart: /),
      ]),
    );
    const smart = tier?.buttons?.find(({ label }) => label === "smart");
    expect(smart).toMatchObject({ data: "t:c:smart" });
    expect(model?.buttons?.map(({ data }) => data)).toContainEqual(expect.stringMatching(/^m:c:/));
    expect(await ingress.tap(member, "t:c:smart")).toMatchObject({ type: "refused" });
    expect(await ingress.tap(admin, "t:c:smart")).toMatchObject({ type: "answered" });
    expect(await settings.read(admin.chat)).toEqual({ tier: "smart" });
  });

  it("is private in a group for those who can't change anything, and has no buttons", async () => {
    const member = groupPlace();
    await ingress.command(member, "settings");
    await ingress.tap(member, "st:limits");
    const [inGroup, ...more] = await ingress.outbox(member.chat);
    expect(inGroup).toMatchObject({ text: expect.stringContaining("private") as string });
    expect(inGroup).not.toHaveProperty("buttons");
    expect(more.map((entry) => "text" in entry && entry.text)).not.toContain("Limits:");
    const direct = directPlace(member.person);
    expect((await ingress.told(direct.chat)).join("\n")).toContain("Settings for this chat:");
  });

  it("is shown to its asker alone on a Discord server, taps included, and acts on the channel", async () => {
    const at = groupPlace(newPerson({ id: "discord:90210" }));
    await ingress.access.setRole(at.person, "admin");
    const asked = await ingress.command(at, "settings", { answersItself: true });
    expect(asked).toMatchObject({ type: "answered", isPrivate: true });
    expect(buttonsOf(asked)).toHaveLength(5);
    const tapped = await ingress.tap(at, "st:memory");
    expect(tapped).toMatchObject({ type: "answered", isPrivate: true });
    expect(buttonsOf(tapped).map(({ data }) => data)).toEqual([
      "st:compactAt",
      "st:keepTurns",
      "st:strategy",
    ]);
    expect(await ingress.outbox(at.chat)).toEqual([]);
    await ingress.tap(at, "sv:compactAt:0.5");
    expect(await settings.read(at.chat)).toEqual({ compactAt: 0.5 });
  });

  it("offers a button for each value, which says what it does", async () => {
    const at = await adminPlace();
    const one = await ingress.command(at, "settings", {
      argument: "whileBusy",
      answersItself: true,
    });
    expect(one).toMatchObject({
      buttons: [
        { label: "followup", data: "sv:whileBusy:followup" },
        { label: "steer" },
        { label: "interrupt" },
        { label: "collect" },
        { label: "✓ default", typed: "/settings whileBusy default" },
      ],
    });
    expect(textOf(one)).toContain("• steer – take it into account right away");
  });

  it("are set by the buttons, for those who may", async () => {
    const at = await adminPlace();
    for (const name of settingNames)
      for (const { data } of valueButtons(name, ingress.deps, undefined)) {
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        expect(await ingress.tap(at, data)).toMatchObject({ type: "answered" });
      }
    expect(await settings.read(at.chat)).toEqual({});
    await ingress.tap(at, "sv:maxTokens:100k");
    expect(await settings.read(at.chat)).toEqual({ maxTokens: 100_000 });
    expect(await ingress.tap(directPlace(), "sv:maxTokens:100k")).toMatchObject({
      type: "refused",
      text: "Only an admin can change maxTokens.",
    });
  });

  it("that are broken in the store count as not set", async () => {
    const at = await adminPlace();
    await store.redis.hset(chatKeys(at.chat).settings, {
      whileBusy: "sometimes",
      maxTokens: "many",
      thinking: "on",
      unknown: "1",
    });
    expect(await settings.read(at.chat)).toEqual({ thinking: "on" });
    expect(await set(at, "whileBusy")).toContain("whileBusy: followup – ");
  });

  it("that no one could read are not written", async () => {
    const at = await adminPlace();
    await expect(settings.set(at.chat, "whileBusy", "sometimes")).rejects.toThrow(
      "a chat's setting whileBusy cannot have the given value",
    );
    expect(await store.redis.exists(chatKeys(at.chat).settings)).toBe(0);
  });
});

it.each([
  [0, "0s"],
  [1, "1ms"],
  [90_000, "1m 30s"],
  [93_784_005, "1d 2h 3m 4s 5ms"],
])("%i ms are %s", (ms, said) => {
  expect(durationText(ms)).toBe(said);
});

it.each([
  ["en", "maxTokens is now 100,000 in this chat.", "maxCost is now $1,234.50 in this chat."],
  [
    "de",
    "maxTokens ist in diesem Chat jetzt 100.000.",
    "maxCost ist in diesem Chat jetzt 1.234,50\u00A0$.",
  ],
  [
    "es",
    "maxTokens ahora es 100.000 en este chat.",
    "maxCost ahora es 1234,50\u00A0$ en este chat.",
  ],
  [
    "fr",
    "maxTokens est maintenant 100\u00A0000 dans ce chat.",
    "maxCost est maintenant 1\u00A0234,50\u00A0$ dans ce chat.",
  ],
  [
    "ru",
    "Теперь в этом чате maxTokens: 100\u00A0000.",
    "Теперь в этом чате maxCost: 1\u00A0234,50\u00A0$.",
  ],
  ["zh", "这个聊天的 maxTokens 现在是 100,000。", "这个聊天的 maxCost 现在是 $1,234.50。"],
])("numbers and money are as readers of %s write them", async (language, tokens, cost) => {
  const at = directPlace(newPerson({ language }));
  await ingress.access.setRole(at.person, "admin");
  expect(await set(at, "maxTokens 100k")).toBe(tokens);
  expect(await set(at, "maxCost 1234.50usd")).toBe(cost);
  // A fraction is typed as it is read.
  const fraction = localeFor(language).number(0.55);
  expect(await set(at, `compactAt ${fraction}`)).toContain(fraction);
  expect((await ingress.deps.settings.read(at.chat)).compactAt).toBe(0.55);
  expect(await set(at, "deadline 15m")).toContain(localeFor(language).cards.lasts.minutes(15));
  expect(await set(at, "compactAt 7")).toContain(localeFor(language).number(0.95));
});
