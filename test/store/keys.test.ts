import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import pino from "pino";
import { describe, expect, it } from "vitest";
import {
  botOf,
  chatKey,
  chatKeySchema,
  parseChatKey,
  type ChatAddress,
  type ChatKey,
} from "../../src/core/chat.ts";
import { PermanentError } from "../../src/core/errors.ts";
import { approvalKey, chatKeys, shardOf } from "../../src/store/keys.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createOutages } from "../../src/store/operations/outages.ts";
import { createGrantStore } from "../../src/store/approvals/grants.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createInbox, stopChannel } from "../../src/store/turns/inbox.ts";
import { listDeadLetters, replayDeadLetter } from "../../src/store/turns/dead-letters.ts";
import { importChat } from "../../src/store/turns/chat-archive.ts";
import { createGatewaySessions } from "../../src/store/operations/gateway-sessions.ts";
import { createLeases } from "../../src/store/operations/leases.ts";
import { createLimitCounters } from "../../src/store/limits/limit-counters.ts";
import { createTurnPermits } from "../../src/store/limits/turn-permits.ts";
import { createLimitRules } from "../../src/store/limits/limit-rules.ts";
import { createPace } from "../../src/store/limits/pace.ts";
import { createPageSessions } from "../../src/store/operations/page-sessions.ts";
import { createPauses } from "../../src/store/operations/pauses.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createReadyChats } from "../../src/store/turns/ready-chats.ts";
import { eraseLeftovers } from "../../src/store/erasure/erase-leftovers.ts";
import { createErasures, type ErasureJob } from "../../src/store/erasure/erasures.ts";
import { findChatsOf } from "../../src/store/people/find-author.ts";
import { requestErasure } from "../../src/store/erasure/request-erasure.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { createChatSettings } from "../../src/store/turns/chat-settings.ts";
import { createIndexer } from "../../src/memory/index-chat.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { trimHistory } from "../../src/store/turns/trim-history.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { lookAgain } from "../../src/store/memory/idle-chats.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { sweep } from "../../src/store/turns/sweep.ts";
import { createPersonaStore } from "../../src/store/personas/personas.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  approvalOf,
  begun,
  committed,
  finishing,
  message,
  newChat,
  notice,
  scheduleIn,
  stateOf,
  storeOn,
  turnStoreOn,
  waitingFor,
} from "./support.ts";
import { traceRecord } from "./traces/trace-record.ts";

const server = await testDatabase();

const part = fc.stringMatching(/^[A-Za-z0-9_@.-]{1,20}$/);
const address: fc.Arbitrary<ChatAddress> = fc
  .record({
    platform: fc.constantFrom("telegram", "discord", "console" as const),
    bot: part,
    chat: part,
    thread: fc.option(part, { nil: undefined }),
  })
  .map(({ thread, ...rest }) => (thread === undefined ? rest : { ...rest, thread }));

/** The part of a key that decides its slot in a cluster. */
const slotTag = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key;

describe("a chat's key", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(address, (given) => {
        expect(parseChatKey(chatKey(given))).toEqual(given);
        expect(chatKeySchema.parse(chatKey(given))).toBe(chatKey(given));
        expect(botOf(chatKey(given))).toBe(`${given.platform}:${given.bot}`);
      }),
    );
  });

  it("is different for different chats", () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        expect(chatKey(one) === chatKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it.each(["a:b", "a b", "", "a}b", "{a", "a\n", "ä", "a\u0000", "a/b"])(
    "holds no part like %j",
    (bad) => {
      expect(() => chatKey({ platform: "telegram", bot: "1", chat: bad })).toThrow(PermanentError);
      expect(() => chatKey({ platform: "telegram", bot: "1", chat: "1", thread: bad })).toThrow(
        PermanentError,
      );
    },
  );

  it("is nothing else", () => {
    for (const bad of [
      "",
      "telegram",
      "telegram:1",
      "telegram::1",
      "telegram:1:",
      "telegram:1:2:",
      "telegram:1:2:3:4",
      "irc:1:2",
      "Telegram:1:2",
    ])
      expect(() => parseChatKey(bad)).toThrow(PermanentError);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => parseChatKey(text)).toThrow(PermanentError);
        expect(chatKeySchema.safeParse(text).success).toBe(false);
      }),
    );
  });
});

