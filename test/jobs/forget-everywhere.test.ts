import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { approveAlways } from "../../src/approvals/always-allow.ts";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createBroadcasts } from "../../src/store/operations/broadcasts.ts";
import { createErasures } from "../../src/store/erasure/erasures.ts";
import { createGrantStore } from "../../src/store/approvals/grants.ts";
import { createKeptResults } from "../../src/store/turns/kept-results.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { rememberTool } from "../../src/tools/remember.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { memoryOn } from "../memory/support.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { defaultContext, openScene, type Scene } from "../loop/scene.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { filesWith, keysWith } from "../support/erasure/occurrences.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { erasing } from "./erasing.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const erasures = createErasures(store);
const people = createPeopleStore(store);
const silent = { warn: () => undefined, error: () => undefined };
const redact = (text: string): string => text;
const traces = createTraces({ store, ttlMs: 600_000, redact, log: silent });
const audit = createAudit(store, {
  retentionMs: undefined,
  redact,
  log: silent,
});
const dataFolder = mkdtempSync(join(tmpdir(), "parley-everywhere-"));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));
const { post, carryOut, archive } = erasing({ store, erasures, dataFolder });

const group = true as const;
const cat: Person = { id: "telegram:77003", name: "Cat" };
const buy = (label: string) => ({ name: "buy", arguments: { label } });

/**
 * What docs/operations.md, "Erasure", says stays of a person. Everything else that holds the marker
 * after `/forget me` is a fault.
 */
const documentedAsKept = (chat: ChatKey): readonly (readonly [string, string])[] => [
  [chatKeys(chat).notes, "notes of a group have no author"],
  [chatKeys(chat).todos, "to-dos of a group have no author"],
  [configKey("audit-log"), "the reason of a ban is part of the audit log"],
];

/**
 * A turn of Bob's, with files, edits, calls, results and an answer, all of which hold his marker.
 */
async function hisTurn(scene: Scene, bob: Person, word: string) {
  const { chat, model } = scene;
  const bytes = Buffer.from(`the text of a file: ${word}`);
  const blob = await createBlobs(store).putSent(chat, bytes);
  model.reply(
    {
      text: `Let me see, ${word}.`,
      toolCalls: [{ name: "look", arguments: { label: word } }],
    },
    { text: `It is ${word}.` },
  );
  await scene.say(`what about ${word}`, {
    v: 2,
    person: bob,
    group,
    attachments: [
      {
        kind: "document",
        name: `${word}.txt`,
        mediaType: "text/plain",
        size: bytes.byteLength,
        blob: blob ?? "",
      },
    ],
    quote: { author: bob.name, authorId: bob.id, text: `before: ${word}` },
  });
  await scene.settle();
  await scene.edit("1", `I meant ${word}`, { person: bob });
  await scene.settle();
}

/** Others' turns in which Bob has a part: quoted, deciding, changing, repeated, summed up. */
async function othersTurns(scene: Scene, bob: Person, word: string) {
  const { model } = scene;
  model.reply({ text: `Bob says ${word}.` });
  await scene.say("and you?", {
    person: cat,
    group,
    quote: { author: bob.name, authorId: bob.id, text: word },
  });
  await scene.settle();
  // He changes the first call, which then runs, and denies the second.
  model.reply({ toolCalls: [buy("tea")] }, { text: `As ${word}.` });
  await scene.say("buy tea", { person: cat, group });
  await scene.settle();
  await scene.change(0, { label: word }, bob);
  await scene.settle();
  await scene.decide(1, "approved", undefined, cat);
  await scene.settle();
  model.reply({ toolCalls: [buy("tea")] }, { text: `Not, as ${word}.` });
  await scene.say("buy more", { person: cat, group });
  await scene.settle();
  await scene.decide(2, "denied", `since ${word}`, bob);
  await scene.settle();
  model.reply({ text: `The summary says ${word}.` });
  await scene.control("compact", { person: cat });
  await scene.settle();
  expect((await scene.story()).at(-2)).toBe("compaction summarise");
}

