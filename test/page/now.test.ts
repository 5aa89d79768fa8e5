import { expect, it, onTestFinished, vi } from "vitest";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { readOngoing } from "../../src/store/turns/ongoing.ts";
import { readFigures } from "../../src/roles/figures.ts";
import { createProcesses } from "../../src/store/operations/processes.ts";
import { newPerson } from "../ingress/open-ingress.ts";
import { holdTool } from "../loop/busy.ts";
import { calls, openScene, until } from "../loop/scene.ts";
import { waiting } from "../loop/waiting.ts";
import {
  ben,
  begun,
  cancelling,
  committed,
  control,
  finishing,
  message,
  newChat,
  notice,
  reset,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { rowsOf } from "./table-rows.ts";

const redis = await testDatabase();
const store = storeOn(redis);

const rows = (text: string): readonly string[] => rowsOf(text, "Now").map((row) => row.join(" "));

it("shows what runs, waits and is queued, the longest waiting first, and stops it", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  expect(await admin.text("/")).toContain("Nothing is running, waiting or queued.");

  await using running = await openScene({ redis });
  const release = holdTool(running, "look");
  running.model.when(/^look around$/, calls("look"));
  await running.say("look around", { atMs: Date.now() - 90_000 });
  const run = running.run();
  await until(() => running.runs.length === 1, "the tool to run");
  await using asking = await openScene({ redis });
  await waiting(asking, calls("buy"));
  const queued = newChat({ chat: "555" });
  const ben = newPerson({ name: "Ben <b>" });
  const late = { person: ben, atMs: Date.now() - 3_600_000 };
  await createInbox(store).append(queued, message("q1", late));

  const html = await admin.text("/");
  expect(rows(html)).toEqual([
    expect.stringContaining(`${queued} Ben <b> Queued`),
    expect.stringMatching(/ Ann Using tools openai\/gpt-4o-mini look 1 min 3\d s /),
    expect.stringMatching(/ Ann Waiting for approval openai\/gpt-4o-mini buy \d/),
  ]);
  expect(html).toContain(`href="/chats/${running.chat}/1"`);
  expect(html).toContain("Answers: 2 in progress, 1 waiting");
  expect(html).not.toContain("look around");
  // A row that moves keeps what is done in it.
  for (const { chat } of [running, asking, { chat: queued }])
    expect(html).toContain(`<tr id="chat-${chat}"`);
  // `/stats` and Health count the same.
  const { turns } = await readFigures(page.services, []);
  expect(turns).toEqual({ active: 2, waiting: 1 });

  // A form that shows the answer before, or none, stops nothing.
  for (const chat of [running.chat, queued])
    for (const turn of [{ turn: "0" }, { turn: "2" }, {}]) {
      const stale = await admin.post("/stop", { chat, ...turn });
      expect([stale.status, await stale.text()]).toEqual([
        409,
        expect.stringContaining("That answer is over"),
      ]);
    }
  expect(rows(await admin.text("/"))).toHaveLength(3);
  expect(html).toMatch(
    new RegExp(`value="${running.chat}" />\\s*<input[^>]* name="turn" value="1"`),
  );
  const stopped = await admin.post("/stop", { chat: running.chat, turn: "1" });
  expect([stopped.status, stopped.headers.get("location")]).toEqual([303, "/?done=stopped"]);
  running.news();
  release();
  await run;
  expect(await running.story()).toContain("end cancelled");
  expect(rows(await admin.text("/"))).toHaveLength(2);
  expect((await admin.post("/stop", { chat: queued, turn: "1" })).status).toBe(303);
  expect(rows(await admin.text("/"))).toHaveLength(1);
  // Nothing of it was shown: who waits for it reads why it doesn't come.
  expect(await store.redis.lrange(chatKeys(queued).outbox, 0, -1)).toEqual([
    expect.stringContaining("An admin stopped this answer."),
  ]);
  expect((await admin.post("/stop", { chat: asking.chat, turn: "1" })).status).toBe(303);
  await asking.settle();
  expect(await asking.story()).toContain("end cancelled");
  expect(await admin.text("/")).toContain("Nothing is running");
});

