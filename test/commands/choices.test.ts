import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import { chatTierNames } from "../../src/core/model.ts";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { ModelChoices } from "../../src/commands/command.ts";
import { begun, dump, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  testModels,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const turns = turnStoreOn(store);
const ingress = openIngress(store);
const { settings } = ingress.deps;

const type = async (at: Place, line: string, via = ingress) => {
  const [name = "", ...words] = line.split(" ");
  return textOf(await via.command(at, name, { argument: words.join(" ") }));
};
const preferenceOf = async ({ person }: Place) =>
  (await ingress.access.profileOf(person)).preference;
const buttonsOf = (acceptance: Acceptance) =>
  acceptance.type === "answered" ? (acceptance.buttons ?? []) : [];
const pickerOf = async (at: Place, name: string, argument = "") =>
  buttonsOf(await ingress.command(at, name, { argument, answersItself: true }));

/** An admin in the same group. */
async function adminIn(group: Place): Promise<Place> {
  const admin = groupPlace(newPerson(), group);
  await ingress.access.setRole(admin.person, "admin");
  return admin;
}

describe("/tier", () => {
  it("says which choice is effective and why, and the person's own choice goes first", async () => {
    const at = groupPlace();
    const admin = await adminIn(at);
    expect(await type(at, "tier")).toMatch(/^Tier: automatic \(usually balanced\)\./);
    expect(await type(admin, "tier fast chat")).toBe("This chat's tier is now fast.");
    expect(await type(at, "tier")).toMatch(/^Your tier is fast \(set for this chat\)\./);
    expect(await type(at, "tier SMART")).toBe("Your tier is now smart.");
    expect(await type(at, "tier")).toMatch(
      /^Your tier is smart \(your choice\)\.[^]*\nfast: openai\/gpt-5-mini\n/,
    );
    expect(await type(at, "tier chat")).toMatch(/^This chat's tier is fast\./);
    expect(await type(at, "tier default me")).toBe("You're back on the default tier.");
    expect(await type(at, "tier")).toMatch(/^Your tier is fast/);
    expect(await type(admin, "tier default chat")).toBe("This chat is back on the default tier.");
    expect(await type(at, "tier chat")).toMatch(/^This chat's tier: automatic/);
  });

  it.each([
    ["turbo", `I don't know the tier "turbo". Available: fast, balanced`],
    ["compaction", `I don't know the tier "compaction".`],
    ["smart deep", `I don't know the tier "smart deep".`],
    ["__proto__", `I don't know the tier "__proto__".`],
    ["x".repeat(3_000), `I don't know the tier "${"x".repeat(50)}…".`],
  ])("%s is refused in words, and changes nothing", async (argument, said) => {
    const at = directPlace();
    const answer = await type(at, `tier ${argument}`);
    expect(answer).toContain(said);
    expect(answer.length).toBeLessThan(200);
    expect(await preferenceOf(at)).toEqual({});
    expect(await settings.read(at.chat)).toEqual({});
  });

  it("of a group is the admins', of a direct chat anybody's", async () => {
    const group = groupPlace();
    expect(await type(group, "tier smart chat")).toBe(
      "Only an admin can choose the tier for this chat.",
    );
    expect(await settings.read(group.chat)).toEqual({});
    const alone = directPlace();
    expect(await type(alone, "tier deep chat")).toContain("is now deep");
    expect(await settings.read(alone.chat)).toEqual({ tier: "deep" });
    expect(await preferenceOf(alone)).toEqual({});
  });

  it("of one's own is nothing for those who write anonymously", async () => {
    const at = groupPlace(newPerson({ anonymous: true }));
    expect(await type(at, "tier smart")).toMatch(/\bonly\b|not allowed/i);
    const shown = await ingress.command(at, "tier");
    expect(textOf(shown)).toMatch(/\bonly\b|not allowed/i);
    expect(buttonsOf(shown)).toEqual([]);
  });

  it("takes the place of a model, which would be asked first, and says so", async () => {
    const at = directPlace();
    await type(at, "model mini");
    expect(await type(at, "tier deep")).toBe(
      "Your tier is now deep. It replaces your own model, openai/gpt-5-mini.",
    );
    expect(await preferenceOf(at)).toEqual({ tier: "deep" });
    await type(at, "model mini chat");
    expect(await type(at, "tier fast chat")).toBe(
      "This chat's tier is now fast. It replaces this chat's model, openai/gpt-5-mini. For you, your own choice still applies: deep.",
    );
    expect(await settings.read(at.chat)).toEqual({ tier: "fast" });
  });

  it("may be one that is the same as another one here, which is said", async () => {
    const at = directPlace();
    expect(await type(at, "tier coding")).toBe("Your tier is now coding.");
    expect(await type(at, "tier")).toContain("\nSame as balanced here: coding\n");
    const marked = (await pickerOf(at, "tier")).filter(({ label }) => label.startsWith("✓"));
    expect(marked).toMatchObject([{ data: "t:p:balanced" }]);
  });
});

describe("what is not there any more", () => {
  const models: ModelChoices = {
    keys: ["local/qwen3:8b"],
    tiers: ["balanced"],
    aliases: new Map(
      chatTierNames.filter((tier) => tier !== "balanced").map((tier) => [tier, "balanced"]),
    ),
    modelsOf: (_, first) => (first === undefined ? [] : [first]).concat("x/y"),
  };
  const newer = createAccept({ ...ingress.deps, models });
  const ask = async (at: Place, name: string) =>
    textOf(
      await newer({
        type: "command",
        id: `i-${name}`,
        ...at,
        name,
        argument: "",
        answersItself: true,
        atMs: 1,
      }),
    );

  it("does not count, and is said to be gone", async () => {
    const at = directPlace();
    await ingress.access.setPreference(at.person, {
      tier: "turbo",
      model: "openai/gpt-5",
    });
    await settings.set(at.chat, "model", "local/qwen3:8b");
    expect(await ask(at, "tier")).toMatch(
      /^Tier: automatic[^]*turbo was chosen before but is no longer available\.\n/,
    );
    expect(await ask(at, "model")).toMatch(
      /^Model: automatic\.\nopenai\/gpt-5 was chosen before[^]*\nI ask them in this order: x\/y\./,
    );
    expect(await ask(at, "status")).toContain("Model: x/y\n");
  });

  it("does not hide what is set for the chat, once it is taken back", async () => {
    const at = directPlace();
    await ingress.access.setPreference(at.person, { model: "openai/gpt-5" });
    await settings.set(at.chat, "model", "local/qwen3:8b");
    await type(at, "model default");
    expect(await ask(at, "status")).toContain("Model: local/qwen3:8b, x/y (set");
  });
});

describe("/model", () => {
  it.each([
    ["openai/gpt-5", "openai/gpt-5"],
    ["gpt-5", "openai/gpt-5"],
    ["GPT-5-Mini", "openai/gpt-5-mini"],
    ["qwen", "local/qwen3:8b"],
    ["local", "local/qwen3:8b"],
    ["router r2", "openrouter/deepseek/r2"],
    ["deepseek/r2", "openrouter/deepseek/r2"],
  ])("%s is %s", async (argument, model) => {
    const at = directPlace();
    expect(await type(at, `model ${argument}`)).toBe(`Your model is now ${model}.`);
    expect(await preferenceOf(at)).toEqual({ model });
    expect(await type(at, "model default")).toBe("You're back on the default model.");
    expect(await preferenceOf(at)).toEqual({});
  });

  it.each([
    ["openai", '"openai" matches several models: openai/gpt-5-mini, openai/gpt-5.'],
    ["gpt5-mini", `I don't have a model "gpt5-mini". Did you mean gpt-5-mini?`],
    [
      "llama",
      `I don't have a model "llama". Available: openai/gpt-5-mini, openai/gpt-5, local/qwen3:8b, openrouter/deepseek/r2.`,
    ],
  ])("%s is no one's name, and changes nothing", async (argument, said) => {
    const at = directPlace();
    expect(await type(at, `model ${argument}`)).toBe(said);
    expect(await preferenceOf(at)).toEqual({});
  });

  it("of many lists as many as can be shown, and finds the rest", async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `lab/model-${index}`);
    const models = { ...testModels, keys };
    const accept = createAccept({ ...ingress.deps, models });
    const at = directPlace();
    const ask = (argument: string) =>
      accept({
        type: "command",
        id: `i-${argument}`,
        ...at,
        name: "model",
        argument,
        answersItself: true,
        atMs: 1,
      });
    const shown = await ask("");
    expect(buttonsOf(shown)).toHaveLength(25);
    expect(textOf(shown)).toContain("…and 36 more.");
    expect(textOf(await ask("model-5"))).toBe("Your model is now lab/model-5.");
    expect(textOf(await ask("model"))).toMatch(/model-9 and 50 more\.$/);
  });
});

describe("the words chat and me", () => {
  const keys = ["deepseek/deepseek-chat", "deepseek/reasoner", "acme/me"];
  const models = { ...testModels, keys };
  const accept = createAccept({ ...ingress.deps, models });
  let asked = 0;
  const ask = async (at: Place, argument: string, options?: Readonly<Record<string, string>>) => {
    asked += 1;
    const acceptance = await accept({
      type: "command",
      id: `i-words-${asked}`,
      ...at,
      name: "model",
      argument,
      ...(options === undefined ? {} : { options }),
      answersItself: true,
      atMs: 1,
    });
    return textOf(acceptance);
  };

  it.each([
    ["deepseek chat", "Your model is now deepseek/deepseek-chat."],
    ["deepseek-chat chat", "This chat's model is now deepseek/deepseek-chat."],
    ["reasoner CHAT", "This chat's model is now deepseek/reasoner."],
    ["chat deepseek", "Your model is now deepseek/deepseek-chat."],
    ["reasoner me", "Your model is now deepseek/reasoner."],
    ["default chat", "This chat is back on the default model."],
    ["llama chat", `I don't have a model "llama".`],
    ["chat", "This chat's model: automatic"],
  ])("typed as %j: %s", async (argument, said) => {
    expect(await ask(directPlace(), argument)).toContain(said);
  });

  it.each([
    [{ model: "deepseek chat" }, "Your model is now deepseek/deepseek-chat."],
    [{ model: "chat" }, "Your model is now deepseek/deepseek-chat."],
    [{ model: "reasoner", for: "chat" }, "This chat's model is now deepseek/reasoner."],
    [{ for: "chat" }, "This chat's model: automatic"],
    [{}, "Model: automatic."],
  ])("are what they are among options: %j", async (options, said) => {
    const argument = Object.values(options).join(" ");
    expect(await ask(directPlace(), argument, options)).toContain(said);
  });
});

describe("a choice", () => {
  it("travels with every message from then on, and nothing does without one", async () => {
    const at = directPlace();
    await ingress.say(at, "before");
    await type(at, "model qwen");
    await type(at, "tier deep");
    await type(at, "model qwen");
    await ingress.say(at, "after");
    const { transcript, inbox } = await begun(turns, at.chat);
    expect(transcript[0]).not.toHaveProperty("preference");
    expect(inbox[0]?.entry).toMatchObject({
      preference: { tier: "deep", model: "local/qwen3:8b" },
    });
  });

  it("of admins that the operator named, and at the terminal, is kept like everybody's", async () => {
    const named = directPlace();
    const owned = openIngress(store, { admins: [named.person.id] });
    const terminal = directPlace(newPerson({ id: "console:local" }));
    for (const at of [named, terminal]) {
      await type(at, "tier fast", owned);
      await owned.say(at, "hello");
      expect((await begun(turns, at.chat)).transcript).toMatchObject([
        { preference: { tier: "fast" } },
      ]);
    }
  });

  it("goes with the person into every chat", async () => {
    const at = directPlace();
    await type(at, "tier smart");
    const group = groupPlace(at.person);
    await ingress.say(group, "hello");
    expect((await begun(turns, group.chat)).transcript).toMatchObject([
      { preference: { tier: "smart" } },
    ]);
  });
});

describe("a picker", () => {
  it("offers what can be chosen, marks the effective choice, and says how to type it", async () => {
    const at = directPlace();
    await type(at, "tier smart");
    const [first, ...others] = await pickerOf(at, "tier");
    expect(first).toEqual({
      label: "✓ smart",
      data: "t:p:smart",
      typed: "/tier smart",
    });
    expect([first, ...others].map((each) => each?.label)).toEqual([
      "✓ smart",
      "fast",
      "balanced",
      "deep",
      "default",
    ]);
    const ofChat = await pickerOf(at, "tier", "chat");
    expect(ofChat[0]).toEqual({
      label: "✓ default",
      data: "t:c:default",
      typed: "/tier default chat",
    });
    const models = await pickerOf(at, "model", "chat");
    expect(models[1]).toEqual({
      label: "openai/gpt-5-mini",
      data: expect.stringMatching(/^m:c:[\w-]{10}$/),
      typed: "/model openai/gpt-5-mini chat",
    });
    expect(models[0]?.label).toBe("✓ default");
  });

  it("of more models than fit shows the chosen one among them", async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `lab/model-${index}`);
    const models = { ...testModels, keys };
    const accept = createAccept({ ...ingress.deps, models });
    const at = directPlace();
    const chosen = "lab/model-59";
    await ingress.access.setPreference(at.person, { model: chosen });
    const shown = await accept({
      type: "command",
      id: "i1",
      ...at,
      name: "model",
      argument: "",
      answersItself: true,
      atMs: 1,
    });
    const labels = buttonsOf(shown).map(({ label }) => label);
    expect(labels).toEqual([`✓ ${chosen}`, ...keys.slice(0, 23), "default"]);
    expect(textOf(shown)).toContain("…and 36 more.");
  });

  it("goes through the outbox where the adapter does not answer by itself", async () => {
    const at = groupPlace();
    await ingress.command(at, "tier");
    const [notice] = await ingress.outbox(at.chat);
    expect(notice).toMatchObject({ kind: "notice" });
    if (notice?.kind !== "notice") throw new Error("no notice");
    expect(notice.buttons).toHaveLength(5);
    expect(notice.buttons?.[2]).toEqual({
      label: "balanced",
      data: "t:p:balanced",
    });
  });

  it("of a chat is shown to those who may use it", async () => {
    const at = groupPlace();
    expect(await pickerOf(at, "tier", "chat")).toEqual([]);
    const text = textOf(await ingress.command(at, "tier", { argument: "chat" }));
    expect(text).toContain("Only an admin can change it here");
    expect(await pickerOf(await adminIn(at), "tier", "chat")).toHaveLength(5);
  });
});

