import { expect, it } from "vitest";
import { chatKey, parseChatKey, type ChatKey } from "../../../src/core/chat.ts";
import type { MessageEntry } from "../../../src/core/history.ts";
import pino from "pino";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { createErrorReports } from "../../../src/store/operations/error-reports.ts";
import { createBlobs } from "../../../src/store/turns/blobs.ts";
import { eraseLeftovers, type Leftovers } from "../../../src/store/erasure/erase-leftovers.ts";
import { findChatsOf } from "../../../src/store/people/find-author.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import { serialiseOut } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createFacts } from "../../../src/store/memory/facts.ts";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { ledgerTtlMs } from "../../../src/store/turns/receipt.ts";
import { createSkillReviews } from "../../../src/store/operations/skill-reviews.ts";
import { personKey } from "../../../src/store/people/people.ts";
import { createSchedules } from "../../../src/store/turns/schedules.ts";
import { factOf } from "../../support/kept-memory.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ben, compaction, message, newChat, scheduleIn, storeOn, until } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const blobs = createBlobs(store);

const noProblem = (what: string): never => {
  throw new Error(`a problem with ${what}`);
};

const eraseAll = (more: Partial<Leftovers>) =>
  eraseLeftovers(
    store,
    { chats: new Set(), groups: new Set(), people: [], ...more },
    { report: noProblem, signal: new AbortController().signal, retentionMs: 86_400_000 },
  );

const serverTimeMs = async (): Promise<number> => {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
};

/** As the script that erases leaves it; what is written afterwards is younger. */
async function markErased(chat: ChatKey): Promise<void> {
  const erasedAt = await serverTimeMs();
  await redis.hset(chatKeys(chat).state, { erased: 3, erasedAt });
  // Also by the estimate of the server's clock that a process has.
  const isOver = async () => Math.min(await serverTimeMs(), store.clock.now()) > erasedAt;
  await until(isOver, "another moment");
}

const bytes = Buffer.from("x");

it("files that came after the erasure stay, and those that are still to be sent", async () => {
  for (const kind of ["chats", "groups"] as const) {
    const chat = newChat();
    const old = await blobs.put(chat, bytes);
    const waiting = await blobs.put(chat, bytes);
    await redis.rpush(
      chatKeys(chat).outbox,
      serialiseOut({
        kind: "file",
        v: 1,
        id: "f",
        blob: waiting,
        name: "a.txt",
        mediaType: "text/plain",
      }),
    );
    await markErased(chat);
    const young = await blobs.put(chat, bytes);
    await eraseAll({ [kind]: new Set([chat]) });
    expect(await blobs.get(chat, old)).toBeUndefined();
    expect(await blobs.get(chat, waiting)).toEqual(bytes);
    expect(await blobs.get(chat, young)).toEqual(bytes);
  }
});

it("schedules that were made after the erasure stay, and older ones go, with their place in the index", async () => {
  const chat = newChat();
  const schedules = createSchedules(store, {
    retentionMs: 86_400_000,
    report: (what) => expect(what).toBe(""),
  });
  // In no private chat of theirs: those need no list of names.
  const by = { id: "telegram:4040", name: "Max" };
  const digest = "digest:old000";
  await schedules.save(chat, scheduleIn(chat, { id: "old000", by }));
  await redis.hset(chatKeys(chat).plans, digest, "seen");
  await markErased(chat);
  await schedules.save(chat, scheduleIn(chat, { id: "new000", by }));
  // Another bot's chat with the same people.
  const elsewhere = chatKey({ ...parseChatKey(chat), bot: "78" });
  const other = scheduleIn(elsewhere, { by });
  await schedules.save(elsewhere, other);
  await eraseAll({ chats: new Set([chat]) });
  // They are counted by their names.
  const names = (await redis.hkeys(personKey(by.id))).map((field) => field.slice("plan:".length));
  expect(names.toSorted()).toEqual(
    [`${chat}/new000`, `${elsewhere}/${other.id}`]
      .map((name) => name.slice("telegram:".length))
      .toSorted(),
  );
  expect(await redis.hkeys(chatKeys(chat).plans)).toEqual(["new000"]);
  const { wake } = chatKeys(chat);
  const members = [`plan:${chat}/old000`, `plan:${chat}/new000`];
  expect(await redis.zmscore(wake, ...members)).toEqual([null, "9000000000000"]);
});