/** Bob asks for something that needs an approval; an admin allows it for everybody, for an hour. */
async function grantForHisCall(scene: Scene, bob: Person, word: string) {
  const { chat, model } = scene;
  model.reply({ toolCalls: [buy(word)] }, { text: "Well." });
  await scene.say(`buy ${word}`, { person: bob, group });
  await scene.settle();
  const approval = (await scene.asked()).at(-1)?.approval;
  if (approval === undefined) throw new Error("nobody was asked");
  const grants = createGrantStore(store);
  const outcome = await approveAlways(
    {
      approvals: scene.parts.approvals,
      access: {
        roleOf: () => Promise.resolve("admin"),
        roleNow: () => Promise.resolve("admin"),
        trustsGroupAdmins: false,
      },
      wakeTurn: () => Promise.resolve(),
      wakeDelivery: () => Promise.resolve(),
      grants,
      audit,
      now: Date.now,
    },
    { approvalId: approval.id, person: cat, role: "admin", chat },
    { scope: "same" },
  );
  expect(outcome).toMatchObject({ type: "decided" });
  expect(await grants.of(chat)).toHaveLength(1);
  await scene.settle();
}

/** What is about Bob, and in no chat's history. */
async function aroundHim(scene: Scene, bob: Person, word: string) {
  const { chat } = scene;
  const keys = chatKeys(chat);
  await people.notePerson(bob);
  await people.setRole(bob, "admin");
  await people.setPreference(bob.id, { model: word });
  const { code } = await people.pair(bob, "telegram:1:77001");
  await people.decidePairing(code, "an admin");
  await people.pair(bob, "telegram:2:77001");
  const broadcasts = createBroadcasts(store);
  await broadcasts.offer(bob.id, `to all: ${word}`);
  await erasures.offer({ chat, personId: bob.id, scope: "me" });
  await audit.write(uniqueId(), {
    action: "role-set",
    by: bob,
    chat,
    target: cat.id,
    details: { reason: word },
  });
  const { turn } = (await scene.log()).findLast((entry) => entry.kind === "assistant") ?? {
    turn: 0,
  };
  const words = { kind: "message", v: 1, id: `turn-${turn}`, text: word };
  await store.redis.hset(`${keys.deadPrefix}${keys.shard}-dead`, {
    v: 1,
    entry: JSON.stringify(words),
  });
  await store.redis.zadd(keys.deadIndex, 1, `${keys.shard}-dead ${chat}`);
  await createKeptResults(store).keep(chat, word, 1);
  await createNotes(store).write(chat, word, "a key");
  const fact = { text: word, by: { id: bob.id, name: word }, chat };
  for (const owner of [{ chat }, { person: bob.id }])
    await createFacts(store, undefined).keep(owner, fact, "a key");
  await store.redis.rpush(
    chatKeys(chat).summaries,
    JSON.stringify({ v: 1, from: 0, to: 1, atMs: 1, text: word }),
  );
  await createTodos(store).replace(chat, [{ text: word, done: false }]);
  // A private chat of his, with all that one can have.
  const direct = "telegram:1:77001" as ChatKey;
  await people.setDirectChat("telegram:1", bob.id, direct);
  await createNotes(store).write(direct, word, "a key");
  await store.redis.hset(chatKeys(direct).settings, "model", word);
  await post(direct, {
    kind: "file",
    v: 1,
    id: "export",
    blob: await createBlobs(store).put(direct, Buffer.from(word)),
    name: `${word}.md`,
    mediaType: "text/markdown",
  });
  return direct;
}

