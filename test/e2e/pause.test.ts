import { describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import { ParleyProcess } from "../support/parley/parley-process.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const databases = await emptyDatabases(world.redis, 6);
/** Olga, on each platform. */
const owners = {
  telegram: world.telegram.direct("Olga"),
  discord: world.discord.direct("Olga"),
};
const owner = owners.telegram;

/** A deployment of its own, owned by Olga. */
const deployment = () => {
  const REDIS_URL = databases.pop() ?? "";
  const ids = Object.values(owners).map(({ personId }) => personId);
  const common = { REDIS_URL, PARLEY_ADMINS: ids.join(",") };
  return {
    all: { ...world.environment, ...common },
    bots: { ...world.environment, ...common, PARLEY_ROLE: "bots" },
    worker: { ...world.services, ...common, PARLEY_ROLE: "worker" },
  };
};

/** Runs `npm run admin -- …` beside the deployment; fulfils with what it prints. */
async function admin(
  environment: Readonly<Record<string, string>>,
  ...given: readonly string[]
): Promise<string> {
  await using command = new ParleyProcess({
    environment,
    arguments: ["admin", ...given],
  });
  const { code } = await command.exited;
  expect([code, command.stderr]).toEqual([0, expect.anything()]);
  return command.stdout;
}

const texts = (chat: { shown(): readonly { readonly text: string }[] }) =>
  chat.shown().map(({ text }) => text);

describe("the kill switch", () => {
  it.each(world.stages.map((stage) => [stage.name, stage] as const))(
    "on %s: what is written meanwhile survives a new worker, and is answered in order, once",
    async (_name, stage) => {
      const { bots, worker } = deployment();
      const receiving = world.start({ environment: bots });
      const first = world.start({ environment: worker });
      await Promise.all([receiving.ready(), first.ready()]);
      await stage.connected();
      const olga = owners[stage.name];
      expect(await olga.command("pause")).toMatch(/^Paused everywhere\./);

      const ann = stage.direct("Ann");
      ann.say("say one");
      await ann.wait("I'm paused at the moment. Your message is saved");
      ann.say("say two");
      ann.say("say three");
      // Commands go on working.
      expect(await ann.command("status")).toMatch(/^Paused since .* UTC\./);
      await first.kill("SIGKILL");
      const second = world.start({ environment: worker });
      await second.ready();
      await world.delivered(bots.REDIS_URL);
      expect(texts(ann).filter((text) => /^(one|two|three)$/.test(text))).toEqual([]);

      expect(await olga.command("resume")).toMatch(/^I'm back everywhere\./);
      await ann.wait("three");
      await world.delivered(bots.REDIS_URL);
      const answers = texts(ann).filter((text) => /^(one|two|three)$|paused/.test(text));
      expect(answers).toEqual([
        expect.stringMatching(/^I'm paused at the moment\./),
        "one",
        "two",
        "three",
      ]);
      expect(await olga.command("audit")).toMatch(
        /resumed all[^\n]*\n[^\n]*\(\w+:\d+\): paused all/,
      );
      await Promise.all([receiving.kill("SIGKILL"), second.kill("SIGKILL")]);
    },
  );

  it.each(world.stages.map((stage) => [stage.name, stage] as const))(
    "on %s: of a burst the inbox keeps 20 in order, one notice counts all others, and nothing later overtakes them",
    async (_name, stage) => {
      const { all } = deployment();
      const parley = world.start({ environment: all });
      await parley.ready();
      await stage.connected();
      await owners[stage.name].command("pause");
      const ann = stage.direct("Ann");
      for (let number = 1; number <= 60; number += 1) ann.say(`say burst ${number}`);
      const notice = await ann.wait("Not taken, from this one on: 40 messages.");
      expect(notice.text).toMatch(/^I'm paused at the moment, and too many messages/);
      await world.delivered(all.REDIS_URL);
      expect(texts(ann).filter((text) => text.includes("Not taken"))).toEqual([notice.text]);
      // One edit shows the count of many.
      expect(notice.history.length).toBeLessThan(40);
      await owners[stage.name].command("resume");
      await ann.wait("burst 20");
      ann.say("say taken again");
      await ann.wait("taken again");
      expect(texts(ann).filter((text) => /^burst|^taken/.test(text))).toEqual([
        ...Array.from({ length: 20 }, (_, index) => `burst ${index + 1}`),
        "taken again",
      ]);
      await parley.kill("SIGKILL");
    },
  );

  it("lets what runs come to its end, a turn that waits for a tap as well; `now` stops it", async () => {
    const { all } = deployment();
    const parley = world.start({
      environment: { ...all, PARLEY_HTTP_PORT: "0" },
    });
    await parley.ready();
    const url = await parley.httpUrl();
    const [ann, ben, eve] = [
      world.telegram.direct("Ann"),
      world.telegram.direct("Ben"),
      world.telegram.direct("Eve"),
    ];
    const card = await askForNote(ann, "tea in the pause");
    const running = await stopInTheMiddle(world.model, ben, longText("pause"));
    expect(await admin(all, "pause", "telegram")).toMatch(/^paused: telegram, since/);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", paused: ["telegram"] },
    ]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^parley_paused\{scope="telegram"\} 1$/m);
    expect(metrics).toMatch(/^parley_paused\{scope="discord"\} 0$/m);
    eve.say("say later");
    await eve.wait("I'm paused at the moment.");
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    running.release();
    await ben.wait(({ text }) => text === longText("pause"));

    expect(await admin(all, "resume", "telegram")).toBe("Nothing is paused.\n");
    await eve.wait("later");

    const stopped = await stopInTheMiddle(world.model, ben, longText("now"));
    const asked = await askForNote(ann, "tea never");
    expect(await owner.command("pause", "telegram now")).toMatch(/stopped/);
    await ben.wait("An admin paused me, so I stopped here.");
    stopped.release();
    // What waits for a person stands still until it goes on.
    expect(await ann.tap(asked, "Approve")).toMatch(taken);
    ben.say("say after all");
    await ben.wait("I'm paused at the moment.");
    const noted = () => texts(ann).filter((text) => text.includes("Noted."));
    expect(noted()).toHaveLength(1);
    expect(await owner.command("resume")).toMatch(/^I'm back everywhere\./);
    await ben.wait("after all");
    await ann.wait(
      ({ text, id }) => text.includes("write_note said: Noted.") && Number(id) > Number(asked.id),
    );
    expect(await notesOf(ann)).toEqual(["tea in the pause", "tea never"]);
    await parley.kill("SIGKILL");
  });
});

describe("a broadcast", () => {
  it("reaches every chat of both platforms once, however its process ends", async () => {
    const { all } = deployment();
    const first = world.start({ environment: all });
    await first.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    const chats = world.stages.flatMap((stage) => [
      stage.direct("Ann"),
      stage.direct("Ben"),
      ...stage.group("Eve").slice(0, 1),
    ]);
    for (const chat of chats) chat.say("say hello", { mention: true });
    await Promise.all(chats.map((chat) => chat.wait("hello")));
    await world.delivered(all.REDIS_URL);
    const asked = await owner.command("broadcast", "We move tonight.");
    const [, confirmation = ""] = /(yes-\d{4})/.exec(asked) ?? [];
    expect(asked).toMatch(/^This goes to \d+ chats:/);
    expect(await owner.command("broadcast", confirmation)).toBe(
      "Sending. I'll tell you when it's done.",
    );
    await first.kill("SIGKILL");
    const second = world.start({ environment: all });
    await second.ready();
    await owner.wait("Your message went to");
    await Promise.all(chats.map((chat) => chat.wait("We move tonight.")));
    await world.delivered(all.REDIS_URL);
    for (const chat of chats)
      expect(texts(chat).filter((text) => text === "We move tonight.")).toHaveLength(1);
    await second.kill("SIGKILL");
  });
});
