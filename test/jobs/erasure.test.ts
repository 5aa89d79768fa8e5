import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { forgetCommand } from "../../src/cli/admin/forget.ts";
import { eraseFiles } from "../../src/jobs/erase-files.ts";
import { startErasures } from "../../src/jobs/erasure.ts";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import type { MessageEntry, ToolEntry } from "../../src/core/history.ts";
import type { Leases } from "../../src/core/ports.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { auditName, createErasures, type ErasureJob } from "../../src/store/erasure/erasures.ts";
import { createKeptResults } from "../../src/store/turns/kept-results.ts";
import { approvalKey, chatKeys, configKey } from "../../src/store/keys.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { progressOf, requestErasure } from "../../src/store/erasure/request-erasure.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { memoryOn } from "../memory/support.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { filesWith, keysWith } from "../support/erasure/occurrences.ts";
import { calls, openScene, quietDeps, type Scene } from "../loop/scene.ts";
import {
  begun,
  finishing,
  message,
  scheduleIn,
  storeOn,
  uniqueId,
  until,
} from "../store/support.ts";
import { traceRecord } from "../store/traces/trace-record.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { erasing } from "./erasing.ts";

const redis = await testDatabase({ appendOnly: "always" });
const store = storeOn(redis);
const erasures = createErasures(store);
const traces = createTraces({
  store,
  ttlMs: 60_000,
  redact: (text) => text,
  log: { warn: () => undefined },
});
// What people are called in the audit log goes with them, not with a chat:
// `test/store/operations/audit.test.ts`.
const open = () => openScene({ redis, deps: { trace: traces, audit: quietDeps.audit } });

// A runner has the file rewritten once a minute only: what other tests have ended must not take
// that from it.
beforeEach(() => erasures.fileIsNew());

const dataFolder = mkdtempSync(join(tmpdir(), "parley-erasure-"));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

/** A word that stands nowhere else, and that no compression takes apart. */
const newWord = (): string => `w${uniqueId().replaceAll("-", "")}0`;

const { post, depsOf, carryOut, archive } = erasing({
  store,
  erasures,
  dataFolder,
});

/** Plants a word wherever a chat can hold one. */
async function plant(scene: Scene, word: string): Promise<void> {
  const { chat, model } = scene;
  const keys = chatKeys(chat);
  const person = { id: "telegram:1", name: `Ann ${word}` };
  model.reply({
    text: `I am on it: ${word}`,
    toolCalls: [{ name: "look", arguments: { label: word } }],
  });
  await scene.say(`look at ${word}`, { person });
  await scene.settle();
  // One approval that was denied, two on one card that no one has decided.
  const call = { name: "buy", arguments: { label: word } };
  for (const isDenied of [true, false]) {
    model.reply({ toolCalls: isDenied ? [call] : [call, call] });
    await scene.say(`buy ${word}`, { person });
    await scene.settle();
    if (isDenied) await scene.decide(0, "denied");
    await scene.settle();
  }
  for (const id of await pendingOf(scene))
    await store.redis.hset(keys.approvalPrefix + id, "card", "4711");
  await scene.say(`this waits: ${word}`, {
    person: { ...person, id: "telegram:2" },
  });
  await memoryOn(store).index(chat);
  // Numbers hold no word that could be looked for.
  await store.redis.hset(keys.vectors, { model: `${word} 4`, next: 1, "0": "\0".repeat(8) });
  await createNotes(store).write(chat, word, "a key");
  const fact = { text: word, by: person, chat };
  for (const owner of [{ chat }, { person: "telegram:99" }])
    await createFacts(store, undefined).keep(owner, fact, "a key");
  await store.redis.rpush(
    keys.summaries,
    JSON.stringify({ v: 1, from: 0, to: 1, atMs: 1, text: word }),
  );
  await createTodos(store).replace(chat, [{ text: word, done: false }]);
  await createKeptResults(store).keep(chat, word, 1);
  const file = await createBlobs(store).put(chat, Buffer.from(word));
  await post(chat, {
    kind: "file",
    v: 1,
    id: "f",
    blob: file,
    name: word,
    mediaType: "text/plain",
  });
  await store.redis.set(keys.draft, `turn-1 ${JSON.stringify({ text: word })}`);
  await store.redis.hset(`${keys.deadPrefix}s1-dead`, {
    v: 1,
    entry: `{"id":"x","text":"${word}"}`,
  });
  await store.redis.zadd(keys.deadIndex, 1, `s1-dead ${chat}`);
  await store.redis.hset(`${keys.sentPrefix}turn-1`, {
    m0: "1",
    refused: word,
  });
  await store.redis.rpush(`${keys.tracePrefix}0`, word);
  await store.redis.hset(keys.settings, "model", word);
  await store.redis.hset(keys.usage, `in ${word}`, 1);
  await createSchedules(store, { retentionMs: 86_400_000, report: () => undefined }).save(
    chat,
    scheduleIn(chat, { id: "word00", task: { type: "remind", text: word } }),
  );
  await archive(chat);
  await traces.flush();
}

