import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Button } from "../../../src/core/outbox.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { commandIn, localeFor } from "../../../src/locales/locale-for.ts";
import { botFor, eventually, started, TestIngress, type Started } from "./harness.ts";

const specs = allCommands.map(({ spec }) => spec);
const locale = localeFor("en", "discord");
/** Sends a text as it is. */
async function say(
  { bot, channel, discord }: Pick<Started, "bot" | "channel" | "discord">,
  text: string,
  buttons: readonly Button[] = [],
): Promise<string> {
  const address = { platform: "discord", bot: discord.botUserId, chat: channel.id } as const;
  const nonce = randomUUID().slice(0, 25);
  const sent = await bot.sender.send(address, { text }, { nonce, final: true, buttons });
  expect(sent.type).toBe("sent");
  return discord.messages(channel).at(-1)?.content ?? "";
}

const refusal = locale.ingress.notAllowedInGroup;

test("commands in the bot's words are mentions of those that are registered", async () => {
  await using here = await started({ deps: { commands: specs } });
  const { ann, channel, ingress, discord, bot } = here;
  const { id } = discord.commands().find(({ name }) => name === "admin") ?? {};
  ingress.answer = () => ({ type: "answered", text: refusal, isPrivate: true });
  const shown = await ann.slash(channel, "status").response("Sorry");
  expect(shown.content).toContain(`with </admin allow:${id}> place:here.`);
  const every = specs.map(({ name }) => commandIn(locale, `/${name}`)).join(" ");
  for (const { text } of bot.sender.plain(every)) await say(here, text);
  const [marked] = bot.sender.plain(commandIn(locale, "/stats"));
  expect(JSON.stringify(discord.messages(channel))).not.toMatch(/\u2063|0{20}/);
  await say(here, marked?.text ?? "", [{ label: commandIn(locale, "/stats"), data: "x" }]);
  const [last] = discord.messages(channel).slice(-1);
  expect(JSON.stringify(last?.components)).toContain('"/admin stats"');
  expect(discord.violations).toEqual([]);
});

test("a bot that finds its commands registered knows them, and names them before that", async () => {
  await using here = await started({ deps: { commands: specs } });
  const { discord, registration } = here;
  const ingress = new TestIngress();
  const { bot } = botFor(discord, ingress, { commands: specs, registration });
  const refuse = async (): Promise<string> =>
    await say({ ...here, bot }, bot.sender.plain(refusal)[0]?.text ?? "");
  expect(await refuse()).toContain("with /admin allow place:here.");
  await bot.start();
  await eventually(refuse).toMatch(/<\/admin allow:\d+> place:here\./);
  expect(discord.commandWrites.put).toBe(1);
  await bot[Symbol.asyncDispose]();
});

test("what is written as a command that isn't registered shows as plain text, which is noted", async () => {
  await using here = await started({ deps: { commands: specs } });
  await say(here, "</admin allow:1>");
  expect(here.discord.violations).toEqual([
    expect.stringContaining("</admin allow:1> names no registered command"),
  ]);
});

test("words of people and models keep what looks like a command", async () => {
  await using here = await started({ deps: { commands: specs } });
  const { bot, discord } = here;
  const chunks = await bot.sender.render("Use `/allow here` or /allow here.");
  expect(chunks.map(({ text }) => text)).toEqual(["Use `/allow here` or /allow here."]);
  const [code] = await bot.sender.render(`\`${commandIn(locale, "/stats")}\``);
  expect(code?.text).toBe("`/admin stats`");
  expect(discord.violations).toEqual([]);
});

test.each([
  ["/allow here", "allow", "here"],
  ["/admin allow here", "allow", "here"],
  ["/admin allow place:here", "allow", "here"],
  [
    "/admin limits-set scope:global metric:cost value:5usd/day",
    "limits",
    "set global cost 5usd/day",
  ],
  ["</admin allow:1234> place:here", "allow", "here"],
  ["/persona pick name:chef", "persona", "chef"],
  ["/memory delete id:k7", "memory", "delete k7"],
  ["/stats", "stats", ""],
])(
  "typed %s is understood in a direct message and with a mention",
  async (text, name, argument) => {
    await using here = await started({ deps: { commands: specs } });
    const { ann, channel, direct, ingress } = here;
    ann.send(channel, text, { mentionsBot: true });
    ann.send(direct, text);
    await eventually(() => ingress.arrived).toMatchObject([
      { type: "command", name, argument },
      { type: "command", name, argument },
    ]);
  },
);
