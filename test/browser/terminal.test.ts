import { afterAll, beforeAll, expect, it } from "vitest";
import { linkIn, logInWith } from "../support/browser/log-in.ts";
import { openBrowser, type TestBrowser } from "../support/browser/open-browser.ts";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

it("opens with the link that /dashboard prints in the terminal", async () => {
  const environment = { ...world.services, PARLEY_PAGE_PORT: "0" };
  const session = new ConsoleSession(world.start({ environment, input: "pipe" }));
  const printed = await session.say("/dashboard", /\/in#[\w-]+/);
  const page = await browser.open();
  await logInWith(page, linkIn(printed));
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Now");
  // The person at the terminal is an owner.
  await page.goto(new URL("/health", page.url()).href);
  await page.getByRole("button", { name: "Examine" }).waitFor();
  expect(browser.problems()).toEqual([]);
  await session.say("/dashboard off", "logged out");
  await page.goto(new URL("/people", page.url()).href);
  expect(new URL(page.url()).pathname).toBe("/in");
});
