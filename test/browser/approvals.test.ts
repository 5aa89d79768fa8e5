import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { openOperator } from "./open-operator.ts";

const operator = await openOperator();
const { telegram } = operator.world;

/** The page's part about the call whose arguments hold the text. */
const callIn = (page: Page, text: string): Locator =>
  page.locator(".card").filter({ hasText: text });

async function approvals(options: Parameters<typeof operator.logIn>[0] = {}): Promise<Page> {
  const page = await operator.logIn(options);
  await page.getByRole("link", { name: "Approvals" }).click();
  await page.waitForURL("**/approvals");
  return page;
}

describe.each([
  { how: "with", runsScripts: true },
  { how: "without", runsScripts: false },
])("$how JavaScript", ({ how, runsScripts }) => {
  it("approves a call on a phone, and the tool runs", async () => {
    const ann = telegram.direct("Ann");
    const tea = `buy green tea ${how} milk`;
    const card = await askForNote(ann, tea);
    const page = await approvals({ device: "phone", runsScripts });
    await callIn(page, tea).getByRole("button", { name: "Approve" }).tap();
    await ann.wait(isClosed(card, "approved by Olga"));
    await ann.wait("write_note said: Noted.");
    await page.getByRole("status").getByText("Approved").waitFor();
    expect(await callIn(page, tea).count()).toBe(0);
    expect(await notesOf(ann)).toEqual([tea]);
  });

  it("denies a call with a reason, and the tool doesn't run", async () => {
    const ann = telegram.direct("Ann");
    const tea = `sell green tea ${how} milk`;
    const card = await askForNote(ann, tea);
    const page = await approvals({ runsScripts });
    await callIn(page, tea)
      .getByRole("link", { name: /deny with a reason/ })
      .click();
    await page.getByLabel("Reason").fill("we still need it");
    await page.getByRole("button", { name: "Deny" }).click();
    await ann.wait(isClosed(card, "denied by Olga"));
    await page.getByRole("status").getByText("Denied").waitFor();
    expect(await notesOf(ann)).toEqual([]);
  });

  it("changes the arguments of a call, which asks again and runs with them", async () => {
    const ann = telegram.direct("Ann");
    await askForNote(ann, `drink black tea ${how} milk`);
    const page = await approvals({ runsScripts });
    await callIn(page, `black tea ${how} milk`).getByRole("link", { name: "Change" }).click();
    const changed = `drink white tea ${how} milk`;
    await page.getByRole("textbox", { name: "note" }).fill(changed);
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByRole("status").getByText("Changed").waitFor();
    await ann.wait("Olga changed the arguments.");
    await callIn(page, changed).getByRole("button", { name: "Approve" }).click();
    await ann.wait(({ text }) => /write_note said: .*changed.*Noted/s.test(text));
    expect(await notesOf(ann)).toEqual([changed]);
  });
});

it("shows in one tab, live, what is asked and what was decided in another", async () => {
  const page = await approvals();
  const other = await page.context().newPage();
  await other.goto(page.url());
  const ann = telegram.direct("Ann");
  await askForNote(ann, "water for tea");
  for (const tab of [page, other]) await callIn(tab, "water for tea").waitFor();
  await callIn(page, "water for tea").getByRole("button", { name: "Approve" }).click();
  await callIn(other, "water for tea").waitFor({ state: "detached" });
  await ann.wait("write_note said: Noted.");
  // A decision in the chat is seen as well.
  const card = await askForNote(ann, "milk for tea");
  await callIn(other, "milk for tea").waitFor();
  await ann.tap(card, "Deny");
  await callIn(other, "milk for tea").waitFor({ state: "detached" });
});

it("keeps the focus on the same call when another one goes", async () => {
  const [ann, ben] = [telegram.direct("Ann"), telegram.direct("Ben")];
  const first = await askForNote(ann, "beans for coffee");
  await askForNote(ben, "sugar for coffee");
  const page = await approvals();
  const approve = callIn(page, "sugar for coffee").getByRole("button", { name: "Approve" });
  await approve.focus();
  await ann.tap(first, "Deny");
  await callIn(page, "beans for coffee").waitFor({ state: "detached" });
  expect(await callIn(page, "sugar for coffee").locator(":focus").textContent()).toBe("Approve");
  await page.keyboard.press("Enter");
  await ben.wait("write_note said: Noted.");
  expect(await notesOf(ann)).toEqual([]);
});

it("shows what was typed again when it can't be used", async () => {
  const ann = telegram.direct("Ann");
  const card = await askForNote(ann, "spoons for coffee");
  const page = await approvals({ runsScripts: false });
  await callIn(page, "spoons for coffee").getByRole("link", { name: "Change" }).click();
  const note = page.getByRole("textbox", { name: "note" });
  await note.fill("x".repeat(60_000));
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.locator(".notice.problem").waitFor();
  expect((await note.inputValue()).length).toBe(60_000);
  await ann.tap(card, "Deny");
});

it("says so when a call was decided elsewhere", async () => {
  const ann = telegram.direct("Ann");
  const card = await askForNote(ann, "cups for tea");
  const page = await approvals({ runsScripts: false });
  await ann.tap(card, "Deny");
  await ann.wait(isClosed(card, "denied by Ann"));
  await callIn(page, "cups for tea").getByRole("button", { name: "Approve" }).click();
  expect(await page.locator(".notice.problem").textContent()).toContain("already denied by Ann");
  expect(await notesOf(ann)).toEqual([]);
});

it("is used with the keyboard alone", async () => {
  const ann = telegram.direct("Ann");
  const card = await askForNote(ann, "sugar for tea");
  const page = await operator.logIn();
  await pressOn(page, "Approvals");
  await page.waitForURL("**/approvals");
  await callIn(page, "sugar for tea").waitFor();
  await pressOn(page, "Approve", "sugar for tea");
  await ann.wait(isClosed(card, "approved by Olga"));
});

/** Moves with Tab to what is named so, within a card with the text, and presses Enter. */
async function pressOn(page: Page, name: string, within = ""): Promise<void> {
  for (let stop = 0; stop < 200; stop += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const label = (await focused.textContent())?.trim();
    if (label !== name) continue;
    if (within !== "" && (await callIn(page, within).locator(":focus").count()) === 0) continue;
    return await page.keyboard.press("Enter");
  }
  throw new Error(`Tab never comes to ${name}`);
}
