import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { runAdmin } from "../../../src/cli/admin/run-admin.ts";
import { loadSettings } from "../../../src/config/load.ts";
import type { ChatKey } from "../../../src/core/chat.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { personaHash, personaSchema } from "../../../src/core/persona.ts";
import { createPlaceRules } from "../../../src/store/people/place-rules.ts";
import { createPersonaChoices } from "../../../src/store/personas/choices.ts";
import { createPersonaStore } from "../../../src/store/personas/personas.ts";
import { readChat } from "../../../src/store/turns/chat-archive.ts";
import { createChatSettings } from "../../../src/store/turns/chat-settings.ts";
import { readHistory } from "../../../src/store/turns/history.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createNotes } from "../../../src/store/turns/notes.ts";
import { createTodos } from "../../../src/store/turns/todos.ts";
import { createBackupMark } from "../../../src/store/operations/backup-mark.ts";
import { readUsage } from "../../../src/store/turns/usage.ts";
import { message, newChat, said, storeOn, turnStoreOn } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-admin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command in this process. */
async function admin(
  given: readonly string[],
  folder = temporaryFolder(),
  environment: Record<string, string> = { REDIS_URL: server.url },
) {
  const settings = loadSettings({
    environment: { ...environment, PARLEY_DATA: join(folder, "data") },
    workingFolder: folder,
  });
  const output = new PassThrough();
  let out = "";
  output.setEncoding("utf8").on("data", (text: string) => (out += text));
  const lines: string[] = [];
  const isDone = await runAdmin({
    arguments: given,
    settings,
    environment: process.env,
    workingFolder: folder,
    output,
    say: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  return { isDone, out, said: lines.join("\n"), folder };
}

const refused = async (...given: Parameters<typeof admin>): Promise<PermanentError> => {
  const failure: unknown = await admin(...given).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PermanentError);
  return failure as PermanentError;
};

const turns = turnStoreOn(store);

/** One answered message. */
async function converse(chat: ChatKey, id: string): Promise<void> {
  await createInbox(store).append(chat, message(id));
  const begun = await turns.begin(chat);
  if (begun.type !== "begun") throw new Error(begun.type);
  await turns.commit(begun.session, begun.revision, {
    state: undefined,
    turn: begun.state?.turn ?? 0,
    append: [said(begun.state?.turn ?? 0, `answer to ${id}`)],
    release: {},
    usage: {
      turns: 1,
      modelCalls: 1,
      inputTokens: 7,
      outputTokens: 3,
      models: {
        "test/model": { requests: 1, inputTokens: 7, outputTokens: 3 },
      },
    },
  });
}

async function fullChat(): Promise<ChatKey> {
  const chat = newChat();
  await converse(chat, "one");
  await converse(chat, "two");
  await createNotes(store).write(chat, "a note", "1.1.0");
  await createTodos(store).replace(chat, [{ text: "a to-do", done: false }]);
  await createChatSettings(store).set(chat, "tools", "off");
  return chat;
}

async function all(chat: ChatKey) {
  const entries = [];
  for await (const each of readHistory(store, chat)) entries.push(each);
  const state = await store.redis.hgetall(chatKeys(chat).state);
  return {
    entries,
    inBase: state["inBase"],
    viewStart: Number(state["viewStart"] ?? 0),
    turns: state["usage:turns"],
    notes: await createNotes(store).read(chat),
    todos: await createTodos(store).read(chat),
    settings: await createChatSettings(store).read(chat),
    usage: await readUsage(store, chat),
  };
}

async function exported(chat: ChatKey) {
  const { out, folder } = await admin(["export-chat", chat]);
  return { path: out.trim(), folder };
}

describe("npm run admin", () => {
  it("says what it can do", async () => {
    const { isDone, out } = await admin([]);
    expect(isDone).toBe(false);
    for (const name of ["chats", "export-chat", "import-chat"])
      expect(out).toContain(`npm run admin -- ${name}`);
  });

  it("refuses what it does not know", async () => {
    expect((await refused(["chatz"])).message).toContain('no admin command "chatz"');
    expect((await refused(["chats", "--jsn"])).message).toContain("--jsn");
    expect((await refused(["export-chat"])).message).toContain("expected one chat, or --all");
    expect((await refused(["export-chat", "nonsense"])).message).toContain('"nonsense" is no chat');
  });

  it("makes no server where nothing was ever stored", async () => {
    const folder = temporaryFolder();
    const { isDone, said } = await admin(["chats"], folder, {});
    expect(isDone).toBe(false);
    expect(said).toContain("Nothing is stored");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("lists the chats with the names of those who wrote there", async () => {
    const chat = await fullChat();
    const { out } = await admin(["chats"]);
    expect(
      out.split("\n").filter((line) => line === `${chat}  ${message("one").person.name}`),
    ).toHaveLength(1);
    expect(JSON.parse((await admin(["chats", "--json"])).out)).toContain(chat);
  });
});

describe("a chat that is exported and imported", () => {
  it("is the same under another name", async () => {
    const chat = await fullChat();
    const { path, folder } = await exported(chat);
    expect(path.startsWith(join(folder, "data", "archives"))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const copy = newChat();
    const { out } = await admin(["import-chat", path, "--as", copy]);
    expect(out).toContain("4 entries");
    expect(await all(copy)).toEqual(await all(chat));
  });

  it("has its personas, and who answers", async () => {
    const [chat, copy] = [await fullChat(), newChat()];
    const personas = createPersonaStore(store);
    const chef = personaSchema.parse({ name: "chef", prompt: "You cook.", tools: ["calculate"] });
    await personas.save(`chat:${chat}`, { ...chef, prompt: "You bake." });
    await personas.save(`chat:${chat}`, chef, { id: "telegram:1", name: "Zoe" });
    await personas.save(`chat:${chat}`, { ...chef, name: "gone" });
    await personas.remove({ owner: `chat:${chat}`, name: "gone" });
    const choices = createPersonaChoices(store, createPlaceRules(store.redis));
    await choices.set({ scope: "chat", chat }, { owner: `chat:${chat}`, name: "chef" });
    const { path } = await exported(chat);
    expect(readFileSync(path, "utf8")).not.toContain("Zoe");
    await admin(["import-chat", path, "--as", copy]);
    const ref = { owner: `chat:${copy}`, name: "chef" } as const;
    expect(await choices.read({ chat: copy, personId: "telegram:1", places: [] })).toMatchObject({
      chat: ref,
    });
    const found = await personas.find(ref);
    expect(found?.persona).toEqual(chef);
    expect(found?.revision).toMatchObject({ number: 1, hash: personaHash(chef) });
    expect(await personas.list(`chat:${copy}`)).toHaveLength(1);
    expect(await store.redis.pttl(chatKeys(copy).personas)).toBeGreaterThan(0);
    // And it can be changed.
    expect(await personas.save(ref.owner, { ...chef, prompt: "You fry." })).toMatchObject({
      number: 2,
    });
  });

  it("goes on where it was, with turns of its own", async () => {
    const chat = await fullChat();
    const copy = newChat();
    const { path } = await exported(chat);
    await admin(["import-chat", path, "--as", copy]);
    await converse(copy, "three");
    const { entries, turns: count } = await all(copy);
    expect(count).toBe("3");
    expect(entries.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    const numbers = entries.flatMap(({ entry }) =>
      entry.kind === "assistant" ? [entry.turn] : [],
    );
    expect(new Set(numbers).size).toBe(3);
    expect(await store.redis.ttl(chatKeys(copy).log)).toBeGreaterThan(0);
  });

  it("is never written over one that exists", async () => {
    const chat = await fullChat();
    const { path } = await exported(chat);
    const before = await all(chat);
    expect((await refused(["import-chat", path])).message).toContain(`${chat} exists`);
    expect(await all(chat)).toEqual(before);
    expect(await store.redis.keys("parley:*:import:*")).toEqual([]);
  });

  it.each([
    ["a line that is no JSON", (lines: string[]) => lines.with(2, "{"), "line 3: expected JSON"],
    [
      "an entry of another shape",
      (lines: string[]) => lines.with(1, '{"kind":"entry","position":0,"entry":{"kind":"x"}}'),
      "line 2: entry.kind",
    ],
    ["an end that is missing", (lines: string[]) => lines.slice(0, -1), "cut short"],
    [
      "an entry that is missing",
      (lines: string[]) => lines.toSpliced(2, 1),
      "to count 3 entries, found 4",
    ],
    [
      "entries in another order",
      (lines: string[]) => lines.with(1, lines[2] ?? "").with(2, lines[1] ?? ""),
      "expected no gap",
    ],
    [
      "a head that is missing",
      (lines: string[]) => lines.slice(1),
      'line 1: expected one line of kind "chat"',
    ],
    [
      "a newer version",
      (lines: string[]) => lines.with(0, (lines[0] ?? "").replace('"v":1', '"v":2')),
      "line 1: v",
    ],
    ["nothing", () => [], "found no line"],
  ])("is refused with %s, and nothing is left", async (_name, damage, words) => {
    const { path, folder } = await exported(await fullChat());
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const broken = join(folder, "broken.jsonl");
    writeFileSync(
      broken,
      damage(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const copy = newChat();
    const failure = await refused(["import-chat", broken, "--as", copy]);
    expect(failure.message).toContain(words);
    expect(await store.redis.exists(chatKeys(copy).log)).toBe(0);
    expect(await store.redis.exists(chatKeys(copy).state)).toBe(0);
  });

  it("is found missing, or its file is", async () => {
    const { isDone, said } = await admin(["export-chat", newChat()]);
    expect(isDone).toBe(false);
    expect(said).toContain("Nothing is stored of");
    expect((await refused(["import-chat", "missing.jsonl"])).message).toContain(
      "expected a file that can be read",
    );
  });

  it("is not whole when it is erased while it is read, and has no end then", async () => {
    const chat = await fullChat();
    const lines = await readChat(store, chat);
    const kinds: string[] = [];
    const reading = async () => {
      for await (const { kind } of lines ?? []) {
        if (kind === "chat") await store.redis.hset(chatKeys(chat).state, "epoch", "another");
        kinds.push(kind);
      }
    };
    await expect(reading()).rejects.toThrow("was erased while it was read");
    expect(kinds).not.toContain("end");
  });

  it("begins where its entries do, whatever its head says", async () => {
    const { path, folder } = await exported(await fullChat());
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const moved = join(folder, "moved.jsonl");
    const head = (lines[0] ?? "").replace(/"viewStart":\d+/, '"viewStart":500');
    writeFileSync(moved, lines.with(0, head).join("\n"));
    const copy = newChat();
    await admin(["import-chat", moved, "--as", copy]);
    await converse(copy, "three");
    expect((await all(copy)).viewStart).toBe(4);
  });

  it("can be imported where it was erased, and counts on", async () => {
    const chat = await fullChat();
    const { path } = await exported(chat);
    const { state, ...keys } = chatKeys(chat);
    await store.redis.del(keys.log, keys.notes, keys.todos, keys.settings);
    await store.redis.del(state, keys.usage);
    await store.redis.hset(state, { inBase: 9, turn: 9, erased: 9 });
    await admin(["import-chat", path]);
    await converse(chat, "three");
    const { entries } = await all(chat);
    expect(entries).toHaveLength(6);
    expect(entries.at(-1)?.entry).toMatchObject({ turn: 10 });
  });

  it("is left out of all, and said to be, when it cannot be read", async () => {
    const [good, bad] = [await fullChat(), await fullChat()];
    await store.redis.rpush(chatKeys(bad).log, "{}");
    const { isDone, out, said } = await admin(["export-chat", "--all"]);
    await store.redis.rpop(chatKeys(bad).log);
    expect(isDone).toBe(false);
    expect(said).toContain(`${bad} was not exported`);
    expect(out).toContain(good.replaceAll(":", "_"));
  });

  it("is one of all that --all writes to a folder", async () => {
    const chats = [await fullChat(), await fullChat()];
    const folder = temporaryFolder();
    const { out } = await admin(["export-chat", "--all", "--to", "to"], folder);
    const files = readdirSync(join(folder, "to"));
    expect(out.trim().split("\n")).toHaveLength(files.length);
    for (const chat of chats)
      expect(files.filter((file) => file.startsWith(chat.replaceAll(":", "_")))).toHaveLength(1);
  });
});

describe("npm run admin -- backup-done", () => {
  it("is what doctor knows a backup's age from, and takes nothing else", async () => {
    const mark = createBackupMark(store);
    const before = store.clock.now();
    const { isDone, out } = await admin(["backup-done"]);
    expect({ isDone, out }).toEqual({ isDone: true, out: "Noted: a backup was made now.\n" });
    expect(await mark.read()).toBeGreaterThanOrEqual(before - 1_000);
    expect((await refused(["backup-done", "yesterday"])).message).toContain(
      "expected no arguments",
    );
  });
});