async function pendingOf({ chat }: Scene): Promise<readonly string[]> {
  const ids = await store.redis.hget(chatKeys(chat).state, "approvals");
  if (!ids) throw new Error("nothing waits for a decision");
  return ids.split(" ");
}

const kindsOf = (keys: readonly string[]): string[] =>
  [...new Set(keys.map((key) => key.split(":")[2] ?? ""))].sort();

const appendOnlyFolder = async (): Promise<string> => {
  const [, folder = ""] = await store.redis.config("GET", "dir");
  return folder;
};

const auditLines = async (): Promise<Record<string, unknown>[]> =>
  (await store.redis.lrange(configKey("audit"), 0, -1)).map(
    (json) => JSON.parse(json) as Record<string, unknown>,
  );

describe("an erased chat", () => {
  it("leaves no word anywhere, and goes on", async () => {
    const word = newWord();
    await using scene = await open();
    const { chat } = scene;
    await plant(scene, word);
    expect(kindsOf(await keysWith(store, word))).toEqual([
      "appr",
      "blob",
      "dead",
      "draft",
      "facts",
      "in",
      "log",
      "mem",
      "notes",
      "out",
      "plans",
      "sent",
      "set",
      "st",
      "sums",
      "todos",
      "trace",
      "use",
      "vec",
    ]);
    const folder = await appendOnlyFolder();
    expect(await filesWith(dataFolder, word)).toHaveLength(1);
    expect(await filesWith(folder, word)).not.toEqual([]);
    await erasures.ask({
      id: uniqueId(),
      of: { what: "chat", chat },
      by: "person",
      answerTo: chat,
      language: "de-AT",
    });
    await carryOut(scene);
    expect(await keysWith(store, word)).toEqual([]);
    expect(await store.redis.zscore(chatKeys(chat).wake, `plan:${chat}/word00`)).toBeNull();
    expect(await filesWith(dataFolder, word)).toEqual([]);
    await until(async () => (await filesWith(folder, word)).length === 0, "a new append-only file");
    // The card loses its buttons, without a word of what it was about.
    expect(await scene.outbox()).toMatchObject([
      {
        kind: "resolution",
        text: "Erased.",
        erased: true,
        card: { tool: "buy", arguments: `"[erased]"`, requesterName: "" },
      },
      { kind: "cards-outcome", approvals: expect.any(Array) },
      {
        kind: "notice",
        text: "Fertig. Alles in diesem Chat ist gelöscht.",
      },
    ]);
    expect(await auditLines()).toContainEqual({
      v: 1,
      atMs: expect.any(Number),
      by: "person",
      what: "forget-chat",
      of: auditName(chat),
    });
    await scene.say("hello again");
    await scene.settle();
    expect(await scene.story()).toEqual(["message hello again", "assistant You said: hello again"]);
    await scene.expectAtRest();
  });
});