it("reviews of skills that were sent to the chat are forgotten, others stay", async () => {
  const reviews = createSkillReviews(store);
  const [chat, other] = [newChat(), newChat()];
  for (const each of [chat, other]) await reviews.noteCard("v1", { chat: each, entry: "answer-1" });
  await eraseAll({ chats: new Set([chat]) });
  expect(await reviews.cards("v1")).toMatchObject([{ chat: other }]);
});

it("facts and summaries that a worker of an earlier version left go, others' facts and newer ones stay", async () => {
  const facts = createFacts(store, undefined);
  const [chat, group] = [newChat(), newChat()];
  const eve = { id: "telegram:407", name: "Eve" };
  const write = async (at: ChatKey, when: string) => {
    for (const by of [eve, ben])
      await facts.keep({ chat: at }, { text: `${when} ${by.name}`, by, chat: at }, when + by.id);
    const summary = { v: 1, from: 0, to: 1, atMs: store.clock.now(), text: when };
    await redis.rpush(chatKeys(at).summaries, JSON.stringify(summary));
  };
  for (const each of [chat, group]) {
    await write(each, "old");
    const later = (await serverTimeMs()) + 1_000;
    await redis.hset(chatKeys(each).state, { erased: 3, erasedAt: later });
    // Of what is older and newer only the time differs.
    const newer = factOf("new", { id: "new00000", by: eve, chat: each, atMs: later + 1 });
    await redis.hset(chatKeys(each).facts, newer.id, JSON.stringify(newer));
    const summary = { v: 1, from: 2, to: 3, atMs: later + 1, text: "new" };
    await redis.rpush(chatKeys(each).summaries, JSON.stringify(summary));
  }
  await eraseAll({ chats: new Set([chat]), groups: new Set([group]), people: [eve] });
  const left = async (at: ChatKey) => [
    (await facts.list({ chat: at })).map(({ text }) => text),
    (await createSummaries(store, undefined).list(at)).map(({ text }) => text),
  ];
  expect(await left(chat)).toEqual([["new"], ["new"]]);
  expect(await left(group)).toEqual([["old Ben", "new"], ["new"]]);
  for (const each of [chat, group]) await redis.del(chatKeys(each).summaries);
});

it("ledgers of what came after the erasure stay, whatever it is", async () => {
  const chat = newChat();
  const { sentPrefix } = chatKeys(chat);
  const write = async (id: string) => {
    await redis.hset(sentPrefix + id, "m0", "1");
    await redis.pexpire(sentPrefix + id, ledgerTtlMs);
  };
  await write("card-old");
  await write("turn-3");
  await markErased(chat);
  await write("notice-young");
  await write("turn-4");
  await eraseAll({ chats: new Set([chat]) });
  const left = await Promise.all(
    ["card-old", "turn-3", "notice-young", "turn-4"].map((id) => redis.exists(sentPrefix + id)),
  );
  expect(left).toEqual([0, 0, 1, 1]);
});

it("a Discord bot forgets that it was spoken to in an erased chat, also what it writes a moment later", async () => {
  const sessions = createGatewaySessions(store, "9");
  const places = [
    { channelId: "1", handledAtMs: 5 },
    { guildId: "7", channelId: "2", handledAtMs: 6 },
    { guildId: "7", channelId: "3", handledAtMs: 7 },
  ];
  await sessions.rememberChannels(places);
  await eraseAll({
    chats: new Set(["discord:9:1", "discord:9:8:2"] as ChatKey[]),
  });
  expect(await sessions.readChannels()).toEqual([places[2]]);
  await sessions.rememberChannels(places);
  expect(await sessions.readChannels()).toEqual([places[2]]);
});

it("a group's title goes with its chat, that of another stays", async () => {
  const people = createPeopleStore(store);
  const places = ["telegram:chat:-71", "telegram:chat:-72", "discord:channel:73"] as const;
  for (const id of places) await people.notePerson({ id, name: "Team" });
  await eraseAll({ chats: new Set(["telegram:7:-71:5", "discord:9:73:8"] as ChatKey[]) });
  expect((await people.knownPeople(places)).map(({ id }) => id)).toEqual(["telegram:chat:-72"]);
});

