import { InteractionResponseType } from "discord.js";
import { expect, test } from "vitest";
import { personaCommand } from "../../../src/commands/persona.ts";
import type { InboundForm } from "../../../src/core/inbound.ts";
import type { Completion } from "../../../src/core/ports.ts";
import { started } from "./harness.ts";

const form: InboundForm = {
  data: "cf:persona:new chef",
  title: "New persona",
  fields: [
    { id: "name", label: "Name", value: "chef", long: false },
    { id: "purpose", label: "What it's for", value: "", long: true },
  ],
};
const preview = {
  type: "answered",
  text: "Your new persona: chef",
  isPrivate: false,
  buttons: [{ label: "Approve", data: "cc:persona:approve abcdef.2", typed: "/persona approve" }],
} as const;

const completion: Completion = {
  offers: (command, argument) => `${command} ${argument}` === "persona name",
  complete: ({ given }) => Promise.resolve([`chef of ${given["action"]}`]),
};

const withPersonas = () => started({ deps: { commands: [personaCommand.spec], completion } });

test("/persona new opens a form at once, which comes back as the command, answered in private", async () => {
  await using here = await withPersonas();
  const { ann, channel, ingress, discord } = here;
  ingress.answer = (inbound) =>
    inbound.type === "tap" ? { type: "form", form, text: "Write it." } : preview;
  const asked = ann.slash(channel, "persona", { called: "chef" }, { subcommand: "new" });
  const { type } = await asked.acknowledged();
  expect(type).toBe(InteractionResponseType.Modal);
  const sent = ann.fillIn(channel, asked, { purpose: "cooks\ndinner" });
  const shown = await sent.response("Your new persona: chef");
  expect(shown).toMatchObject({ ephemeralFor: ann.id });
  expect(ingress.arrived).toMatchObject([
    { type: "tap", data: "cf:persona:new chef" },
    {
      type: "command",
      name: "persona",
      options: { form: "new chef", name: "chef", purpose: "cooks\ndinner" },
      answersItself: true,
    },
  ]);
  expect(discord.violations).toEqual([]);
});

test("each use is a subcommand, and its name is completed", async () => {
  await using here = await withPersonas();
  const { ann, channel, ingress, discord } = here;
  ingress.answer = () => preview;
  const names = discord.commands().find(({ name }) => name === "persona")?.options ?? [];
  expect(names.map(({ name }) => name)).toEqual([
    "pick",
    "new",
    "edit",
    "show",
    "delete",
    "history",
  ]);
  const picked = ann.slash(
    channel,
    "persona",
    { name: "chef", for: "chat" },
    { subcommand: "pick" },
  );
  await picked.response("Your new persona");
  expect(ingress.arrived).toMatchObject([
    { argument: "pick chef chat", options: { action: "pick", name: "chef", for: "chat" } },
  ]);
  expect(discord.violations).toEqual([]);
});