it("stops what was shown as queued also once it has begun, and nothing that came after", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat({ chat: "556" });
  const inbox = createInbox(store);
  await inbox.append(chat, message("m1"));
  const stopOf = (html: string) =>
    new RegExp(`value="${chat}" />\\s*<input[^>]* name="turn" value="(\\d+)"`).exec(html)?.[1] ??
    "";
  const turn = stopOf(await admin.text("/"));
  const turns = turnStoreOn(store);
  const { session, revision } = await begun(turns, chat);
  expect(stopOf(await admin.text("/"))).toBe(turn);
  await turns.commit(session, revision, { state: undefined, turn: Number(turn), release: {} });
  await inbox.append(chat, message("m2"));
  const stale = await admin.post("/stop", { chat, turn });
  expect(await stale.text()).toContain("That answer is over");
  expect(rows(await admin.text("/"))).toHaveLength(1);

  const next = { chat, turn: stopOf(await admin.text("/")) };
  const again = await begun(turns, chat);
  expect((await admin.post("/stop", next)).status).toBe(303);
  await inbox.append(chat, message("m3"));
  // Sent twice, it is one stop, and one line.
  expect((await admin.post("/stop", next)).status).toBe(303);
  expect(await store.redis.hget(chatKeys(chat).state, "stop")).toBe(next.turn);
  const { records } = await page.services.audit.newest({ personId: admin.person.id }, 10);
  expect(records).toEqual([expect.objectContaining({ action: "turn-stopped", chat })]);
  const end = { state: undefined, turn: Number(next.turn), release: {} };
  await turns.commit(again.session, again.revision, end);
  await inbox.stop(chat);
});

it("stops what was queued also where its turn got the number of a later message", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  await using scene = await openScene({ redis, whileBusy: "collect" });
  const release = holdTool(scene, "look");
  scene.model.when(/^three$/, calls("look"));
  for (const text of ["one", "two", "three"]) await scene.say(text);
  const shown = formOf(await admin.text("/"), scene.chat);
  expect(shown).toMatchObject({ turn: "1", opener: "m1" });
  const run = scene.run();
  await until(() => scene.runs.length === 1, "the tool to run");
  // Another message's form, or one of no message, doesn't stop it.
  for (const opener of ["m0", ""])
    expect((await admin.post("/stop", { ...shown, opener })).status).toBe(409);
  for (let times = 0; times < 2; times += 1)
    expect((await admin.post("/stop", shown)).status).toBe(303);
  scene.news();
  release();
  await run;
  expect(await scene.story()).toContain("end cancelled");
  const { records } = await page.services.audit.newest({ personId: admin.person.id }, 10);
  expect(records).toHaveLength(1);
});

/** What the form of a chat's row has. */
function formOf(html: string, chat: string) {
  const row = html.split("<tr ").find((each) => each.includes(`chat-${chat}`)) ?? "";
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(row)?.[1] ?? "";
  return { chat, turn: field("turn"), opener: field("opener") };
}

it.each([
  ["a reset", [reset("r1")], false],
  ["what its author has stopped", [message("b1", { person: ben })], "author"],
  ["what everyone's stop has reached", [message("b1", { person: ben }), control("c1")], "everyone"],
] as const)("shows and stops what waits after %s", async (_, before, stopped) => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat();
  const inbox = createInbox(store);
  for (const entry of before) await inbox.append(chat, entry);
  if (stopped !== false) await inbox.stop(chat, "s1", stopped === "author" ? ben.id : undefined);
  // No turn waits yet.
  expect(rows(await admin.text("/"))).toHaveLength(0);
  await inbox.append(chat, message("m1"));
  const html = await admin.text("/");
  expect(rows(html)).toEqual([expect.stringContaining(`${chat} Anna Queued`)]);
  const form = formOf(html, chat);
  expect(form).toMatchObject({ turn: `${before.length + 1}`, opener: "m1" });
  // What is before it may be taken by a worker that opens no turn, such as in a pause.
  const turns = turnStoreOn(store);
  const { session, revision } = await begun(turns, chat);
  const take = before.length;
  await turns.commit(session, revision, { state: undefined, turn: 0, take, release: {} });
  expect(formOf(await admin.text("/"), chat)).toEqual(form);
  expect((await admin.post("/stop", form)).status).toBe(303);
  expect(rows(await admin.text("/"))).toHaveLength(0);
  expect(await store.redis.hget(chatKeys(chat).state, "stop")).toBe(form.turn);
});

it("stops what waits also while what is before it is still there, and not what came after", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat();
  const inbox = createInbox(store);
  for (const entry of [reset("r1"), message("m1")]) await inbox.append(chat, entry);
  const form = formOf(await admin.text("/"), chat);
  expect((await admin.post("/stop", form)).status).toBe(303);
  await inbox.append(chat, message("m2"));
  expect(await (await admin.post("/stop", form)).text()).toContain("That answer is over");
  const again = { turn: Number(form.turn), eventId: "again", notice: notice("again") };
  expect(await inbox.stopTurn(chat, again)).toMatchObject({ waiting: 0 });
  expect(formOf(await admin.text("/"), chat)).toMatchObject({ turn: "3", opener: "m2" });
  await inbox.stop(chat);
});

