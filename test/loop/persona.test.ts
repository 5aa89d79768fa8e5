import { describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import { turnAccount } from "../../src/cli/trace-text.ts";
import type { TurnSummary } from "../../src/cli/trace-summary.ts";
import { entryMarkdown } from "../../src/commands/export/markdown.ts";
import type { TraceRecord } from "../../src/core/trace.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import type { LoopDeps } from "../../src/loop/deps.ts";
import type { Persona, PersonaOwner, PersonaRef } from "../../src/core/persona.ts";
import { createPlaceRules } from "../../src/store/people/place-rules.ts";
import { createPersonaChoices, type PersonaTarget } from "../../src/store/personas/choices.ts";
import { PersonaCache } from "../../src/store/personas/persona-cache.ts";
import { createPersonaDrafts } from "../../src/store/personas/persona-drafts.ts";
import { createPersonaStore, personasKey } from "../../src/store/personas/personas.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { withPersona } from "../../src/loop/persona.ts";
import type { BegunTurn } from "../../src/core/ports.ts";
import {
  ann,
  bob,
  calls,
  counted,
  defaultContext,
  openScene,
  type Scene,
  type SceneOptions,
} from "./scene.ts";
import { modelsOf, openaiKey } from "./model/two-providers.ts";
import { waiting } from "./waiting.ts";

const redis = await testDatabase();

const persona = (name: string, more: Partial<Persona> = {}): Persona => ({
  name,
  prompt: `You are the ${name}.`,
  maxModelCalls: 15,
  starters: [],
  memory: "on",
  ...more,
});

const ignore = (): void => undefined;
const file = (name: string): PersonaRef => ({ owner: "file", name });

let owners = 0;
/** A chat with personas of its requester, and a worker that knows of them. */
async function open(options: Partial<SceneOptions> = {}, usual?: string) {
  owners += 1;
  const person = { ...ann, id: `telegram:70${owners}` };
  const owner: PersonaOwner = `person:${person.id}`;
  const scene = await openScene({ redis, ...options });
  const { store } = scene.parts;
  const personas = createPersonaStore(store);
  const choices = createPersonaChoices(store, createPlaceRules(store.redis));
  /** As another worker does, which remembers nothing. */
  const restart = (): void => {
    scene.with({ personas: new PersonaCache(personas, { usual, now: () => 0, report: ignore }) });
  };
  restart();
  return {
    scene,
    person,
    owner,
    personas,
    restart,
    ask: (text: string, more = {}) => scene.say(text, { person, ...more }),
    choose: (target: Partial<PersonaTarget>, ref: PersonaRef | undefined) =>
      choices.set(
        { scope: "person", chat: scene.chat, personId: person.id, ...target } as PersonaTarget,
        ref,
      ),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

const lastRequest = (scene: Scene) => scene.model.requests.at(-1);
const promptOf = (scene: Scene): string => JSON.stringify(lastRequest(scene));
const failures = async (scene: Scene) =>
  (await scene.log()).flatMap((entry) => (entry.kind === "tool" ? [entry.failure ?? "done"] : []));

describe("a turn's persona", () => {
  it("is the person's, else the chat's, else the place's, else the default", async () => {
    await using at = await open({}, "usual");
    const { scene, personas, owner } = at;
    for (const name of ["usual", "place", "chat"]) await personas.save("file", persona(name));
    await personas.save(owner, persona("mine"));
    const answeredBy = async (more = {}): Promise<string | undefined> => {
      at.restart();
      await at.ask("hi", more);
      await scene.settle();
      const last = (await scene.log()).findLast(({ kind }) => kind === "assistant");
      return last?.kind === "assistant" ? last.persona : undefined;
    };
    expect(await answeredBy()).toBe("usual");
    expect(promptOf(scene)).toContain("You are the usual.");
    expect(await answeredBy({ persona: "file/place" })).toBe("place");
    await at.choose({ scope: "chat" }, file("chat"));
    expect(await answeredBy({ persona: "file/place" })).toBe("chat");
    await at.choose({}, { owner, name: "mine" });
    expect(await answeredBy({ persona: "file/place" })).toBe("mine");
    // Someone else's choice is theirs.
    expect(await answeredBy({ person: bob })).toBe("chat");
    // One that is gone gives way to the next.
    await personas.remove({ owner, name: "mine" });
    expect(await answeredBy()).toBe("chat");
    // No one's own applies to others.
    await personas.save(owner, persona("mine"));
    await at.choose({ scope: "chat" }, { owner, name: "mine" });
    expect(await answeredBy({ person: bob })).toBe("usual");
    expect((await scene.story()).filter((line) => line === "message hi")).toHaveLength(7);
  });

  it("is named by each turn however it ends, each trace record, and the export", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    const records: TraceRecord[] = [];
    scene.with({ trace: { write: (record) => void records.push(record) } });
    await personas.save(owner, persona("mine", { maxModelCalls: 2 }));
    const talk = async (): Promise<void> => {
      for (const steps of [
        [{ text: "There." }],
        [calls("look"), { text: "Not done." }],
        [{ failure: { status: 400 } }],
      ]) {
        scene.model.reply(...steps);
        await at.ask("hi");
        await scene.settle();
      }
    };
    const entries = async () =>
      (await scene.log()).filter(({ kind }) => kind === "assistant" || kind === "end");
    // Without one nothing names any.
    await talk();
    expect(JSON.stringify([await entries(), records])).not.toContain('"persona"');
    const before = { entries: (await entries()).length, records: records.length };
    await at.choose({}, { owner, name: "mine" });
    await talk();
    const since = (await entries()).slice(before.entries);
    expect(since.flatMap((entry) => (entry.kind === "end" ? [entry.reason] : []))).toEqual(
      expect.arrayContaining(["max-model-calls", "model-failed"]),
    );
    for (const entry of since) expect(entry).toMatchObject({ persona: "mine" });
    const traced = records.slice(before.records);
    expect(traced).toHaveLength(4);
    for (const record of traced) expect(record).toMatchObject({ persona: "mine" });
    // What `parley trace` and `/export` make of them.
    const account = turnAccount({ calls: 4, atMs: 0 } as TurnSummary, traced);
    expect(account.match(/^Call .*, persona mine/gm)).toHaveLength(traced.length);
    for (const [index, entry] of since.entries())
      expect(entryMarkdown(index, entry, localeFor())).toContain("as `mine`");
  });

  it("is named by the trace of a summary that its turn needs", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    const records: TraceRecord[] = [];
    scene.with({
      models: modelsOf(
        { openai: scene.parts.server },
        { overrides: { [openaiKey]: { card: { contextWindow: 4_000 } } } },
      ),
      trace: { write: (record) => void records.push(record) },
    });
    await personas.save(owner, persona("mine"));
    await at.choose({}, { owner, name: "mine" });
    const summaries = () => records.filter(({ purpose }) => purpose === "compaction");
    for (let turn = 1; turn < 30 && summaries().length === 0; turn += 1) {
      await at.ask(`turn ${turn} ${"word ".repeat(120)}`);
      await scene.settle();
    }
    expect(summaries()).not.toEqual([]);
    for (const record of summaries()) expect(record).toMatchObject({ persona: "mine" });
  });

  it("hides and denies the tools that it doesn't have", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine", { tools: ["loo*"] }));
    await at.choose({}, { owner, name: "mine" });
    scene.model.reply(calls("send", "look"));
    await at.ask("hi");
    await scene.settle();
    expect(scene.runs).toEqual(['look {"label":"1"}']);
    expect(await failures(scene)).toEqual(["policy-denied", "done"]);
    const [first, second] = scene.model.requests;
    // The model is informed of whose word it is.
    expect(JSON.stringify(second)).toContain(
      String.raw`policy-denied: the persona \"mine\", which answers in this turn, does not have this tool.`,
    );
    expect(JSON.stringify(second)).not.toContain("operator's policy");
    expect(JSON.stringify(first)).toContain("The tool look.");
    expect(JSON.stringify(first)).not.toContain("The tool send.");
  });

  it.each<[string, Partial<Persona>, boolean]>([
    ["that names tools, the chat's", { tools: ["look"] }, true],
    ["without tools, the chat's", { tools: [] }, true],
    ["that names skills, these", { tools: ["look"], skills: ["pdf"] }, true],
    ["without skills, none", { skills: [] }, false],
    ["whose skills are all gone, none", { skills: ["gone"] }, false],
  ])("offers skills with the tools that read them: %s", async (_, more, has) => {
    const body = "HOW-TO-pdf";
    const pdf = { name: "pdf", description: "About pdf.", body, files: new Map<string, string>() };
    const docx = { ...pdf, name: "docx", description: "About docx." };
    await using at = await open({ deps: { skills: () => [docx, pdf] } });
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine", more));
    await at.choose({}, { owner, name: "mine" });
    scene.model.reply({ toolCalls: [{ name: "activate_skill", arguments: { name: "pdf" } }] });
    await at.ask("fill in the form");
    await scene.settle();
    const first = JSON.stringify(scene.model.requests[0]);
    expect(first.includes("About pdf.")).toBe(has);
    expect(first.includes("About docx.")).toBe(has && more.skills === undefined);
    const { toolNames = [] } = scene.model.requests[0] ?? {};
    for (const name of ["activate_skill", "read_skill_file"])
      expect(toolNames.includes(name)).toBe(has);
    expect(promptOf(scene).includes(body)).toBe(has);
    expect(await failures(scene)).toEqual([has ? "done" : "unknown-tool"]);
  });

  it("makes at most its number of model calls", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine", { maxModelCalls: 2 }));
    await at.choose({}, { owner, name: "mine" });
    scene.model.reply(calls("look"), calls("set"), calls("look"));
    await at.ask("hi");
    await scene.settle();
    // The last one, without tools, says what was done.
    expect(scene.model.received).toBeLessThanOrEqual(3);
    expect(scene.runs.length).toBeLessThanOrEqual(2);
  });

  it("costs a turn without one no round trip, and one with it none either", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine"));
    await at.choose({}, { owner, name: "mine" });
    await at.ask("first");
    await scene.settle();
    const asked: string[] = [];
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store });
    personas.find = (ref) => {
      asked.push(ref.name);
      return Promise.resolve(undefined);
    };
    await at.ask("second");
    await scene.settle();
    expect(counts).toEqual({ begin: 1, commit: 1, release: 0 });
    expect(asked).toEqual([]);
  });

  it.each([
    [
      "edited",
      (at: Awaited<ReturnType<typeof open>>) =>
        at.personas.save(at.owner, persona("mine", { prompt: "You are new.", tools: ["none"] })),
    ],
    [
      "removed",
      (at: Awaited<ReturnType<typeof open>>) =>
        at.personas.remove({ owner: at.owner, name: "mine" }),
    ],
    ["no more chosen", (at: Awaited<ReturnType<typeof open>>) => at.choose({}, undefined)],
  ])("stays that of a waiting approval when it is %s, in another process", async (_, change) => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine", { tools: ["buy"] }));
    await at.choose({}, { owner, name: "mine" });
    const audited: unknown[] = [];
    const write: LoopDeps["audit"]["write"] = (_id, { action, details }) =>
      Promise.resolve(void audited.push([action, details?.["persona"]]));
    scene.with({ audit: { write } });
    scene.model.reply(calls("buy", "look"));
    await at.ask("buy it");
    await scene.settle();
    expect((await scene.state())?.phase).toBe("waiting");
    const [asked] = await scene.asked();
    expect(asked?.approval.persona).toBe("own persona");
    expect(await scene.state()).toMatchObject({ v: 3, persona: { name: "mine", by: "person" } });
    await change(at);
    at.restart();
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    expect(await failures(scene)).toEqual(["done", "policy-denied"]);
    expect(audited).toContainEqual(["tool-executed", "own persona"]);
    expect(promptOf(scene)).toContain("You are the mine.");
  });

  it("is found again by a session that continues what was never committed", async () => {
    const found = { owner: "file", name: "chef", hash: "h" };
    const source = {
      usual: "chef",
      find: () => Promise.resolve(found),
    } as unknown as PersonaCache;
    const left = {
      session: { chat: "telegram:1:2", token: "t" },
      opened: false,
      state: { v: 1, turn: 1 },
      transcript: [{ kind: "message", person: ann, text: "hi" }],
      settings: {},
    } as unknown as BegunTurn;
    const uncommitted = { ...left, isUncommitted: true } as const;
    expect((await withPersona(source, uncommitted)).state).toMatchObject({ v: 3, persona: found });
    // What was committed says it itself, if only by saying nothing.
    expect((await withPersona(source, left)).state).not.toHaveProperty("persona");
  });

  it("permits no tool where it can't be read", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine"));
    await at.choose({}, { owner, name: "mine" });
    await scene.parts.store.redis.hset(personasKey(owner), "n:mine", "broken");
    at.restart();
    await at.ask("hi");
    await scene.settle();
    expect(scene.model.requests).toHaveLength(1);
    expect(promptOf(scene)).not.toContain("The tool look.");
  });

  it("permits no tool when nothing is known of it any more", async () => {
    await using at = await open();
    const { scene, personas, owner } = at;
    await personas.save(owner, persona("mine", { tools: ["buy"] }));
    await at.choose({}, { owner, name: "mine" });
    scene.model.reply(calls("buy"));
    await at.ask("buy it");
    await scene.settle();
    await scene.parts.store.redis.del(`parley:{cfg}:personas-of:${at.person.id}`);
    at.restart();
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await failures(scene)).toEqual(["policy-denied"]);
    expect(JSON.stringify(scene.model.requests.at(-1))).toContain(String.raw`the persona \"mine\"`);
    expect(scene.parts.lines.map(({ msg }) => msg)).toContain(
      "a turn's persona is not kept any more: the turn goes on without tools",
    );
  });

  it("is one in each of two topics at once", async () => {
    const group = { platform: "telegram", bot: "bot", chat: "-1009" } as const;
    await using one = await open({ chat: chatKey({ ...group, thread: "1" }) });
    await using other = await open({ chat: chatKey({ ...group, thread: "2" }) });
    await one.personas.save("everyone", persona("first"));
    await one.personas.save("everyone", persona("second"));
    await one.choose({ scope: "chat" }, { owner: "everyone", name: "first" });
    await other.choose({ scope: "chat" }, { owner: "everyone", name: "second" });
    const begun = [one, other].map(async (at) => {
      at.restart();
      await waiting(at.scene, calls("buy"));
      return (await at.scene.state())?.persona?.name;
    });
    expect(await Promise.all(begun)).toEqual(["first", "second"]);
    expect(promptOf(one.scene)).toContain("You are the first.");
    expect(promptOf(other.scene)).toContain("You are the second.");
  });
});

