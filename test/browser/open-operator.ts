import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { linkIn, logInWith, pageUrlOf } from "../support/browser/log-in.ts";
import { openBrowser, type TabOptions, type TestBrowser } from "../support/browser/open-browser.ts";
import { openWorld, type World } from "../support/parley/open-world.ts";
import type { TelegramStage } from "../support/parley/telegram-stage.ts";

type TelegramChat = ReturnType<TelegramStage["direct"]>;

/** One Parley with its page, one browser, and the person at both. */
export interface Operator {
  readonly world: World;
  /** The owner's direct chat with the bot. */
  readonly chat: TelegramChat;
  readonly browser: TestBrowser;
  /** Without a path. */
  readonly url: string;
  /** Sends /dashboard; fulfils with the link in the bot's answer. */
  link(chat?: TelegramChat): Promise<string>;
  /** A new browser that is logged in with a link from the chat. */
  logIn(options?: TabOptions & { readonly as?: TelegramChat }): Promise<Page>;
}

/** Call it once, at the top of a test file. After each test no page may have done anything wrong. */
export async function openOperator({
  access,
  ...options
}: {
  /** Default: `open`. */
  readonly access?: "pairing";
  readonly config?: string;
  readonly tolerates?: readonly RegExp[];
} = {}): Promise<Operator> {
  const world = await openWorld();
  const { telegram } = world;
  const chat = telegram.direct("Olga");
  let browser: TestBrowser | undefined;
  let url = "";
  beforeAll(async () => {
    const environment = {
      ...world.services,
      ...telegram.environment,
      PARLEY_ADMINS: chat.personId,
      PARLEY_PAGE_PORT: "0",
      ...(access === undefined ? {} : { PARLEY_ACCESS: access }),
    };
    const parley = world.start({ environment, ...options });
    browser = await openBrowser();
    await parley.ready();
    await telegram.connected();
    url = await pageUrlOf(parley);
  });
  afterEach(() => expect(browser?.problems()).toEqual([]));
  afterAll(() => browser?.[Symbol.asyncDispose]());
  const opened = (): TestBrowser => {
    if (browser === undefined) throw new Error("the browser opens before the first test");
    return browser;
  };
  const link = async (from = chat) => {
    const known = new Set(from.shown().map(({ id }) => id));
    // A notice of the login before may still be on its way.
    const [{ text }] = await Promise.all([
      from.wait((shown) => !known.has(shown.id) && shown.text.includes("/in#")),
      from.command("dashboard"),
    ]);
    return linkIn(text);
  };
  return {
    world,
    chat,
    link,
    get url() {
      return url;
    },
    get browser() {
      return opened();
    },
    async logIn({ as = chat, ...tab } = {}) {
      const page = await opened().open(tab);
      await logInWith(page, await link(as));
      return page;
    },
  };
}