it("/forget me leaves a person's words nowhere but where the documentation says so", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const bob: Person = {
    id: "telegram:77001",
    name: `Bob ${word}`,
    username: `bob_${word}`,
  };
  await using scene = await openScene({
    redis,
    deps: {
      trace: traces,
      audit,
      context: { ...defaultContext, keepTurns: 1, protectPairs: 1 },
      toolPolicy: (_tool, declared) =>
        declared === "confirm"
          ? { type: "confirm", approvers: "members", alwaysAllowMs: 3_600_000 }
          : { type: "run" },
    },
  });
  const { chat } = scene;
  await hisTurn(scene, bob, word);
  await othersTurns(scene, bob, word);
  await grantForHisCall(scene, bob, word);
  const direct = await aroundHim(scene, bob, word);
  await using other = await openScene({ redis, chat: direct });
  await scene.say(`and this waits: ${word}`, { person: bob, group });
  await traces.flush();
  await memoryOn(store).index(chat);
  const { vectors } = chatKeys(chat);
  await store.redis.hset(vectors, { model: `${word} 4`, next: 1, "0": "\0".repeat(8) });
  const path = await archive(chat);
  // Proof that the marker was in all of these.
  const held = (await keysWith(store, word)).map((key) =>
    key.replace(/^parley:\{\w+\}:/, "").replace(/[:-].*$/, ""),
  );
  expect([...new Set(held)].toSorted()).toEqual([
    "appr",
    "audit",
    "blob",
    "broadcast",
    "dead",
    "facts",
    "grants",
    "in",
    "known",
    "log",
    "mem",
    "notes",
    "out",
    "pairing",
    "person",
    "set",
    "sums",
    "todos",
    "trace",
    "username",
    "vec",
  ]);
  expect(await filesWith(dataFolder, word)).toEqual([path]);
  await erasures.ask({
    id: uniqueId(),
    of: { what: "person", personId: bob.id, name: bob.name },
    by: "person",
  });
  await carryOut(scene, other);
  const left = await keysWith(store, word);
  expect(left).toEqual(
    documentedAsKept(chat)
      .map(([key]) => key)
      .toSorted(),
  );
  // A group's notes and to-dos stay in its archives, too.
  const archived = (await readFile(path, "utf8")).split("\n");
  const kinds = archived
    .filter((line) => line.includes(word))
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(["note", "todos"]);
  expect(archived.join()).toContain("buy tea");
  expect(JSON.stringify(await scene.log())).toContain("buy tea");
});

it.each(["chat", "person"] as const)(
  "a fact that a call writes after its %s was erased is not kept",
  async (what) => {
    const bob: Person = { id: `telegram:${what}-late`, name: "Bob" };
    const facts = createFacts(store, undefined);
    const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let written: Promise<unknown> = Promise.resolve();
    // It goes on when its turn has ended, as in a worker that was paused.
    const keep: typeof facts.keep = (...given) => {
      written = released.promise.then(() => facts.keep(...given));
      called.resolve();
      return new Promise(() => undefined);
    };
    await using scene = await openScene({ redis, tools: [rememberTool({ keep })] });
    const { chat } = scene;
    const fact = { about: "me", fact: "Bob drinks tea" };
    scene.model.reply({ toolCalls: [{ name: "remember", arguments: fact }] });
    await scene.say("remember that I drink tea", {
      person: bob,
      ...(what === "person" && { group }),
    });
    await scene.settle();
    const [card] = await scene.asked();
    await scene.decide(0, "approved", undefined, bob);
    expect(card?.approval.arguments).toContain("tea");
    const running = scene.settle();
    await called.promise;
    await erasures.ask({
      id: uniqueId(),
      of: what === "chat" ? { what, chat } : { what, personId: bob.id, name: bob.name },
      by: "person",
    });
    await Promise.all([carryOut(scene), running]);
    released.resolve();
    expect(await written).toBe("kept");
    expect(await facts.list({ person: bob.id })).toEqual([]);
    // A later turn keeps what it is asked to.
    const erased = Number(await store.redis.hget(chatKeys(chat).state, "erased"));
    const later = `${chat}/${erased + 1}.1.0`;
    await facts.keep({ person: bob.id }, { text: "coffee", by: bob, chat }, later);
    expect(await facts.list({ person: bob.id })).toHaveLength(1);
  },
);

it("/forget me finds facts and summaries of a group whose history has expired", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const bob: Person = { id: "telegram:77002", name: `Bob ${word}` };
  const [said, summed] = ["telegram:1:-77101", "telegram:1:-77102"] as [ChatKey, ChatKey];
  await using scene = await openScene({ redis, chat: said });
  await using other = await openScene({ redis, chat: summed });
  const facts = createFacts(store, undefined);
  await facts.keep({ chat: said }, { text: word, by: bob, chat: said }, "a key");
  await facts.keep({ chat: said }, { text: "tea", by: cat, chat: said }, "another");
  const summary = { v: 1, from: 0, to: 1, atMs: 1, text: word };
  await store.redis.rpush(chatKeys(summed).summaries, JSON.stringify(summary));
  await erasures.ask({
    id: uniqueId(),
    of: { what: "person", personId: bob.id, name: bob.name },
    by: "person",
  });
  await carryOut(scene, other);
  expect(await keysWith(store, word)).toEqual([]);
  expect(await facts.list({ chat: said })).toMatchObject([{ text: "tea" }]);
});