it("a server's title goes with the last chat in which a bot was spoken to there", async () => {
  const people = createPeopleStore(store);
  const sessions = createGatewaySessions(store, "19");
  for (const guildId of ["81", "82"]) {
    await people.notePerson({ id: `discord:guild:${guildId}`, name: "Server" });
    for (const channel of ["1", "2"])
      await sessions.rememberChannels([
        { guildId, channelId: `${guildId}${channel}`, handledAtMs: 6 },
      ]);
  }
  const known = async () =>
    (await people.knownPeople(["discord:guild:81", "discord:guild:82"])).map(({ id }) => id);
  await eraseAll({ chats: new Set(["discord:19:811"] as ChatKey[]) });
  expect(await known()).toEqual(["discord:guild:81", "discord:guild:82"]);
  await eraseAll({ chats: new Set(["discord:19:812", "discord:19:821"] as ChatKey[]) });
  expect(await known()).toEqual(["discord:guild:82"]);
});

it("reports of errors go with a chat, and with a group that someone wrote in", async () => {
  const errors = createErrorReports(store, { log: pino({ level: "silent" }) });
  const [chat, group, other] = [newChat(), newChat(), newChat()];
  for (const each of [chat, group, other])
    await errors.note({
      v: 1,
      id: "abc234",
      atMs: Date.now(),
      kind: "invalid-request",
      chat: each,
      turn: 1,
      cause: "400: what Ben wrote",
    });
  await eraseAll({ chats: new Set([chat]), groups: new Set([group]), people: [ben] });
  expect((await errors.list()).map((report) => report.chat)).toEqual([other]);
});

/** Of a history whose beginning is gone: a message, and a summary from the position 4 on. */
const writeHistory = async (chat: ChatKey, isGroup: boolean, base: number) => {
  const { log, state } = chatKeys(chat);
  const entries = [
    message("m1", { person: ben, ...(isGroup ? { group: true } : {}) }),
    { ...compaction(9), fromSeq: 4 },
  ];
  await redis.rpush(log, ...entries.map((entry) => JSON.stringify(entry)));
  await redis.hset(state, "logBase", base);
};

it("a chat whose vectors they pay for names them", async () => {
  const chat = newChat();
  const { log, vectors } = chatKeys(chat);
  await redis.rpush(log, JSON.stringify(message("m1", { person: ben })));
  await redis.hset(
    vectors,
    "payer",
    JSON.stringify({ person: { id: "discord:406", name: "Eve" } }),
  );
  const found = await findChatsOf(store, "discord:406", noProblem);
  expect(found.filter((each) => each.chat === chat)).toEqual([
    { chat, what: "author", isGuess: true },
  ]);
});

it("a group in which only a summary is left of what is gone counts as one that they may have written in", async () => {
  const chats = [newChat(), newChat(), newChat()] as const;
  const [group, covered, alone] = chats;
  await writeHistory(group, true, 8);
  await writeHistory(covered, true, 4);
  await writeHistory(alone, false, 8);
  const found = await findChatsOf(store, "discord:404", noProblem);
  // Those of the other tests are there, too.
  expect(found.filter(({ chat }) => chats.includes(chat))).toEqual([
    { chat: group, what: "author", isGuess: true },
  ]);
});

it.each<[string, Partial<MessageEntry>]>([
  ["quoted", { quote: { author: "Eve", authorId: "discord:405", text: "secret" } }],
  ["repeated by /retry", { author: "discord:405" }],
])("a private chat of someone else in which they are %s holds words of theirs", async (_, more) => {
  const chat = newChat();
  await redis.rpush(chatKeys(chat).log, JSON.stringify(message("m1", { person: ben, ...more })));
  // Chats of other tests, in which only a summary is left, may be found too.
  expect(await findChatsOf(store, "discord:405", noProblem)).toContainEqual({
    chat,
    what: "author",
    isGuess: true,
  });
});

