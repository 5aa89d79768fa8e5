import type { Page } from "playwright-core";
import { flawsOf } from "../support/browser/flaws.ts";

/** The addresses of all views of the menu, of each chat listed, and of its last answer. */
export async function addressesFrom(page: Page, url: string): Promise<string[]> {
  await page.goto(`${url}/chats`);
  const inMenu = await addressesIn(page, "nav a");
  const chats = await addressesIn(page, 'main a[href^="/chats/"]');
  const answers: string[] = [];
  for (const chat of chats) {
    await page.goto(url + chat);
    const [latest] = await addressesIn(page, `main a[href^="${chat}/"]`);
    if (latest !== undefined) answers.push(latest);
  }
  return [...new Set([...inMenu, ...chats, ...answers])];
}

const addressesIn = async (page: Page, selector: string): Promise<string[]> =>
  await page
    .locator(selector)
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));

/** What is wrong with any of these pages, in light and in dark. */
export async function flawsAt(
  page: Page,
  { url, addresses }: { readonly url: string; readonly addresses: readonly string[] },
): Promise<string[]> {
  const flaws: string[] = [];
  for (const address of addresses) {
    await page.goto(url + address);
    flaws.push(...(await flawsOf(page)));
  }
  return flaws;
}
