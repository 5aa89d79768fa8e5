import type { Message, Update } from "@grammyjs/types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/inbound.ts";
import type { Webhook } from "../../../src/core/ports.ts";
import { contents, readable, unreadable } from "./payloads/contents.ts";
import {
  anna,
  basicGroup,
  channel,
  channelBot,
  deleted,
  group,
  groupAnonymousBot,
  otherBot,
  privateChat,
  self,
  telegramItself,
} from "./payloads/people.ts";
import { updates } from "./payloads/updates.ts";
import { Scene } from "./support.ts";

/** Token of the bot that the payloads were made for. */
const token = "700:AAHfixtures_that_are_real_in_shape_000";

/** What the bot made of an update. */
interface Outcome {
  readonly accepted: readonly Inbound[];
  /** Sentences with which attachments were refused. */
  readonly refusals: readonly string[];
}

/**
 * One bot for all, which is posted to: whatever happens to it must not keep it from the next
 * update.
 */
class Adapter implements AsyncDisposable {
  readonly scene: Scene;
  readonly #webhook: Webhook;
  #nextId = 1_000;

  private constructor(scene: Scene, webhook: Webhook) {
    this.scene = scene;
    this.#webhook = webhook;
  }

  static async open(): Promise<Adapter> {
    const scene = await Scene.open({
      token,
      botUsername: "parley_bot",
      privacyMode: false,
    });
    const receiving = {
      mode: "webhook",
      url: "http://127.0.0.1:9/telegram",
      secret: "secret",
    } as const;
    const bot = scene.createBot({ receiving });
    await bot.start();
    if (bot.webhook === undefined) throw new Error("nobody listens");
    return new Adapter(scene, bot.webhook);
  }

  /**
   * Delivers it and waits until it is dealt with; no one was told anything about it by the adapter
   * itself.
   */
  async take(content: Omit<Update, "update_id">): Promise<Outcome> {
    const { scene } = this;
    const before = scene.script.accepted.length;
    this.#nextId += 1;
    const update = { ...content, update_id: this.#nextId };
    expect(await this.#webhook.handle(JSON.stringify(update))).toEqual({
      status: 200,
    });
    const accepted = scene.script.accepted.slice(before);
    const signal = new AbortController().signal;
    const attachments = accepted.flatMap((inbound) =>
      inbound.type === "message" ? (inbound.attachments ?? []) : [],
    );
    const refusals: string[] = [];
    for (const { fetch, mediaType } of attachments)
      if (mediaType === "application/octet-stream")
        await fetch({ maxBytes: 1, signal }).catch((error: Error) => refusals.push(error.message));
    return { accepted, refusals };
  }

  /** A message of Anna's to the bot alone, unless the fields say otherwise. */
  async takeMessage(fields: Partial<Message>): Promise<Outcome> {
    const message = {
      message_id: this.#nextId,
      date: 1_700_000_000,
      chat: privateChat,
      from: anna,
      ...fields,
    };
    return await this.take({
      message: message as NonNullable<Update["message"]>,
    });
  }