it("audits a stop before it happens", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat({ chat: "557" });
  await createInbox(store).append(chat, message("m1"));
  const stop = vi
    .spyOn(page.ingress.deps.inbox, "stopTurn")
    .mockRejectedValueOnce(new Error("killed"));
  expect((await admin.post("/stop", { chat, turn: "1" })).status).toBe(500);
  const lines = async () =>
    (await page.services.audit.newest({ personId: admin.person.id }, 10)).records;
  expect(await lines()).toEqual([expect.objectContaining({ action: "turn-stopped", chat })]);
  expect((await admin.post("/stop", { chat, turn: "1" })).status).toBe(303);
  expect(stop).toHaveBeenCalledTimes(2);
  expect(await lines()).toHaveLength(1);
});

it.each(["queued", "running"] as const)(
  "says in a group below the question that an admin stopped its %s answer, once, whatever dies after",
  async (phase) => {
    const page = await openPage(store);
    const admin = await page.logIn();
    const chat = newChat();
    const inbox = createInbox(store);
    await inbox.append(chat, message("m1", { group: true, messageId: "77" }));
    const turns = turnStoreOn(store);
    const running = phase === "running" ? await begun(turns, chat) : undefined;
    const form = formOf(await admin.text("/"), chat);
    vi.spyOn(page.ingress.deps, "wakeTurn").mockRejectedValueOnce(new Error("killed"));
    expect((await admin.post("/stop", form)).status).toBe(500);
    const said = () => store.redis.lrange(chatKeys(chat).outbox, 0, -1);
    if (running) await committed(turns, running, cancelling(1));
    const [entry = "", ...others] = await said();
    expect(others).toEqual([]);
    expect(JSON.parse(entry.slice(entry.indexOf(" ")))).toMatchObject({
      kind: "notice",
      replyTo: "77",
      text: "An admin stopped this answer.",
    });
    await admin.post("/stop", form);
    expect(await said()).toEqual([entry]);
  },
);

it("says nothing of a stop that came too late: the answer was complete", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  const turns = turnStoreOn(store);
  const running = await begun(turns, chat);
  const form = formOf(await admin.text("/"), chat);
  expect((await admin.post("/stop", form)).status).toBe(303);
  await committed(turns, running, finishing(1));
  const said = await store.redis.lrange(chatKeys(chat).outbox, 0, -1);
  expect(said).toEqual([expect.stringContaining("answer 1")]);
});

/** Members of a wake set that come before all others. */
const many = (count: number, member: (id: number) => string): string[] =>
  Array.from({ length: count }, (_, id) => ["1", member(id)]).flat();

it("finds what waits among any number of schedules, and says that this is all", async () => {
  const chat = newChat({ chat: "888" });
  await createInbox(store).append(chat, message("m1"));
  const { wake } = chatKeys(chat);
  await store.redis.zadd(wake, ...many(1_000, (id) => `plan:${chat}/p${id}`));
  onTestFinished(async () => void (await store.redis.zremrangebyscore(wake, "1", "1")));
  const { turns, isPart } = await readOngoing(store, 100);
  expect(turns.map((turn) => turn.chat)).toContain(chat);
  expect(isPart).toBe(false);
  await createInbox(store).stop(chat, "s1");
});

it("looks at a part of a backlog, and says so", async () => {
  const chat = newChat({ chat: "889" });
  const { wake } = chatKeys(chat);
  await store.redis.zadd(wake, ...many(5_000, (id) => `in:telegram:1:${id}`));
  onTestFinished(async () => void (await store.redis.zremrangebyscore(wake, "1", "1")));
  const { total, isPart } = await readOngoing(store, 0);
  expect(isPart).toBe(true);
  expect(total).toBeLessThan(1_000);
});

it("says that there is nothing to stop, and in no chat", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  for (const chat of [newChat(), "telegram:77", ""]) {
    const answer = await admin.post("/stop", { chat });
    expect(answer.status).toBe(409);
  }
  const stranger = await page.stranger().post("/stop", { chat: newChat() });
  expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/in"]);
});

it("names the process that has a chat, and what is paused", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chat = newChat({ chat: "777" });
  await createProcesses(store).note("proc1", {
    version: "1.0.0",
    role: "worker",
    host: "box-7",
    pid: 4_321,
    clockAheadMs: 0,
  });
  await createInbox(store).append(chat, message("m1"));
  const turns = turnStoreOn(store, { processId: "proc1" });
  const { session, revision, state } = await begun(turns, chat);
  expect(await admin.text("/")).toContain("box-7 (4321)");
  await page.services.pauses.pause("telegram", { isNow: false });
  expect(await admin.text("/")).toMatch(/Paused in Telegram since \d{4}-/);
  await page.services.pauses.resume("all");
  const turn = state?.turn ?? 0;
  await turns.commit(session, revision, { state: undefined, turn, release: {} });
  expect(await admin.text("/")).not.toContain("box-7");
});
