import { expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();

/** Long enough for several messages on either platform, and no file. */
const length = 9_000;
/** Telegram cannot tell a repetition, so that what may be one says so. */
const label = "(sent again; you may see this twice)";

/**
 * The first message of a chat goes through, the next ones are held back. `held` counts these,
 * `free` lets later ones pass.
 */
function holdBackFromSecond(chat: TestChat) {
  if (chat.platform === "telegram") {
    const { server } = world.telegram;
    const chatId = Number(chat.personId.split(":")[1]);
    const rule = { method: "sendMessage", chatId };
    server.inject({ ...rule, kind: { type: "delay", ms: 0 } });
    const holding = server.inject({
      ...rule,
      times: Infinity,
      kind: { type: "hang" },
    });
    return { held: () => holding.hits.length, free: () => holding.remove() };
  }
  const { server } = world.discord;
  const rule = { method: "POST", path: /^\/channels\/\d+\/messages$/ };
  server.inject({ ...rule, times: 1, kind: { type: "delay", ms: 0 } });
  const holding = server.inject({
    ...rule,
    times: Infinity,
    kind: { type: "hang" },
  });
  return { held: () => holding.used, free: () => server.clearInjections() };
}

const wordsOf = (chat: TestChat): string[] =>
  chat
    .shown()
    .map(({ text }) => text.replace(label, "").trim())
    .join(" ")
    .split(/\s+/);

it.each(world.stages)(
  "a kill between two chunks goes on at the next one, on $name",
  async (stage) => {
    const first = world.start({ environment: world.environment });
    await first.ready();
    await stage.connected();
    const chat = stage.direct("Ann");
    const back = holdBackFromSecond(chat);
    chat.say(`long ${length}`);
    await expect.poll(back.held, { timeout: timeoutMs }).toBe(1);
    const [begun] = chat.shown();
    expect(chat.shown()).toHaveLength(1);
    await first.kill("SIGKILL");
    back.free();
    const second = world.start({ environment: world.environment });
    await second.ready();
    await world.delivered();
    const shown = chat.shown();
    // What was there already stays as it is, and nothing comes twice.
    expect(shown[0]?.id).toBe(begun?.id);
    expect(shown.length).toBeGreaterThan(1);
    const words = wordsOf(chat);
    expect(words.slice(0, 1_500)).toEqual(
      Array.from({ length: 1_500 }, (_, index) => String(index + 1)),
    );
    expect(words.join(" ").length).toBeGreaterThan(length - shown.length);
    expect(shown.filter(({ text }) => text.includes(label)).length).toBe(
      stage.name === "telegram" ? 1 : 0,
    );
    await second.kill();
  },
);