describe("late writes of an erased chat", () => {
  it("come to nothing, whatever holds them", async () => {
    const word = newWord();
    await using scene = await open();
    const { chat } = scene;
    await scene.say("one");
    await scene.settle();
    await erasures.ask({
      id: uniqueId(),
      of: { what: "chat", chat },
      by: "operator",
    });
    await carryOut(scene);
    const key = `${chat}/1.1.0`;
    await createNotes(store).write(chat, word, key);
    await createTodos(store).replace(chat, [{ text: word, done: true }], key);
    await createKeptResults(store).keep(chat, word, 1);
    const record = traceRecord({ chat, turn: 1 });
    traces.write({ ...record, why: word });
    await traces.flush();
    expect(await keysWith(store, word)).toEqual([]);
    // A turn that came afterwards writes as ever.
    await createNotes(store).write(chat, word, `${chat}/3.1.0`);
    traces.write({ ...record, why: word, turn: 3 });
    await traces.flush();
    const { notes, tracePrefix } = chatKeys(chat);
    expect(await keysWith(store, word)).toEqual([notes, `${tracePrefix}3`]);
  });

  it("by a worker that was paused change nothing", async () => {
    await using scene = await open();
    await scene.say("one");
    const paused = await begun(scene.deps.store, scene.chat);
    await store.redis.hset(chatKeys(scene.chat).state, "lease", 1);
    await erasures.ask({
      id: uniqueId(),
      of: { what: "chat", chat: scene.chat },
      by: "operator",
    });
    await carryOut(scene);
    const { session, revision } = paused;
    expect(await scene.deps.store.commit(session, revision, finishing(1))).toEqual({
      type: "fenced",
    });
    expect(await scene.log()).toEqual([]);
  });
});

describe("what runs in a chat that is erased", () => {
  it.each(["a model call", "a tool", "an approval", "/auto"])("%s ends", async (what) => {
    await using scene = await open();
    const gate = Promise.withResolvers<void>();
    let running: Promise<unknown> = Promise.resolve();
    if (what === "a tool") {
      scene.parts.effects.gates.set("look", gate.promise);
      scene.model.reply(calls("look"));
      await scene.say("go");
      running = scene.run();
      await until(() => scene.runs.length === 1, "the tool");
    } else if (what === "a model call") {
      scene.model.reply({ failure: "hang-before-headers" });
      await scene.say("go");
      running = scene.run();
      await until(() => scene.model.requests.length === 1, "the request");
    } else if (what === "/auto") {
      await scene.auto("count", 5);
      await scene.run();
    } else {
      scene.model.reply(calls("buy"));
      await scene.say("go");
      await scene.settle();
    }
    const { chat } = scene;
    const id = uniqueId();
    await erasures.ask({ id, of: { what: "chat", chat }, by: "person" });
    await carryOut(scene);
    gate.resolve();
    await running;
    expect(await scene.log()).toEqual([]);
    expect(await scene.settle()).toEqual({ type: "done" });
    const asked = scene.model.requests.length;
    await scene.say("and now");
    await scene.settle();
    expect(scene.model.requests).toHaveLength(asked + 1);
    expect(await scene.said()).toEqual(["You said: and now"]);
  });
});

const erasePerson = async (scene: Scene, person: Person) => {
  await erasures.ask({
    id: uniqueId(),
    of: { what: "person", personId: person.id, name: person.name },
    by: "person",
  });
  await carryOut(scene);
};

