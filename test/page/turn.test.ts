import pino from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { decideAndWake } from "../../src/approvals/decide-approval.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
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
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";

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
  expect([shown.status, shown.headers.get("location")]).toEqual([303, address]);
  const html = await owner.text(address);
  expect(html).toContain("<pre>a secret answer</pre>");
  expect(html).toContain("user: my password is [redacted]");
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
  expect(ended).not.toContain("hx-sse:connect");
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
