import pino from "pino";
import { expect, it } from "vitest";
import { decideAndWake } from "../../src/approvals/decide-approval.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { ann, calls, openScene } from "../loop/scene.ts";
import { waiting } from "../loop/waiting.ts";
import { storeOn } from "../store/support.ts";
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
  const filter = { action: "contents-shown" } as const;
  expect((await page.services.audit.newest(filter, 10)).records).toEqual([]);

  const owner = await page.logIn("owner", operator);
  expect(await owner.text(path)).not.toContain("secret");
  const shown = await owner.post(`${path}/show`, {});
  expect(shown.status).toBe(200);
  const html = await shown.text();
  expect(html).toContain("<pre>a secret answer</pre>");
  expect(html).toContain("user: my password is [redacted]");
  expect(html).toContain("You are Parley.");
  expect((await page.services.audit.newest(filter, 10)).records).toMatchObject([
    { by: { id: operator.id }, chat: scene.chat, target: "1" },
  ]);
  expect(await owner.text(path)).not.toContain("secret");
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
