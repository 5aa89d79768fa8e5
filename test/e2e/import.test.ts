import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hermesHome, openClawHome } from "../cli/init/homes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { ParleyProcess } from "../support/parley/parley-process.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const databases = await emptyDatabases(world.redis, 2);
const { telegram } = world;

it.each([
  {
    kind: "openclaw",
    home: openClawHome,
    facts: ["Name: Ann", "Family: Ben is her brother", "Ann likes tea"],
    schedules: [
      "Summarize overnight updates. · every day at 07:00 (Europe/Berlin)",
      "Call Ben · Tue, Jan 1, 2030, 09:00 (UTC)",
    ],
  },
  {
    kind: "hermes",
    home: hermesHome,
    facts: ["prefers tea", "lives in Kiel"],
    schedules: ["Summarize today's news · every day at 09:00", "Drink water · every 2 h"],
  },
])(
  "what was $kind's is shown to the owner, and kept when they agree, with paused schedules",
  async ({ kind, home, facts, schedules }) => {
    const workingFolder = mkdtempSync(join(tmpdir(), "parley-import-"));
    onTestFinished(() => rmSync(workingFolder, { recursive: true }));
    for (const [name, text] of Object.entries(home)) {
      const path = join(workingFolder, `.${kind}`, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const given = ["--yes", "--from", kind, "--model", "demo", "--terminal-only"];
    await using init = new ParleyProcess({ workingFolder, arguments: ["init", ...given] });
    await init.waitForText("Send the bot /import");
    expect((await init.exited).code).toBe(0);

    const [ann, ben] = [telegram.direct("Ann"), telegram.direct("Ben")];
    const parley = world.start({
      workingFolder,
      environment: {
        ...telegram.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ACCESS: "open",
        // No worker starts the other bot's MCP servers.
        PARLEY_ROLE: "bots",
        PARLEY_ADMINS: ann.personId,
        TZ: "UTC",
      },
    });
    await parley.ready();
    await telegram.connected();

    expect(await ben.command("import")).toBe("Only owners can use /import.");
    await ann.command("import");
    const card = await ann.wait(({ buttons }) => buttons.includes("Import all"));
    for (const line of [...facts, ...schedules]) expect(card.text).toContain(line);
    expect(await ann.command("memory")).not.toContain(facts[0]);
    expect(await ann.command("schedule")).toContain("no reminders");

    await ann.tap(card, "Import all");
    const counts = `Facts: ${facts.length}, paused schedules: ${schedules.length}.`;
    const done = () => ann.shown().filter(({ text }) => text.includes(`Imported. ${counts}`));
    await telegram.until(() => done().length === 1, "an outcome");
    const remembered = await ann.command("memory");
    for (const fact of facts) expect(remembered).toContain(fact);
    const listed = await ann.command("schedule");
    expect(listed.match(/paused/g)).toHaveLength(schedules.length);
    // Kept once, and gone from where it waited.
    await ann.tap(card, "Import all");
    await telegram.until(() => done().length === 2, "the same outcome again");
    expect(await ann.command("import")).toContain("nothing to import");
    expect((await ann.command("schedule")).match(/paused/g)).toHaveLength(schedules.length);

    const [, id = ""] = /\(([a-z0-9]{6})\)/.exec(listed) ?? [];
    await ann.command("schedule", `resume ${id}`);
    const resumed = await ann.command("schedule");
    expect(resumed.match(/paused/g)).toHaveLength(schedules.length - 1);
    await parley.kill("SIGTERM");
  },
);
