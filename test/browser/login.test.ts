import { expect, it } from "vitest";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { logInWith } from "../support/browser/log-in.ts";
import { openOperator } from "./open-operator.ts";

const operator = await openOperator();
const { world, chat } = operator;

const heading = (page: Awaited<ReturnType<typeof operator.logIn>>) =>
  page.getByRole("heading", { level: 1 });

it("opens with the link from the chat, once; previews of the link don't use it up", async () => {
  const link = await operator.link();
  for (const method of ["GET", "HEAD", "GET"])
    expect((await fetch(link, { method })).status).toBe(200);
  const page = await operator.browser.open();
  await logInWith(page, link);
  expect(page.url()).not.toContain("#");
  expect(await heading(page).textContent()).toBe("Now");

  const second = await operator.browser.open();
  await second.goto(link);
  await second.getByRole("button", { name: "Log in" }).click();
  await second.getByText("used already").waitFor();
  await second.goto(`${operator.url}/spend`);
  expect(new URL(second.url()).pathname).toBe("/in");
});

it("opens without JavaScript, with the code typed in", async () => {
  const page = await operator.logIn({ runsScripts: false });
  expect(await heading(page).textContent()).toBe("Now");
});

it("shows nothing after logging out, and none of it comes back from the browser's history", async () => {
  const page = await operator.logIn();
  await page.goto(`${operator.url}/people`);
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/in");
  await page.goBack();
  await expect.poll(() => heading(page).textContent()).toBe("Log in");
});

it("ends a session at once when the person taps “That wasn't me”", async () => {
  const known = new Set(chat.shown().map(({ id }) => id));
  const page = await operator.logIn();
  const notice = await chat.wait(
    ({ id, buttons }) => !known.has(id) && buttons.includes("That wasn't me"),
  );
  await chat.tap(notice, "That wasn't me");
  await page.goto(`${operator.url}/audit`);
  expect(new URL(page.url()).pathname).toBe("/in");
});

it("ends all sessions with /dashboard off", async () => {
  const pages = [await operator.logIn(), await operator.logIn({ runsScripts: false })];
  await chat.command("dashboard", "off");
  for (const page of pages) {
    await page.goto(`${operator.url}/approvals`);
    expect(new URL(page.url()).pathname).toBe("/in");
  }
});

it("asks for a new link when the session has ended by itself", async () => {
  const page = await operator.logIn();
  const client = openClient(world.redis.url);
  try {
    const sessions = await keysLike(client, "parley:{cfg}:page-session:*");
    expect(sessions.length).toBeGreaterThan(0);
    // Twelve hours without a request.
    for (const key of sessions) await client.pexpire(key, 0);
  } finally {
    client.disconnect();
  }
  await page.goto(`${operator.url}/people`);
  expect(new URL(page.url()).pathname).toBe("/in");
  await logInWith(page, await operator.link());
});

it("shuts out an admin who is demoted, also from a page that is open and live", async () => {
  const ben = world.telegram.direct("Ben");
  ben.say("say good morning");
  await ben.wait("good morning");
  await chat.command("role", `${ben.personId} admin`);
  const open = await operator.logIn({ as: ben });
  const other = await open.context().newPage();
  await other.goto(`${operator.url}/people`);
  await chat.command("role", `${ben.personId} member`);
  // What runs now would be shown live.
  const ann = world.telegram.direct("Ann");
  ann.say("slow 100 one two three four five six seven eight nine ten eleven twelve");
  await other.reload();
  expect(new URL(other.url()).pathname).toBe("/in");
  await expect.poll(() => open.locator("main").textContent()).not.toContain("Ann");
  await ann.wait("twelve");
  expect(await open.locator("main").textContent()).not.toContain("Ann");
});
