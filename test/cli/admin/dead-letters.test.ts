import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AdminContext } from "../../../src/cli/admin/admin-command.ts";
import { deadLettersCommand } from "../../../src/cli/admin/dead-letters.ts";
import { openPrinter } from "../../../src/cli/printer.ts";
import type { AuditLog } from "../../../src/core/audit.ts";
import type { ChatKey } from "../../../src/core/chat.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { createBlobs } from "../../../src/store/turns/blobs.ts";
import { listDeadLetters } from "../../../src/store/turns/dead-letters.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { chatKeys, shardOf } from "../../../src/store/keys.ts";
import { deliverAll, deliveryDeps, file, letTimePass } from "../../delivery/support.ts";
import { ScriptedSender } from "../../delivery/scripted-sender.ts";
import { leaseMs, newChat, notice, storeOn } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const inbox = createInbox(store);
const blobs = createBlobs(store);
const outbox = createOutboxStore(store, leaseMs);

type AuditLine = Parameters<AuditLog["write"]>[1];

async function run(...given: string[]) {
  const output = new PassThrough();
  let out = "";
  output.setEncoding("utf8").on("data", (text: string) => (out += text));
  const said: string[] = [];
  const woken: string[] = [];
  const audited: string[] = [];
  const context = {
    services: {
      store,
      blobs,
      audit: {
        write: (_id: string, { chat, outcome, details, ...line }: AuditLine) => {
          audited.push(`${line.action} ${outcome} ${chat} ${details?.["from"]}`);
          return Promise.resolve();
        },
      },
      waker: {
        wake: (mailbox: string, chat: ChatKey) => {
          woken.push(`${mailbox} ${chat}`);
          return Promise.resolve();
        },
      },
    },
    printer: openPrinter(output),
    say: (line: string) => void said.push(line),
    workingFolder: "/",
    signal: new AbortController().signal,
  } as unknown as AdminContext;
  const isDone = await deadLettersCommand.run(context, given);
  return { isDone, lines: out.split("\n").filter(Boolean), out, said, woken, audited };
}

/** A chat that has refused these texts. */
async function refusing(...texts: string[]) {
  const chat = newChat();
  const sender = new ScriptedSender();
  const deps = deliveryDeps(outbox, sender, { blobs });
  sender.faults.push(...texts.map(() => "refused" as const));
  for (const text of texts) await inbox.post(chat, notice(text, `<${text}>`));
  await deliverAll(deps, chat);
  const ids = (await listDeadLetters(store, chat)).map(({ id }) => id);
  return { chat, sender, ids, deliver: () => deliverAll(deps, chat) };
}

