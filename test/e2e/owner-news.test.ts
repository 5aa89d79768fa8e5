import { describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import type { TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const databases = await emptyDatabases(world.redis, 2);

const news = (owner: TestChat, part: string): number =>
  owner.shown().filter(({ text }) => text.includes(part)).length;

describe.each(world.stages)("the owner of a bot on $name", (stage) => {
  it("hears once that its key was rejected, across kill -9, and once that it works again", async () => {
    const [ada, bob] = [stage.direct("Ada"), stage.direct("Bob")];
    const settings = {
      environment: {
        ...world.services,
        ...stage.environment,
        REDIS_URL: databases.pop() ?? "",
        PARLEY_ADMINS: ada.personId,
      },
      tolerates: [/the model failed/],
    };
    const question = `the key is gone on ${stage.name}`;
    world.model.when(question, { failure: { status: 401 } });
    const first = world.start(settings);
    await first.ready();
    await stage.connected();
    // No owner can be reached yet.
    bob.say(question);
    await bob.wait("Please tell the person who runs me.");
    ada.say("say here I am");
    await ada.wait("here I am");
    bob.say(question);
    const told = await bob.wait("I've told my owner.");
    expect(told.text).toMatch(/^Sorry.*\(error [a-z2-9]{6}\)\nI've told my owner\.$/s);
    await ada.wait("refuses the key");
    await world.delivered();
    await first.kill("SIGKILL");

    const second = world.start(settings);
    await second.ready();
    await stage.connected();
    bob.say(question);
    await stage.until(() => news(bob, "I've told my owner.") === 2, "a second apology");
    bob.say("say it works");
    await bob.wait("it works");
    await ada.wait("answers again");
    await world.delivered();
    expect(news(ada, "refuses the key")).toBe(1);
    expect(news(ada, "answers again")).toBe(1);
    expect(news(bob, "refuses the key") + news(bob, "answers again")).toBe(0);
    await second.kill("SIGKILL");
  });
});
