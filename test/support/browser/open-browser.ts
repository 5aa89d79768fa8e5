import { chromium, type Browser, type Page } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

const widths = { phone: 360, desktop: 1280 };

export interface TabOptions {
  /** Of the window. Default: `desktop`. */
  readonly device?: keyof typeof widths;
  /** Default: yes. */
  readonly runsScripts?: boolean;
  readonly colorScheme?: "light" | "dark";
  /** Pixels of a picture for each pixel of CSS. Default: 1. */
  readonly scale?: number;
}

export interface TestBrowser extends AsyncDisposable {
  /** A tab with cookies of its own. */
  open(options?: TabOptions): Promise<Page>;
  /** What no page may do, since the last call: errors, dialogs, violations of the CSP. */
  problems(): string[];
}

/** One headless browser. What its pages do wrong is kept until it's asked for. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    // Containers run as root, where Chromium has no sandbox.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const problems: string[] = [];
  return {
    open: (options = {}) => openTab(browser, options, problems),
    problems: () => problems.splice(0),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function openTab(
  browser: Browser,
  { device = "desktop", runsScripts = true, colorScheme = "light", scale = 1 }: TabOptions,
  problems: string[],
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: widths[device], height: device === "phone" ? 740 : 900 },
    hasTouch: device === "phone",
    javaScriptEnabled: runsScripts,
    colorScheme,
    deviceScaleFactor: scale,
    locale: "en-US",
  });
  context.setDefaultTimeout(15_000);
  context.on("page", (page) => watch(page, problems));
  return await context.newPage();
}

function watch(page: Page, problems: string[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The browser reports every refused page so; the tests look at those themselves.
    if (/^Failed to load resource: .* status of 4\d\d/.test(message.text())) return;
    problems.push(`${page.url()} wrote: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`${page.url()} threw: ${String(error)}`));
  page.on("dialog", (dialog) => {
    problems.push(`${page.url()} asked: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("response", (response) => {
    const isAsset = new URL(response.url()).pathname.startsWith("/assets/");
    if (isAsset && response.status() >= 400)
      problems.push(`${response.url()} gave ${response.status()}`);
  });
}
