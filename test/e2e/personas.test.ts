import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import { at } from "../support/shown-by.ts";
import { exportingTo } from "../support/tracing/crash-scene.ts";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";

const world = await openWorld();
const { telegram, discord } = world;
const [forDiscord = "", forTerminal = "", forDemo = ""] = await emptyDatabases(world.redis, 3);
const folder = mkdtempSync(join(tmpdir(), "parley-e2e-personas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "personas"));
writeFileSync(
  join(folder, "personas/tutor.md"),
  "---\ndescription: Explains\ntools: [calculate]\n---\nYou are the TUTOR.\n",
);

const environment = { ...world.services, ...telegram.environment };

const requestWith = (text: string) =>
  world.model.requests.findLast(({ lastUserText }) => lastUserText.includes(text));
const systemOf = (text: string): string => requestWith(text)?.systemText ?? "";

describe("a persona made in a chat", () => {
  it("is asked for, shown with a worker's sample, approved, chosen, and answers", async () => {
    const bots = world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } });
    await bots.ready();
    await telegram.connected();
    const ann = telegram.direct("Ann");
    const before = world.model.requests.length;
    expect(await ann.command("persona", "new")).toContain("1/4 What is it for?");
    ann.say("chef: plans my dinners");
    await ann.wait("2/4 How should it talk?");
    ann.say("short and warm");
    await ann.tap(await ann.wait("3/4 What may it use?"), "No tools");
    await ann.tap(await ann.wait("4/4 Which model should answer?"), "Automatic");
    const preview = await ann.wait("Your new persona: chef");
    for (const part of [
      "Tools: none\nModel: automatic",
      "> plans my dinners",
      "> short and warm",
      "Next comes a sample answer",
      "Nothing is saved before you approve.",
    ])
      expect(preview.text).toContain(part);
    // No process has taken a turn yet.
    expect(world.model.requests.slice(before)).toEqual([]);

    const worker = world.start({ environment: { ...environment, PARLEY_ROLE: "worker" } });
    await worker.ready();
    await ann.wait("You said: Who are you, and how do you help?");
    const sample = requestWith("Who are you, and how do you help?");
    expect(systemOf("Who are you")).toContain("> plans my dinners");
    expect(sample?.mayCallTools).toBe(false);

    // It isn't chosen yet.
    ann.say("say one moment");
    await ann.wait("one moment");
    expect(systemOf("say one moment")).not.toContain("plans my dinners");
    await ann.tap(preview, "Approve");
    await ann.wait("chef is saved (yours).");
    const shown = await ann.command("persona");
    expect(shown).toMatch(/^I answer as usual here[^]*• chef – plans my dinners \(yours\)/);
    await ann.tap(await ann.wait("• chef – plans my dinners"), "chef");
    await ann.wait("From your next message on, chef answers you here.");
    ann.say("say dinner is served");
    await ann.wait("dinner is served");
    expect(systemOf("say dinner is served")).toContain("> plans my dinners");
    expect(requestWith("say dinner is served")?.mayCallTools).toBe(false);
    expect(await ann.command("persona", "history chef")).toMatch(/Version 1, .*UTC, by Ann/);
    await world.delivered();
  });
});

describe("on Discord", () => {
  const { server } = discord;

  it("a persona is made in a form and chosen by a subcommand that completes its name", async () => {
    const parley = world.start({
      environment: { ...world.services, ...discord.environment, REDIS_URL: forDiscord },
      workingFolder: folder,
    });
    await parley.ready();
    await discord.connected();
    const ann = server.user({ username: "ann", globalName: "Ann" });
    const channel = server.directMessage(ann);
    const sees = (text: string) =>
      server.waitFor(
        () =>
          ann
            .messages(channel)
            .find(
              ({ authorId, content }) => authorId === server.botUserId && content.includes(text),
            ),
        { what: text, timeoutMs },
      );
    const persona = (subcommand: string, options = {}) =>
      ann.slash(channel, "persona", options, { subcommand });

    const form = persona("new", { called: "chef" });
    await form.acknowledged();
    const sent = ann.fillIn(channel, form, {
      purpose: "plans my dinners",
      style: "short and warm",
      tools: "none",
      model: "auto",
    });
    const preview = await sent.response("Your new persona: chef", { timeoutMs });
    await ann.press(channel, preview, "Approve").response("chef is saved", { timeoutMs });

    const typing = { subcommand: "pick", focused: "name" };
    const suggested = async (value: string) =>
      await ann.autocomplete(channel, "persona", { ...typing, value }).suggestions();
    await expect.poll(() => suggested("tu"), { timeout: timeoutMs }).toEqual(["tutor"]);
    expect(await suggested("che")).toEqual(["chef"]);
    await persona("pick", { name: "chef" }).response("chef answers you here", { timeoutMs });
    ann.send(channel, "say dinner at eight");
    await sees("dinner at eight");
    expect(systemOf("say dinner at eight")).toContain("> plans my dinners");
    expect(requestWith("say dinner at eight")?.mayCallTools).toBe(false);

    const edited = persona("edit", { name: "chef" });
    await edited.acknowledged();
    const changed = ann.fillIn(channel, edited, { extras: "temperature: 0.2\nmaxModelCalls: 3" });
    const changes = await changed.response("+ Temperature: 0.2", { timeoutMs });
    expect(changes.content.replaceAll("\\", "")).toContain(
      "- Model requests per answer: at most 15",
    );
    await ann.press(channel, changes, "Approve").response("chef is saved", { timeoutMs });
    const shown = await persona("show", { name: "chef" }).response("", { timeoutMs });
    expect(shown.content).toContain("Model requests per answer: at most 3");

    await persona("pick", { name: "tutor" }).response("tutor answers you here", { timeoutMs });
    ann.send(channel, "say one half is two quarters");
    await sees("one half is two quarters");
    const lesson = systemOf("say one half is two quarters");
    expect(lesson).toContain("You are the TUTOR.");
    expect(lesson).not.toContain("plans my dinners");
    await persona("pick", { name: "default" }).response("I answer as usual", { timeoutMs });
    await world.delivered(forDiscord);
    await parley.kill("SIGTERM");
  });
});

