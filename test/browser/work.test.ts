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

const eachWay = [
  { how: "with", runsScripts: true },
  { how: "without", runsScripts: false },
] as const;

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

it("stops an answer without JavaScript", async () => {
  const page = await operator.logIn({ device: "phone", runsScripts: false });
  const ben = telegram.direct("Ben");
  const gate = model.hold(/black tea is healthy/, { at: 2 });
  ben.say("say black tea is healthy, and so is a walk");
  await gate.waitUntilHeld();
  // A link reloads what scripts would update.
  await page.getByRole("link", { name: "Reload" }).tap();
  const row = page.getByRole("row", { name: "Ben" });
  await row.getByRole("button", { name: "Stop" }).tap();
  await page.getByRole("status").getByText("Stopped").waitFor();
  await ben.wait("An admin stopped this answer.");
  await page.goto(operator.url);
  await expect
    .poll(async () => {
      await page.reload();
      return await row.count();
    })
    .toBe(0);
  gate.release();
});

it("shows how an answer grows, to the owner who asks, and then the whole of it", async () => {
  const ann = telegram.direct("Ann Growing");
  const words = "the first words of an answer, many more of them, and the very last words of it";
  const gate = model.hold(/the first words of an answer/, { at: 9 });
  ann.say(`say ${words}`);
  await gate.waitUntilHeld();
  const page = await operator.logIn();
  await page.getByRole("row", { name: "Ann Growing" }).getByRole("link").nth(1).click();
  const main = page.locator("main");
  expect(await main.textContent()).not.toContain("the first words");
  await page.getByRole("button", { name: "Show contents" }).click();
  const growing = page.locator("h3", { hasText: "Answer so far" }).locator("+ pre");
  await growing.getByText("the first words").waitFor();
  expect(await growing.textContent()).not.toContain("very last words");
  gate.release();
  // By itself, without a click.
  await expect.poll(() => main.locator("pre").allTextContents()).toContain(words);
  await growing.waitFor({ state: "detached" });
});

it("shows how busy each process is", async () => {
  const page = await operator.logIn({ device: "phone" });
  await page.goto(`${operator.url}/health`);
  const processes = page.getByRole("table", { name: "Processes" });
  await processes.waitFor();
  // Figures come after the process's first minute.
  const text = (await processes.locator("tbody").textContent()) ?? "";
  expect(text).toMatch(
    /\ball\b[\s\S]*(?:unknown\s*unknown|[\d.]+ ms\s*[\d.]+%)\s*[\d.]+ MB[\s\S]*ago/,
  );
});

it.each(eachWay)("names the longest part of a slow answer $how JavaScript", async (way) => {
  const { how, runsScripts } = way;
  const ann = telegram.direct(`Ann Slow ${how}`);
  model.when(`the slow question ${how} scripts`, {
    text: `an answer ${how} that took its time`,
    firstTokenDelayMs: 1_500,
  });
  ann.say(`the slow question ${how} scripts`);
  await ann.wait("took its time");
  const page = await operator.logIn({ runsScripts });
  const chat = page.locator("main").getByRole("link", { name: ann.personName, exact: true });
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
  await page.getByText(`an answer ${how} that took its time`).first().waitFor();
  await go(page, "Audit");
  await page.getByText(ann.personName).or(page.getByText(ann.personId)).first().waitFor();
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

it.each(eachWay)("shows what the month has cost so far $how JavaScript", async (way) => {
  const person = telegram.direct(`Monthly ${way.how} scripts`);
  person.say("long 400");
  await person.wait("1 2 3");
  await world.delivered();
  const page = await operator.logIn(way);
  await go(page, "Spend");
  await page.getByRole("link", { name: "This month" }).click();
  await page.waitForURL(/period=month/);
  const row = page
    .getByRole("table", { name: "By chat" })
    .getByRole("row", { name: person.personName });
  await expect
    .poll(async () => {
      await page.reload();
      return await row.count();
    })
    .toBe(1);
  // Its cost, and its share of the whole.
  expect(await row.textContent()).toMatch(/\$[\d.,]+\s*[\d.]+%/);
  expect(await page.locator("main").textContent()).toContain(
    `${dayOf(Date.now()).slice(0, 7)} (UTC)`,
  );
  await page.getByRole("img", { name: /day/ }).waitFor();
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

it.each(eachWay)("sends a dead letter again $how JavaScript", async ({ how, runsScripts }) => {
  const page = await operator.logIn({ runsScripts });
  const text = `this was refused at first, ${how} scripts`;
  const { person, blocked, row } = await refused(page, `Ann Blocked ${how}`, text);
  blocked.remove();
  await row.getByRole("button", { name: "Send again" }).first().click();
  await person.wait(text);
  await page.locator(".notice.done").waitFor();
});

it.each(eachWay)("drops a dead letter by a second step $how JavaScript", async (way) => {
  const page = await operator.logIn({ device: "phone", ...way });
  const { person, blocked, row } = await refused(page, `Ben ${way.how}`, "this is dropped");
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
