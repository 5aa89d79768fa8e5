import { DiscordAPIError, HTTPError, PermissionFlagsBits, RateLimitError } from "discord.js";
import { localeFor } from "../../../src/locales/locale-for.ts";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { DiscordBotDeps } from "../../../src/bots/discord/create-discord-bot.ts";
import { outcomeOf } from "../../../src/bots/discord/send/outcome.ts";
import { editedMessage, newMessage } from "../../../src/bots/discord/send/message-body.ts";
import type { ChatAddress } from "../../../src/core/chat.ts";
import type { OutgoingFile, SendOutcome } from "../../../src/core/ports.ts";
import type { Decoration } from "../../../src/core/refusal.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { scene } from "../../emulators/discord/scene.ts";
import { botFor, TestIngress } from "./harness.ts";

const options = { nonce: "n1", final: true } as const;
const chunk = { text: "hello" };

/** A bot that only speaks: no gateway. */
async function mouth(deps: Partial<DiscordBotDeps> = {}) {
  const discord = await DiscordServer.start();
  const people = scene(discord);
  const { bot, logged } = botFor(discord, new TestIngress(), deps);
  const at = (chat: string, thread?: string): ChatAddress => ({
    platform: "discord",
    bot: discord.botUserId,
    chat,
    ...(thread === undefined ? {} : { thread }),
  });
  return {
    ...people,
    discord,
    bot,
    sender: bot.sender,
    logged,
    at,
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
}

const idOf = (outcome: SendOutcome): string => {
  if (outcome.type !== "sent") throw new Error(JSON.stringify(outcome));
  return outcome.messageId;
};

const sending = async (
  here: Awaited<ReturnType<typeof mouth>>,
  kind: { type: "delay"; ms: number } | { type: "hang" },
) => {
  const { at, channel, discord, sender } = here;
  discord.inject({ path: /\/messages$/, times: 1, kind });
  const value = await sender.send(at(channel.id), chunk, options);
  return { value, atMs: Date.now() };
};

describe("messages being sent when the end comes", () => {
  test.each([
    ["disposed", false],
    ["stopped, then disposed", true],
  ])("arrive: %s", async (_, stop) => {
    const stopping = new AbortController();
    await using here = await mouth({ signal: stopping.signal });
    const outcome = sending(here, { type: "delay", ms: 600 });
    await here.discord.waitFor(() => here.discord.calls.length > 0, {
      what: "a call",
    });
    if (stop) stopping.abort();
    await here.bot[Symbol.asyncDispose]();
    expect((await outcome).value).toMatchObject({ type: "sent" });
  });

  test.each([
    ["disposed", false],
    ["stopped, then disposed", true],
  ])("are cut off after the grace: %s", async (_, stop) => {
    const stopping = new AbortController();
    await using here = await mouth({
      signal: stopping.signal,
      sendingGraceMs: 300,
    });
    const outcome = sending(here, { type: "hang" });
    await here.discord.waitFor(() => here.discord.calls.length > 0, {
      what: "a call",
    });
    const startedAtMs = Date.now();
    if (stop) stopping.abort();
    await here.bot[Symbol.asyncDispose]();
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
    const { value, atMs } = await outcome;
    expect(value).toMatchObject({ type: "unknown" });
    expect(atMs - startedAtMs).toBeGreaterThanOrEqual(290);
    // A later caller is not kept waiting.
    expect(await here.sender.send(here.at(here.channel.id), chunk, options)).toMatchObject({
      type: "unknown",
    });
  });

  test("are cut off by the signal alone, too", async () => {
    const stopping = new AbortController();
    await using here = await mouth({
      signal: stopping.signal,
      sendingGraceMs: 300,
    });
    const outcome = sending(here, { type: "hang" });
    await here.discord.waitFor(() => here.discord.calls.length > 0, {
      what: "a call",
    });
    stopping.abort();
    expect((await outcome).value).toMatchObject({ type: "unknown" });
  });
});

describe("the sender", () => {
  test("writes to channels, threads and direct messages, without a ping or a preview", async () => {
    await using here = await mouth();
    const { ann, at, channel, direct, discord, guild, sender } = here;
    const thread = guild.thread(channel, "aside");
    const question = ann.send(channel, "hi");
    const text = `@everyone ${ann.mention} https://a.b`;
    await sender.send(
      at(channel.id),
      { text },
      { nonce: "1", final: true, silent: true, replyTo: question.id },
    );
    await sender.send(at(channel.id, thread.id), chunk, {
      nonce: "2",
      final: true,
    });
    await sender.send(at(direct.id), chunk, { nonce: "3", final: true });
    const answer = discord.messages(channel)[1];
    expect(answer).toMatchObject({
      content: text,
      mentions: [],
      referenceId: question.id,
      flags: 4 | (1 << 12),
    });
    expect(discord.messages(thread)[0]?.content).toBe("hello");
    expect(discord.messages(direct)[0]).toMatchObject({
      content: "hello",
      flags: 4,
    });
    expect(discord.violations).toEqual([]);
  });

  test("sends once however often it is asked to, and answers a message that is gone as if it were not there", async () => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    const first = await sender.send(at(channel.id), chunk, {
      ...options,
      replyTo: channel.id,
    });
    const again = await sender.send(at(channel.id), chunk, options);
    expect(idOf(again)).toBe(idOf(first));
    expect(discord.messages(channel)).toHaveLength(1);
  });

  test.each([
    ["below its words", "hello", 0],
    ["on a button, where there is no room", "x".repeat(1_990), 1],
    ["alone, where there are no words", "", 0],
  ])("says of a repetition that it is one: %s", async (_, text, rows) => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    const file = {
      name: "a.md",
      mediaType: "text/markdown",
      bytes: Buffer.from("x"),
    };
    const again = { ...options, repeated: true };
    const outcome = await (text === ""
      ? sender.sendFile(at(channel.id), file, again)
      : sender.send(at(channel.id), { text }, again));
    expect(outcome.type).toBe("sent");
    const [message] = discord.messages(channel);
    const { content, components } = message ?? {};
    expect(content).toMatch(new RegExp(`^${text}`));
    expect(JSON.stringify([content, components])).toContain("sent again");
    const { sentAgain } = localeFor("ru").delivery;
    const { content: inRussian, components: below } = newMessage(
      { text },
      { ...again, language: "ru" },
    );
    expect(JSON.stringify([inRussian, below])).toContain(sentAgain);
    expect(components ?? []).toHaveLength(rows);
    expect(discord.violations).toEqual([]);
  });

  test("has room for all buttons of a card of eight calls", () => {
    const pairs = Array.from({ length: 8 }, (_, at) => [`a:${at}`, `d:${at}`]);
    const all = ["aa:0", "da:0", ...pairs.flat(), "es:0", "v:0"];
    const { components = [] } = newMessage(chunk, {
      ...options,
      buttons: all.map((data) => ({ label: data, data })),
    });
    const rows = components.map((row) =>
      "components" in row
        ? row.components.map((each) => ("custom_id" in each ? each.custom_id : ""))
        : [],
    );
    expect(rows[0]).toEqual(["aa:0", "da:0", "es:0", "v:0"]);
    expect(rows[4]).toEqual(["a:6", "d:6", "a:7", "d:7"]);
    expect(rows.flat()).toHaveLength(all.length);
  });

  test("replaces text and buttons", async () => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    const buttons = [
      { label: "Approve", data: "a:1" },
      { label: "Deny", data: "d:1" },
    ];
    const id = idOf(await sender.send(at(channel.id), chunk, { ...options, buttons }));
    expect(JSON.stringify(discord.messages(channel)[0]?.components)).toContain('"a:1"');
    expect(await sender.edit(at(channel.id), id, { text: "done" }, { final: true })).toEqual({
      type: "sent",
      messageId: id,
    });
    expect(discord.messages(channel)[0]).toMatchObject({
      content: "done",
      components: [],
    });
    expect(discord.violations).toEqual([]);
  });

  test("does not wait for a rate limit, nor send again by itself", async () => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    discord.inject({
      method: "POST",
      times: 1,
      kind: { type: "status", code: 429, retryAfterSeconds: 120 },
    });
    const outcome = await sender.send(at(channel.id), chunk, options);
    expect(outcome).toMatchObject({ type: "retry" });
    expect(outcome.type === "retry" && outcome.retryAfterMs).toBeGreaterThanOrEqual(120_000);
    expect(discord.calls).toHaveLength(1);
  });

  test.each([
    ["a 5xx", { type: "status", code: 503 }],
    ["a line cut before the answer", { type: "hang-up-after" }],
    ["an answer that is none", { type: "garbage" }],
  ] as const)(
    "does not know what became of a message after %s, and edits again",
    async (_name, kind) => {
      await using here = await mouth();
      const { at, channel, discord, sender } = here;
      discord.inject({ method: "POST", times: 1, kind });
      expect(await sender.send(at(channel.id), chunk, options)).toMatchObject({
        type: "unknown",
      });
      const id = idOf(await sender.send(at(channel.id), chunk, options));
      expect(discord.messages(channel)).toHaveLength(1);
      discord.inject({ method: "PATCH", times: 1, kind });
      expect(await sender.edit(at(channel.id), id, chunk, { final: true })).toMatchObject({
        type: "retry",
      });
    },
  );

  test("knows what will never work", async () => {
    await using here = await mouth();
    const { ann, at, channel, direct, discord, guild, logged, sender } = here;
    const send = (chat: string) => sender.send(at(chat), chunk, { nonce: chat, final: true });
    const hers = ann.send(channel, "mine");
    expect(await sender.edit(at(channel.id), hers.id, chunk, { final: true })).toMatchObject({
      type: "gone",
    });
    expect(
      await sender.edit(at(channel.id), "123456789012345678", chunk, {
        final: true,
      }),
    ).toMatchObject({ type: "gone" });
    expect(await sender.send(at(channel.id), { text: "x".repeat(2_001) }, options)).toMatchObject({
      type: "refused",
    });
    guild.denyBot(channel, PermissionFlagsBits.SendMessages);
    const refused = await send(channel.id);
    expect(refused).toMatchObject({ type: "refused" });
    expect(refused).not.toHaveProperty("isChatDead");
    const dead = { type: "refused", isChatDead: true };
    guild.denyBot(channel, PermissionFlagsBits.ViewChannel);
    expect(await send(channel.id)).toMatchObject(dead);
    guild.removeChannel(channel);
    expect(await send(channel.id)).toMatchObject(dead);
    ann.block();
    expect(await send(direct.id)).toMatchObject(dead);
    expect(logged()).not.toContain(discord.token);
  });

  test("comes back from a 401, which discord.js' REST does not", async () => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    discord.inject({ times: 1, kind: { type: "status", code: 401 } });
    expect(await sender.send(at(channel.id), chunk, options)).toMatchObject({
      type: "retry",
    });
    expect(await sender.send(at(channel.id), chunk, options)).toMatchObject({
      type: "sent",
    });
  });

  test("shows typing, and does not mind when it cannot", async () => {
    await using here = await mouth();
    const { at, channel, discord, sender } = here;
    await sender.typing(at(channel.id));
    expect(discord.typing).toHaveLength(1);
    discord.inject({
      path: /typing$/,
      times: 1,
      kind: { type: "status", code: 500 },
    });
    await sender.typing(at(channel.id));
    await sender.typing(at("123456789012345678"));
  });
});

