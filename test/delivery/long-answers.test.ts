import { describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import type { Chunk, Sender } from "../../src/core/ports.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { discordSubject } from "../bots/discord/sender-subject.ts";
import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { leaseMs, newChat, notice, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import { answer, deliverAll, deliveryDeps, draftOf, writeDraft } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

const parts = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(2_500));
const long = parts.join("|");
const file = `[answer.md: ${long}] The full answer is in answer.md.`;

const setup = (options: { deduplicates?: boolean } = {}) => {
  const sender = new ScriptedSender(options);
  const chat = newChat();
  const deps = deliveryDeps(outbox, sender);
  return { sender, chat, deliver: () => deliverAll(deps, chat) };
};

describe("an answer that is too long for messages", () => {
  it("is its beginning and a file with all of it, in its place, of which the first rings", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, { ...answer("turn-1", long), replyTo: "55" });
    await inbox.post(chat, notice("n1", "news"));
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual([parts[0], file, "news"]);
    const [first, second, third] = sender.requests;
    expect(first?.options).toMatchObject({ replyTo: "55", silent: false });
    expect(second?.options).toMatchObject({ silent: true, final: true });
    expect(second?.options).not.toHaveProperty("replyTo");
    expect(third?.options.silent).toBe(false);
  });

  it("has the platform's line with its file, or below its last message", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, answer("turn-1", long, "Cut here."));
    await deliver();
    expect(sender.texts).toEqual([parts[0], `${file}\nCut here.`]);
    sender.refusesFiles = true;
    await inbox.post(chat, answer("turn-2", long, "Cut here."));
    await deliver();
    expect(sender.texts.slice(2)).toEqual([...parts.slice(0, 4), `${parts[4]}(Cut here.)`]);
  });

  it("a line that a draft does not have replaces the draft", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "One, two"));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "One, two", "Cut."));
    await deliver();
    expect(sender.texts).toEqual(["One, two(Cut.)"]);
    expect(sender.requests.map(({ did }) => did)).toEqual(["send", "edit"]);
  });

  it.each([
    ["in four messages", parts.slice(0, 4)],
    ["in many short ones", ["1", "2", "3", "4", "5", "6"]],
  ])("is none where people can read it %s", async (_, texts) => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, answer("turn-1", texts.join("|")));
    await deliver();
    expect(sender.texts).toEqual(texts);
  });

  it("turns the draft into its beginning, which is not edited when it shows that already", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", `${parts[0]}|bb`));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", long));
    await deliver();
    expect(sender.requests.map(({ did }) => did)).toEqual(["send", "send-file"]);
    expect(sender.texts).toEqual([parts[0], file]);
  });

  it("comes in messages, all of them, where the platform takes no file", async () => {
    const { sender, chat, deliver } = setup();
    sender.refusesFiles = true;
    await inbox.post(chat, answer("turn-1", long));
    await deliver();
    expect(sender.texts).toEqual(parts);
  });

  it("goes on in messages where an earlier version has begun so", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, answer("turn-1", long));
    const ledger = { m0: "1", m1: "2", done: "2" };
    await redis.hset(`${chatKeys(chat).sentPrefix}turn-1`, ledger);
    await deliver();
    expect(sender.texts).toEqual(parts.slice(2));
  });

  it("of a million characters is no work", async () => {
    const { sender, chat, deliver } = setup();
    const text = `${"a".repeat(3_000)}|`.repeat(350);
    const rendered: number[] = [];
    const render = sender.render.bind(sender);
    sender.render = (markdown) => {
      rendered.push(markdown.length);
      return render(markdown);
    };
    await inbox.post(chat, answer("turn-1", text));
    await deliver();
    expect(sender.texts[1]).toContain(text);
    expect(Math.max(...rendered)).toBeLessThan(100_000);
  });
});

const platforms = [
  ["Telegram", telegramSubject],
  ["Discord", discordSubject],
] as const;

