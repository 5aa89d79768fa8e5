import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** All of axe's rules, also those for the size of what is tapped. In the page's own words. */
const axeRun = `axe.run(document, { rules: { "target-size": { enabled: true } } })
  .then(({ violations }) => JSON.stringify(violations))`;

/** What makes a page wider than its window, outside of what scrolls by itself. */
const wide = `(() => {
  if (document.scrollingElement.scrollWidth <= innerWidth) return "[]";
  const scrolls = (each) => each !== document.body && /auto|scroll/.test(getComputedStyle(each).overflowX);
  const isInside = (each) => each !== null && (scrolls(each) || isInside(each.parentElement));
  const isWide = (each) => each.getBoundingClientRect().left + Math.max(each.scrollWidth, each.offsetWidth) > innerWidth + 1;
  const parts = [...document.querySelectorAll("body *")].filter((each) => isWide(each) && !isInside(each));
  return JSON.stringify(["the page", ...parts.map((each) => each.outerHTML.slice(0, 200))]);
})()`;

/** What keeps a view from being read and used by everyone, on any screen. Empty: nothing. */
export async function flawsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = JSON.parse(await page.evaluate<string>(axeRun)) as readonly Violation[];
  const where = `${new URL(page.url()).pathname} ${page.viewportSize()?.width ?? 0} px`;
  return [
    ...violations.map(
      ({ id, nodes }) =>
        `${where}: ${id}: ${nodes.map(({ html, failureSummary = "" }) => `${html} ${failureSummary}`).join("\n")}`,
    ),
    ...(await wideParts(page)).map((each) => `${where}: too wide: ${each}`),
  ];
}

/** What scrolls a page sideways. Also without JavaScript in the page. */
export async function wideParts(page: Page): Promise<string[]> {
  return JSON.parse(await page.evaluate<string>(wide)) as string[];
}
