import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import {
  personaExtrasSchema,
  personaSchema,
  type Persona,
  type PersonaOwner,
} from "../../src/core/persona.ts";
import { answerQuestion } from "../../src/commands/persona/answer-question.ts";
import { composePrompt } from "../../src/commands/persona/draft-persona.ts";
import { newDraft } from "../../src/commands/persona/dialogue.ts";
import { nameFrom, nameIn } from "../../src/commands/persona/name-from.ts";
import { nearest } from "../../src/config/nearest.ts";
import { personaExtrasFormat } from "../../src/config/persona-extras.ts";
import { isPersonaName } from "../../src/core/persona.ts";
import { en } from "../../src/locales/en.ts";
import { erasePerson } from "../../src/store/erasure/erase-person.ts";
import { draftKey, eraseDraftsIn } from "../../src/store/personas/persona-drafts.ts";
import { storeOn } from "../store/support.ts";
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
const ingress = openIngress(store);
const { personas, audit } = ingress.deps;

const persona = (more: Partial<Persona> = {}): Persona =>
  personaSchema.parse({ name: "chef", prompt: "You cook.", description: "cooks", ...more });
const save = (owner: PersonaOwner, more: Partial<Persona> = {}) =>
  personas.store.save(owner, persona(more));

const type = (at: Place, line: string, more: { id?: string } = {}) => {
  const [name = "", ...words] = line.slice(1).split(" ");
  const argument = words.join(" ");
  return ingress.command(at, name, { argument, answersItself: true, ...more });
};
const read = async (at: Place, line: string) => textOf(await type(at, line));
const buttonsOf = (acceptance: Acceptance) =>
  acceptance.type === "answered" ? (acceptance.buttons ?? []) : [];
const chosenBy = async ({ chat, person }: Place) =>
  await personas.choices.read({ chat, personId: person.id, places: [] });

/** The newest message to this chat, and its buttons. */
const newest = async (at: Place) => {
  const entry = (await ingress.outbox(at.chat)).at(-1);
  if (entry?.kind !== "notice") throw new Error("no notice");
  return entry;
};
const press = async (at: Place, label: string, more: { id?: string } = {}) => {
  const button = (await newest(at)).buttons?.find((each) => each.label === label);
  if (button === undefined) throw new Error(`no button ${label}`);
  return await ingress.tap(at, button.data, more);
};
async function withRole(at: Place, role: "admin" | "member" | "guest"): Promise<Place> {
  await ingress.access.setRole(at.person, role);
  return at;
}
/** Up to the preview. */
async function answerAll(at: Place, purpose = "chef: plans my dinners"): Promise<void> {
  await ingress.command(at, "persona", { argument: "new" });
  await ingress.say(at, purpose);
  await ingress.say(at, "short and warm");
  await press(at, "No tools");
  await press(at, "Automatic");
}

