import { describe, expect, it } from "vitest";
import { isClosed } from "../support/parley/notes.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
// One for each test.
const databases = await emptyDatabases(world.redis, 6);

/** What the process prints for the person who started it. */
const printedCode = /\/start ([A-Z0-9]{8})/;

describe.each(world.stages)("pairing on $name", (stage) => {
  it("lets the first admin claim the bot, and strangers in by an admin's tap", async () => {
    const bots = world.start({
      environment: {
        ...world.services,
        ...stage.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ACCESS: "pairing",
      },
    });
    await bots.ready();
    await stage.connected();
    const [, code = ""] = printedCode.exec(bots.stderr) ?? [];
    expect(bots.stderr).toMatch(
      /^Running as \S.* · https:\/\/(t\.me\/\w+|discord\.com\/.*) · Ctrl-C stops$/m,
    );
    expect(bots.stderr).toMatch(/has no owner yet\./);
    const [adam, ann, eve] = [stage.direct("Adam"), stage.direct("Ann"), stage.direct("Eve")];

    // A stranger before there is an admin, with a wrong claim.
    expect(await eve.command("start", "AAAAAAAA")).toMatch(/code isn't right/);
    expect(await eve.command("whoami")).toContain("Role: stranger");

    expect(await adam.command("start", code)).toMatch(/now the owner/);
    expect(await adam.command("whoami")).toContain("Role: owner");
    expect(await eve.command("start", code)).toMatch(/private/);
    adam.say("say I am here");
    await adam.wait("I am here");

    // Told once, however often she writes; her messages are not kept.
    ann.say("say let me in");
    const told = await ann.wait("private");
    const [pairing = ""] = /[A-Z0-9]{8}/.exec(told.text) ?? [];
    ann.say("say let me in at once");
    ann.say("say please");
    const card = await adam.wait(({ text }) => text.includes(pairing));
    expect(card.buttons).toEqual(["Allow", "Deny"]);
    expect(card.text).toContain("Ann");
    expect(await eve.forge(told, card.data[0] ?? "").catch(String)).toMatch(
      /Only an admin|sees no message|not in channel/,
    );
    expect(await adam.tap(card, "Allow")).toMatch(/Adam let Ann/);
    await adam.wait(isClosed(card, "Adam let"));
    await ann.wait("You're in!");
    ann.say("say thank you all");
    await ann.wait("thank you all");
    expect(ann.shown().filter(({ text }) => text.includes("private"))).toHaveLength(1);
    expect(ann.shown().map(({ text }) => text)).not.toContain("let me in");
    await bots.kill("SIGKILL");
  });

  it("denies by the other button, and /allow takes a code", async () => {
    const adam = stage.direct("Adam");
    const bots = world.start({
      environment: {
        ...world.services,
        ...stage.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ACCESS: "pairing",
        PARLEY_ADMINS: adam.personId,
      },
    });
    await bots.ready();
    await stage.connected();
    expect(bots.stderr).not.toMatch(printedCode);
    adam.say("say I am the admin");
    await adam.wait("I am the admin");
    const [eve, ann] = [stage.direct("Eve"), stage.direct("Ann")];
    eve.say("hello");
    const card = await adam.wait(({ text }) => text.includes("Eve"));
    // Hers is of low priority: it may arrive after the card, and after what others are sent.
    await eve.wait("private");
    expect(await adam.tap(card, "Deny")).toMatch(/Adam turned Eve/);
    eve.say("say is anybody there");
    ann.say("hello");
    const { text } = await ann.wait("private");
    const [code = ""] = /[A-Z0-9]{8}/.exec(text) ?? [];
    const asked = await adam.wait(({ text: shown }) => shown.includes("Ann"));
    expect(await adam.command("allow", code)).toMatch(/Adam let /);
    // Said once: the card is only marked.
    await adam.wait(({ id, text: shown }) => id === asked.id && shown.startsWith("✓ Ann"));
    await ann.wait("You're in!");
    ann.say("say something for the last time");
    await ann.wait("something for the last time");
    // A person who was denied is not answered, and costs no model call.
    expect(world.model.requests.map((each) => each.lastUserText)).not.toContain(
      "say is anybody there",
    );
    expect(eve.shown()).toHaveLength(1);
    await bots.kill("SIGKILL");
  });
});

describe.each(world.stages)("an allowlist on $name", (stage) => {
  it("tells a stranger once, without a code", async () => {
    const bots = world.start({
      environment: {
        ...world.services,
        ...stage.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ACCESS: "allowlist",
        PARLEY_ROLE: "bots",
      },
    });
    await bots.ready();
    await stage.connected();
    const eve = stage.direct("Eve");
    eve.say("hello there");
    await eve.wait("only available");
    eve.say("hello once more");
    expect(await eve.command("help")).toContain("/whoami");
    expect(eve.shown().filter(({ text }) => text.includes("only available"))).toHaveLength(1);
    await bots.kill("SIGKILL");
  });
});
