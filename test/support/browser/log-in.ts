import type { Page } from "playwright-core";
import type { ParleyProcess } from "../parley/parley-process.ts";

/** As a person does: opens the link and presses the button. Without JavaScript the code is typed. */
export async function logInWith(page: Page, link: string): Promise<void> {
  await page.goto(link);
  const field = page.locator("input[name=code]");
  if ((await field.inputValue()) === "") await field.fill(new URL(link).hash.slice(1));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL((address) => address.pathname === "/");
}

/** In the bot's answer to /dashboard. */
export function linkIn(answer: string): string {
  const link = /https?:\/\/\S+\/in#[\w-]+/.exec(answer)?.[0];
  if (link === undefined) throw new Error(`no link in ${answer}`);
  return link;
}

/** Started with PARLEY_PAGE_PORT=0, a process prints where its page is. */
export const pageUrlOf = (parley: ParleyProcess): Promise<string> =>
  parley.waitFor(
    () =>
      /Operator's page: (http:\/\/\S+)/.exec(
        [parley.stdout, parley.stderr, ...parley.log.map(({ msg }) => msg)].join("\n"),
      )?.[1],
    "the page's address",
  );