const notes: OutgoingFile = {
  name: "notes.md",
  mediaType: "text/markdown",
  bytes: Buffer.from("# Notes\n"),
};

describe("a file", () => {
  test("is one attachment, with its type, its words, and no ping", async () => {
    await using here = await mouth();
    const { ann, at, channel, discord, guild, sender } = here;
    const thread = guild.thread(channel, "aside");
    const question = ann.send(channel, "everything, please");
    const caption = { text: `@everyone ${ann.mention}` };
    await sender.sendFile(
      at(channel.id),
      { ...notes, caption },
      { ...options, replyTo: question.id, silent: true },
    );
    await sender.sendFile(at(channel.id, thread.id), notes, {
      nonce: "n2",
      final: true,
    });
    const [, answer] = discord.messages(channel);
    expect(answer).toMatchObject({
      content: caption.text,
      mentions: [],
      referenceId: question.id,
      nonce: "n1",
      flags: 4 | (1 << 12),
      attachments: [{ name: "notes.md", contentType: "text/markdown" }],
    });
    expect(discord.messages(thread)[0]).toMatchObject({
      content: "",
      attachments: [{ name: "notes.md" }],
    });
    const [call] = discord.calls;
    expect(call?.files).toEqual(["notes.md"]);
    expect(call?.body).toMatchObject({ nonce: "n1", enforce_nonce: true });
    expect(discord.violations).toEqual([]);
  });

  test("that the platform will never take is refused", async () => {
    await using here = await mouth();
    const { at, channel, discord, guild, sender } = here;
    const bytes = Buffer.alloc(10 * 1_048_576 + 1);
    expect(await sender.sendFile(at(channel.id), { ...notes, bytes }, options)).toMatchObject({
      type: "refused",
      cause: expect.stringContaining("40005") as string,
    });
    guild.denyBot(channel, PermissionFlagsBits.AttachFiles);
    expect(await sender.sendFile(at(channel.id), notes, options)).toMatchObject({
      type: "refused",
      cause: expect.stringContaining("50013") as string,
    });
    // Words can still be said.
    expect(await sender.send(at(channel.id), chunk, options)).toMatchObject({
      type: "sent",
    });
    expect(discord.messages(channel)).toHaveLength(1);
  });

  test("may take longer than words", async () => {
    await using here = await mouth({ sendingGraceMs: 100 });
    const { at, bot, channel, direct, discord, sender } = here;
    discord.inject({ times: 2, kind: { type: "hang" } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const file = sender.sendFile(at(channel.id), notes, options);
    try {
      const words = sender.send(at(direct.id), chunk, options);
      await expect.poll(() => discord.calls.length).toBe(2);
      vi.advanceTimersByTime(60_000);
      expect((await words).type).toBe("unknown");
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      const early = await Promise.race([file, Promise.resolve("under way")]);
      expect(early).toBe("under way");
    } finally {
      vi.useRealTimers();
    }
    // Its own end is not timed here, but the process's is also its.
    await bot[Symbol.asyncDispose]();
    expect((await file).type).toBe("unknown");
  });
});

const network = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const limited = (global: boolean) =>
  new RateLimitError({
    timeToReset: 1,
    limit: 1,
    method: "POST",
    hash: "",
    url: "",
    route: "",
    majorParameter: "",
    global,
    retryAfter: 1_500,
    sublimitTimeout: 0,
    scope: "user",
  });

describe("outcomes", () => {
  const body = { files: undefined, body: undefined };
  const refusal = (status: number, code: number, message = "no", errors: object = {}) =>
    new DiscordAPIError(
      { code, message, errors: errors as never },
      code,
      status,
      "POST",
      "/x",
      body,
    );
  const timeout = Object.assign(new Error("This operation was aborted"), {
    name: "AbortError",
  });

  test.each<[unknown, SendOutcome["type"], SendOutcome["type"]]>([
    [limited(false), "retry", "retry"],
    [limited(true), "retry", "retry"],
    [new HTTPError(502, "Bad Gateway", "POST", "/x", body), "unknown", "retry"],
    [network("ECONNREFUSED"), "retry", "retry"],
    [network("ENOTFOUND"), "retry", "retry"],
    [network("EAI_AGAIN"), "retry", "retry"],
    [network("UND_ERR_CONNECT_TIMEOUT"), "retry", "retry"],
    [new TypeError("fetch failed", { cause: network("ECONNREFUSED") }), "retry", "retry"],
    [network("ECONNRESET"), "unknown", "retry"],
    [network("UND_ERR_SOCKET"), "unknown", "retry"],
    [timeout, "unknown", "retry"],
    ["nonsense", "unknown", "retry"],
    [refusal(404, 10_003), "refused", "refused"],
    [refusal(404, 10_004), "refused", "refused"],
    [refusal(404, 10_008), "refused", "gone"],
    [refusal(403, 50_001), "refused", "refused"],
    [refusal(403, 50_005), "refused", "gone"],
    [refusal(400, 50_006), "refused", "refused"],
    [refusal(403, 50_007), "refused", "refused"],
    [refusal(403, 50_013), "refused", "refused"],
    [refusal(400, 50_035), "refused", "refused"],
    [refusal(400, 50_083), "refused", "gone"],
    [refusal(400, 30_046), "retry", "retry"],
    [refusal(401, 0), "retry", "retry"],
    [refusal(429, 40_062), "retry", "retry"],
    [refusal(503, 130_000), "retry", "retry"],
  ])("%s", (failure, onSend, onEdit) => {
    expect(outcomeOf(failure, "send").type).toBe(onSend);
    expect(outcomeOf(failure, "edit").type).toBe(onEdit);
  });

  // Discord's docs, Opcodes and Status Codes, JSON: limits and faults that pass.
  test.each([
    [403, 40_333],
    [403, 20_016],
    [400, 20_022],
    [403, 20_028],
    [403, 20_029],
    [400, 40_003],
    [403, 40_004],
    [403, 40_006],
    [400, 40_062],
    [400, 110_001],
    [400, 130_000],
    [400, 200_002],
  ])("%i %i passes", (status, code) => {
    expect(outcomeOf(refusal(status, code), "send").type).toBe("retry");
    expect(outcomeOf(refusal(status, code), "edit").type).toBe("retry");
  });

  test("of a server's fault with a code leave it unknown whether it was sent", () => {
    expect(outcomeOf(refusal(500, 0), "send").type).toBe("unknown");
    expect(outcomeOf(refusal(500, 0), "edit").type).toBe("retry");
  });

  const has: ReadonlySet<Decoration> = new Set(["file", "reply", "flags", "buttons"]);

  test.each([
    ["reply", 403, 160_002, {}],
    ["reply", 403, 160_009, {}],
    ["reply", 404, 10_008, {}],
    [
      "reply",
      400,
      50_035,
      { message_reference: { _errors: [{ code: "REPLIES_UNKNOWN_MESSAGE" }] } },
    ],
    ["buttons", 400, 50_035, { components: { 0: { components: {} } } }],
    ["file", 413, 40_005, {}],
    ["file", 400, 50_035, { attachments: {} }],
    ["flags", 400, 50_035, { flags: {} }],
    // No one knows what it is about: the first part goes first.
    ["file", 400, 50_035, {}],
    ["file", 400, 0, {}],
  ])("name the %s: %i %i %j", (about, status, code, errors) => {
    expect(outcomeOf(refusal(status, code, "no", errors), "send", has)).toMatchObject({
      type: "refused",
      about,
    });
  });

  test.each([
    ["closed", 403, 160_005],
    ["closed", 400, 50_083],
    ["moderated", 400, 200_000],
    ["moderated", 400, 200_001],
    ["moderated", 400, 240_000],
    ["forbidden", 403, 50_001],
    ["forbidden", 403, 50_013],
    ["blocked", 403, 50_007],
    ["blocked", 403, 50_278],
    ["gone", 404, 10_003],
  ])("of everything are %s: %i %i", (reason, status, code) => {
    const outcome = outcomeOf(refusal(status, code), "send", has);
    expect(outcome).toMatchObject({ type: "refused", reason });
    expect(outcome).not.toHaveProperty("about");
  });

  test("of the words name no part", () => {
    const outcome = outcomeOf(refusal(400, 50_035, "no", { content: {} }), "send", has);
    expect(outcome).not.toHaveProperty("about");
  });

  test("say when and why", () => {
    expect(outcomeOf(limited(false), "send")).toEqual({
      type: "retry",
      retryAfterMs: 1_500,
      cause: "rate limited",
      throttled: true,
    });
    expect(outcomeOf(limited(true), "edit")).toEqual({
      type: "retry",
      retryAfterMs: 1_500,
      cause: "rate limited, globally",
      throttled: true,
      wholeBot: true,
    });
    expect(outcomeOf(refusal(400, 50_035, "Invalid Form Body"), "send")).toEqual({
      type: "refused",
      cause: "400 50035 Invalid Form Body",
    });
  });
});

describe("bodies", () => {
  test("carry the nonce, ping no one, and dress the buttons by what they do", () => {
    const labels = ["Approve", "Deny", "Other", "x".repeat(90), "5", "6"];
    const data = ["a:x", "pd:x", "t:x", "4", "5", "6"];
    const buttons = labels.map((label, index) => ({
      label,
      data: data[index] ?? "",
    }));
    const body = newMessage({ text: "t" }, { ...options, replyTo: "9", buttons });
    expect(body).toMatchObject({
      content: "t",
      nonce: "n1",
      enforce_nonce: true,
      allowed_mentions: { parse: [], replied_user: false },
      message_reference: { message_id: "9", fail_if_not_exists: false },
      components: [
        {
          components: [
            { style: 3, custom_id: "a:x" },
            { style: 4 },
            { style: 2 },
            { label: `${"x".repeat(79)}…` },
            {},
          ],
        },
        { components: [{ label: "6" }] },
      ],
    });
    const { components = [] } = editedMessage(
      { text: "t" },
      {
        buttons: ["aa", "da", ...Array<string>(8).fill("a"), "d"].map((kind) => ({
          label: kind,
          data: `${kind}:x`,
        })),
      },
    );
    // Those for all of a card have a row of their own.
    expect(
      (components ?? []).map((row) => ("components" in row ? row.components.length : 0)),
    ).toEqual([2, 4, 4, 1]);
    expect(editedMessage({ text: "t" }, {})).toEqual({
      content: "t",
      allowed_mentions: { parse: [], replied_user: false },
      components: [],
    });
  });
});