it("a chat whose history is gone is found by its facts, and a group by its summaries", async () => {
  const personId = "telegram:406";
  const [said, saidByOther, group, direct, trimmed, whole] = [
    newChat(),
    newChat(),
    newChat({ chat: `-${parseChatKey(newChat()).chat}` }),
    newChat(),
    newChat(),
    newChat(),
  ];
  const facts = createFacts(store, undefined);
  await facts.keep(
    { chat: said },
    { text: "x", by: { id: personId, name: "Eve" }, chat: said },
    "",
  );
  await facts.keep({ chat: saidByOther }, { text: "x", by: ben, chat: saidByOther }, "");
  const chats = [group, direct, trimmed, whole];
  const summary = { v: 1, from: 3, to: 4, atMs: 1, text: "x" };
  for (const chat of chats) await redis.rpush(chatKeys(chat).summaries, JSON.stringify(summary));
  for (const [chat, base] of [
    [trimmed, 4],
    [whole, 3],
  ] as const) {
    await redis.rpush(chatKeys(chat).log, JSON.stringify(message("m1", { group: true })));
    await redis.hset(chatKeys(chat).state, "logBase", base);
  }
  const found = await findChatsOf(store, personId, noProblem);
  const those = found.filter(({ chat }) => [said, saidByOther, ...chats].includes(chat));
  expect(those.every(({ what, isGuess }) => what === "author" && isGuess === true)).toBe(true);
  expect(new Set(those.map(({ chat }) => chat))).toEqual(new Set([said, group, trimmed]));
  for (const chat of chats) await redis.del(chatKeys(chat).summaries);
});

it("a private chat whose history is gone is its person's, and no one else's, on every platform", async () => {
  const chats = ["501", "502", "503"].map((chat) => newChat({ platform: "discord", chat }));
  const [theirs, others, channel] = chats as [ChatKey, ChatKey, ChatKey];
  for (const [chat, person] of [
    [theirs, "discord:407"],
    [others, "discord:408"],
    [channel],
  ] as const) {
    const summary = { v: 1, from: 3, to: 4, atMs: 1, text: "x", person };
    await redis.rpush(chatKeys(chat).summaries, JSON.stringify(summary));
  }
  const found = await findChatsOf(store, "discord:407", noProblem);
  const those = found.filter(({ chat }) => chats.includes(chat));
  expect(new Set(those)).toEqual(
    new Set([
      { chat: theirs, what: "chat" },
      { chat: channel, what: "author", isGuess: true },
    ]),
  );
  for (const chat of chats) await redis.del(chatKeys(chat).summaries);
});

const sent = (id: string, blob: string) =>
  JSON.stringify(
    message(id, {
      attachments: [{ kind: "document", mediaType: "text/plain", size: 5, blob }],
    }),
  );

it("a file of a message that is left stays, others of an erased chat go", async () => {
  const chat = newChat();
  const file = () => blobs.put(chat, bytes);
  const [waits, said, gone] = [await file(), await file(), await file()];
  const { inbox, log } = chatKeys(chat);
  await redis.rpush(inbox, sent("m2", waits));
  await redis.rpush(log, sent("m1", said));
  await redis.rpush(
    log,
    JSON.stringify({
      kind: "reading",
      v: 2,
      of: "m0",
      blob: gone,
      text: "[erased]",
    }),
  );
  await markErased(chat);
  await eraseAll({ groups: new Set([chat]) });
  expect(await blobs.get(chat, waits)).toBeDefined();
  expect(await blobs.get(chat, said)).toBeDefined();
  expect(await blobs.get(chat, gone)).toBeUndefined();
});

it("an image of a result that is left stays", async () => {
  const chat = newChat();
  const blob = await blobs.put(chat, bytes);
  const image = { kind: "image", mediaType: "image/png", size: 1, blob };
  await redis.rpush(
    chatKeys(chat).log,
    JSON.stringify({
      kind: "tool",
      v: 1,
      turn: 1,
      round: 1,
      index: 0,
      name: "look",
      text: "seen",
      images: [image],
    }),
  );
  await markErased(chat);
  await eraseAll({ groups: new Set([chat]) });
  expect(await blobs.get(chat, blob)).toBeDefined();
});

it("the person who approved as the first of two is forgotten, together with their approval", async () => {
  const { approvalPrefix } = chatKeys(newChat());
  const asked = {
    v: 2,
    chat: newChat(),
    turn: 1,
    requester: { id: "telegram:1" },
  };
  const first = { firstId: ben.id, firstName: "Ben", firstAttempt: "x" };
  const keys = ["s1-pending", "s1-approved"].map((id) => approvalPrefix + id);
  for (const [index, key] of keys.entries())
    await redis.hset(key, {
      approval: JSON.stringify(asked),
      status: index === 0 ? "pending" : "approved",
      decidedBy: "Anna",
      ...first,
    });
  await eraseAll({ people: [ben] });
  for (const key of keys) {
    expect(Object.keys(await redis.hgetall(key)).toSorted()).toEqual([
      "approval",
      "decidedBy",
      "status",
    ]);
    await redis.del(key);
  }
});