describe("npm run admin -- dead-letters", () => {
  it("says when there are none, and that an id is none", async () => {
    const chat = newChat();
    const { isDone, out, said } = await run("--chat", chat);
    const none = `There are no dead letters of ${chat}.`;
    expect([isDone, out, said]).toEqual([true, "", [none]]);
    const replayed = await run("replay", "s1-0123456789abcdef");
    expect(replayed.isDone).toBe(false);
    expect(replayed.said[0]).toMatch(/no dead letter s1-0123456789abcdef/);
    const dropped = await run("drop", "--chat", chat);
    expect([dropped.isDone, dropped.said]).toEqual([false, [none]]);
  });

  it("shows what was given up, with texts as JSON only", async () => {
    const { chat, ids } = await refusing("one", "two");
    const shown = await run("--chat", chat);
    expect(shown.isDone).toBe(true);
    expect(shown.lines.map((line) => line.split("  ")[0])).toEqual(ids);
    expect(shown.lines[0]).toMatch(
      new RegExp(`  20\\S+Z  ${chat}  notice  1 try  refused: blocked$`),
    );
    expect(shown.out).not.toContain("<one>");
    const json = JSON.parse((await run("--chat", chat, "--json")).out) as [];
    expect(json).toEqual(await listDeadLetters(store, chat));
    expect(JSON.stringify(json)).toContain("<one>");
    expect((await run()).lines).toEqual(expect.arrayContaining(shown.lines));
  });

  it("replays one, notes who did it, and wakes its chat", async () => {
    const { chat, ids, sender, deliver } = await refusing("one", "two");
    const { isDone, woken, audited } = await run("replay", ids[1] ?? "");
    expect(audited).toEqual([`dead-letter-settled replayed ${chat} shell`]);
    expect([isDone, woken]).toEqual([true, [`delivery ${chat}`]]);
    await deliver();
    expect(sender.texts).toEqual(["<two>"]);
    expect((await run("replay", ids[1] ?? "")).isDone).toBe(false);
  });

  it("replays a chat's, in their order, or all there are", async () => {
    const { chat, sender, deliver } = await refusing("1", "2", "3", "4");
    const other = await refusing("other");
    await run("replay", "--chat", chat);
    await deliver();
    expect(sender.texts).toEqual(["<1>", "<2>", "<3>", "<4>"]);
    expect(await listDeadLetters(store, other.chat)).toHaveLength(1);
    await run("replay", "--all");
    await other.deliver();
    expect(other.sender.texts).toEqual(["<other>"]);
  });

  it("says that a file is gone, and which letter is no entry", async () => {
    const { chat, sender, deliver } = await refusing();
    const entry = await file(blobs, chat, { id: "f", content: "x" });
    await inbox.post(chat, entry);
    await blobs.remove(chat, entry.blob);
    sender.faults.push("refused");
    await deliver();
    const broken = await refusing();
    await store.redis.rpush(chatKeys(broken.chat).outbox, "no json");
    for (let time = 0; time < 3; time += 1) {
      await broken.deliver();
      await letTimePass(store.redis, broken.chat);
    }
    const replayed = await run("replay", "--all");
    expect(replayed.said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/its file is gone/),
        expect.stringMatching(/can't be sent again/),
      ]),
    );
    expect(replayed.isDone).toBe(true);
    // What cannot be sent again stays until it is dropped.
    expect(await listDeadLetters(store, broken.chat)).toHaveLength(1);
    const dropped = await run("drop", "--chat", broken.chat);
    expect(dropped.isDone).toBe(true);
    expect(dropped.audited).toEqual([`dead-letter-settled dropped ${broken.chat} shell`]);
    expect(await listDeadLetters(store, broken.chat)).toEqual([]);
  });

  it("does what it can where a letter cannot be read, says which, and fails", async () => {
    const { chat, ids, sender, deliver } = await refusing("one", "two");
    const { deadPrefix, deadIndex } = chatKeys(chat);
    const member = `${shardOf(chat)}-${"0".repeat(16)} ${chat}`;
    await store.redis.zadd(deadIndex, 1, member);
    await store.redis.hset(`${deadPrefix}${member.split(" ")[0] ?? ""}`, "v", "1");
    const leftOut = expect.stringMatching(/^Left out: .*0{16} .*unexpected/);
    const shown = await run("--chat", chat);
    expect([shown.isDone, shown.said]).toEqual([false, [leftOut]]);
    expect(shown.lines.map((line) => line.split("  ")[0])).toEqual(ids);
    const replayed = await run("replay", "--chat", chat);
    expect([replayed.isDone, replayed.said]).toEqual([false, [leftOut, "2 are sent again."]]);
    await deliver();
    expect(sender.texts).toEqual(["<one>", "<two>"]);
    const dropped = await run("drop", "--chat", chat);
    expect([dropped.isDone, dropped.said]).toEqual([false, [leftOut]]);
    await store.redis.zrem(deadIndex, member);
  });

  it.each([
    [["replay"], "one of"],
    [["replay", "x", "--all"], "one of"],
    [["drop", "--all", "--chat", "telegram:1:2"], "one of"],
    [["bury", "x"], "replay or drop"],
    [["--all"], "replay or drop"],
    [["replay", "x", "y"], "one id"],
    [["replay", "x", "--json"], "--json"],
    [["--chat", "nowhere"], "is no chat"],
    [["--what"], "--what"],
  ])("refuses %j, and says how it is used", async (given, reason) => {
    const failure: unknown = await run(...given).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentError);
    expect((failure as Error).message).toContain(reason);
    expect((failure as Error).message).toContain("npm run admin -- dead-letters");
  });
});
