import type { Page } from "playwright-core";
import { allViews } from "../../../src/page/views/all-views.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { linkIn, logInWith, pageUrlOf } from "../browser/log-in.ts";
import { openBrowser, type TabOptions, type TestBrowser } from "../browser/open-browser.ts";
import { DiscordStage } from "../parley/discord-stage.ts";
import { ParleyProcess } from "../parley/parley-process.ts";
import { TelegramStage } from "../parley/telegram-stage.ts";
import { startTestRedis } from "../redis/start-test-redis.ts";
import { busyDay, busyModel } from "./busy-day.ts";
import { seedSpending } from "./past-spending.ts";
import { routerServer } from "./talks.ts";
import { writePicture } from "./write-picture.ts";

const config = (router: string): string => `
mcp: { servers: { router: { url: "${router}" } } }
models:
  openai/gpt-4o: { usdPerMillionTokens: { input: 2.5, output: 10 } }
  openai/gpt-4o-mini: { usdPerMillionTokens: { input: 0.15, output: 0.6 } }
tiers:
  balanced: { models: [openai/gpt-4o] }
  fast: { models: [openai/gpt-4o-mini] }
limits: { global: { cost: "1usd/day" }, person: { cost: "0.5usd/day" } }
`;

/** Every view of the operator's page on a busy day, in light and dark, and two on a phone. */
export async function drawPage(): Promise<void> {
  await using redis = await startTestRedis();
  await using openai = await OpenAiServer.start({ model: busyModel() });
  await using telegram = await TelegramStage.start();
  await using discord = await DiscordStage.start();
  await using router = await routerServer();
  await using browser = await openBrowser();
  const ana = telegram.direct("Ana");
  await using parley = new ParleyProcess({
    environment: {
      OPENAI_BASE_URL: openai.baseUrl,
      ...telegram.environment,
      ...discord.environment,
      REDIS_URL: redis.url,
      PARLEY_ACCESS: "open",
      PARLEY_ADMINS: ana.personId,
      PARLEY_PAGE_PORT: "0",
    },
    config: config(router.settings.url),
    tolerates: [/^undeliverable/],
  });
  await parley.ready();
  await Promise.all([telegram.connected(), discord.connected()]);
  const day = await busyDay({ telegram, discord, parley, model: openai.model, ana });
  await seedSpending(redis.url);
  const url = await pageUrlOf(parley);
  const logIn = async (options: TabOptions): Promise<Page> => {
    const page = await browser.open(options);
    await logInWith(page, linkIn(await ana.command("dashboard")));
    return page;
  };
  await drawViews({ browser, logIn, url, chat: day.slowChat });
  day.end();
}

async function drawViews(deps: {
  readonly browser: TestBrowser;
  readonly logIn: (options: TabOptions) => Promise<Page>;
  readonly url: string;
  /** Whose last answer is drawn as a timeline. */
  readonly chat: string;
}): Promise<void> {
  const { browser, logIn, url, chat } = deps;
  for (const colorScheme of ["light", "dark"] as const) {
    const suffix = colorScheme === "dark" ? "-dark" : "";
    const stranger = await browser.open({ colorScheme });
    await stranger.goto(`${url}/in`);
    await draw(stranger, `login${suffix}`);
    const phone = await logIn({ colorScheme, device: "phone", scale: 2 });
    const page = await logIn({ colorScheme });
    for (const { name, path, isInMenu } of allViews) {
      if (!isInMenu) continue;
      await page.goto(url + path);
      await draw(page, `${name}${suffix}`);
    }
    // Sessions to end, and the day before with its chats by cost.
    await page.goto(`${url}/browsers`);
    await draw(page, `browsers${suffix}`);
    await page.goto(`${url}/spend?period=yesterday`);
    await draw(page, `yesterday${suffix}`);
    await page.goto(`${url}/chats/${encodeURIComponent(chat)}`);
    await draw(page, `chat${suffix}`);
    await page.locator("main table a").first().click();
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    await draw(page, `turn${suffix}`);
    for (const view of ["now", "approvals"]) {
      await phone.goto(url + (view === "now" ? "/" : `/${view}`));
      await draw(phone, `${view}-phone${suffix}`);
    }
    await phone.getByRole("link", { name: "Change, or deny" }).first().click();
    await phone.waitForURL(/\/approvals\/./);
    await draw(phone, `approval-phone${suffix}`);
  }
}

async function draw(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  // As high as what is on it.
  await page.setViewportSize({ width, height: 300 });
  writePicture(`page-${name}.png`, await page.screenshot({ fullPage: true }));
}