describe("/persona", () => {
  it("shows who answers and why, and the narrowest choice comes first", async () => {
    const at = groupPlace();
    const admin = await withRole(groupPlace(newPerson(), at), "admin");
    expect(await read(at, "/persona")).toMatch(/^I answer as usual here[^]*no personas yet/);
    await save("everyone", { name: "coder", prompt: "You code." });
    await save(`person:${at.person.id}`);
    expect(await read(at, "/persona")).toContain("• coder – cooks (everyone's)");
    expect(await read(admin, "/persona coder place")).toContain("whole group or server");
    expect(await read(at, "/persona")).toMatch(/^coder answers you here \(set for this group/);
    expect(await read(admin, "/persona coder chat")).toContain("answers in this chat");
    expect(await read(at, "/persona")).toMatch(/^coder answers you here \(set for this chat\)/);
    expect(await read(at, "/persona chef")).toBe(
      "From your next message on, chef answers you here.",
    );
    expect(await read(at, "/persona")).toMatch(/^chef answers you here \(your choice\)/);
    expect(await read(at, "/persona default")).toBe(
      "Your choice is gone. coder answers you here (set for this chat).",
    );
    await read(admin, "/persona none place");
    await read(admin, "/persona default chat");
    expect(await read(at, "/persona")).toMatch(/^I answer as usual/);
    await personas.store.remove({ owner: "everyone", name: "coder" });
    const lines = await audit.newest({ action: "setting-changed" }, 10);
    expect(lines.records.map(({ details }) => details?.["value"])).toEqual(
      expect.arrayContaining(["coder", "default"]),
    );
  });

  it("is chosen for others by admins only, and nothing by those who write anonymously", async () => {
    const at = groupPlace();
    await save(`chat:${at.chat}`);
    expect(await read(at, "/persona chef chat")).toContain("Only an admin");
    expect(await read(at, "/persona chef place")).toContain("can't be chosen for others");
    expect(await read(directPlace(), "/persona default place")).toContain("no group or server");
    const anonymous = groupPlace(newPerson({ anonymous: true }), at);
    expect(await read(anonymous, "/persona chef")).toContain("not allowed");
    expect(await read(anonymous, "/persona new")).toContain("not allowed");
    expect(buttonsOf(await type(anonymous, "/persona"))).toEqual([]);
    expect(await chosenBy(at)).toEqual({});
    expect(await read(at, "/persona chef everybody")).toContain("isn't one of me, chat, place");
  });

  it("lets guests choose but not make, and strangers do nothing", async () => {
    const closed = openIngress(store, { mode: "allowlist" });
    const guest = directPlace();
    await closed.access.setRole(guest.person, "guest");
    await save(`person:${guest.person.id}`);
    const say = async (at: Place, argument: string) =>
      textOf(await closed.command(at, "persona", { argument, answersItself: true }));
    expect(await say(guest, "chef")).toContain("chef answers you");
    for (const argument of ["new", "edit chef", "delete chef", "rollback chef 1"])
      expect(await say(guest, argument)).toContain("Only members");
    const stranger = directPlace();
    expect(await say(stranger, "")).toContain("only available to approved people");
    expect(await closed.tap(stranger, "ps:aaaaaaaaaa:0")).toMatchObject({ type: "refused" });
  });

  it("offers at most 25 buttons, and says what else there is", async () => {
    const at = directPlace();
    for (let number = 1; number <= 30; number += 1)
      await save(`person:${at.person.id}`, { name: `p${number}` });
    const shown = await type(at, "/persona p30").then(() => type(at, "/persona"));
    const buttons = buttonsOf(shown);
    expect(buttons).toHaveLength(25);
    expect(buttons[0]).toMatchObject({ label: "✓ p30", typed: "/persona p30" });
    expect(buttons.slice(-2).map(({ label }) => label)).toEqual(["default", "New persona"]);
    for (const { data } of buttons) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  });

  it("offers starters as buttons, which are sent like a message", async () => {
    const at = directPlace();
    const starters = ["What's for dinner?", "And tomorrow?", "What have I got?", "More"];
    await save(`person:${at.person.id}`, { starters });
    await ingress.command(at, "persona", { argument: "chef" });
    const { buttons = [] } = await newest(at);
    expect(buttons.map(({ label }) => label)).toEqual(starters.slice(0, 3));
    await press(at, "And tomorrow?", { id: "starter" });
    expect(await ingress.waiting(at.chat)).toEqual(["starter"]);
    await personas.store.remove({ owner: `person:${at.person.id}`, name: "chef" });
    expect(await ingress.tap(at, buttons[0]?.data ?? "")).toMatchObject({ type: "refused" });
  });

  it("is tapped by each person for themselves", async () => {
    const at = groupPlace();
    const other = groupPlace(newPerson(), at);
    await save(`chat:${at.chat}`);
    const [first] = buttonsOf(await type(at, "/persona"));
    const tapped = await ingress.tap(other, first?.data ?? "");
    expect(textOf(tapped)).toContain("chef answers you here");
    expect((await chosenBy(other)).person).toMatchObject({ name: "chef" });
    expect((await chosenBy(at)).person).toBeUndefined();
  });

  it.each(["chfe", "show chfe"])("%s: proposes the name that was meant", async (argument) => {
    const at = directPlace();
    await save(`person:${at.person.id}`);
    expect(await read(at, `/persona ${argument}`)).toMatch(/don't know the persona "chfe"[^]*chef/);
  });
});

describe("what is said of models and limits", () => {
  const [first = "", second = ""] = testModels.keys;

  it("is the persona's where neither the person nor the chat has chosen", async () => {
    const at = directPlace();
    const owner = `person:${at.person.id}` as const;
    await save(owner, { model: second, maxModelCalls: 2, temperature: 0.9 });
    await read(at, "/persona chef");
    const order = testModels.modelsOf("balanced", second).join(", ");
    expect(await read(at, "/model")).toContain(`I ask them in this order: ${order}.`);
    expect(await read(at, "/model")).toContain(`Your model is ${second} (set by the persona).`);
    expect(await read(at, "/status")).toContain(`Model: ${order} (set by the persona)`);
    expect(await read(at, "/settings")).toContain(`model: ${second} (set by the persona`);
    expect(await read(at, "/settings maxModelCalls")).toMatch(/; with the persona chef: 2 –/);
    expect(await read(at, "/settings temperature")).toMatch(/; with the persona chef: 0\.9 –/);
    // What the chat sets comes first, but for a limit that is wider.
    await withRole(at, "admin");
    await read(at, "/settings temperature 0.1");
    await read(at, "/settings maxModelCalls 50");
    expect(await read(at, "/settings temperature")).not.toContain("with the persona");
    expect(await read(at, "/settings maxModelCalls")).toMatch(
      /: 50 .*; with the persona chef: 2 –/,
    );
    await read(at, "/settings maxModelCalls 1");
    expect(await read(at, "/settings maxModelCalls")).not.toContain("with the persona");
    await read(at, `/model ${first}`);
    expect(await read(at, "/model")).toContain(`Your model is ${first} (your choice).`);
    expect(await read(at, "/status")).not.toContain("set by the persona");
  });

  it("names the persona's tier, and for a whole chat only what is set for it", async () => {
    const at = directPlace();
    await save(`person:${at.person.id}`, { tier: "smart" });
    await read(at, "/persona chef");
    expect(await read(at, "/tier")).toContain("Your tier is smart (set by the persona).");
    expect(await read(at, "/tier chat")).not.toContain("persona");
  });

  it("is without the model of a persona that a guest has chosen", async () => {
    const at = await withRole(directPlace(), "guest");
    await save("everyone", { name: "quick", model: second });
    await read(at, "/persona quick");
    expect(await read(at, "/status")).not.toContain("set by the persona");
    await personas.store.remove({ owner: "everyone", name: "quick" });
  });
});

describe("/persona new", () => {
  it("asks four questions one at a time, shows exactly what it saves, and saves on Approve", async () => {
    const at = directPlace();
    await ingress.command(at, "persona", { argument: "new" });
    expect((await newest(at)).text).toContain("1/4 What is it for?");
    await ingress.say(at, "chef: plans my dinners");
    expect((await newest(at)).text).toMatch(/^2\/4/);
    await ingress.say(at, "short and warm\nlike my grandma");
    expect((await newest(at)).text).toMatch(/^3\/4/);
    await ingress.say(at, "githb");
    expect((await newest(at)).text).toMatch(/no tool "githb"/);
    await press(at, "No tools");
    expect((await newest(at)).text).toMatch(/^4\/4/);
    await press(at, "smart");
    const { text } = await newest(at);
    expect(text).toContain("Tools: none\nModel: smart\n");
    expect(text).toContain("> short and warm\n> like my grandma\n");
    expect(text).toContain("Next comes a sample answer");
    expect(await personas.store.list(`person:${at.person.id}`)).toEqual([]);
    expect(await ingress.waiting(at.chat)).toHaveLength(1);
    await press(at, "Approve");
    expect((await newest(at)).text).toBe("chef is saved (yours). /persona chef switches to it.");
    const [saved] = await personas.store.list(`person:${at.person.id}`);
    expect(saved?.persona).toMatchObject({
      tools: [],
      tier: "smart",
      description: "plans my dinners",
    });
    expect(text).toContain(saved?.persona.prompt);
    await press(at, "Use it here");
    expect((await chosenBy(at)).person).toMatchObject({ name: "chef" });
    // The dialogue is over: what is said now is for the model.
    await ingress.say(at, "hello", { id: "hello" });
    expect(await ingress.waiting(at.chat)).toContain("hello");
  });

  it("asks for the sample as an ordinary message under the draft, without tools", async () => {
    const at = directPlace();
    await answerAll(at);
    const [json = ""] = await store.redis.lrange(
      (await store.redis.keys(`*:in:${at.chat}`))[0] ?? "",
      0,
      -1,
    );
    const { sampleOf, text } = JSON.parse(json) as {
      text: string;
      sampleOf: { owner: PersonaOwner; hash: string };
    };
    expect(text).toBe(en.personas.sample);
    const content = await personas.store.content(sampleOf.owner, sampleOf.hash);
    expect(content).toMatchObject({ name: "chef", tools: [], skills: [], memory: "off" });
  });

  it("says why there is no sample at a limit, and can be approved nevertheless", async () => {
    const limited = openIngress(store, {}, [
      { scope: { kind: "person" }, limit: { metric: "messages", per: "month", max: 1 } },
    ]);
    const at = directPlace();
    await limited.say(at, "one");
    expect((await limited.say(at, "two")).type).toBe("refused");
    await limited.command(at, "persona", { argument: "new" });
    await limited.say(at, "chef: cooks");
    await limited.say(at, "short");
    await limited.say(at, "none");
    await limited.say(at, "auto");
    const { text } = await newest(at);
    expect(text).toMatch(/can't show a sample answer right now\. .*limit/);
    await limited.command(at, "persona", { argument: "approve" });
    expect(await personas.store.list(`person:${at.person.id}`)).toHaveLength(1);
  });

  it("takes each answer once, whatever is delivered again, and goes on after a restart", async () => {
    const at = directPlace();
    const begin = { argument: "new", id: "begin" };
    for (let times = 0; times < 2; times += 1) await ingress.command(at, "persona", begin);
    // The draft was written, but the process died before it could answer.
    const crashed = openIngress(store);
    const dies = { ...crashed.deps.inbox, answer: () => Promise.reject(new Error("killed")) };
    Object.assign(crashed.deps, { inbox: dies });
    await expect(crashed.say(at, "chef: plans dinners", { id: "first" })).rejects.toThrow("killed");
    const again = openIngress(store);
    for (let times = 0; times < 2; times += 1)
      await again.say(at, "chef: plans dinners", { id: "first" });
    await again.say(at, "short", { id: "second" });
    expect(await again.say(at, "chef: plans dinners", { id: "first" })).toEqual({
      type: "duplicate",
    });
    const texts = await ingress.told(at.chat);
    expect(texts.map((text) => /[1-4]\/4/.exec(text)?.[0])).toEqual(["1/4", "2/4", "3/4"]);
    await again.say(at, "none");
    await again.say(at, "auto", { id: "fourth" });
    await again.say(at, "auto", { id: "fourth" });
    expect(await again.waiting(at.chat)).toEqual(["fourth-sample"]);
    const approve = { argument: "approve", id: "approve" };
    await again.command(at, "persona", approve);
    await again.command(at, "persona", approve);
    expect(
      await personas.store.history({ owner: `person:${at.person.id}`, name: "chef" }),
    ).toHaveLength(1);
    // Delivered again after the end, an answer is no message for the model either.
    expect(await again.say(at, "auto", { id: "fourth" })).toEqual({ type: "duplicate" });
    expect(await again.waiting(at.chat)).toEqual(["fourth-sample"]);
  });

  it("saves once when a process dies between saving and noting it", async () => {
    const at = directPlace();
    await answerAll(at);
    const crashed = openIngress(store);
    const { personaDrafts } = crashed.deps;
    Object.assign(crashed.deps, {
      personaDrafts: { ...personaDrafts, write: () => Promise.reject(new Error("killed")) },
    });
    const approve = { argument: "approve", id: "approve" };
    await expect(crashed.command(at, "persona", approve)).rejects.toThrow("killed");
    await ingress.command(at, "persona", approve);
    expect((await newest(at)).text).toContain("chef is saved");
    expect(
      await personas.store.history({ owner: `person:${at.person.id}`, name: "chef" }),
    ).toHaveLength(1);
  });

  it("keeps two people in one group apart, and takes only what reaches the bot", async () => {
    const at = groupPlace(newPerson({ name: "Ann" }));
    const other = groupPlace(newPerson({ name: "Ben" }), at);
    await ingress.command(at, "persona", { argument: "new" });
    expect(await newest(at)).toMatchObject({ replyFrom: { id: at.person.id } });
    await ingress.command(other, "persona", { argument: "new" });
    await ingress.say(at, "chef: cooks");
    await ingress.say(other, "coder: codes");
    expect(await ingress.say(at, "lunch, anyone?", { isAddressed: false })).toEqual({
      type: "ignored",
    });
    await ingress.say(at, "short");
    await ingress.say(other, "long");
    expect(await ingress.deps.personaDrafts.read(at.person.id)).toMatchObject({
      name: "chef",
      style: "short",
      step: "tools",
    });
    const drafted = await ingress.deps.personaDrafts.read(other.person.id);
    expect(drafted).toMatchObject({ name: "coder", style: "long" });
    // Another person's button does nothing.
    const tapped = await press(at, "No tools");
    expect(tapped.type).toBe("queued");
    expect((await newest(at)).text).toMatch(/out of date/);
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });

  it.each([
    ["/persona cancel", /Nothing was saved/],
    ["/help", /you were making is dropped/],
  ])("%s leaves it", async (line, said) => {
    const at = directPlace();
    await ingress.command(at, "persona", { argument: "new" });
    await ingress.say(at, "chef: cooks");
    expect(await read(at, line)).toMatch(said);
    await ingress.say(at, "hello", { id: "hello" });
    expect(await ingress.waiting(at.chat)).toEqual(["hello"]);
    expect(await read(at, "/persona approve")).toContain("nothing to approve");
  });

  it("expires, and is only what it was in its own chat", async () => {
    const at = directPlace();
    const group = groupPlace(at.person);
    await ingress.command(at, "persona", { argument: "new" });
    await ingress.say(group, "hello", { id: "hello" });
    expect(await ingress.waiting(group.chat)).toEqual(["hello"]);
    expect(await read(group, "/persona cancel")).toContain("nothing to approve");
    expect(await store.redis.pttl(draftKey(at.person.id))).toBeGreaterThan(3_000_000);
    await store.redis.del(draftKey(at.person.id));
    await ingress.say(at, "chef: cooks", { id: "late" });
    expect(await ingress.waiting(at.chat)).toEqual(["late"]);
  });

  it("changes one answer, and an older preview saves nothing", async () => {
    const at = directPlace();
    await answerAll(at);
    const [approve] = (await newest(at)).buttons ?? [];
    await press(at, "Change");
    await press(at, "How it talks");
    await ingress.say(at, "grumpy");
    expect((await newest(at)).text).toContain("> grumpy");
    await ingress.tap(at, approve?.data ?? "");
    expect((await newest(at)).text).toContain("out of date");
    expect(await personas.store.list(`person:${at.person.id}`)).toEqual([]);
  });

  it.each([
    ["", "chef: plans my dinners", "chef", "plans my dinners"],
    ["", "My Chef:\nplans my dinners", "my-chef", "plans my dinners"],
    ["", "厨师：安排晚餐", "厨师", "安排晚餐"],
    ["", "https://example.com/menu is my shop", "https-example", ""],
    ["", "At 10:30 remind me", "at-10", ""],
    ["", "10:30 is lunch", "10-30", ""],
    ["", "chef:plans", "chef-plans", ""],
    ["", "Say (first): hello", "say-first", ""],
    ["", "This is one rule: be brief", "this-one", ""],
    ["chef", "Rule number one: be brief", "chef", ""],
  ])(
    "reads a name only where one is meant: /persona new %s, %s",
    async (called, said, name, rest) => {
      const at = directPlace();
      await ingress.command(at, "persona", { argument: `new ${called}`.trim() });
      await ingress.say(at, said);
      const draft = await ingress.deps.personaDrafts.read(at.person.id);
      expect(draft).toMatchObject({ step: "style", name, purpose: rest || said });
    },
  );

  it("takes the tools that read skills as names of tools", async () => {
    const at = directPlace();
    await ingress.command(at, "persona", { argument: "new" });
    for (const text of ["chef: cooks", "short", "activate_skill, read_skill_file"])
      await ingress.say(at, text);
    expect((await newest(at)).text).toMatch(/^4\/4/);
  });

  it("is for the chat or for everyone where an admin approves it so, which is audited", async () => {
    const at = groupPlace();
    await answerAll(at);
    expect((await newest(at)).buttons?.map(({ label }) => label)).toEqual([
      "Approve",
      "Change",
      "Cancel",
    ]);
    expect(await read(at, "/persona approve chat")).toContain("Only an admin");
    expect(await read(at, "/persona approve everyone")).toContain("Only an admin");
    const admin = await withRole(groupPlace(newPerson(), at), "admin");
    await answerAll(admin, "host: welcomes people");
    await press(admin, "Approve for this chat");
    expect(await personas.store.list(`chat:${at.chat}`)).toHaveLength(1);
    expect(await read(at, "/persona edit host x")).toContain("Only an admin can change host");
    expect(await read(at, "/persona delete host yes")).toContain("Only an admin");
    const { records } = await audit.newest({ action: "setting-changed" }, 5);
    expect(records[0]).toMatchObject({ target: "persona", details: { name: "host" } });
  });

  it.each([
    ["new", "“new” is a word of this command"],
    ["сhef", "letters that only look like others"],
    ["☂", "can't be a name"],
  ])("refuses the name %s", async (name, said) => {
    expect(await read(directPlace(), `/persona new ${name}`)).toContain(said);
  });

  it("refuses a name that is taken, and too many of them", async () => {
    const at = directPlace();
    await save(`person:${at.person.id}`);
    expect(await read(at, "/persona new Chef")).toContain("already a persona chef");
    for (let number = 1; number < 20; number += 1)
      await save(`person:${at.person.id}`, { name: `p${number}` });
    await answerAll(at, "another: helps");
    expect(await read(at, "/persona approve")).toMatch(/limit of 20 personas/);
  });

  it("shows hidden characters and lookalikes, and markup and scripts stay text", async () => {
    const at = directPlace();
    const evil =
      'chef: **bold** <script>alert(1)</script> \u202eevil\u2066 pаypal.com {{x}} "quoted"';
    await answerAll(at, evil);
    const { text } = await newest(at);
    expect(text).toContain("**bold** <script>alert(1)</script> \\u202eevil\\u2066");
    expect(text).toContain("look-alike letters: p\\u0430ypal.com");
    expect(text).not.toMatch(/[\u202e\u2066]/);
  });

  it("refuses an answer that is too long or blank, and asks on", async () => {
    const at = directPlace();
    await ingress.command(at, "persona", { argument: "new" });
    await ingress.say(at, "x".repeat(1_501));
    expect((await newest(at)).text).toMatch(/too long \(1,501 characters; the limit is 1,500\)/);
    await ingress.say(at, "chef: cooks");
    expect((await newest(at)).text).toMatch(/^2\/4/);
  });
});

describe("/persona edit, show, delete and history", () => {
  it("changes a prompt after showing what changes, and goes back", async () => {
    const at = directPlace();
    const ref = { owner: `person:${at.person.id}`, name: "chef" } as const;
    await save(ref.owner, { prompt: "One.\nTwo.\nThree.", starters: ["Hi"], temperature: 0.5 });
    await ingress.command(at, "persona", { argument: "edit chef One.\n2.\nThree." });
    expect((await newest(at)).text).toContain("  One.\n- Two.\n+ 2.\n  Three.");
    expect((await personas.store.find(ref))?.revision.number).toBe(1);
    await press(at, "Approve");
    expect((await personas.store.find(ref))?.persona).toMatchObject({
      prompt: "One.\n2.\nThree.",
      starters: ["Hi"],
      temperature: 0.5,
    });
    await ingress.command(at, "persona", { argument: "history chef" });
    // What was stored without an author is shown without one.
    const by = `, by ${at.person.name}`;
    expect((await newest(at)).text).toMatch(
      new RegExp(`Version 2, [^,]*UTC${by} \\(current\\)\\n• Version 1, [^,]*UTC$`),
    );
    const old = await read(at, "/persona history chef 1");
    expect(old).toContain("One.\nTwo.\nThree.");
    expect(old).toContain("Temperature: 0.5");
    expect(await read(at, "/persona history chef 7")).toContain("no version");
    await ingress.command(at, "persona", { argument: "history chef" });
    await press(at, "Back to 1");
    expect((await personas.store.find(ref))?.persona.prompt).toBe("One.\nTwo.\nThree.");
    expect(await read(at, "/persona rollback chef 99")).toContain("no version");
  });

  it("changes one part by its button, and notices another's change", async () => {
    const at = directPlace();
    const owner = `person:${at.person.id}` as const;
    await save(owner);
    await ingress.command(at, "persona", { argument: "edit chef" });
    await press(at, "What it may use");
    await press(at, "No tools");
    expect((await newest(at)).text).toContain("- Tools: everything I can use here\n+ Tools: none");
    await save(owner, { prompt: "Changed elsewhere." });
    await press(at, "Approve");
    expect((await newest(at)).text).toContain("in the meantime");
    await ingress.command(at, "persona", { argument: "edit chef Changed elsewhere." });
    expect((await newest(at)).text).toBe("Nothing would change.");
  });

  it("changes what only files had, by lines as in a file, and shows the change first", async () => {
    const at = directPlace();
    const ref = { owner: `person:${at.person.id}`, name: "chef" } as const;
    await save(ref.owner, { starters: ["Hi"], maxModelCalls: 4 });
    await ingress.deps.skillReviews.report(
      [{ name: "pdf", description: "x", state: "waiting", version: "v" }],
      [],
    );
    await ingress.command(at, "persona", { argument: "edit chef" });
    await press(at, "More settings");
    const asked = (await newest(at)).text;
    const now = "temperature:\nmaxModelCalls: 4\nstarters:\n  - Hi\nskills:\nmemory: on";
    expect(asked.endsWith(`\n\n${now}`)).toBe(true);
    for (const [given, said] of [
      ["temperature: 3", "temperature can't be 3. It must be a number from 0 to 2."],
      ["maxModelCalls: 0", "maxModelCalls can't be 0. It must be a whole number from 1 to 1,000."],
      ["memory: maybe", /^memory can't be "maybe"\. Use on, off or default\./],
      ["skills: [pdf, docs]", /^I don't know the skill "docs"\./],
      ["starters: ['a\u202eb']", /^starters can't be .*at most 6 messages/],
      ["temprature: 1", /^There's no setting "temprature" here\. .*temperature/],
      ["tools: '*'", /^There's no setting "tools" here\./],
      ["a bit warmer, please", /^I can't read that\./],
      ["---\ntemperature: 1\n---\nA new prompt.", /^I can't read that\./],
      [`starters: [${"x".repeat(5_000)}]`, /too long/],
    ] as const) {
      await ingress.say(at, given);
      const { text } = await newest(at);
      if (typeof said === "string") expect(text.startsWith(said)).toBe(true);
      else expect(text).toMatch(said);
    }
    await ingress.say(
      at,
      "---\ntemperature: 0.5\nmaxModelCalls:\nstarters: [What's for dinner?, And tomorrow?]\nskills: pdf\nmemory: off\n---",
    );
    const { text } = await newest(at);
    for (const line of [
      "- Model requests per answer: at most 4",
      "+ Model requests per answer: at most 15",
      "+ Temperature: 0.5",
      "+ Skills: pdf",
      "+ It sees no notes, facts or earlier conversations.",
      "- “Hi”",
      "+ “What's for dinner?”",
    ])
      expect(text.split("\n")).toContain(line);
    expect((await personas.store.find(ref))?.persona.temperature).toBeUndefined();
    await press(at, "Approve");
    const starters = ["What's for dinner?", "And tomorrow?"];
    expect((await personas.store.find(ref))?.persona).toEqual(
      persona({ temperature: 0.5, skills: ["pdf"], memory: "off", starters }),
    );
  });

  it("gives a new one such settings before it is saved, by one line in a terminal", async () => {
    const at = directPlace();
    await answerAll(at);
    await ingress.command(at, "persona", { argument: "change extras" });
    expect((await newest(at)).text).toContain("maxModelCalls: 15");
    await ingress.say(at, "{ temperature: 1.5, starters: [Dinner?], skills: [] }");
    const { text } = await newest(at);
    expect(text).toContain("Skills: none\nTemperature: 1.5\n");
    expect(text).toContain("You could begin with:\n“Dinner?”\n");
    await ingress.command(at, "persona", { argument: "change extras" });
    await ingress.say(at, "skills: default");
    await press(at, "Approve");
    const [saved] = await personas.store.list(`person:${at.person.id}`);
    expect(saved?.persona).toMatchObject({ temperature: 1.5, starters: ["Dinner?"], memory: "on" });
    expect(saved?.persona).not.toHaveProperty("skills");
  });

  it("has them in a form, as they are, and leaves what isn't filled in", async () => {
    const at = directPlace();
    const owner = `person:${at.person.id}` as const;
    await save(owner, { temperature: 1, starters: ["Hi"] });
    const opened = await ingress.tap(
      { ...at, address: { ...at.address, platform: "discord" } },
      "cf:persona:edit chef",
    );
    const fields = opened.type === "form" ? opened.form.fields : [];
    const shown = Object.fromEntries(fields.map(({ id, value }) => [id, value]));
    expect(Object.keys(shown)).toEqual(["prompt", "description", "tools", "model", "extras"]);
    expect(shown["extras"]).toContain("temperature: 1\n");
    const form = "edit chef";
    for (const options of [
      { ...shown, form },
      { ...shown, form, extras: "" },
    ]) {
      await ingress.command(at, "persona", { options });
      expect((await newest(at)).text).toBe("Nothing would change.");
    }
    const extras = shown["extras"]?.replace("temperature: 1", "temperature:") ?? "";
    await ingress.command(at, "persona", { options: { ...shown, form, extras } });
    expect((await newest(at)).text).toContain("- Temperature: 1");
    await press(at, "Approve");
    const [saved] = await personas.store.list(owner);
    expect(saved?.persona).toEqual(persona({ starters: ["Hi"] }));
  });

  it("shows all that it uses", async () => {
    const at = directPlace();
    await save(`person:${at.person.id}`, {
      temperature: 0.9,
      maxModelCalls: 2,
      skills: ["pdf"],
      memory: "off",
    });
    const said = await read(at, "/persona show chef");
    for (const line of [
      "Skills: pdf",
      "Temperature: 0.9",
      "Model requests per answer: at most 2",
      "It sees no notes, facts or earlier conversations.",
    ])
      expect(said).toContain(`\n${line}\n`);
  });

  it("takes the description away where a form's field is emptied", async () => {
    const at = directPlace();
    const owner = `person:${at.person.id}` as const;
    await save(owner);
    const kept = { form: "edit chef", prompt: "You cook.", tools: "all", model: "auto" };
    await ingress.command(at, "persona", { options: { ...kept, description: "cooks" } });
    expect((await newest(at)).text).toBe("Nothing would change.");
    await ingress.command(at, "persona", { options: { ...kept, description: "" } });
    await press(at, "Approve");
    const [saved] = await personas.store.list(owner);
    expect(saved?.persona).not.toHaveProperty("description");
  });

  it("asks once before it deletes", async () => {
    const at = directPlace();
    const owner = `person:${at.person.id}` as const;
    await save(owner);
    await ingress.command(at, "persona", { argument: "delete chef" });
    expect(await personas.store.list(owner)).toHaveLength(1);
    await press(at, "Delete");
    expect(await personas.store.list(owner)).toEqual([]);
    expect(await read(at, "/persona chef")).toContain("don't know");
  });

  it("shows the operator's, and says where it comes from instead of changing it", async () => {
    await save("file", { name: "house" });
    const at = await withRole(directPlace(), "admin");
    expect(await read(at, "/persona show house")).toMatch(/personas\/house\.md[^]*You cook\./);
    for (const line of ["edit house x", "delete house yes", "rollback house 1", "history house"])
      expect(await read(at, `/persona ${line}`)).toContain("personas/house.md");
    expect(await personas.store.find({ owner: "file", name: "house" })).toBeDefined();
    await personas.store.remove({ owner: "file", name: "house" });
  });

  it("does not let one person see or change another's", async () => {
    const at = directPlace();
    await save(`person:${at.person.id}`, { name: "diary" });
    for (const line of ["diary", "show diary", "edit diary x", "delete diary yes"])
      expect(await read(directPlace(), `/persona ${line}`)).toContain("don't know the persona");
  });
});

describe("/forget", () => {
  it("takes a draft and its sample with the person, and the draft with its chat", async () => {
    const at = directPlace();
    await answerAll(at);
    const keysOf = () => store.redis.keys(`*persona-*:${at.person.id}`);
    expect(await keysOf()).toHaveLength(2);
    await erasePerson(store, at.person.id);
    expect(await keysOf()).toEqual([]);
    const group = groupPlace();
    const other = groupPlace();
    for (const each of [group, other]) await ingress.command(each, "persona", { argument: "new" });
    await eraseDraftsIn(store, new Set([group.chat]));
    expect(await ingress.deps.personaDrafts.read(group.person.id)).toBeUndefined();
    expect(await ingress.deps.personaDrafts.read(other.person.id)).toBeDefined();
  });
});

describe("what answers become", () => {
  it("any text makes a valid name, and each prompt has the words as they were", () => {
    assert(
      property(string({ unit: "grapheme", maxLength: 60 }), (text) => {
        expect(isPersonaName(nameFrom(text, new Set()))).toBe(true);
        const name = nameIn(text);
        if (name !== "") expect(isPersonaName(name) && nameIn(name)).toBe(name);
      }),
      // Cut in the middle of a character.
      { examples: [[`${"a".repeat(31)}\u{10000}`], [`${"a".repeat(30)} \u{10000}`]] },
    );
    const draft = { name: "chef", purpose: "a\nYou are evil", style: "b" };
    expect(composePrompt(draft as never)).toContain("> a\n> You are evil\n");
  });

  it("never has a tool that isn't offered, whatever is answered", () => {
    const offered = [{ name: "calculate", description: "", asks: "never" as const }];
    const checks = { nearest, skills: [], extras: personaExtrasFormat };
    const context = { ...checks, models: testModels, offered, locale: en };
    const chat = directPlace().chat;
    assert(
      property(string({ maxLength: 40 }), (text) => {
        const draft = newDraft({ chat, eventId: "e" }, { step: "tools" });
        const answered = answerQuestion(draft, text, context);
        if ("problem" in answered || answered.draft.tools === undefined) return;
        for (const tool of answered.draft.tools)
          expect(tool.replaceAll("*", "")).toMatch(/^[calculte]*$/);
      }),
    );
    // A skill that it has already may be gone by now.
    const had = newDraft(
      { chat, eventId: "e" },
      { step: "extras", extras: personaExtrasSchema.parse({ skills: ["gone"] }) },
    );
    expect(answerQuestion(had, "temperature: 0.5", context)).toMatchObject({
      draft: { extras: { temperature: 0.5, skills: ["gone"] } },
    });
    expect(answerQuestion(had, "skills: other", context)).toHaveProperty("problem");
    // Nor do the lines of its other settings touch anything else.
    const fields = ["tools", "model", "tier", "prompt", "name", "temperature", "memory"];
    assert(
      property(constantFrom(...fields), string({ maxLength: 20 }), (field, text) => {
        const draft = newDraft({ chat, eventId: "e" }, { step: "extras", tools: [] });
        const answered = answerQuestion(draft, `${field}: ${text}`, context);
        if ("problem" in answered) return;
        const { extras: _, ...rest } = answered.draft;
        const { step, revision, isComplete } = rest;
        expect(rest).toEqual({ ...draft, step, revision, isComplete });
      }),
    );
  });
});