describe("the erasure of a person", () => {
  it("leaves no word of theirs in a group, and every word of others", async () => {
    const word = newWord();
    const other = newWord();
    await using scene = await open();
    const { chat, model } = scene;
    const bob = { id: "discord:77", name: `Bob ${word}` };
    const group = true as const;
    const people = createPeopleStore(store);
    await people.setRole(bob, "admin");
    await people.setPreference(bob.id, { model: word });
    await scene.say(`hello ${other}`, { group });
    await scene.settle();
    model.reply(
      {
        text: `let me see, ${word}`,
        toolCalls: [{ name: "look", arguments: { label: word } }],
      },
      { toolCalls: [{ name: "buy", arguments: { label: word } }] },
    );
    await scene.say(`what about ${word}`, { person: bob, group });
    await scene.say(`I go on: ${word}`, { person: bob, group });
    await scene.settle();
    // It waits for a decision; more of both waits behind it.
    await scene.say(`and I: ${other}`, { group });
    const path = await archive(chat);
    await traces.flush();
    const before = await scene.log();
    const id = uniqueId();
    await erasures.ask({
      id,
      of: { what: "person", personId: bob.id, name: bob.name },
      by: "person",
    });
    await carryOut(scene);
    expect(await keysWith(store, word)).toEqual([]);
    expect(await filesWith(dataFolder, word)).toEqual([]);
    expect(await readFile(path, "utf8")).toContain(other);
    // Every entry keeps its place; the open call has its result.
    const after = await scene.log();
    expect(after.slice(0, before.length).map(({ kind }) => kind)).toEqual(
      before.map(({ kind }) => kind),
    );
    expect(await scene.repairs()).toEqual([]);
    expect(await scene.story()).toEqual([
      `message hello ${other}`,
      `assistant You said: Ann: hello ${other}`,
      "message [erased]",
      "assistant [erased] [look]",
      "tool look done",
      "assistant [buy]",
      "tool buy cancelled",
      "end cancelled",
      `message and I: ${other}`,
      `assistant You said: Ann: and I: ${other}`,
    ]);
    expect(await people.withRole("admin")).not.toContain(bob.id);
    expect(await people.profile(bob.id)).toEqual({
      role: undefined,
      preference: {},
    });
    expect(await auditLines()).toContainEqual(
      expect.objectContaining({ what: "forget-person", of: auditName(bob.id) }),
    );
    await scene.say("hello again", { person: bob, group });
    await scene.settle();
    expect((await scene.said()).at(-1)).toContain("hello again");
  });

  describe("who decided about others' calls", () => {
    const group = true as const;
    const buys = { toolCalls: [{ name: "buy", arguments: { label: "tea" } }] };

    /**
     * Ann asks for two things; Bob changes the one, then it runs, and denies the other. Both times
     * the bot repeats him.
     */
    const decided = async (scene: Scene, bob: Person, word: string) => {
      const { model } = scene;
      model.reply(buys, { text: `Bob wanted it so: ${word}` });
      await scene.say("buy some", { group });
      await scene.settle();
      await scene.change(0, { label: word }, bob);
      await scene.settle();
      await scene.decide(1, "approved", undefined, bob);
      await scene.settle();
      model.reply(buys, { text: `Not that, since ${word}.` });
      await scene.say("buy more", { group });
      await scene.settle();
      await scene.decide(2, "denied", `I find ${word}`, bob);
      await scene.settle();
      model.reply({ text: `He wrote ${word}, I said.` });
      await scene.say("what did Bob say?", { group });
      await scene.settle();
    };
    const isLeft = async (scene: Scene) => {
      await scene.say("and now?", { group });
      await scene.settle();
      return JSON.stringify(scene.model.requests.at(-1)?.messages);
    };

    it("leaves neither reasons nor changed arguments, nor what the bot repeats of them", async () => {
      const word = newWord();
      const bob = { id: `discord:${uniqueId()}`, name: `Bob ${word}` };
      await using scene = await open();
      await decided(scene, bob, word);
      const path = await archive(scene.chat);
      await traces.flush();
      expect(kindsOf(await keysWith(store, word))).toEqual(["appr", "log", "out", "trace"]);
      await erasePerson(scene, bob);
      expect(await keysWith(store, word)).toEqual([]);
      expect(await keysWith(store, bob.id)).toEqual([]);
      expect(await readFile(path, "utf8")).not.toContain(word);
      expect(await isLeft(scene)).not.toContain(word);
      // What was Ann's stays, as do the facts: that it ran, and that it was denied.
      expect(await scene.story()).toEqual([
        "message buy some",
        "assistant [buy]",
        "tool buy done",
        "assistant [erased]",
        "message buy more",
        "assistant [buy]",
        "tool buy confirmation-denied",
        "assistant [erased]",
        "end confirmation-denied",
        "message what did Bob say?",
        "assistant [erased]",
        "message and now?",
        "assistant You said: Ann: and now?",
      ]);
      expect(await scene.repairs()).toEqual([]);
    });

    it("leaves no more where an earlier version wrote down whose it was by name only", async () => {
      const word = newWord();
      const bob = { id: `discord:${uniqueId()}`, name: `Bob ${word}` };
      await using scene = await open();
      await decided(scene, bob, word);
      const { redis: client } = store;
      const { log } = chatKeys(scene.chat);
      for (const [index, entry] of (await scene.log()).entries()) {
        const { wordsOf: _, ...rest } = entry as ToolEntry;
        await client.lset(log, index, JSON.stringify(rest));
      }
      for (const { approval } of await scene.asked()) {
        const { changedById: _, ...rest } = approval;
        const key = approvalKey(approval.id);
        await client.hset(key, "approval", JSON.stringify(rest));
        await client.hdel(key, "decidedById");
      }
      await erasePerson(scene, bob);
      // What waited to be sent when no one knew whose it was is sent.
      const { outbox } = chatKeys(scene.chat);
      await client.del(outbox);
      expect(await keysWith(store, word)).toEqual([]);
      expect(await isLeft(scene)).not.toContain(word);
    });

    it("finds what no worker has put into the history yet", async () => {
      const word = newWord();
      const bob = { id: `discord:${uniqueId()}`, name: `Bob ${word}` };
      await using scene = (await open()).with({ timeoutMs: 0 });
      for (const status of ["denied", "changed"] as const) {
        scene.model.reply(buys, { text: "Well." });
        await scene.say("buy some", { group, atMs: 1 });
        await scene.settle();
        const last = (await scene.asked()).length - 1;
        if (status === "denied") await scene.decide(last, "denied", word, bob);
        else await scene.change(last, { label: word }, bob);
        await erasePerson(scene, bob);
        expect(await keysWith(store, word)).toEqual([]);
        expect(await isLeft(scene)).not.toContain(word);
      }
    });
  });

  it("takes their private chats with every bot, and leaves a ban without a name", async () => {
    const word = newWord();
    const bob = { id: "telegram:4242", name: `Bob ${word}` };
    const people = createPeopleStore(store);
    const { code } = await people.pair(bob, `telegram:1:4242`);
    await people.setRole(bob, "banned");
    await using scene = await open();
    await scene.say(word, { person: bob });
    await scene.settle();
    // Of the other chat only a note is left: it is known by its number.
    const second = "telegram:2:4242" as ChatKey;
    await createNotes(store).write(second, word, "a key");
    await using other = await openScene({ redis, chat: second });
    await erasures.ask({
      id: uniqueId(),
      of: { what: "person", personId: bob.id, name: bob.name },
      by: "operator",
    });
    await carryOut(scene, other);
    expect(await keysWith(store, word)).toEqual([]);
    expect(await people.profile(bob.id)).toMatchObject({ role: "banned" });
    expect(await people.withRole("banned")).toContain(bob.id);
    expect(await people.decidePairing(code, "somebody")).toBeUndefined();
  });
});

