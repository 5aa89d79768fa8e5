import pino from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { decideAndWake } from "../../src/approvals/decide-approval.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { ann, calls, openScene } from "../loop/scene.ts";
import { waiting } from "../loop/waiting.ts";
import {
  begun,
  committed,
  finishing,
  message,
  newChat,
  stateOf,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { watch } from "./watch.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const operator = { id: "console:local", name: "Operator" };

/** A chat whose traces are kept, as those of a deployment. */
async function traced() {
  const traces = createTraces({
    store,
    ttlMs: 60_000,
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    log: pino({ level: "silent" }),
  });
  const scene = await openScene({ redis, deps: { trace: traces } });
  return { scene, traces, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

it("shows where the time went, why this model, and no contents", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  await using one = await traced();
  const { scene, traces } = one;
  await waiting(scene, calls("buy"), { text: "a secret answer" });
  await traces.flush();
  const path = `/chats/${scene.chat}/1`;

  const open = await admin.text(path);
  expect(open).toContain("In progress");
  expect(open).toMatch(/<rect\s+class="part-approval"/);

  const [asked] = await scene.asked();
  if (asked === undefined) throw new Error("nothing is asked");
  const attempt = {
    approvalId: asked.approval.id,
    chat: scene.chat,
    person: ann,
    role: "member",
    status: "approved",
  } as const;
  const decided = await decideAndWake(page.ingress.deps, attempt, "one");
  expect(decided.type).toBe("decided");
  await scene.settle();
  await traces.flush();
  const outbox = createOutboxStore(store, 60_000);
  const opened = await outbox.open(scene.chat);
  if (opened.type !== "open") throw new Error(opened.type);
  await outbox.write(opened.session, {
    id: "turn-1-1",
    fields: { m0: "9", done: "1" },
    finished: true,
    release: {},
  });

  const html = await admin.text(path);
  expect(html).toMatch(/<p class="verdict">(Most|The largest part) of the \d/);
  expect(html).toMatch(/Approval<\/th>/);
  expect(html).toContain("<div>approved</div>");
  expect(html).toMatch(/Tool<\/th>/);
  expect(html).toContain("<div>buy</div>");
  expect(html).toContain('Tier balanced: <span lang="en">the usual tier</span>');
  expect(html).toContain("openai/gpt-4o-mini");
  expect(html).toContain("Answered");
  expect(html).not.toContain("secret");
  expect(html).not.toContain("buy it");
  expect(html).toContain("Only owners can see what was said.");
});

it("shows the contents to an owner who asks, redacted and audited, and to no one else", async () => {
  const page = await openPage(store);
  await using one = await traced();
  const { scene, traces } = one;
  scene.model.reply({ text: "a secret answer" });
  await scene.say("my password is hunter2");
  await scene.settle();
  await traces.flush();
  const path = `/chats/${scene.chat}/1`;

  const admin = await page.logIn();
  const refused = await admin.post(`${path}/show`, {});
  expect(refused.status).toBe(409);
  expect(await refused.text()).not.toContain("secret");
  const stranger = await page.stranger().post(`${path}/show`, {});
  expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/in"]);
  const filter = { action: "contents-shown", personId: operator.id } as const;
  expect((await page.services.audit.newest(filter, 10)).records).toEqual([]);

  const owner = await page.logIn("owner", operator);
  expect(await owner.text(path)).not.toContain("secret");
  // Only the line in the audit log opens the address.
  const address = `${path}?contents=shown`;
  expect(await owner.text(address)).not.toContain("secret");
  const shown = await owner.post(`${path}/show`, {});
  const location = `${address}&done=noted#contents`;
  expect([shown.status, shown.headers.get("location")]).toEqual([303, location]);
  const html = await owner.text(address);
  expect(html).toContain("<pre>a secret answer</pre>");
  expect(html).toContain("user: my password is [redacted]");
  expect(html).toContain('<h2 id="contents">');
  expect(html).toContain("You are Parley.");
  expect((await page.services.audit.newest(filter, 10)).records).toMatchObject([
    { by: { id: operator.id }, chat: scene.chat, target: "1" },
  ]);
  expect(await owner.text(path)).not.toContain("secret");
  expect(await admin.text(address)).not.toContain("secret");
  // Another answer has its own line, and ten minutes later this one needs another.
  scene.model.reply({ text: "another secret" });
  await scene.say("and then?");
  await scene.settle();
  const chat = await owner.text(`/chats/${scene.chat}`);
  const [, second = ""] = /href="[^"]*\/(\d+)">\1<\/a>/.exec(chat) ?? [];
  expect(second).not.toBe("1");
  expect(await owner.text(`/chats/${scene.chat}/${second}?contents=shown`)).not.toContain("secret");
  const { clock } = page.services.store;
  const nowMs = clock.now();
  const later = vi.spyOn(clock, "now").mockReturnValue(nowMs + 11 * 60_000);
  onTestFinished(() => later.mockRestore());
  expect(await owner.text(address)).not.toContain("secret");
});

it("shows how an answer that is being written grows, to an owner who asks", async () => {
  const page = await openPage(store);
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  const turns = turnStoreOn(store);
  const running = await begun(turns, chat);
  const write = (text: string, generation: number, id = "turn-1") =>
    turns.draft(running.session, { v: 1, id, text, generation });
  await write("The first half", 1);
  const owner = await page.logIn("owner");
  const path = `/chats/${chat}/1`;
  expect(await owner.text(path)).toContain(`hx-sse:connect="${path}"`);
  expect(await owner.text(path)).not.toContain("The first half");
  await owner.post(`${path}/show`, {});
  const shown = `${path}?contents=shown`;
  expect(await owner.text(shown)).toContain("<pre>The first half</pre>");
  await write("The first half, and <b>more</b>", 2, "turn-1-2");
  const html = await owner.text(shown);
  expect(html).toContain("<pre>The first half, and &lt;b&gt;more&lt;/b&gt;</pre>");
  expect(html).toContain(`hx-sse:connect="${shown}"`);
  const admin = await page.logIn();
  await admin.post(`${path}/show`, {});
  expect(await admin.text(shown)).not.toContain("The first half");
  // Another turn's draft isn't this one's.
  await write("of another answer", 3, "turn-12");
  expect(await owner.text(shown)).not.toContain("of another answer");
  await committed(turns, running, finishing(1));
  const ended = await owner.text(shown);
  expect(ended).toContain("<pre>answer 1</pre>");
  // Its contents go when their time is over.
  expect(ended).toContain(`hx-sse:connect="${shown}"`);
  expect(await owner.text(path)).not.toContain("hx-sse:connect");
});

/** An answer that is being written, and a clock that stands still. */
async function writing() {
  const page = await openPage(store);
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  const turns = turnStoreOn(store);
  const turn = await begun(turns, chat);
  const { clock } = page.services.store;
  let nowMs = clock.now();
  const spy = vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  onTestFinished(() => spy.mockRestore());
  const later = (byMs: number): void => {
    nowMs += byMs;
  };
  return { page, chat, turns, turn, path: `/chats/${chat}/1`, later };
}
const closed = "event: parley:ended\ndata: view\n\n";

it("shows the end of an answer, and closes its stream a moment after", async () => {
  const { page, turns, turn, path, later } = await writing();
  const admin = await page.logIn();
  const { read } = await watch(page, admin.secret, path);
  await vi.waitFor(() => expect(read.text).toContain("In progress"));
  await committed(turns, turn, finishing(1));
  await vi.waitFor(() => expect(read.text).toContain("Answered"), 5_000);
  expect(read.text).not.toContain(closed);
  later(16_000);
  await vi.waitFor(() => expect(read.isOver).toBe(true), 5_000);
  expect(read.text).toMatch(new RegExp(`${closed}$`));
  // A tab that was hidden until now asks again: it gets the end, and no more.
  const late = await watch(page, admin.secret, path);
  await vi.waitFor(() => expect(late.read.isOver).toBe(true), 5_000);
  expect(late.read.text).toContain("Answered");
  expect(late.read.text).toMatch(new RegExp(`${closed}$`));
});

it("takes the contents back when their time is over", async () => {
  const { page, turns, turn, path, later } = await writing();
  await committed(turns, turn, finishing(1));
  const owner = await page.logIn("owner");
  await owner.post(`${path}/show`, {});
  const { read } = await watch(page, owner.secret, `${path}?contents=shown`);
  await vi.waitFor(() => expect(read.text).toContain("<pre>answer 1</pre>"));
  later(11 * 60_000);
  await vi.waitFor(() => expect(read.isOver).toBe(true), 5_000);
  expect(read.text.match(/<h2 id="contents">/g)).toHaveLength(2);
  expect(read.text.match(/<pre>answer 1<\/pre>/g)).toHaveLength(1);
});

it("reads the history, traces and audit log again only after a step or some seconds", async () => {
  const { page, chat, turns, turn, path, later } = await writing();
  const { tracePrefix, traces } = chatKeys(chat);
  await store.redis.rpush(`${tracePrefix}1`, "broken");
  const admin = await page.logIn();
  const run = vi.spyOn(page.services.store, "run");
  const versions = vi.spyOn(store.redis, "zscore");
  onTestFinished(() => void [run.mockRestore(), versions.mockRestore()]);
  const readings = () => run.mock.calls.filter(([script]) => script === "entries").length;
  const renderings = () => versions.mock.calls.filter(([key]) => key === traces).length;
  const { read } = await watch(page, admin.secret, path);
  const settled = async () => {
    const before = renderings();
    await vi.waitFor(() => expect(renderings()).toBeGreaterThan(before + 3), 10_000);
    return readings();
  };
  expect(await settled()).toBe(1);
  later(11_000);
  expect(await settled()).toBe(2);
  await committed(turns, turn, { state: stateOf(turn), turn: 1 });
  expect(await settled()).toBe(3);
  expect(read.text).toContain("In progress");
  // What can't be read is no warning each time.
  const problems = page.lines.filter((line) => line.includes("a trace can't be shown"));
  expect(problems.map((line) => line.includes('"level":20'))).toEqual([true, true, true]);
});

it("shows no contents where the audit log could not note it", async () => {
  const { page, turns, turn, path } = await writing();
  await committed(turns, turn, finishing(1));
  const owner = await page.logIn("owner");
  const write = vi.spyOn(page.services.audit, "write").mockResolvedValue();
  onTestFinished(() => write.mockRestore());
  const refused = await owner.post(`${path}/show`, {});
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("so nothing is shown");
  expect(await owner.text(`${path}?contents=shown`)).not.toContain("answer 1");
});

it("shows the contents also after more attempts than are looked at elsewhere", async () => {
  const { page, turns, turn, path } = await writing();
  await committed(turns, turn, finishing(1));
  const owner = await page.logIn("owner");
  await owner.post(`${path}/show`, {});
  const attempts = store.redis.pipeline();
  const attempt = JSON.stringify({ v: 1, action: "attempt-denied" });
  for (let count = 0; count < 20_001; count += 1)
    attempts.xadd(configKey("audit-events"), "*", "line", attempt);
  await attempts.exec();
  expect(await owner.text(`${path}?contents=shown`)).toContain("<pre>answer 1</pre>");
  await store.redis.del(configKey("audit-events"));
});

it("knows no answer that there never was", async () => {
  const page = await openPage(store);
  const owner = await page.logIn("owner", operator);
  await using one = await traced();
  for (const turn of ["1", "0", "x", "1e3", "99999999999999999999"]) {
    const path = `/chats/${one.scene.chat}/${turn}`;
    expect((await owner.get(path)).status, turn).toBe(404);
    expect((await owner.post(`${path}/show`, {})).status, turn).toBe(404);
  }
});