  /** What it has said by itself, and what it could not bear. */
  get said() {
    const { telegram, log } = this.scene;
    const sends = telegram.calls.filter(({ method }) =>
      /^(?:send|edit|delete|forward|copy|getFile|download)/i.test(method),
    );
    return {
      sends: sends.map(({ method }) => method),
      problems: log.filter(({ level }) => level >= 40).map(({ msg }) => msg),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.scene[Symbol.asyncDispose]();
  }
}

const kindsOf = ({ accepted }: Outcome): readonly string[] =>
  accepted.map((inbound) => (inbound.type === "command" ? `/${inbound.name}` : inbound.type));

const quiet = { sends: [], problems: [] };

describe("an update of every kind", () => {
  it("is taken, refused or left alone, and none is answered by mistake", async () => {
    await using adapter = await Adapter.open();
    const meant: Readonly<Partial<Record<keyof Update, readonly string[]>>> = {
      message: ["/help"],
      edited_message: ["edit"],
      callback_query: ["tap"],
      stopped_message_generation: ["/stop"],
    };
    for (const [kind, content] of Object.entries(updates)) {
      const outcome = await adapter.take({ [kind]: content });
      expect(kindsOf(outcome), kind).toEqual(meant[kind as keyof Update] ?? []);
    }
    expect(await adapter.take({ telepathy: {} } as never)).toEqual({
      accepted: [],
      refusals: [],
    });
    // Telegram does not know the tap; that it was answered is what counts.
    expect(adapter.said).toEqual({
      sends: [],
      problems: ["a tap could not be answered"],
    });
    expect(adapter.scene.telegram.callsOf("answerCallbackQuery")).toHaveLength(1);
  });
});

const isReadable = (kind: string): boolean => readable.some((each) => each === kind);
const wordFor = (kind: string): string | undefined =>
  new Map<string, string>(Object.entries(unreadable)).get(kind);

describe("a message of every kind", () => {
  it("is read, refused with a sentence of its own, or left alone in a private chat", async () => {
    await using adapter = await Adapter.open();
    for (const [kind, content] of Object.entries(contents)) {
      const outcome = await adapter.takeMessage(content);
      const word = wordFor(kind);
      const isMeant = isReadable(kind) || word !== undefined;
      expect(kindsOf(outcome), kind).toEqual(isMeant ? ["message"] : []);
      expect(outcome.refusals, kind).toEqual(
        word === undefined ? [] : [expect.stringContaining(word)],
      );
    }
    expect(new Set(Object.values(unreadable)).size).toBe(Object.keys(unreadable).length);
    expect(adapter.said).toEqual(quiet);
  });

  it("is neither answered nor refused in a group where it does not address the bot", async () => {
    await using adapter = await Adapter.open();
    for (const [kind, content] of Object.entries(contents))
      for (const chat of [group, basicGroup]) {
        const { accepted, refusals } = await adapter.takeMessage({
          ...content,
          chat,
        });
        expect(refusals, kind).toEqual([]);
        expect(accepted, kind).toMatchObject(
          isReadable(kind) ? [{ type: "message", isAddressed: false }] : [],
        );
      }
    expect(adapter.said).toEqual(quiet);
  });

  it("is left alone where a bot sends it, whatever it replies to", async () => {
    await using adapter = await Adapter.open();
    const ours = { message_id: 3, date: 1, chat: group, from: self, text: "a" };
    const text = { text: "/help@parley_bot" };
    for (const [kind, content] of Object.entries({ ...contents, text }))
      for (const chat of [group, privateChat]) {
        if (kind.startsWith("migrate")) continue;
        const reply_to_message = ours as never;
        const fields = { ...content, chat, from: otherBot, reply_to_message };
        expect(await adapter.takeMessage(fields), kind).toEqual({
          accepted: [],
          refusals: [],
        });
      }
    expect(adapter.said).toEqual(quiet);
  });

  it("tells of a group that became a supergroup, and of nothing else", async () => {
    await using adapter = await Adapter.open();
    await adapter.takeMessage({
      ...contents.migrate_to_chat_id,
      chat: basicGroup,
      from: groupAnonymousBot,
    });
    await adapter.takeMessage({
      ...contents.migrate_from_chat_id,
      chat: group,
      from: groupAnonymousBot,
    });
    expect(adapter.scene.moves.all).toEqual([
      ["-300", "-1000000000300"],
      ["-299", String(group.id)],
    ]);
    expect(adapter.said).toEqual(quiet);
  });
});

describe("a message of every origin", () => {
  const addressed = {
    text: "@parley_bot hi",
    entities: [{ type: "mention", offset: 0, length: 11 }],
  } as const satisfies Partial<Message>;
  const inGroup = { ...addressed, chat: group } as const;
  let adapter: Adapter;
  beforeAll(async () => {
    adapter = await Adapter.open();
  });
  afterAll(() => adapter[Symbol.asyncDispose]());

  it.each<[string, object, readonly string[]]>([
    ["a member", inGroup, ["message"]],
    ["a deleted account", { ...inGroup, from: deleted }, ["message"]],
    [
      "an anonymous admin",
      { ...inGroup, from: groupAnonymousBot, sender_chat: group },
      ["message"],
    ],
    [
      "a channel that speaks in a group",
      { ...inGroup, from: channelBot, sender_chat: channel },
      ["message"],
    ],
    ["a member, via another bot", { ...inGroup, via_bot: otherBot }, ["message"]],
    ["a member, via the bot itself", { ...inGroup, via_bot: self }, []],
    ["another bot", { ...inGroup, from: otherBot }, []],
    ["the bot itself", { ...inGroup, from: self }, []],
    [
      "a channel, whose post is copied into its group",
      {
        ...inGroup,
        from: telegramItself,
        sender_chat: channel,
        is_automatic_forward: true,
        forward_origin: {
          type: "channel",
          chat: channel,
          message_id: 3,
          date: 1,
        },
      },
      [],
    ],
    [
      "a channel's own direct messages",
      {
        ...addressed,
        chat: { ...group, is_direct_messages: true },
        direct_messages_topic: { topic_id: 1, user: anna },
      },
      [],
    ],
    ["a channel", { ...addressed, chat: channel, from: undefined }, []],
    [
      "somebody who forwards a user's command",
      {
        text: "/help",
        forward_origin: { type: "user", sender_user: anna, date: 1 },
      },
      ["message"],
    ],
    [
      "somebody who forwards a chat's post",
      {
        text: "/help",
        forward_origin: { type: "chat", sender_chat: group, date: 1 },
      },
      ["message"],
    ],
    [
      "nobody can tell who, forwarded",
      {
        text: "/help",
        forward_origin: {
          type: "hidden_user",
          sender_user_name: "Zoe",
          date: 1,
        },
      },
      ["message"],
    ],
    [
      "somebody who replies to a story",
      { text: "nice", reply_to_story: { chat: channel, id: 1 } },
      ["message"],
    ],
    [
      "somebody with all that a message may say",
      {
        text: "hi",
        sender_tag: "boss",
        sender_boost_count: 1,
        has_protected_content: true,
        is_from_offline: true,
        effect_id: "1",
        paid_star_count: 1,
        link_preview_options: { is_disabled: true },
        reply_markup: { inline_keyboard: [] },
        show_caption_above_media: true,
        has_media_spoiler: true,
      },
      ["message"],
    ],
    [
      "somebody only the bot sees",
      {
        ...inGroup,
        message_id: 0,
        ephemeral_message_id: 1,
        receiver_user: self,
      },
      [],
    ],
  ])("%s", async (_, fields, expected) => {
    expect(kindsOf(await adapter.takeMessage(fields))).toEqual(expected);
    expect(adapter.said).toEqual(quiet);
  });
});