const noProblem = (what: string): never => {
  throw new Error(`a problem with ${what}`);
};

/** An archive of a chat of which Redis knows nothing. */
async function writeArchive(chat: string, messages: readonly MessageEntry[]): Promise<string> {
  const folder = join(dataFolder, "archives");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${uniqueId()}.jsonl`);
  const head = {
    kind: "chat",
    v: 1,
    chat,
    exportedAtMs: 1,
    viewStart: 0,
    inBase: 1,
    counts: { turns: 1, modelCalls: 1, inputTokens: 1, outputTokens: 1 },
  };
  const lines = [head, ...messages.map((entry, position) => ({ kind: "entry", position, entry }))];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

describe("archives of chats that Redis does not know any more", () => {
  it("lose what a person wrote, and go where they are private chats with them", async () => {
    const person = { id: "discord:5151", name: "Eve" };
    const [theirs, another] = [
      message("m1", { person, group: true, text: "secret" }),
      message("m2", { group: true, text: "kept" }),
    ];
    const group = await writeArchive("discord:9:801", [theirs, another]);
    const alone = await writeArchive("discord:9:802", [message("m1", { person })]);
    const foreign = await writeArchive("discord:9:803", [message("m1")]);
    const untouched = await writeArchive("discord:9:804", [another]);
    const before = await readFile(untouched, "utf8");
    const none = { chats: new Set<ChatKey>(), groups: new Set<ChatKey>() };
    await eraseFiles({ dataFolder, ...none, personIds: [person.id] }, noProblem);
    const text = await readFile(group, "utf8");
    expect(text).toContain("kept");
    expect(text).not.toMatch(/secret|Eve|5151/);
    await expect(readFile(alone)).rejects.toThrow("ENOENT");
    expect(await readFile(foreign, "utf8")).toContain("text of m1");
    expect(await readFile(untouched, "utf8")).toBe(before);
  });

  it("keep none of the others from their turn when they cannot be changed", async () => {
    const person = { id: "discord:6161", name: "Eve" };
    const theirs = [message("m1", { person, group: true, text: "secret" })];
    const paths = [
      await writeArchive("discord:9:901", theirs),
      await writeArchive("discord:9:902", theirs),
    ].sort();
    const [stuck = "", other = ""] = paths;
    await mkdir(`${stuck}.unfinished`);
    const problems: string[] = [];
    const none = { chats: new Set<ChatKey>(), groups: new Set<ChatKey>() };
    await eraseFiles({ dataFolder, ...none, personIds: [person.id] }, (what) =>
      problems.push(what),
    );
    expect(problems).toEqual([stuck]);
    expect(await readFile(other, "utf8")).not.toContain("secret");
    rmSync(`${stuck}.unfinished`, { recursive: true });
    rmSync(stuck);
  });
});

describe("an erasure that finds something broken", () => {
  it("goes on with everything else, and says so", async () => {
    await using scene = await open();
    const { chat } = scene;
    await scene.say("one", { person: { id: "discord:88", name: "Bob" } });
    await scene.settle();
    const approval = `${chatKeys(chat).approvalPrefix}s1-broken`;
    const profile = configKey("person:discord:88");
    const jobs = configKey("erasures");
    await store.redis.hset(approval, "approval", "{");
    await store.redis.hset(profile, "direct:discord:9", "nonsense");
    await store.redis.hset(jobs, "broken", "{");
    await erasures.ask({
      id: uniqueId(),
      of: { what: "person", personId: "discord:88" },
      by: "person",
      answerTo: chat,
    });
    await carryOut(scene);
    expect(await scene.log()).toEqual([]);
    expect((await scene.notices()).at(-1)).toContain(
      "I couldn't read or remove 1 item that may belong to it",
    );
    expect(scene.logged("error")).toContain(approval);
    await store.redis.del(approval, jobs);
  });
});

const underWay = async (scene: Scene): Promise<ErasureJob> => {
  const { chat } = scene;
  const job: ErasureJob = {
    v: 1,
    id: uniqueId(),
    of: { what: "chat", chat },
    by: "operator",
    phase: "under-way",
    targets: [{ chat, what: "chat" }],
  };
  await store.redis.hset(configKey("erasures"), job.id, JSON.stringify(job));
  return job;
};

describe("an erasure that is under way", () => {
  it("is known to be carried out when the ids of its events are forgotten", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    const { chat, parts } = scene;
    const job = await underWay(scene);
    const [target] = job.targets;
    if (target === undefined) throw new Error("no target");
    await requestErasure({ store, inbox: parts.inbox }, job, target);
    await store.redis.del(chatKeys(chat).seen);
    expect(await progressOf(store, job, target)).toBe("waiting");
    await scene.settle();
    expect(await progressOf(store, job, target)).toBe("erased");
    await erasures.finish(job);
  });

  it("is ordered again where nothing is known of the order", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await underWay(scene);
    await carryOut(scene);
    expect(await scene.log()).toEqual([]);
  });

  it("is not taken up again by a process that comes too late", async () => {
    await using scene = await open();
    const job = await underWay(scene);
    await erasures.finish(job);
    await erasures.update(job);
    await erasures.finish(job);
    expect(await erasures.list()).toEqual([]);
    const ours = (await auditLines()).filter(({ of }) => of === auditName(scene.chat));
    expect(ours).toHaveLength(1);
  });

  it("is left to others by a process that has lost the lease", async () => {
    await using scene = await open();
    const job = await underWay(scene);
    await scene.say("one");
    await scene.settle();
    const late: Leases = {
      take: () =>
        Promise.resolve({
          fence: 1,
          lost: AbortSignal.abort(new Error("the lease is lost")),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
    };
    await using _ = startErasures({ ...depsOf(scene), leases: late });
    await until(() => scene.logged("warn").includes("the lease is lost"), "the end of its work");
    expect(await erasures.list()).toEqual([job]);
    expect(await scene.log()).toHaveLength(2);
    await erasures.finish(job);
  });
});

describe("files", () => {
  it("that the console has saved go with its chat, and only then", async () => {
    const saved = join(dataFolder, "files");
    await mkdir(saved, { recursive: true });
    await writeFile(join(saved, "chat.md"), "what was said");
    const none = { groups: new Set<ChatKey>(), personIds: [], dataFolder };
    const other = "telegram:1:2" as ChatKey;
    await eraseFiles({ ...none, chats: new Set([other]) }, noProblem);
    expect(await readdir(saved)).toEqual(["chat.md"]);
    const chats = new Set(["console:local:main" as ChatKey]);
    await eraseFiles({ ...none, chats }, noProblem);
    expect(await readdir(saved)).toEqual([]);
  });

  it("of a chat whose name only begins alike stay, and what is no archive", async () => {
    const folder = join(dataFolder, "archives");
    await using scene = await open();
    await scene.say("hello");
    await scene.settle();
    const path = await archive(scene.chat);
    await writeFile(join(folder, "notes.txt"), "mine");
    const shorter = scene.chat.slice(0, -1) as ChatKey;
    const chats = new Set([shorter]);
    const groups = new Set<ChatKey>();
    await eraseFiles({ dataFolder, chats, groups, personIds: [] }, noProblem);
    expect(await readFile(path, "utf8")).toContain("hello");
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("mine");
  });
});

const runForget = async (...given: readonly string[]) => {
  const said: string[] = [];
  const context = {
    services: { erasures, audit: { write: () => Promise.resolve() } },
    printer: { print: (text: string) => Promise.resolve(said.push(text)) },
    say: (text: string) => said.push(text),
    signal: new AbortController().signal,
  };
  const done = forgetCommand.run(context as never, given);
  return { done, said };
};

describe("npm run admin -- forget", () => {
  it("erases a chat with the running deployment", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    const { done, said } = await runForget("chat", scene.chat, "--yes");
    await until(async () => (await erasures.list()).length > 0);
    await carryOut(scene);
    expect(await done).toBe(true);
    expect(said).toEqual(["Erased."]);
    expect(await scene.log()).toEqual([]);
    expect(await auditLines()).toContainEqual(
      expect.objectContaining({ by: "operator", of: auditName(scene.chat) }),
    );
  });

  it.each([
    [["chat", "telegram:1:2"], /can't be undone: repeat it with --yes/],
    [["chat", "somewhere", "--yes"], /"somewhere" is no chat/],
    [["person", "Ann", "--yes"], /"Ann" is no person: expected platform:id/],
    [["everything", "x", "--yes"], /"everything" can't be erased/],
    [["chat", "--yes"], /expected chat or person, and which one/],
  ])("%j is refused in words", async (given, expected) => {
    const { done } = await runForget(...given);
    await expect(done).rejects.toThrow(expected);
    expect(await erasures.list()).toEqual([]);
  });
});

it("has no answer of its command come after what says that it is done", async () => {
  await using scene = await open();
  const { chat, parts } = scene;
  const eventId = uniqueId();
  await erasures.ask({
    id: uniqueId(),
    of: { what: "chat", chat },
    by: "person",
    answerTo: chat,
    eventId,
  });
  await carryOut(scene);
  const late = { kind: "notice", v: 1, id: "late", text: "late" } as const;
  expect(await parts.inbox.answer(chat, eventId, late)).toBe("duplicate");
  // What was not delivered by then is erased with the chat.
  expect(await scene.outbox()).toMatchObject([
    { text: expect.stringMatching(/^Done\. /) as string },
  ]);
});