describe("a chat's shard", () => {
  it.each([
    ["telegram:77:1", "s195"],
    ["telegram:12345:-1001234567890", "s116"],
    ["telegram:12345:-1001234567890:42", "s56"],
    ["discord:99:100200300", "s183"],
    ["console:local:main", "s18"],
  ])("of %s is %s for ever: it is part of keys that exist", (chat, shard) => {
    expect(shardOf(chat as ChatKey)).toBe(shard);
  });

  it("spreads chats over all 256", () => {
    const found = new Set(
      Array.from({ length: 10_000 }, (_, index) => shardOf(`telegram:77:${index}` as ChatKey)),
    );
    expect(found.size).toBe(256);
  });
});

describe("one slot of a cluster", () => {
  it("holds all keys of a chat and its approvals", () => {
    fc.assert(
      fc.property(address, (given) => {
        const chat = chatKey(given);
        const { shard, ...keys } = chatKeys(chat);
        const turns = createTurnStore({
          store: openingNothing,
          leaseMs: 1,
          retentionMs: 1,
          openTurn,
        });
        const tags = [...Object.values(keys), approvalKey(turns.newApprovalId(chat))];
        expect(new Set(tags.map(slotTag))).toEqual(new Set([shard]));
      }),
    );
  });

  it("is all that any script touches", async () => {
    const store = storeOn(server);
    const seen = new Map<string, Set<string>>();
    const recording: Store = {
      ...store,
      run(name, keys, values) {
        // Named fields are JSON. A channel is no key and has no slot.
        const touched = [...keys, ...values]
          .flatMap((value) => String(value).match(/parley:[^"\s]+/g) ?? [])
          .filter((text) => text !== stopChannel);
        const tags = seen.get(name) ?? new Set();
        tags.add([...new Set(touched.map(slotTag))].join(" "));
        seen.set(name, tags);
        return store.run(name, keys, values);
      },
    };
    await everythingOnce(recording, newChat());
    const scripts = readdirSync(new URL("../../src/store/scripts", import.meta.url)).map((file) =>
      file.replace(/\.lua$/, ""),
    );
    expect([...seen.keys()].sort()).toEqual(scripts.sort());
    for (const [name, tags] of seen)
      for (const tag of tags)
        expect(`${name} ${tag}`).toMatch(
          name === "pace" ? /^pace pace-\S+$/ : /^\S+ (?:s\d+|cfg|limits|deliveries-telegram-77)$/,
        );
  });

  it("is all that a script names by itself", () => {
    const folder = new URL("../../src/store/scripts/", import.meta.url);
    for (const file of readdirSync(folder)) {
      const code = readFileSync(new URL(file, folder), "utf8");
      // A key that is written into a script cannot have its chat's tag.
      expect(code.replaceAll(/--.*/g, "")).not.toMatch(/parley:|\{s/);
    }
  });
});

const openingNothing: Store = {
  redis: undefined as never,
  clock: undefined as never,
  run: () => Promise.reject(new Error("not in this test")),
};

/** Runs the scripts of schedules. */
async function schedulingOnce(store: Store, chat: ChatKey): Promise<void> {
  const schedules = createSchedules(store, { retentionMs: 1, report: () => undefined });
  const schedule = scheduleIn(chat);
  await schedules.save(chat, schedule);
  const opened = await schedules.open(chat, schedule.id);
  const firing = { id: schedule.id, stored: opened?.stored, schedule: undefined };
  await schedules.fire(chat, { ...firing, entry: message("plan") });
}

/** Runs the scripts of limits. */
async function limitingOnce(store: Store, chat: ChatKey): Promise<void> {
  const counting = {
    names: {
      person: "telegram:1",
      chat,
      platform: "telegram",
      global: "all",
    },
    version: "0",
    caps: [],
  };
  const message = { id: "m1", countedAs: "m1" };
  const counters = createLimitCounters(store);
  await counters.countMessage(message, counting);
  await counters.add([{ type: "message", names: counting.names, countedAs: "m2" }]);
  await createTurnPermits(store).enter("t1", 1_000, counting);
  await createLimitRules(store).change("e1", [
    { scope: { kind: "global" }, metric: "cost", per: "day", max: 1 },
  ]);
}

/** Runs the scripts of erasures and of the history's end. */
async function erasingOnce(store: Store, chat: ChatKey): Promise<void> {
  const turns = turnStoreOn(store);
  const inbox = createInbox(store);
  const person = { what: "person", personId: "telegram:1" } as const;
  const job: ErasureJob = {
    v: 1,
    id: "job",
    of: person,
    by: "person",
    phase: "asked",
    targets: [],
  };
  await createTodos(store).replace(chat, [{ text: "x", done: false }]);
  await createChatSettings(store).switchSkill(chat, "x", true);
  await inbox.append(chat, message("m1"));
  await committed(turns, await begun(turns, chat), finishing(1));
  const windows = createWindowStore(store);
  await createIndexer(windows)(chat, { vectorsAgainMs: undefined });
  const open = await windows.open(chat);
  await createVectorStore(store).write(chat, { open, model: "m 1", from: 0, vectors: [] });
  await trimHistory({ store, retentionMs: 1 }, chat);
  await requestErasure({ store, inbox }, job, { chat, what: "author" });
  await findChatsOf(store, person.personId, () => undefined);
  const { session, revision } = await begun(turns, chat);
  const entry = message("m1", { text: "" });
  await turns.overwrite(session, revision, [{ position: 0, entry }]);
  const of = { what: "turns", personId: person.personId, turns: [1] } as const;
  await turns.erase(session, revision, { take: 1, of });
  await createReadyChats(store).put(chat);
  await createBlobs(store).put(chat, Buffer.from("x"));
  await createBlobs(store).putSent(chat, Buffer.from("x"));
  await eraseLeftovers(
    store,
    { chats: new Set([chat]), groups: new Set(), people: [] },
    { report: () => undefined, signal: new AbortController().signal, retentionMs: 86_400_000 },
  );
  await createErasures(store).finish(job);
}

/** Runs the scripts of what processes share, and of an import. */
async function deploymentOnce(store: Store): Promise<void> {
  await using _ = await createLeases(store).take("x");
  const sessions = createGatewaySessions(store, "9");
  await sessions.readSession(0);
  await sessions.meet();
  await sessions.takeIdentifySlot(0);
  const chat = newChat();
  const page = createPageSessions(store);
  const person = { id: "telegram:1", name: "Anna" };
  await page.open(await page.createCode({ person, chat }), "Firefox on Linux");
  const pauses = createPauses(store, { knownAfterMs: 0 });
  await pauses.pause("console", { isNow: false });
  await pauses.halt(chat, notice("halted"));
  await createAudit(store, {
    retentionMs: 1,
    redact: (text) => text,
    log: pino({ level: "silent" }),
  }).write("e1", { action: "paused" });
  await importChat(store, {
    chat,
    head: {
      kind: "chat",
      v: 1,
      chat,
      exportedAtMs: 1,
      viewStart: 0,
      inBase: 0,
      counts: { turns: 0, modelCalls: 0, inputTokens: 0, outputTokens: 0 },
    },
    lines: Readable.from([]),
    retentionMs: 1,
  });
}

/** Runs every script there is. */
async function everythingOnce(store: Store, chat: ChatKey): Promise<void> {
  await createPersonaStore(store).save(`chat:${chat}`, {
    name: "chef",
    prompt: "You cook.",
    maxModelCalls: 15,
    starters: [],
    memory: "on",
  });
  await limitingOnce(store, chat);
  const inbox = createInbox(store);
  const turns = turnStoreOn(store);
  const outbox = createOutboxStore(store, 1_000);
  const approvals = createApprovalStore(store);
  await createNotes(store).write(chat, "x", "1.1.0");
  const fact = { text: "x", by: { id: "telegram:1", name: "Anna" }, chat };
  for (const owner of [{ chat }, { person: "telegram:1" }])
    await createFacts(store, 60_000).keep(owner, fact, "1.1.0");
  const summary = { v: 1, from: 0, to: 1, atMs: 1, text: "x" } as const;
  await createSummaries(store, 60_000).add(chat, summary, { epoch: "", end: 0 });
  await lookAgain(store, { chat, score: "1" }, undefined);
  await schedulingOnce(store, chat);
  await erasingOnce(store, newChat());
  await deploymentOnce(store);
  await createGrantStore(store).give(chat, {
    v: 1,
    id: "g1",
    tool: "files.delete",
    definition: "once",
    scope: "same",
    arguments: "{}",
    by: { id: "telegram:1", name: "Anna" },
    approvers: "requester",
    fromMs: 1,
    untilMs: Date.now() + 60_000,
  });
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  await turns.heartbeat(turn.session);
  await turns.waiting(turn.session);
  await turns.draft(turn.session, {
    v: 1,
    id: "turn-1",
    text: "x",
    generation: 1,
  });
  const [asked, closed] = [approvalOf(turns, chat), approvalOf(turns, chat)];
  const { revision } = await committed(turns, turn, {
    state: waitingFor(stateOf(turn), [asked, closed]),
    turn: 1,
    ask: [asked, closed],
    journal: { "1.1.0": { v: 1, text: "result" } },
  });
  await turns.commit(turn.session, revision, {
    state: waitingFor(stateOf(turn), [asked]),
    turn: 1,
    close: [{ id: closed.id, status: "superseded" }],
  });
  await inbox.stop(chat, "e1");
  await inbox.markSeen(chat, "e2");
  await inbox.holdBurst(chat, "album");
  await turns.release(turn.session);
  const view = await approvals.find(asked.id);
  if (view === undefined) throw new Error("the approval was not stored");
  await approvals.decide(view, {
    status: "approved",
    decidedBy: "Anna",
    told: notice("told"),
    toldExpired: notice("expired"),
  });
  await inbox.post(chat, notice("posted"));
  await inbox.leaveOut({ eventId: "late", countedAs: "late", of: "full", notice: "first" });
  const opened = await outbox.open(chat);
  if (opened.type !== "open") throw new Error("nothing to deliver");
  await outbox.write(opened.session, {
    id: "told",
    fields: { m0: "1" },
    card: { approvalIds: [asked.id], messageId: "1" },
  });
  await sweep(store, 0);
  await outbox.write(opened.session, {
    id: "told",
    fields: {},
    finished: true,
    dead: { why: "refused", cause: "blocked", doubtful: false },
  });
  await createDeadChats(store).mark(chat, { isDead: true, stops: true });
  const outages = createOutages(store);
  await outages.end(await outages.note("model", { model: "a/b", kind: "auth", unanswered: 1 }));
  const [letter] = await listDeadLetters(store, chat);
  if (letter === undefined) throw new Error("no dead letter");
  await replayDeadLetter(store, letter);
  const traces = createTraces({
    store,
    ttlMs: 1_000,
    redact: (text) => text,
    log: pino({ level: "silent" }),
  });
  traces.write(traceRecord({ chat }));
  await traces.flush();
  const { bot, ...paced } = parseChatKey(chat);
  const limits = { count: 2, perMs: 1, burst: 1 };
  await createPace(store, bot, { bot: limits, chat: () => limits }).ask({ bot, ...paced }, "final");
}
