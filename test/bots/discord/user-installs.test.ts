import { describe, expect, test } from "vitest";
import type { InboundMessage } from "../../../src/core/inbound.ts";
import type { DiscordBotDeps } from "../../../src/bots/discord/create-discord-bot.ts";
import { chatKey, type ChatAddress } from "../../../src/core/chat.ts";
import { Access, type AccessSettings } from "../../../src/access/access.ts";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createUserInstalls } from "../../../src/store/people/user-installs.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { answer, deliverAll, deliveryDeps } from "../../delivery/support.ts";
import { eventually, started, store, type Started } from "./harness.ts";

const settings = {
  messageContent: false,
  shards: "auto",
  userInstall: true,
} as const;

/** Ann, who has the bot as an app of her own, on a server that it has not joined. */
async function abroad(deps: Partial<DiscordBotDeps> = {}) {
  const here = await started({ deps: { settings, ...deps } });
  const { discord, ann, ben, bot } = here;
  const server = discord.guild({
    name: "Elsewhere",
    owner: ben,
    members: [ann],
    withoutBot: true,
  });
  const far = server.textChannel("far");
  ann.install();
  const address: ChatAddress = {
    platform: "discord",
    bot: discord.botUserId,
    chat: `visit-${ann.id}-${far.id}`,
  };
  /** Sends as a delivery does. */
  const say = (text: string, more: { replyTo?: string } = {}) =>
    bot.sender.send(address, { text }, { nonce: text, final: true, ...more });
  return {
    ...here,
    server,
    far,
    address,
    say,
    /** `/ask`, and the message that ingress was given. */
    async ask(question: string) {
      const slash = ann.slash(far, "ask", { question });
      await slash.response(`> ${question}`);
      const inbound = here.ingress.arrived.at(-1) as InboundMessage;
      return { slash, inbound };
    },
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
}

const never = () => new Promise<never>(() => undefined);

const hers = ({ ann, far }: Started & { far: { id: string } }) =>
  ann.messages(far).map(({ content, ephemeralFor }) => ({
    content,
    isHers: ephemeralFor === ann.id,
  }));

describe("where the bot is an app of the person's own", () => {
  test("a question is answered by its interaction, for its person alone", async () => {
    await using here = await abroad();
    const { ann, far, discord, address, ingress, bot, server } = here;
    const { inbound } = await here.ask("What is it?");
    expect(inbound).toMatchObject({
      address,
      direct: false,
      person: { id: `discord:${ann.id}` },
    });
    // Places may be banned where the bot is not a member, too.
    expect(inbound).toHaveProperty("guild", server.id);
    await bot.sender.typing(address);
    const { messageId } = inbound;
    if (messageId === undefined) throw new Error("no message was answered");
    const first = await here.say("It is", { replyTo: messageId });
    if (first.type !== "sent") throw new Error(first.cause);
    const edited = await bot.sender.edit(
      address,
      first.messageId,
      { text: "It is a cat" },
      { final: true },
    );
    expect(edited).toEqual(first);
    // What goes on behind it has no message to answer.
    await here.say("named Tom");
    expect(hers(here)).toEqual([
      { content: "> What is it?", isHers: true },
      { content: "It is a cat", isHers: true },
      { content: "named Tom", isHers: true },
    ]);
    expect(ingress.arrived).toHaveLength(1);
    expect(discord.calls.filter(({ path }) => path.includes(`/channels/${far.id}`))).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  test("what comes later, or is one too many, comes in a direct message", async () => {
    await using here = await abroad();
    const { discord, direct, bot, address } = here;
    const { slash } = await here.ask("Tell me a lot");
    for (let part = 1; part <= 5; part += 1) await here.say(`part ${part}`);
    expect((await here.say("part 6")).type).toBe("sent");
    const shown = () => discord.messages(direct).map(({ content }) => content);
    expect(shown()).toEqual(["part 6"]);
    const last = here.ann.messages(here.far).at(-1);
    discord.expireInteraction(slash.id);
    // There it could not be changed, and would stand beside the whole answer.
    const draft = await bot.sender.send(
      address,
      { text: "half of it" },
      { nonce: "draft", final: false },
    );
    expect(draft.type).toBe("refused");
    expect((await here.say("much later")).type).toBe("sent");
    expect(shown()).toEqual(["part 6", "much later"]);
    const late = await bot.sender.edit(
      address,
      last?.id ?? "",
      { text: "changed" },
      { final: true },
    );
    expect(late.type).toBe("gone");
    const file = {
      name: "a.md",
      mediaType: "text/markdown",
      bytes: Buffer.from("a"),
    };
    await bot.sender.sendFile(address, file, { nonce: "f", final: true });
    expect(discord.messages(direct).at(-1)?.attachments).toMatchObject([{ name: "a.md" }]);
    expect(discord.violations).toEqual([]);
  });

  test("what may have come twice says so, since nothing tells a repetition there", async () => {
    await using here = await abroad();
    const { address, bot, discord } = here;
    await here.ask("Once?");
    const chat = chatKey(address);
    const outbox = createOutboxStore(store, 6_000);
    const deps = deliveryDeps(outbox, bot.sender);
    await createInbox(store).post(chat, answer("turn-1", "Only once."));
    discord.inject({
      method: "POST",
      path: /^\/webhooks\/\d+\/[^/]+$/,
      times: 1,
      kind: { type: "hang-up-after" },
    });
    await deliverAll(deps, chat);
    // The pause behind it is over.
    await store.redis.hdel(chatKeys(chat).state, "out:notBefore");
    await deliverAll(deps, chat);
    expect(hers(here).map(({ content }) => content)).toEqual([
      "> Once?",
      "Only once.",
      "Only once.\n-# (sent again; you may see this twice)",
    ]);
  });

  test("no one waits there for another's file, or takes back another's question", async () => {
    await using here = await abroad();
    const { ann, ben, far, ingress, address } = here;
    ben.install();
    const fetching = Promise.withResolvers<void>();
    ingress.answer = async (inbound) => {
      if (inbound.type === "command")
        return {
          type: "answered",
          text: `dropped (${String(inbound.dropEarlier?.())})`,
          isPrivate: false,
        };
      if (inbound.type === "message" && inbound.attachments) await fetching.promise;
      return { type: "queued" };
    };
    const file = { name: "a.txt", bytes: Buffer.from("a") };
    const slow = ann.slash(far, "ask", { question: "slow?", file });
    await eventually(() => ingress.texts()).toEqual(["slow?"]);
    await ben.slash(far, "ask", { question: "quick?" }).response("> quick?");
    await ben.slash(far, "stop").response("dropped ()");
    const [question] = ingress.arrived;
    expect(question).toMatchObject({ address });
    expect(question?.dropped?.aborted).toBe(false);
    await ann.slash(far, "stop").response(`dropped (${question?.id})`);
    expect(question?.dropped?.aborted).toBe(true);
    fetching.resolve();
    await slow.acknowledged();
  });

  test("the token is kept no longer than it is good for, whatever it has sent", async () => {
    await using here = await abroad();
    const { discord, address } = here;
    const userInstalls = createUserInstalls(store, discord.botUserId);
    await here.ask("How long?");
    const keyOf = (name: string) => `parley:{cfg}:discord:visit:${discord.botUserId}:${name}`;
    const begun = await userInstalls.find(address.chat);
    // Ten minutes later.
    await userInstalls.begin(address.chat, {
      applicationId: discord.applicationId,
      token: begun?.token ?? "",
      endsAtMs: Date.now() + 4.5 * 60_000,
    });
    const sent = await here.say("So long");
    if (sent.type !== "sent") throw new Error(sent.cause);
    const leftMs = await store.redis.pttl(keyOf(sent.messageId));
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(4.5 * 60_000);
    expect(here.logged()).not.toContain(begun?.token);
  });

  test("a store that does not remember the visit keeps no one waiting", async () => {
    await using here = await abroad({
      userInstalls: { begin: never, remember: never, find: never },
    });
    await here.ask("Anybody there?");
    expect(here.ingress.texts()).toEqual(["Anybody there?"]);
  });

  test.each(["guild", "channel", "thread"])(
    "a ban of the %s holds where the app is used, too",
    async (what) => {
      await using here = await abroad();
      const { ann, server, far, ingress } = here;
      const thread = server.thread(far, "aside");
      const places: Record<string, string> = {
        guild: `discord:guild:${server.id}`,
        channel: `discord:channel:${far.id}`,
        thread: `discord:channel:${thread.id}`,
      };
      ann.slash(thread, "ask", { question: "Here?" });
      await eventually(() => ingress.arrived).toHaveLength(1);
      ann.slash(thread, "status");
      await eventually(() => ingress.arrived).toHaveLength(2);
      const people = createPeopleStore(store);
      const accessOf = (settings: Partial<AccessSettings>) =>
        new Access(people, { mode: "open", admins: [], allow: [], ban: [], ...settings }, () => 0);
      const ban = [places[what] ?? ""];
      for (const inbound of ingress.arrived) {
        const { person } = inbound;
        expect(await accessOf({ ban }).profileOf(person, inbound)).toEqual({
          role: "banned",
          isSilent: true,
          preference: {},
        });
        expect(await accessOf({}).roleOf(person, inbound)).toBe("member");
        const allowlist = { mode: "allowlist", allow: ban } as const;
        expect(await accessOf(allowlist).roleOf(person, inbound)).toBe("guest");
      }
    },
  );

  test("what a button asks is answered there, too", async () => {
    await using here = await abroad();
    const { ann, far, ingress, discord, direct } = here;
    ingress.answer = ({ type }) =>
      type === "tap"
        ? { type: "queued" }
        : {
            type: "answered",
            text: "Try this",
            isPrivate: false,
            buttons: [{ label: "Try", data: "try:1", typed: "/try" }],
          };
    const shown = await ann.slash(far, "status").response("Try this");
    ann.press(far, shown.id, "Try");
    await eventually(() => ingress.texts()).toEqual(["command", "tap"]);
    await here.say("Like this");
    expect(hers(here).at(-1)).toEqual({ content: "Like this", isHers: true });
    expect(discord.messages(direct)).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  test("what only answers works, and the rest says where it does", async () => {
    await using here = await abroad();
    const { ann, ben, far, discord, ingress } = here;
    ingress.answer = (inbound) => ({
      type: "answered",
      text: inbound.type === "command" ? `did ${inbound.name}` : "?",
      isPrivate: false,
    });
    const status = ann.slash(far, "status");
    expect((await status.response("did status")).ephemeralFor).toBe(ann.id);
    // Commands that need a chat are not even offered there.
    expect(() => ann.slash(far, "retry")).toThrow("No command retry");
    expect(() => ben.slash(far, "status")).toThrow("has not installed");
    expect(discord.violations).toEqual([]);
  });

  test("a message there can be asked about", async () => {
    await using here = await abroad();
    const { ann, ben, far, ingress, discord } = here;
    const message = ben.send(far, "E = mc²");
    expect(ingress.arrived).toEqual([]);
    const chosen = ann.menu(far, "Ask about this", message.id);
    await chosen.acknowledged();
    const sent = ann.fillIn(far, chosen, { question: "Is that so?" });
    expect((await sent.response("> Is that so?")).ephemeralFor).toBe(ann.id);
    await eventually(() => ingress.arrived).toHaveLength(1);
    expect(ingress.arrived[0]).toMatchObject({
      address: here.address,
      quote: { text: "E = mc²" },
    });
    expect((await here.say("It is.")).type).toBe("sent");
    expect(hers(here).at(-1)).toEqual({ content: "It is.", isHers: true });
    expect(discord.violations).toEqual([]);
  });

  test("without the setting no one can use it there", async () => {
    await using here = await started();
    const { ann, ben, discord } = here;
    const server = discord.guild({
      name: "Elsewhere",
      owner: ben,
      members: [ann],
      withoutBot: true,
    });
    ann.install();
    const far = server.textChannel("far");
    expect(() => ann.slash(far, "status")).toThrow("No command status");
  });

  test("on a server that it has joined all is as ever", async () => {
    await using here = await abroad();
    const { ann, channel, ingress } = here;
    const slash = ann.slash(channel, "ask", { question: "Here?" });
    const shown = await slash.response("> Here?");
    expect(shown.ephemeralFor).toBeUndefined();
    expect(ingress.arrived[0]?.address.chat).toBe(channel.id);
  });
});