describe("a tap on a picker", () => {
  it("chooses for the person who taps, and says so to them alone", async () => {
    const at = groupPlace();
    const other = groupPlace(newPerson(), at);
    await pickerOf(at, "tier");
    for (let times = 0; times < 2; times += 1)
      expect(await ingress.tap(other, "t:p:smart")).toEqual({
        type: "answered",
        text: "Your tier is now smart.",
        isPrivate: true,
      });
    expect(await preferenceOf(other)).toEqual({ tier: "smart" });
    expect(await preferenceOf(at)).toEqual({});
    expect(await settings.read(at.chat)).toEqual({});
    expect(await ingress.tap(other, "t:p:default")).toMatchObject({
      text: "You're back on the default tier.",
    });
    expect(await preferenceOf(other)).toEqual({});
  });

  it("chooses every tier and model that is offered", async () => {
    const at = directPlace();
    const expected: readonly string[] = [
      "You're back on the default tier.",
      ...testModels.tiers.map((name) => `Your tier is now ${name}.`),
      "You're back on the default model.",
      ...testModels.keys.map((key) => `Your model is now ${key}.`),
    ];
    const buttons = [...(await pickerOf(at, "tier")), ...(await pickerOf(at, "model"))];
    const said: string[] = [];
    for (const { data } of buttons) said.push(textOf(await ingress.tap(at, data)));
    expect(said).toEqual(expected);
  });

  it("for the whole chat counts for those who may", async () => {
    const at = groupPlace();
    const admin = await adminIn(at);
    const [, , balanced] = await pickerOf(admin, "tier", "chat");
    const data = balanced?.data ?? "";
    expect(await ingress.tap(at, data)).toEqual({
      type: "refused",
      text: "Only an admin can choose the tier for this chat.",
    });
    expect(await settings.read(at.chat)).toEqual({});
    expect(textOf(await ingress.tap(admin, data))).toBe("This chat's tier is now balanced.");
    expect(await settings.read(at.chat)).toEqual({ tier: "balanced" });
  });

  it("that comes when its person was told to tap again changes nothing", async () => {
    const at = directPlace();
    expect(await ingress.tap(at, "t:p:smart", { notAfterMs: 0 })).toEqual({
      type: "refused",
      text: "That took too long. Please tap again.",
    });
    expect(await preferenceOf(at)).toEqual({});
    await ingress.tap(at, "t:p:smart", {
      notAfterMs: Date.now() + 60_000,
    });
    expect(await preferenceOf(at)).toEqual({ tier: "smart" });
  });

  it("of someone who may not use the bot, or is anonymous, changes nothing", async () => {
    // What other tests left behind may end by itself at any moment.
    await store.redis.flushdb();
    const closed = openIngress(store, { mode: "allowlist" });
    const stranger = groupPlace();
    const banned = groupPlace();
    await closed.access.setRole(banned.person, "banned");
    const anonymous = groupPlace(newPerson({ anonymous: true }));
    const before = await dump(store.redis);
    expect(textOf(await closed.tap(stranger, "t:p:smart"))).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await closed.tap(banned, "t:p:smart"))).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await ingress.tap(anonymous, "t:p:smart"))).toMatch(/\bonly\b|not allowed/i);
    expect(await dump(store.redis)).toEqual(before);
  });

  it.each([
    "t:p:turbo",
    "t:p:compaction",
    "t:x:smart",
    "t:p:",
    "t:p:smart:",
    "m:p:0123456789",
    "m:p:openai/gpt-5",
    "m:c:smart",
    "t:",
    "m:p:default\n",
  ])("with %j is too old", async (data) => {
    const at = directPlace();
    expect(await ingress.tap(at, data)).toEqual({
      type: "refused",
      text: "This button no longer works.",
    });
    expect(await preferenceOf(at)).toEqual({});
    expect(await settings.read(at.chat)).toEqual({});
  });
});
