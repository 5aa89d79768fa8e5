import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const databases = await emptyDatabases(world.redis, 5);
const folders = mkdtempSync(join(tmpdir(), "parley-e2e-skills-"));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

const writeSkill = (folder: string, body: string, forms = "forms"): void => {
  mkdirSync(join(folder, "skills/pdf"), { recursive: true });
  const text = `---\nname: pdf\ndescription: Fills in ${forms}.\n---\n${body}\n`;
  writeFileSync(join(folder, "skills/pdf/SKILL.md"), text);
};

/** What the models were shown of this text. */
const wasSeen = (text: string): boolean =>
  world.model.requests.some(({ messages }) => JSON.stringify(messages).includes(text));

describe.each(world.stages)("skills on $name", (stage) => {
  it("an admin's review is closed by another's decision", async () => {
    const folder = mkdtempSync(join(folders, "admins-"));
    const [adam, bea] = [stage.direct("Adam"), stage.direct("Bea")];
    const parley = world.start({
      environment: {
        ...world.services,
        ...stage.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ACCESS: "open",
        PARLEY_ADMINS: `${adam.personId},${bea.personId}`,
      },
      workingFolder: folder,
    });
    await parley.ready();
    await stage.connected();
    for (const admin of [adam, bea]) {
      admin.say("say I am here");
      await admin.wait("I am here");
    }
    writeSkill(folder, "HOW-TO");
    await bea.wait("Skills are waiting for your review: pdf.");
    // Typed, on both platforms: it is answered by a message, which can be changed.
    bea.say("/skills review");
    const review = await bea.wait("New skill: pdf");
    expect(review.buttons).toEqual(["Approve", "Deny"]);
    const card = await adam.command("skills", "review");
    // On Discord as its options: `action:approve skill:pdf 7K3FQ`.
    const [, code = ""] = /approve (?:skill:)?pdf (\w{5})/.exec(card) ?? [];
    const typed = `approve pdf ${code}`;
    expect(await adam.command("skills", typed)).toContain("Adam approved the skill pdf.");
    await bea.wait(isClosed(review, "Adam approved the skill pdf."));
    // A button that is left, as below an answer that Discord shows to its reader alone.
    const late = await bea.forge(review, review.data[0] ?? "");
    expect(late).toContain("already decided. Adam approved the skill pdf.");
    // It confirms its updates: the next test's process, with another Redis, must not get the tap again.
    await parley.kill("SIGTERM");
  });

  it("wait for an admin, through a worker on another disk that dies in between", async () => {
    const folder = mkdtempSync(join(folders, "worker-"));
    const adam = stage.direct("Adam");
    const environment = {
      ...world.services,
      ...stage.environment,
      REDIS_URL: databases.pop() ?? "",
      PARLEY_ACCESS: "open",
      PARLEY_ADMINS: adam.personId,
    };
    const bots = world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } });
    const startWorker = () =>
      world.start({
        environment: { ...environment, PARLEY_ROLE: "worker" },
        workingFolder: folder,
      });
    const worker = startWorker();
    await Promise.all([bots.ready(), worker.ready()]);
    await stage.connected();
    adam.say("say I am here");
    await adam.wait("I am here");

    writeSkill(folder, `HOW-TO-${stage.name} one`, `${stage.name} forms`);
    await adam.wait("Skills are waiting for your review: pdf.");
    const eve = stage.direct("Eve");
    expect(await eve.command("skills", "review")).toMatch(/Only admins/);
    expect(await eve.command("skill", "pdf fill in")).toMatch(/don't know the skill/);
    expect(wasSeen(`Fills in ${stage.name}`)).toBe(false);

    const card = await adam.command("skills", "review");
    expect(card).toContain("New skill: pdf");
    expect(card).toContain(`+ HOW-TO-${stage.name} one`);
    await worker.kill("SIGKILL");
    const shown = adam.shown().find(({ text }) => text.includes("New skill: pdf"));
    // On Discord as its options: `action:approve skill:pdf 7K3FQ`.
    const [, code = ""] = /approve (?:skill:)?pdf (\w{5})/.exec(card) ?? [];
    const typed = `approve pdf ${code}`;
    const decided = shown ? await adam.tap(shown, "Approve") : await adam.command("skills", typed);
    expect(decided).toContain("Adam approved the skill pdf.");

    const second = startWorker();
    await second.ready();
    await expect.poll(() => eve.command("skills"), { timeout: timeoutMs }).toContain("✓ pdf");
    await expect
      .poll(() => readFileSync(join(folder, "parley-skills.lock"), "utf8"), { timeout: timeoutMs })
      .toContain("SKILL.md");
    expect(await eve.command("skill", "pdf fill in the form")).toContain("with the skill pdf");
    await stage.until(() => wasSeen(`HOW-TO-${stage.name} one`), "the skill's text");

    // A changed text is no one's until it was approved, too.
    writeSkill(folder, `HOW-TO-${stage.name} two`, `${stage.name} forms`);
    await expect
      .poll(() => eve.command("skills"), { timeout: timeoutMs })
      .toContain("Waiting for review: pdf");
    // Discord is sent signs that would make a list with a backslash in front.
    const changed = await adam.command("skills", "review pdf");
    expect(changed.replaceAll("\\", "")).toContain(
      `- HOW-TO-${stage.name} one\n+ HOW-TO-${stage.name} two`,
    );
    expect(wasSeen(`HOW-TO-${stage.name} two`)).toBe(false);
    await Promise.all([bots.kill("SIGKILL"), second.kill("SIGKILL")]);
  });
});

it("in a terminal they are reviewed and used by what is typed", async () => {
  const folder = mkdtempSync(join(folders, "terminal-"));
  writeSkill(folder, "HOW-TO-terminal");
  const session = new ConsoleSession(
    world.start({
      environment: { ...world.services, REDIS_URL: databases.pop() ?? "" },
      workingFolder: folder,
      input: "pipe",
    }),
  );
  const card = await session.say("/skills review", /\/skills deny pdf \w{5}/);
  expect(card).toContain("+ HOW-TO-terminal");
  const [, code = ""] = /\/skills approve pdf (\w{5})/.exec(card) ?? [];
  await session.say(`/skills approve pdf ${code}`, "approved the skill pdf.");
  await expect
    .poll(() => readFileSync(join(folder, "parley-skills.lock"), "utf8"), { timeout: timeoutMs })
    .toContain("pdf");
  await session.say("/skills", "✓ pdf – Fills in forms.");
  await session.say("/skill pdf fill in the form", "On it, with the skill pdf.");
  await expect.poll(() => wasSeen("HOW-TO-terminal"), { timeout: timeoutMs }).toBe(true);
  session.parley.type("/quit");
  expect(await session.parley.exited).toMatchObject({ code: 0 });
});
