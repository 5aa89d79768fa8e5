import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dayOf, spentPrefix } from "../../src/store/limits/spent.ts";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { openOperator } from "./open-operator.ts";

const operator = await openOperator({
  config: `models: { openai/gpt-4o-mini: { usdPerMillionTokens: { input: 1, output: 100 } } }`,
  tolerates: [/^undeliverable/],
});
const { world } = operator;
const { telegram, model } = world;

const go = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

it("shows an answer while it is written, and stops it", async () => {
  const page = await operator.logIn({ device: "phone" });
  const ann = telegram.direct("Ann");
  const gate = model.hold(/green tea is healthy/, { at: 2 });
  ann.say("say green tea is healthy, and so is a walk");
  await gate.waitUntilHeld();
  const row = page.getByRole("row", { name: "Ann" });
  await row.waitFor();
  expect(await row.textContent()).toContain("gpt-4o-mini");
  await row.getByRole("button", { name: "Stop" }).tap();
  await ann.wait("(stopped)");
  await row.waitFor({ state: "detached" });
  gate.release();
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
  await go(page, "Chats");
  await page.locator("main").getByRole("link", { name: "Ann Slow" }).click();
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
  const yesterday = dayOf(Date.now() - 86_400_000);
  const client = openClient(world.redis.url);
  try {
    // As if it were tomorrow.
    for (const key of await keysLike(client, `${spentPrefix}${dayOf(Date.now())}:*`))
      await client.copy(key, key.replace(dayOf(Date.now()), yesterday));
  } finally {
    client.disconnect();
  }
  const page = await operator.logIn();
  await go(page, "Spend");
  await page.getByRole("link", { name: "Yesterday" }).click();
  const chats = page.getByRole("table", { name: "By chat" });
  await chats.waitFor();
  expect(await chats.getByRole("row").nth(1).textContent()).toContain("Dear");
  expect(await chats.textContent()).toContain("Cheap");
});

it("sends a dead letter again", async () => {
  const ann = telegram.direct("Ann Blocked");
  const blocked = telegram.server.inject({
    chatId: Number(ann.personId.slice("telegram:".length)),
    times: Infinity,
    match: ({ method }) => /^(send|edit)Message/i.test(method),
    kind: { type: "status", code: 403, description: "Forbidden: bot was blocked by the user" },
  });
  ann.say("say this was refused at first");
  const page = await operator.logIn();
  await go(page, "Dead letters");
  await expect
    .poll(async () => {
      await page.reload();
      return await page.locator("main").textContent();
    })
    .toContain("blocked by the user");
  expect(await page.locator("main").textContent()).not.toContain("this was refused");
  blocked.remove();
  await page.getByRole("button", { name: "Send again" }).first().click();
  await ann.wait("this was refused at first");
  await page.locator(".notice.done").waitFor();
});
