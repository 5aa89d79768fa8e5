import { describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { telegram } = world;
const environment = { ...world.services, ...telegram.environment };

const requestWith = (text: string) =>
  world.model.requests.find(({ lastUserText }) => lastUserText.includes(text));
const systemOf = (text: string): string => requestWith(text)?.systemText ?? "";

describe("a persona made in a chat", () => {
  it("is asked for, shown with a worker's sample, approved, chosen, and answers", async () => {
    const bots = world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } });
    await bots.ready();
    await telegram.connected();
    const ann = telegram.direct("Ann");
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
    expect(world.model.requests).toEqual([]);

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