describe("a persona's sample", () => {
  const question = "Who are you?";
  const secret = "I am the sample.";
  const long = `What is 2 + 2? ${"word ".repeat(2_000)}`;
  async function afterSample(options: Partial<SceneOptions> = {}) {
    const at = await open(options);
    const { scene, person } = at;
    const drafts = createPersonaDrafts(scene.parts.store);
    const sampleOf = await drafts.writeSample(person.id, persona("chef", { tools: [] }));
    scene.model.reply({ text: "Four." }, { text: secret });
    for (const more of [{}, { sampleOf }]) {
      await at.ask(more.sampleOf === undefined ? long : question, more);
      await scene.settle();
    }
    return at;
  }

  it("is asked under the draft, and seen by no later turn", async () => {
    await using at = await afterSample();
    const { scene } = at;
    expect(promptOf(scene)).toContain(question);
    expect(promptOf(scene)).toContain("You are the chef.");
    scene.model.reply({ text: "Six." });
    await at.ask("And 3 + 3?");
    await scene.settle();
    expect(promptOf(scene)).toContain("What is 2 + 2?");
    expect(promptOf(scene)).not.toContain(question);
    expect(promptOf(scene)).not.toContain(secret);
    // The history has it.
    expect(await scene.story()).toEqual(expect.arrayContaining([`assistant ${secret}`]));
  });

  it("is seen by its own turn in every round", async () => {
    await using at = await open();
    const { scene, person } = at;
    const drafts = createPersonaDrafts(scene.parts.store);
    const sampleOf = await drafts.writeSample(person.id, persona("chef"));
    scene.model.reply(calls("look"), { text: secret });
    await at.ask(question, { sampleOf });
    await scene.settle();
    expect(scene.model.requests).toHaveLength(2);
    expect(promptOf(scene)).toContain(question);
  });

  it("is no exchange that /undo takes back", async () => {
    await using at = await afterSample();
    const { scene } = at;
    await scene.control("undo");
    await scene.settle();
    await at.ask("hello");
    await scene.settle();
    expect(promptOf(scene)).not.toContain("What is 2 + 2?");
    expect(promptOf(scene)).not.toContain(question);
  });

  it("is in no summary", async () => {
    await using at = await afterSample({
      deps: { context: { ...defaultContext, protectPairs: 0, strategy: "summarise" } },
    });
    const { scene } = at;
    const asked = scene.model.requests.length;
    await scene.control("compact");
    await scene.settle();
    const summarised = JSON.stringify(scene.model.requests.slice(asked));
    expect(summarised).toContain("What is 2 + 2?");
    expect(summarised).not.toContain(question);
    expect(summarised).not.toContain(secret);
    await at.ask("hello");
    await scene.settle();
    expect(promptOf(scene)).not.toContain(secret);
  });
});

it("the next persona's request has what was said before the switch", async () => {
  await using at = await open();
  const { scene, personas, owner } = at;
  for (const name of ["one", "two"]) await personas.save(owner, persona(name));
  await at.choose({}, { owner, name: "one" });
  scene.model.reply({ text: "Noted, says one." });
  await at.ask("My cat is called Mia.");
  await scene.settle();
  await at.choose({}, { owner, name: "two" });
  at.restart();
  await at.ask("What is my cat called?");
  await scene.settle();
  for (const text of ["You are the two.", "My cat is called Mia.", "Noted, says one."])
    expect(promptOf(scene)).toContain(text);
  expect(promptOf(scene)).not.toContain("You are the one.");
});
