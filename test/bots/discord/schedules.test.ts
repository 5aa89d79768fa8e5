import { expect, test } from "vitest";
import { remindCommand } from "../../../src/commands/remind.ts";
import { scheduleCommand } from "../../../src/commands/schedule.ts";
import type { Completion } from "../../../src/core/ports.ts";
import { started } from "./harness.ts";

const completion: Completion = {
  offers: (command, argument) => ["remind when", "schedule id"].includes(`${command} ${argument}`),
  complete: ({ argument }) => Promise.resolve([`one ${argument}`]),
};

test("/remind has fields, and /schedule subcommands with their own", async () => {
  const commands = [remindCommand.spec, scheduleCommand.spec];
  await using here = await started({ deps: { commands, completion } });
  const { ann, channel, ingress, discord } = here;
  ingress.answer = () => ({ type: "answered", text: "Done.", isPrivate: false });
  const optionsOf = (name: string) =>
    discord.commands().find((command) => command.name === name)?.options ?? [];
  expect(optionsOf("remind").map(({ name }) => name)).toEqual(["when", "text"]);
  const names = optionsOf("schedule").map(({ name }) => name);
  expect(names).toEqual(["list", "run", "pause", "resume", "delete", "zone"]);
  const reminded = ann.slash(channel, "remind", { when: "in 20m", text: "tea" });
  await reminded.response("Done.");
  const paused = ann.slash(channel, "schedule", { id: "abc123" }, { subcommand: "pause" });
  await paused.response("Done.");
  const zoned = ann.slash(channel, "schedule", { city: "Europe/Berlin" }, { subcommand: "zone" });
  await zoned.response("Done.");
  expect(ingress.arrived).toMatchObject([
    {
      type: "command",
      name: "remind",
      argument: "in 20m tea",
      options: { when: "in 20m", text: "tea" },
    },
    { name: "schedule", argument: "pause abc123", options: { action: "pause", id: "abc123" } },
    { argument: "zone Europe/Berlin", options: { action: "zone", city: "Europe/Berlin" } },
  ]);
  expect(discord.violations).toEqual([]);
});
