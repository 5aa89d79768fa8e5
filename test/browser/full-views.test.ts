import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { flawsOf } from "../support/browser/flaws.ts";
import { openShop } from "../support/parley/shop.ts";
import { openOperator } from "./open-operator.ts";
import { addressesFrom, flawsAt } from "./visit.ts";

const shop = await openShop();
const operator = await openOperator({
  config: `${shop.config}
models: { openai/gpt-4o-mini: { usdPerMillionTokens: { input: 1, output: 100 } } }`,
  tolerates: [/^undeliverable/],
});
const { world, chat } = operator;
const { telegram, model } = world;

const script = `"><script>alert("script")</script>`;
const picture = `<img src=x onerror=alert("picture")>`;
/** Turns the direction of what follows, where it isn't isolated. */
const turned = "\u202Eevil\u202E name";
const long = "W".repeat(10_000);
const hostile = [script, picture, turned, long, `' onfocus=alert(1) autofocus='`, "{{7*7}}${7*7}"];

beforeAll(async () => {
  for (const text of hostile) {
    const person = telegram.direct(text);
    model.when(`write down ${hostile.indexOf(text)}.`, {
      toolCalls: [
        { name: "write_note", arguments: { note: text.slice(0, 2_000) } },
        { name: "shop_buy", arguments: { for: text } },
      ],
    });
    person.say(`write down ${hostile.indexOf(text)}.`);
    await person.wait(({ buttons }) => buttons.length > 0);
    const [member] = telegram.group("Mallory");
    await member?.command("role", text.slice(0, 1_000));
  }
  const ann = telegram.direct("Ann");
  ann.say("say an answer like any other");
  await ann.wait("like any other");
  await ann.command("remind", `in 20h ${script}`);
  await chat.command("role", `${ann.personId} admin`);
  await refuse(telegram.direct(picture));
  sendFile();
});

/** The person who sent a file whose name is markup. */
const sender = { name: "Fay", id: "" };

function sendFile(): void {
  const { server } = telegram;
  const person = server.person({ firstName: sender.name });
  sender.id = String(person.id);
  const bytes = new TextEncoder().encode("a list");
  person.sendDocument(server.privateChat(person), bytes, {
    fileName: `${picture}.txt`,
    caption: "say I have read the file",
  });
}

/** The view of a chat's latest answer, with what was said in it. */
async function showContents(page: Page, chat: string): Promise<void> {
  await page.goto(`${operator.url}/chats?q=${chat}`);
  await page.locator("main table a").first().click();
  await page.locator("main table a").first().click();
  await page.getByRole("button", { name: "Show contents" }).click();
}

it("shows the name of a file as text", async () => {
  await world.delivered();
  const page = await operator.logIn();
  await showContents(page, sender.id);
  await page.getByText(`${picture}.txt`).first().waitFor();
  expect(await page.locator("main script, main img").count()).toBe(0);
  expect(await flawsOf(page)).toEqual([]);
});

it.each(["phone", "desktop"] as const)(
  "is readable for everyone where something is asked again, typed and listed, on a %s",
  async (device) => {
    const page = await operator.logIn({ device });
    await operator.logIn();
    const { url } = operator;
    await page.goto(`${url}/approvals`);
    const one = await page.locator('main a[href^="/approvals/"]').first().getAttribute("href");
    expect(one).toMatch(/^\/approvals\/\w/);
    expect(await flawsAt(page, { url, addresses: [one ?? "", "/browsers"] })).toEqual([]);
    expect(await page.locator("tbody tr").count()).toBeGreaterThan(1);
    for (const address of ["/people", "/dead-letters", "/schedules", "/spend"]) {
      await page.goto(url + address);
      const steps = page.locator("main summary");
      expect(await steps.count(), address).toBeGreaterThan(0);
      await page.evaluate(
        `for (const each of document.querySelectorAll("main details")) each.open = true`,
      );
      expect(await flawsOf(page)).toEqual([]);
    }
  },
);

/** Leaves a message that can't be delivered. */
async function refuse(person: ReturnType<typeof telegram.direct>): Promise<void> {
  const blocked = telegram.server.inject({
    chatId: Number(person.personId.slice("telegram:".length)),
    times: Infinity,
    match: ({ method }) => /^(send|edit)Message/i.test(method),
    kind: { type: "status", code: 403, description: `Forbidden: ${picture}` },
  });
  person.say(`say ${script}`);
  await telegram.until(() => blocked.hits.length > 0, "a refused message");
}

it.each(["phone", "desktop"] as const)(
  "shows whatever people and models write as text, and is readable for everyone on a %s",
  async (device) => {
    await world.delivered();
    const running = telegram.direct(script);
    using gate = model.hold(new RegExp(`never mind ${device}`), { at: 1 });
    running.say(`say never mind ${device} ${picture}`);
    await gate.waitUntilHeld();
    const page = await operator.logIn({ device });
    const { url } = operator;
    await showContents(page, running.personId.split(":")[1] ?? "");
    await page.getByText(`never mind ${device} ${picture}`).first().waitFor();
    expect(await page.locator("main script, main img").count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);
    const addresses = await addressesFrom(page, url);
    expect(addresses.length).toBeGreaterThan(20);
    expect(await flawsAt(page, { url, addresses })).toEqual([]);
    await page.goto(`${url}/approvals`);
    const text = (await page.locator("main").textContent()) ?? "";
    for (const each of ["<script>alert(", "<img src=x onerror=alert("])
      expect(text).toContain(each);
    expect(await page.locator("main script, main img").count()).toBe(0);
    gate.release();
    await running.wait(device);
  },
);
