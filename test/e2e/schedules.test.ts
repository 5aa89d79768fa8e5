import { beforeAll, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { telegram } = world;

// One receives and delivers, the other fires.
beforeAll(async () => {
  for (const role of ["bots", "worker"])
    await world.start({ environment: { ...world.environment, PARLEY_ROLE: role } }).ready();
  await telegram.connected();
});

const isDue = ({ text }: { readonly text: string }): boolean => text === "⏰ drink tea";

it("a reminder arrives once, and is gone then", async () => {
  const ann = telegram.direct("Ann");
  expect(await ann.command("remind", "in 6s drink tea")).toContain("OK, I'll remind you");
  expect(await ann.command("schedule")).toContain("⏰ drink tea");
  await ann.wait(isDue);
  await expect.poll(() => ann.command("schedule")).toContain("no reminders");
  expect(ann.shown().filter(isDue)).toHaveLength(1);
});

it("one that is run now arrives at once, and stays planned", async () => {
  const ann = telegram.direct("Ann");
  await ann.command("remind", "in 20h water the plants");
  const listed = await ann.command("schedule");
  const [, id = ""] = /\(([a-z0-9]{6})\)/.exec(listed) ?? [];
  expect(await ann.command("schedule", `run ${id}`)).toContain("Running it now");
  await ann.wait(({ text }) => text === "⏰ water the plants");
  expect(await ann.command("schedule")).toMatch(/⏰ water the plants .*next: .*last: sent/);
});

const calls = (given: object) => ({ toolCalls: [{ name: "schedule", arguments: given }] });

it("a zone that is given to the model is kept: the person is asked once", async () => {
  const ann = telegram.direct("Ann");
  const tea = { action: "create", kind: "remind", when: "tomorrow 13:00", text: "tea" };
  world.model.when(/^remind me of tea$/, calls(tea));
  world.model.when(/^I live in Tokyo$/, calls({ ...tea, zone: "Asia/Tokyo" }));
  ann.say("remind me of tea");
  await ann.wait(({ text }) => text.includes("time zone is unknown"));
  ann.say("I live in Tokyo");
  await ann.wait(({ text }) => text.includes("13:00 (Asia/Tokyo)"));
  await expect
    .poll(() => ann.command("remind", "tomorrow 9:00 dentist"))
    .toMatch(/09:00 \(Asia\/Tokyo\)\.$/);
});

it("what is no time is set by the model, in the person's zone", async () => {
  const ann = telegram.direct("Ann");
  await ann.command("schedule", "zone Asia/Tokyo");
  world.model.when("Set a reminder: after lunch, walk", {
    toolCalls: [
      {
        name: "schedule",
        arguments: { action: "create", kind: "remind", when: "tomorrow 13:00", text: "walk" },
      },
    ],
  });
  await ann.command("remind", "after lunch, walk");
  await expect.poll(() => ann.command("schedule")).toMatch(/⏰ walk .*13:00 \(Asia\/Tokyo\)/);
});
