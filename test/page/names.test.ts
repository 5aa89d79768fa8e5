import { expect, it } from "vitest";
import { chatLink } from "../../src/page/chat-link.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { directPlace, groupPlace, newPerson, type Place } from "../ingress/open-ingress.ts";
import { askedIn } from "../store/asking.ts";
import { leaseMs, message, notice, scheduleIn, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { tookOf } from "./spending.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
type Page = Awaited<ReturnType<typeof openPage>>;

/** Leaves something of the place on every view. */
async function busy(page: Page, { person, chat }: Place, group: boolean): Promise<void> {
  const { services, ingress } = page;
  const inbox = createInbox(store);
  // What can't be delivered comes first: it leaves nothing to wait for.
  const sender = new ScriptedSender();
  sender.faults.push("refused");
  await inbox.post(chat, notice("n1", "text"));
  await deliverAll(deliveryDeps(createOutboxStore(store, leaseMs), sender), chat);
  await inbox.append(chat, message("m1", { person, group }));
  await askedIn(turns, chat, { requester: person });
  await ingress.deps.schedules.save(chat, {
    ...scheduleIn(chat, { by: { id: person.id, name: person.name } }),
    nextMs: 9e12,
  });
  await services.budget.settle(
    { person, chat, role: "member" },
    `call-${chat}`,
    tookOf({ model: "a/b", usd: 1, tokens: 10 }),
  );
  await services.limits.flush();
  const by = { id: person.id, name: person.name };
  await services.audit.write(`e-${chat}`, { action: "paused", by, chat, target: "all" });
  await services.access.setRole(person, "guest");
  await services.errors.note({
    v: 1,
    id: chat.replaceAll(/\D/g, "").slice(-6),
    atMs: store.clock.now(),
    kind: "overloaded",
    chat,
    turn: 1,
    model: "a/b",
    cause: "503",
  });
}

const paths = [
  "/",
  "/approvals",
  "/spend",
  "/chats",
  "/dead-letters",
  "/schedules",
  "/audit",
  "/health",
] as const;

it("names every chat the same way on every view, and shows what hides in names", async () => {
  const page = await openPage(store);
  const owner = await page.logIn("owner");
  const ann = newPerson({ name: "An\u202ena\u200b" });
  const named = "An\\u202ena\\u200b";
  const [direct, group, titled] = [directPlace(ann), groupPlace(ann), groupPlace(ann)];
  await page.services.people.notePerson(ann);
  const title = { id: `telegram:chat:${titled.address.chat}`, name: "Sa\u202eles\u2060" };
  await page.services.people.notePerson(title);
  for (const place of [direct, group, titled]) await busy(page, place, place !== direct);
  const links = [
    chatLink(direct.chat, named),
    chatLink(group.chat, `Group (${named})`),
    chatLink(titled.chat, "Sa\\u202eles\\u2060"),
  ];
  for (const path of paths) {
    const text = await owner.text(path);
    for (const link of links) expect(text, path).toContain(link.toString());
    expect(text, path).not.toMatch(/[\u202e\u200b\u2060]/);
  }
  for (const path of ["/people", `/chats/${group.chat}`, `/chats/${group.chat}/1`]) {
    const text = await owner.text(path);
    expect(text, path).toContain(named);
    expect(text, path).not.toMatch(/[\u202e\u200b\u2060]/);
  }
});
