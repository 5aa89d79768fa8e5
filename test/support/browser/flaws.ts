import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** All of axe's rules, also those for the size of what is tapped. */
const allRules = `{ rules: { "target-size": { enabled: true } } }`;
/** What can differ between light and dark. */
const colorRules = `{ runOnly: ["color-contrast", "link-in-text-block"] }`;

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
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await violations(page, allRules);
  const tooWide = await wideParts(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await violations(page, colorRules);
  const where = `${new URL(page.url()).pathname} ${page.viewportSize()?.width ?? 0} px`;
  return [
    ...inLight,
    ...inDark.map((each) => `dark: ${each}`),
    ...tooWide.map((each) => `too wide: ${each}`),
  ].map((each) => `${where}: ${each}`);
}

async function violations(page: Page, rules: string): Promise<string[]> {
  const json = await page.evaluate<string>(
    `axe.run(document, ${rules}).then(({ violations }) => JSON.stringify(violations))`,
  );
  return (JSON.parse(json) as readonly Violation[]).map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = "" }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}

async function wideParts(page: Page): Promise<string[]> {
  return JSON.parse(await page.evaluate<string>(wide)) as string[];
}
