import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dayOf, spentPrefix } from "../../src/store/limits/spent.ts";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { openOperator } from "./open-operator.ts";

const operator = await openOperator({
  config: `personas: { folder: ${JSON.stringify(join(import.meta.dirname, "../../personas"))} }
models: { openai/gpt-4o-mini: { usdPerMillionTokens: { input: 1, output: 100 } } }`,
  tolerates: [/^undeliverable/],
});
const { world } = operator;
const { telegram, model } = world;

const go = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

it("shows an answer while it is written, with its persona, and stops it", async () => {
  const page = await operator.logIn({ device: "phone" });
  const ann = telegram.direct("Ann");
  await ann.command("persona", "tutor");
  const gate = model.hold(/green tea is healthy/, { at: 2 });
  ann.say("say green tea is healthy, and so is a walk");
  await gate.waitUntilHeld();
  const row = page.getByRole("row", { name: "Ann" });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/gpt-4o-mini\s*Persona: tutor\./);
  await row.getByRole("button", { name: "Stop" }).tap();
  await ann.wait("An admin stopped this answer.");
  await row.waitFor({ state: "detached" });
  gate.release();
});

it("shows how busy each process is", async () => {
  const page = await operator.logIn({ device: "phone" });
  await page.goto(`${operator.url}/health`);
  const processes = page.getByRole("table", { name: "Processes" });
  await processes.waitFor();
  // One process, whose first minute isn't over.
  const text = (await processes.locator("tbody").textContent()) ?? "";
  expect(text).toMatch(/\ball\b[\s\S]*unknown\s*unknown\s*[\d.]+ MB[\s\S]*ago/);
});

it("names the longest part of a slow answer", async () => {
  const ann = telegram.direct("Ann Slow");
  model.when("the slow question", {
    text: "an answer that took its time",
    firstTokenDelayMs: 1_500,
  });
  ann.say("the slow question");
  await ann.wait("took its time");
  const page = await operator.logIn();
  const chat = page.locator("main").getByRole("link", { name: "Ann Slow" });
  await expect
    .poll(async () => {
      await go(page, "Chats");
      return await chat.count();
    })
    .toBe(1);
  await chat.click();
  await page.locator("main table a").first().click();
  await page.getByText(/(Most|The largest part) of the .* s went to the model/).waitFor();
  await page.locator("main svg").first().waitFor();
  // What was said is shown to owners who ask for it, and the audit log says so.
  expect(await page.locator("main").textContent()).not.toContain("took its time");
  await page.getByRole("button", { name: "Show contents" }).click();
  await page.getByText("an answer that took its time").first().waitFor();
  await go(page, "Audit");
  await page.getByText("Ann Slow").or(page.getByText(ann.personId)).first().waitFor();
});

it("shows yesterday's most expensive chat", async () => {
  const [dear, cheap] = [telegram.direct("Dear"), telegram.direct("Cheap")];
  dear.say("long 4000");
  cheap.say("long 40");
  await Promise.all([dear.wait("1 2 3"), cheap.wait("1 2 3")]);
  await world.delivered();
  const page = await operator.logIn();
  await go(page, "Spend");
  // Looking at it stores what the process has counted.
  const chats = page.getByRole("table", { name: "By chat" });
  await expect
    .poll(async () => {
      await page.reload();
      return await chats.getByRole("row").allTextContents();
    })
    .toEqual(expect.arrayContaining([expect.stringContaining("Dear")]));
  const today = dayOf(Date.now());
  const yesterday = dayOf(Date.now() - 86_400_000);
  const client = openClient(world.redis.url);
  try {
    // As if it were tomorrow.
    for (const key of await keysLike(client, `${spentPrefix}${today}:*`))
      await client.copy(key, key.replace(today, yesterday));
    const [month, monthBefore] = [today.slice(0, 7), yesterday.slice(0, 7)];
    for (const key of await keysLike(client, `${spentPrefix}${month}:day:*`))
      await client.zadd(
        key.replace(month, monthBefore),
        (await client.zscore(key, today)) ?? 0,
        yesterday,
      );
  } finally {
    client.disconnect();
  }
  await page.getByRole("link", { name: "Yesterday" }).click();
  await page.waitForURL(/period=yesterday/);
  await chats.waitFor();
  expect(await chats.getByRole("row").nth(1).textContent()).toContain("Dear");
  expect(await chats.textContent()).toContain("Cheap");
});

/** What was said to the person couldn't be delivered, until the result is removed. */
async function refused(page: Page, name: string, text: string) {
  const person = telegram.direct(name);
  const blocked = telegram.server.inject({
    chatId: Number(person.personId.slice("telegram:".length)),
    times: Infinity,
    match: ({ method }) => /^(send|edit)Message/i.test(method),
    kind: { type: "status", code: 403, description: "Forbidden: bot was blocked by the user" },
  });
  person.say(`say ${text}`);
  await go(page, "Dead letters");
  const row = page.getByRole("row").filter({ hasText: person.personId.split(":")[1] ?? "" });
  await expect
    .poll(async () => {
      await page.reload();
      return await row
        .first()
        .textContent({ timeout: 1_000 })
        .catch(() => "");
    })
    .toContain("blocked by the user");
  expect(await page.locator("main").textContent()).not.toContain(text);
  return { person, blocked, row };
}

it("sends a dead letter again", async () => {
  const page = await operator.logIn();
  const text = "this was refused at first";
  const { person, blocked, row } = await refused(page, "Ann Blocked", text);
  blocked.remove();
  await row.getByRole("button", { name: "Send again" }).first().click();
  await person.wait(text);
  await page.locator(".notice.done").waitFor();
});

it("drops a dead letter by a second step, for good", async () => {
  const page = await operator.logIn({ device: "phone" });
  const { person, blocked, row } = await refused(page, "Ben Blocked", "this is dropped");
  blocked.remove();
  for (let left = await row.count(); left > 0; left -= 1) {
    await row.first().getByText("Drop…").tap();
    await row.first().getByRole("button", { name: "Drop it for good" }).tap();
    await page.getByRole("status").getByText("Dropped").waitFor();
    expect(await row.count()).toBe(left - 1);
  }
  person.say("say and this arrives");
  await person.wait("and this arrives");
  expect(person.shown().some(({ text }) => text.includes("this is dropped"))).toBe(false);
});