describe.each(platforms)("on %s", (_, makeSubject) => {
  it("a very long answer arrives as its beginning and as a file that has exactly the model's text", async () => {
    await using subject = await makeSubject();
    const chat = chatKey(subject.address);
    const deps = deliveryDeps(outbox, subject.sender);
    const text = `# Title\n\n${"Some **bold** words. 日本 👩‍👩‍👧\n\n".repeat(900)}The end.`;
    await writeDraft(redis, chat, draftOf("turn-1", text.slice(0, 6_000)));
    await deliverAll(deps, chat);
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", text));
    await expect.poll(() => deliverAll(deps, chat)).toEqual({ type: "done" });
    const [first, second, ...others] = await subject.visible();
    expect(others).toEqual([]);
    expect(first?.text).toMatch(/^(?:# )?Title\n/);
    expect(second?.text).toContain("answer.md");
    expect(second?.file?.name).toBe("answer.md");
    expect(Buffer.from(second?.file?.bytes ?? []).toString()).toBe(text);
  });

  it("a growing answer is edited at most once per interval, and never with unchanged text", async () => {
    await using subject = await makeSubject();
    const chat = chatKey(subject.address);
    let nowMs = 1_000_000;
    const { sender, said } = watched(subject.sender, () => nowMs);
    const deps = deliveryDeps(outbox, sender, { now: () => nowMs });
    const words = "One two three four five six seven eight nine ten.".split(" ");
    for (let count = 1; count <= words.length; count += 1) {
      const text = words.slice(0, count).join(" ");
      await writeDraft(redis, chat, draftOf("turn-1", text, count));
      for (const stepMs of [0, 400, 400]) {
        nowMs += stepMs;
        await deliverAll(deps, chat);
      }
    }
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", words.join(" ")));
    await deliverAll(deps, chat);
    const previews = said.filter(({ final }) => !final);
    expect(previews.length).toBeGreaterThan(2);
    const intervalMs = subject.sender.editIntervalMs(subject.address);
    for (const [index, { atMs }] of previews.slice(1).entries())
      expect(atMs - (previews[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(intervalMs);
    for (const [index, { text }] of said.slice(1).entries())
      expect(text).not.toBe(said[index]?.text);
  });

  it("what stands there in the end is the stored answer, without a cursor, whatever comes late", async () => {
    await using subject = await makeSubject();
    const chat = chatKey(subject.address);
    let nowMs = 1_000_000;
    const deps = deliveryDeps(outbox, subject.sender, { now: () => nowMs });
    const deliver = async () => {
      nowMs += 10_000;
      await deliverAll(deps, chat);
    };
    for (const text of ["The ans", "The answer is forty", "The answer is 4"]) {
      await writeDraft(redis, chat, draftOf("turn-1", text));
      await deliver();
    }
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "The answer is 42."));
    await deliver();
    // A preview that its worker has written too late.
    await writeDraft(redis, chat, draftOf("turn-1", "The answer is fo"));
    await deliver();
    const texts = (await subject.visible()).map(({ text }) => text);
    expect(texts).toEqual(["The answer is 42."]);
  });

  it("9,000 characters with a block of code of 6,000 arrive in order, within limits, fenced with its language", async () => {
    await using subject = await makeSubject();
    const chat = chatKey(subject.address);
    const { sender, said } = watched(subject.sender, Date.now);
    const deps = deliveryDeps(outbox, sender);
    const lines = Array.from(
      { length: 150 },
      (_, index) => `const value${String(index).padStart(3, "0")} = "${"x".repeat(18)}";`,
    );
    const words = Array.from({ length: 260 }, (_, index) => `w${index}`);
    const text = `${words.slice(0, 130).join(" ")}\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\n${words.slice(130).join(" ")}`;
    await inbox.post(chat, answer("turn-1", text));
    await deliverAll(deps, chat);
    const seen = await subject.visible();
    expect(seen.every(({ file }) => file === undefined)).toBe(true);
    for (const each of seen) expect(each.text.length).toBeLessThanOrEqual(subject.maxUnits);
    const all = seen.map((each) => each.text).join("\n");
    expect(all.match(/value\d+/g)).toEqual(lines.map((line) => line.slice(6, 14)));
    expect(all.match(/\bw\d+/g)).toEqual(words);
    for (const { text: one, markup } of said)
      if (one.includes("value"))
        expect(`${one} ${JSON.stringify(markup)}`).toMatch(
          /```ts\nconst[^`]*\n```|"type":"pre".*"language":"ts"/,
        );
  });

  it("emoji at the border between two messages stay whole", async () => {
    await using subject = await makeSubject();
    const chat = chatKey(subject.address);
    const deps = deliveryDeps(outbox, subject.sender);
    const emoji = ["👩‍👩‍👧", "😀", "🇩🇪", "e\u0301"];
    for (const [index, one] of emoji.entries()) {
      const text = `${"x".repeat(index + 1)}${one.repeat(Math.ceil((subject.maxUnits * 1.5) / one.length))}`;
      await inbox.post(chat, answer(`turn-${index + 1}`, text));
      await deliverAll(deps, chat);
    }
    for (const { text } of await subject.visible()) {
      expect(text.isWellFormed()).toBe(true);
      const one = emoji.find((each) => text.includes(each)) ?? "?";
      expect(text.replaceAll(one, "").replaceAll("x", "")).toBe("");
    }
  });
});

interface Said {
  readonly text: string;
  readonly markup: unknown;
  readonly final: boolean;
  readonly atMs: number;
}

/** A sender, and what was said through it, sent or edited. */
function watched(
  sender: Sender,
  now: () => number,
): { readonly sender: Sender; readonly said: readonly Said[] } {
  const said: Said[] = [];
  const note = ({ text, markup }: Chunk, { final }: { final: boolean }): void =>
    void said.push({ text, markup, final, atMs: now() });
  const watching: Pick<Sender, "send" | "edit"> = {
    send: async (address, chunk, options) => {
      note(chunk, options);
      return await sender.send(address, chunk, options);
    },
    edit: async (address, messageId, chunk, options) => {
      note(chunk, options);
      return await sender.edit(address, messageId, chunk, options);
    },
  };
  return {
    said,
    sender: new Proxy(sender, {
      get: (target, name) => {
        const value: unknown = Reflect.get(watching, name) ?? Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
  };
}