const given = (by: { id: string; name: string }, requester?: object) =>
  JSON.stringify({ v: 1, by, requester });

it("what someone has changed or allowed goes with them, wherever it was", async () => {
  const chat = newChat();
  const { approvalPrefix, grants } = chatKeys(chat);
  const key = `${approvalPrefix}${"x".repeat(22)}`;
  const approval = {
    chat,
    turn: 9,
    requester: { id: "telegram:9" },
    changedBy: ben.name,
  };
  const edit = JSON.stringify({ v: 1, arguments: "{}", by: ben });
  await redis.hset(key, { approval: JSON.stringify(approval), edit });
  const others = given({ id: "telegram:9", name: "Nina" });
  await redis.zadd(grants, 9e15, given(ben), 9e15, others);
  await redis.zadd(grants, 9e15, given({ id: "telegram:8", name: "Kim" }, ben));
  await eraseAll({ people: [ben] });
  expect(await redis.hget(key, "edit")).toBeNull();
  expect(await redis.hget(key, "approval")).not.toContain(ben.name);
  expect(await redis.zrange(grants, "0", "-1")).toEqual([others]);
});

it("what someone decided or changed after the erasure stays: a worker may be about to run it", async () => {
  const chat = newChat();
  await markErased(chat);
  const key = `${chatKeys(chat).approvalPrefix}${"y".repeat(22)}`;
  const approval = JSON.stringify({
    chat,
    turn: 4,
    requester: { id: "telegram:9" },
    arguments: '{"to":"the lake"}',
    digest: "d",
    changedBy: ben.name,
    changedById: ben.id,
  });
  const edit = JSON.stringify({ v: 1, arguments: "{}", by: ben });
  const decided = { ...by(ben.name, ben.id), firstId: ben.id, edit };
  const stored = { approval, status: "approved", ...decided };
  await redis.hset(key, stored);
  await eraseAll({ groups: new Set([chat]), people: [ben] });
  expect(await redis.hgetall(key)).toEqual(stored);
});

it("the mode auto goes with who set it, and with no one else of the group", async () => {
  const group = newChat();
  const { grants } = chatKeys(group);
  const mode = { v: 1, mode: "auto", wordsOf: [] };
  const kept = JSON.stringify({ ...mode, by: { id: "telegram:8", name: "Kim" } });
  await redis.zadd(grants, 9e15, JSON.stringify({ ...mode, by: ben }), 9e15, kept);
  await eraseAll({ groups: new Set([group]), people: [ben] });
  expect(await redis.zrange(grants, "0", "-1")).toEqual([kept]);
});

it("a permission goes with those whose words are its arguments, and where no one wrote down whose they are", async () => {
  const [group, other] = [newChat(), newChat()];
  const admin = { id: "telegram:8", name: "Kim" };
  const permission = (more: object) =>
    JSON.stringify({ ...(JSON.parse(given(admin)) as object), ...more });
  const theirs = permission({ wordsOf: ["telegram:9", ben.id] });
  const kept = permission({ wordsOf: ["telegram:9"] });
  const unknown = permission({});
  for (const chat of [group, other])
    for (const json of [theirs, kept, unknown]) await redis.zadd(chatKeys(chat).grants, 9e15, json);
  await eraseAll({ groups: new Set([group]), people: [ben] });
  expect(await redis.zrange(chatKeys(group).grants, "0", "-1")).toEqual([kept]);
  expect((await redis.zrange(chatKeys(other).grants, "0", "-1")).toSorted()).toEqual(
    [kept, unknown].toSorted(),
  );
});

/** An approval in a chat, as it is stored. */
const askedIn = (chat: ChatKey) =>
  JSON.stringify({ chat, turn: 2, requester: { id: "telegram:9" } });

const by = (name: string, id?: string) => ({
  decidedBy: name,
  ...(id === undefined ? {} : { decidedById: id }),
});