describe("in a terminal", () => {
  it("a persona is made, chosen and left by what is typed", async () => {
    const session = new ConsoleSession(
      world.start({
        environment: { ...world.services, REDIS_URL: forTerminal },
        workingFolder: folder,
        input: "pipe",
      }),
    );
    await session.say("/persona new", "1/4 What is it for?");
    await session.say("poet: writes verses", "2/4 How should it talk?");
    await session.say("in rhymes", "3/4 What may it use?");
    await session.say("none", "4/4 Which model should answer?");
    await session.say("auto", "Nothing is saved before you approve.");
    await session.say("/persona approve", "poet is saved (yours).");
    const listed = await session.say("/persona", "• poet – writes verses (yours)");
    expect(listed).toContain("• tutor – Explains (the operator's)");
    await session.say("/persona poet", "From your next message on, poet answers you here.");
    await session.say("say roses are red", "roses are red\n");
    expect(systemOf("say roses are red")).toContain("> in rhymes");
    await session.say("/persona edit poet", "What would you like to change?");
    await session.say("/persona change extras", "maxModelCalls: 15");
    await session.say("{ temperature: 1.5, memory: off }", "+ Temperature: 1.5");
    await session.say("/persona approve", "poet is saved (yours).");
    // Workers look for changed personas once a second.
    const temperature = async (): Promise<unknown> => {
      await session.say("say violets are blue", "violets are blue\n");
      return requestWith("say violets are blue")?.body["temperature"];
    };
    await expect.poll(temperature, { timeout: timeoutMs }).toBe(1.5);
    expect(requestWith("say roses are red")?.body).not.toHaveProperty("temperature");
    await session.say("/persona tutor", "From your next message on, tutor answers you here.");
    await session.say("say five is odd", "five is odd\n");
    expect(systemOf("say five is odd")).toContain("You are the TUTOR.");
    await session.say("/persona default", "I answer as usual here");
    await session.say("say goodbye to both", "goodbye to both\n");
    expect(systemOf("say goodbye to both")).not.toMatch(/TUTOR|in rhymes/);
    session.parley.type("/quit");
    expect(await session.parley.exited).toMatchObject({ code: 0 });
  });

  it("the demo model plays two of the examples, and its traces and exports name them", async () => {
    await using receiver = await OtlpReceiver.start();
    const home = mkdtempSync(join(folder, "demo-"));
    cpSync(at("personas"), join(home, "personas"), { recursive: true });
    const offline = { REDIS_URL: forDemo, ...exportingTo(receiver) };
    const session = new ConsoleSession(
      world.start({ environment: offline, workingFolder: home, input: "pipe" }),
    );
    const usual = await session.say("Hello", "What is 12 * 7?");
    expect(usual).not.toContain("The demo plays");
    const listed = await session.say("/persona", "• tutor – Explains step by step");
    expect(listed).toContain("• proofreader – Corrects texts");
    await session.say("/persona tutor", "From your next message on, tutor answers you here.");
    await session.say("What time is it in Tokyo?", "What would you try first?");
    expect(session.printed).toContain("The demo plays the tutor. Let's take it step by step.");
    // It has no such tool.
    expect(session.printed).toContain("I'd call current_time for that");
    await session.say("/persona proofreader", "proofreader answers you here.");
    await session.say("I has went home.", "I changed nothing: a model would.");
    expect(session.printed).toContain("The demo plays the proofreader.");
    await session.say("/persona default", "I answer as usual here");
    await session.say("Thank you", "You're welcome.");
    expect(session.printed).not.toContain("The demo plays");
    const exported = await session.say("/export", /[^\s"]+\.md/);
    const [path = ""] = /[^\s"]+\.md/.exec(exported) ?? [];
    const markdown = readFileSync(path, "utf8");
    expect(markdown.match(/^## .*`demo\/demo`.*$/gm)).toEqual([
      expect.stringMatching(/`demo\/demo`$/),
      expect.stringMatching(/`demo\/demo` as `tutor`$/),
      expect.stringMatching(/`demo\/demo` as `proofreader`$/),
      expect.stringMatching(/`demo\/demo`$/),
    ]);
    session.parley.type("/quit");
    expect(await session.parley.exited).toMatchObject({ code: 0 });

    const named = (name: string) =>
      receiver.spans
        .filter((span) => span.name.startsWith(name))
        .map(({ attributes }) => attributes["parley.persona"]);
    const personas = [undefined, "tutor", "proofreader", undefined];
    await receiver.waitFor(() => named("invoke_agent").length === 4, "the spans of four turns");
    expect(named("invoke_agent")).toEqual(personas);
    expect(named("chat")).toEqual(personas);
    const trace = async (...given: readonly string[]): Promise<string> => {
      const parley = world.start({
        environment: { REDIS_URL: forDemo },
        arguments: ["trace", "console:local:main", ...given],
        mayFail: true,
      });
      expect(await parley.exited).toMatchObject({ code: 0 });
      return parley.stdout;
    };
    const turns = [...(await trace()).matchAll(/^ *(\d+) /gm)].map(([, turn = ""]) => turn);
    const accounts = await Promise.all(
      turns.toSorted((one, other) => Number(one) - Number(other)).map((turn) => trace(turn)),
    );
    expect(accounts.map((account) => /, persona (\w+)/.exec(account)?.[1])).toEqual(personas);
  });
});
