import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { pathWithRedis } from "../support/parley/redis-on-path.ts";

const world = await openWorld();
const { model } = world;
const PATH = await pathWithRedis();
const { REDIS_URL: _, ...withoutRedis } = world.services;
// One for each test.
const databases = await emptyDatabases(world.redis, 15);

const folders = mkdtempSync(join(tmpdir(), "parley-console-"));
afterAll(() => rmSync(folders, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(folders, "data-"));

/**
 * As `npm start` with a pipe; every conversation has a database of its own, so that none sees
 * another's chat.
 */
function open(
  given: { readonly config?: string; readonly dataFolder?: string } = {},
  REDIS_URL = newDatabase(),
): ConsoleSession {
  const parley = world.start({
    environment: { ...world.services, REDIS_URL },
    input: "pipe",
    tolerates: [/the model failed/],
    ...given,
  });
  return new ConsoleSession(parley);
}

function newDatabase(): string {
  const database = databases.pop();
  if (database === undefined) throw new Error("more conversations than databases");
  return database;
}

/** With a Redis of its own under the data folder. */
function openEmbedded(dataFolder: string): ConsoleSession {
  return new ConsoleSession(
    world.start({
      environment: { ...withoutRedis, PATH },
      dataFolder,
      input: "pipe",
    }),
  );
}

const ended = { code: 0, signal: null };

describe.concurrent("a console with a pipe", () => {
  it("answers questions, shows what tools find, asks for approvals, and ends at /quit", async () => {
    const session = open();
    await session.say("say hello from the pipe", "hello from the pipe\n");
    await session.say(
      `call current_time {"timeZone":"Asia/Tokyo"}`,
      /current_time said: .*\(Asia\/Tokyo\)\s+⚙ Tell the time ✓\n/,
    );
    const card = await session.say(`call write_note {"note":"buy tea"}`, "Approve? [y/n]");
    expect(card).toContain("write_note");
    expect(card).toContain("note: buy tea");
    const approved = await session.say("y", "write_note said: Noted.");
    expect(approved).toContain("✓ Write note · approved\n");
    await session.say(`call write_note {"note":"pour tea"}`, "Approve? [y/n]");
    const typed = await session.say("/approve 1", "write_note said: Noted.");
    expect(typed.match(/approved/gi)).toHaveLength(1);
    await session.say(`call write_note {"note":"sell tea"}`, "Approve? [y/n]");
    await session.say("n", "write_note said: confirmation-denied");
    expect(session.printed).toContain("✗ Write note · denied\n");
    await session.say(`call write_note {"note":"spill tea"}`, "Approve? [y/n]");
    await session.say("say never mind the tea", "never mind the tea\n");
    expect(session.printed).toContain("✗ Write note · not run, because you wrote something new");
    await session.say("call read_notes {}", /read_notes said: 1. buy tea\n2. pour tea\n/);
    expect(session.printed).not.toMatch(/sell|spill/);
    await session.say("/todos", "The to-do list is empty.");
    const items = `[{"text":"buy tea","done":true},{"text":"boil it","done":false}]`;
    await session.say(`call todo_write {"items":${items}}`, /boil it\s+⚙ Update to-do list ✓\n/);
    await session.say("/todos", "To-do list: 1 of 2 done\n1. ☑ buy tea\n2. ☐ boil it\n");
    session.parley.type("/quit");
    expect(await session.parley.exited).toEqual(ended);
  });

  it("takes other arguments before it runs what it asks for, and lets the same run for a while", async () => {
    const session = open();
    await session.say(`call write_note {"note":"black tea"}`, "Approve? [y/n]");
    const card = await session.say("/edit note=green tea", /note: green tea[^]*Approve\? \[y\/n\]/);
    expect(card).toContain("✎ Write note · changed, asked again below");
    await session.say("y", 'A person changed the arguments to {"note":"green tea"}');
    await session.say(`call write_note {"note":"more tea"}`, "Approve? [y/n]");
    await session.say("/approve always 30m", "write_note said: Noted.");
    expect(session.printed).toContain("For 30 min I'll do exactly this");
    await session.say(`call write_note {"note":"more tea"}`, "write_note said: Noted.");
    expect(session.printed).not.toContain("Approve?");
    await session.say("call read_notes {}", /1\. green tea\n2\. more tea\n3\. more tea/);
    session.parley.type("/quit");
    expect(await session.parley.exited).toEqual(ended);
  });

  it("takes the line behind a change for an answer to the question as changed", async () => {
    const { parley } = open();
    parley.type(`call write_note {"note":"black tea"}`);
    parley.type("/edit note=green tea");
    parley.type("y");
    parley.type("call read_notes {}");
    parley.endInput();
    expect(await parley.exited).toEqual(ended);
    expect(parley.stdout).toContain("read_notes said: 1. green tea");
    expect(parley.stdout).not.toContain("already");
  });

  it("answers every line of a pipe in turn, however the lines end", async () => {
    const { parley } = open();
    // A line that ends as on Windows, and a last one that does not end.
    parley.write("say line one\nsay line two\r\nsay line three\nsay line four");
    parley.endInput();
    expect(await parley.exited).toEqual(ended);
    expect(parley.stdout).toBe("line one\nline two\nline three\nline four\n");
    // A slow start is allowed to say what it waits for.
    expect(parley.stderr).toMatch(/^(?:Connecting to Redis at \S+ …\n)?$/);
  });

  it("prints only the final words of a slow answer", async () => {
    const session = open();
    const text = Array.from({ length: 20 }, (_, index) => `w${index}`).join(" ");
    using gate = model.hold(`say ${text}`, { at: 15 });
    session.parley.type(`say ${text}`);
    await gate.waitUntilHeld({ timeoutMs });
    gate.release();
    await session.parley.waitForText("w19");
    session.parley.endInput();
    expect(await session.parley.exited).toEqual(ended);
    expect(session.parley.stdout).toBe(`${text}\n`);
  });

  it("denies what is open when the input ends", async () => {
    const { parley } = open();
    parley.type(`call write_note {"note":"one"} and write_note {"note":"two"}`);
    parley.endInput();
    expect(await parley.exited).toEqual(ended);
    expect(parley.stdout.match(/✗ Write note · denied/g)).toHaveLength(2);
    expect(parley.stdout).not.toContain("Noted.");
    expect(parley.stdout.match(/confirmation-denied/g)).toHaveLength(2);
  });

  it("tells when an approval has expired", async () => {
    const session = open({ config: "approvals: { expiresAfter: 2s }\n" });
    await session.say(`call write_note {"note":"late"}`, "Approve? [y/n]");
    await session.parley.waitForText("write_note said: confirmation-expired");
    expect(session.printed).toContain("✗ Write note · expired");
    session.parley.endInput();
    expect(await session.parley.exited).toEqual(ended);
  });

  it("takes every command, and ends with 0 on SIGTERM", async () => {
    const session = open();
    const answers = {
      start: "/help for more",
      help: "/approvals – Actions waiting for approval\n",
      "help all": "/whoami – Your ID and role\n",
      new: "New conversation.",
      stop: "Nothing is running.",
      status: "Model: openai/gpt-4o-mini\n",
      usage: "Answers: 0\n",
      whoami: "Role: owner",
      nonsense: "I don't know /nonsense. /help all lists all commands.",
    };
    for (const [name, answer] of Object.entries(answers)) await session.say(`/${name}`, answer);
    await session.say("/status", "Nothing is running.");
    expect(await session.parley.kill("SIGTERM")).toEqual(ended);
  });

  it("asks again after kill -9 what was open, and decides it", async () => {
    const REDIS_URL = newDatabase();
    const first = open({}, REDIS_URL);
    await first.say(`call write_note {"note":"stormy tea"}`, "Approve? [y/n]");
    await world.delivered(REDIS_URL);
    await first.parley.kill("SIGKILL");
    const second = open({}, REDIS_URL);
    await second.parley.waitForText("Approve? [y/n]");
    expect(second.parley.stdout).toContain("note: stormy tea");
    const approved = await second.say("y", "write_note said: Noted.");
    expect(approved.match(/approved/gi)).toHaveLength(1);
    await second.say("call read_notes {}", "read_notes said: 1. stormy tea\n");
    second.parley.endInput();
    expect(await second.parley.exited).toEqual(ended);
  });

  it("completes after kill -9 the answer that was broken off, once", async () => {
    const REDIS_URL = newDatabase();
    const first = open({}, REDIS_URL);
    using gate = model.hold("say broken off and completed", { at: 2 });
    first.parley.type("say broken off and completed");
    await gate.waitUntilHeld({ timeoutMs });
    await first.parley.kill("SIGKILL");
    gate.release();
    const second = open({}, REDIS_URL);
    await second.say("say what comes after", "what comes after\n");
    second.parley.endInput();
    expect(await second.parley.exited).toEqual(ended);
    expect(`${first.parley.stdout}${second.parley.stdout}`).toBe(
      "broken off and completed\nwhat comes after\n",
    );
  });

  it("speaks the system's language, until another one is chosen", async () => {
    const system = { LANG: "fr_FR.UTF-8", USER: "ada" };
    const session = new ConsoleSession(
      world.start({
        environment: {
          ...world.services,
          REDIS_URL: newDatabase(),
          ...system,
        },
        input: "pipe",
      }),
    );
    await session.say("/stop", "Rien n'est en cours.");
    await session.say("/whoami", "ada");
    await session.say("/language de", "Alles klar, ab jetzt auf Deutsch.");
    await session.say("/stop", "Gerade läuft nichts.");
    session.parley.endInput();
    expect(await session.parley.exited).toEqual(ended);
  });

  it("tells in words what it does not take: an empty line, a far too long one", async () => {
    const session = open();
    session.parley.type("");
    session.parley.type("   ");
    const long = "x".repeat(100_000);
    await session.say(long, /100,000 characters; the limit is 50,000/);
    await session.say("say still here", "still here\n");
    session.parley.type("/exit");
    expect(await session.parley.exited).toEqual(ended);
    expect(model.requests.some((each) => each.lastUserText === "")).toBe(false);
  });

  it("ends at once when there is no input at all", async () => {
    const { parley } = open();
    parley.endInput();
    expect(await parley.exited).toEqual(ended);
    expect(parley.stdout).toBe("");
  });
});

describe.concurrent("a console with its own Redis", () => {
  it("remembers the conversation at the next start, and logs to its file only", async () => {
    const dataFolder = newFolder();
    const first = openEmbedded(dataFolder);
    await first.say("say pineapple", "pineapple\n");
    await first.say(`call write_note {"note":"tea"}`, "Approve? [y/n]");
    await first.say("y", "Noted.");
    first.parley.endInput();
    expect(await first.parley.exited).toEqual(ended);
    expect(first.parley.stdout).not.toContain(`"level"`);
    expect(first.parley.stderr).not.toContain(`"level"`);
    expect(readFileSync(first.parley.logFile, "utf8")).toContain(`"msg":"ready"`);
    const second = openEmbedded(dataFolder);
    await second.say("call read_notes {}", "1. tea");
    second.parley.endInput();
    expect(await second.parley.exited).toEqual(ended);
    const request = model.requests.findLast(({ toolResults }) =>
      toolResults.some(({ name }) => name === "read_notes"),
    );
    expect(JSON.stringify(request?.messages)).toContain("pineapple");
  });

  it("says once where the log is, below the first error", async () => {
    model.when("fail in the terminal", { failure: { status: 401 } });
    const session = open();
    const first = await session.say("fail in the terminal", "Details are in ");
    expect(first).toMatch(/my API key was rejected\. \(error \w+\)\nCause: /);
    expect(first).toContain(`Details are in ${session.parley.logFile}.`);
    const second = await session.say("fail in the terminal", "Check the API key");
    expect(second).not.toContain("Details are in");
  });

  it("has a demo model when none is set, which says so", async () => {
    const session = new ConsoleSession(world.start({ environment: { PATH }, input: "pipe" }));
    const answer = await session.say(
      "What time is it in Tokyo?",
      /In Tokyo it is .*\(Asia\/Tokyo\)\.\n/,
    );
    expect(answer).toContain("demo");
    expect(answer).toContain("OPENAI_API_KEY");
    await session.say("Note that I like tea", "Approve? [y/n]");
    await session.say("y", "Noted: “I like tea”.");
    session.parley.type("/quit");
    expect(await session.parley.exited).toEqual(ended);
  });

  it("is refused while another Parley has the data folder", async () => {
    const dataFolder = newFolder();
    const first = openEmbedded(dataFolder);
    await first.say("say here first", "here first\n");
    const second = world.start({
      environment: { ...withoutRedis, PATH },
      dataFolder,
      input: "pipe",
      mayFail: true,
    });
    expect(await second.exited).toEqual({ code: 2, signal: null });
    expect(second.stderr).toMatch(/already|in use|another/i);
    expect(second.stderr).toContain(dataFolder);
    expect(second.stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
    await first.say("say still here", "still here\n");
    first.parley.endInput();
    expect(await first.parley.exited).toEqual(ended);
  });
});