it("a decision loses who made it and why, by the id, and by the name where there is none", async () => {
  const [group, other] = [newChat(), newChat()];
  const reason = "too dear";
  const written: readonly [object, object][] = [
    [by(ben.name, ben.id), { decidedBy: "" }],
    // Someone else of the same name.
    [
      { ...by(ben.name, "telegram:8"), reason },
      { ...by(ben.name, "telegram:8"), reason },
    ],
    [{ ...by(ben.name), reason }, { decidedBy: "" }],
    // Perhaps Ben, under an earlier name.
    [{ ...by("Kim"), reason }, by("Kim")],
  ];
  const { approvalPrefix } = chatKeys(group);
  for (const [index, [before]] of written.entries())
    await redis.hset(`${approvalPrefix}${index}`, {
      approval: askedIn(group),
      status: "denied",
      ...before,
    });
  const elsewhere = { ...by("Kim"), reason, status: "denied" };
  await redis.hset(`${approvalPrefix}other`, {
    approval: askedIn(other),
    ...elsewhere,
  });
  await markErased(group);
  await eraseAll({ groups: new Set([group]), people: [ben] });
  for (const [index, [, after]] of written.entries())
    expect(await redis.hgetall(`${approvalPrefix}${index}`)).toEqual({
      approval: askedIn(group),
      status: "denied",
      ...after,
    });
  expect(await redis.hgetall(`${approvalPrefix}other`)).toMatchObject(elsewhere);
});

it("what someone has changed is shown as long as a card waits for it, and then goes", async () => {
  const chat = newChat();
  const { approvalPrefix } = chatKeys(chat);
  const approval = {
    chat,
    turn: 9,
    requester: { id: "telegram:9" },
    arguments: '{"to":"the lake"}',
    digest: "d",
    changedBy: ben.name,
    changedById: ben.id,
  };
  const left = async (status: string) => {
    const key = `${approvalPrefix}${status}`;
    await redis.hset(key, { approval: JSON.stringify(approval), status });
    await eraseAll({ people: [{ id: ben.id }] });
    return JSON.parse((await redis.hget(key, "approval")) ?? "") as object;
  };
  expect(await left("pending")).toEqual({ ...approval, changedBy: "" });
  const { changedById: _, ...rest } = approval;
  expect(await left("approved")).toEqual({
    ...rest,
    changedBy: "",
    arguments: '"[erased]"',
    digest: "",
  });
});

const result = (more: object) =>
  JSON.stringify({
    kind: "tool",
    v: 1,
    turn: 1,
    round: 1,
    index: 0,
    name: "buy",
    text: "done",
    ...more,
  });

it("chats in which someone only decided are found, by the history and by approvals", async () => {
  const personId = "discord:406";
  const group = JSON.stringify(message("m1", { person: ben, group: true }));
  const alone = JSON.stringify(message("m1", { person: ben }));
  const reason = "confirmation-denied: no. Their reason: x";
  const cases: readonly [boolean, string[]][] = [
    [true, [alone, result({ wordsOf: ["discord:1", personId] })]],
    [false, [group, result({ changed: "{}", wordsOf: [`${personId}7`] })]],
    [true, [group, result({ changed: "{}" })]],
    [true, [group, result({ text: reason })]],
    [false, [alone, result({ text: reason })]],
    [false, [group, result({ text: "confirmation-denied: no." })]],
  ];
  const chats = cases.map(() => newChat());
  for (const [index, [, entries]] of cases.entries())
    await redis.rpush(chatKeys(chats[index] ?? newChat()).log, ...entries);
  const decided = [
    { decidedById: personId },
    { firstId: personId },
    { edit: JSON.stringify({ by: { id: personId } }) },
    { changedById: personId },
    { decidedById: `${personId}7` },
  ];
  const byApproval = decided.map(() => newChat());
  for (const [index, { changedById, ...fields }] of decided.entries()) {
    const chat = byApproval[index] ?? newChat();
    const approval = JSON.stringify({ chat, changedById });
    await redis.hset(`${chatKeys(chat).approvalPrefix}x${index}`, {
      approval,
      ...fields,
    });
  }
  const found = new Set((await findChatsOf(store, personId, noProblem)).map(({ chat }) => chat));
  expect(chats.map((chat) => found.has(chat))).toEqual(cases.map(([isFound]) => isFound));
  expect(byApproval.map((chat) => found.has(chat))).toEqual([true, true, true, true, false]);
  for (const [index, chat] of byApproval.entries())
    await redis.del(`${chatKeys(chat).approvalPrefix}x${index}`);
});
