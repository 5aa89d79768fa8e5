import { Locale } from "discord.js";
import { describe, expect, test } from "vitest";
import type { Completion } from "../../../src/core/ports.ts";
import { eventually, models, started } from "./harness.ts";

const menu = "Ask about this";

const typing = (value: string) => ({ focused: "model", value });

describe("the message menu", () => {
  test("asks with a form, and the message is quoted in the question", async () => {
    await using here = await started();
    const { ann, ben, channel, discord, ingress, guild } = here;
    const message = ben.send(channel, "E = mc²", {
      attachments: [{ name: "proof.txt", bytes: Buffer.from("QED") }],
    });
    const chosen = ann.menu(channel, menu, message.id);
    await chosen.acknowledged();
    expect(ingress.arrived).toEqual([]);
    const sent = ann.fillIn(channel, chosen, { question: "Is that so?" });
    const shown = await sent.response("> Is that so?");
    expect(shown).toMatchObject({
      content: `> Is that so?\n-# about https://discord.com/channels/${guild.id}/${channel.id}/${message.id}`,
      ephemeralFor: undefined,
    });
    expect(ingress.arrived).toMatchObject([
      {
        type: "message",
        id: `i${sent.id}`,
        messageId: shown.id,
        text: "Is that so?",
        quote: { author: "ben", text: "E = mc²\n[file: proof.txt]" },
        attachments: [{ kind: "document", name: "proof.txt" }],
        answersItself: true,
      },
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("takes an empty form, in private too", async () => {
    await using here = await started();
    const { ann, direct, ingress } = here;
    const message = ann.send(direct, "Carpe diem");
    await eventually(() => ingress.arrived).toHaveLength(1);
    const chosen = ann.menu(direct, menu, message.id);
    await chosen.acknowledged();
    const sent = ann.fillIn(direct, chosen, {});
    await sent.response("> What can you tell me about this?");
    expect(ingress.arrived[1]).toMatchObject({
      text: "What can you tell me about this?",
      quote: { author: "Ann", text: "Carpe diem" },
      direct: true,
    });
  });

  test("lets no one send a form that was not shown to them", async () => {
    await using here = await started();
    const { ann, ben, channel, discord, ingress } = here;
    const message = ben.send(channel, "mine");
    const chosen = ben.menu(channel, menu, message.id);
    await chosen.acknowledged();
    for (const id of [`about:${chosen.id}`, "about:1"]) {
      const forged = ann.fillInForged(channel, id, "what?");
      expect(await forged.response("choose it again")).toMatchObject({
        ephemeralFor: ann.id,
      });
    }
    const foreign = ann.fillInForged(channel, "other", "what?");
    expect((await foreign.response()).ephemeralFor).toBe(ann.id);
    expect(ingress.arrived).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  test("is there in the person's language, and so are the commands", async () => {
    await using here = await started();
    const { discord } = here;
    const named = (name: string) => discord.commands().find((each) => each.name === name);
    expect(named(menu)?.name_localizations).toMatchObject({
      [Locale.German]: "Dazu etwas fragen",
      [Locale.ChineseTW]: "就此提问",
    });
    expect(named("model")?.description_localizations).toEqual({
      [Locale.German]: "Ein Modell wählen",
      [Locale.SpanishES]: "Elegir un modelo",
      [Locale.SpanishLATAM]: "Elegir un modelo",
    });
    expect(named("model")?.options?.[0]).toMatchObject({
      description_localizations: {
        [Locale.ChineseCN]: "哪个",
        [Locale.ChineseTW]: "哪个",
      },
      autocomplete: true,
    });
    expect(discord.violations).toEqual([]);
  });
});

describe("what is offered while someone types", () => {
  test("is what the bot knows, at most 25", async () => {
    const asked: unknown[] = [];
    const completion: Completion = {
      ...models,
      complete(each) {
        asked.push(each);
        return models.complete(each);
      },
    };
    await using here = await started({ deps: { completion } });
    const { ann, channel, discord } = here;
    const all = ann.autocomplete(channel, "model", typing(""));
    expect(await all.suggestions()).toHaveLength(25);
    const some = ann.autocomplete(channel, "model", typing(" model-59 "));
    expect(await some.suggestions()).toEqual(["some/model-59"]);
    expect(asked[1]).toMatchObject({
      asker: { person: { id: `discord:${ann.id}` }, direct: false },
      command: "model",
      argument: "model",
      typed: "model-59",
      given: {},
    });
    expect(discord.violations).toEqual([]);
  });

  test.each<[string, Completion["complete"]]>([
    ["fails", () => Promise.reject(new Error("the store is away"))],
    ["hangs", () => new Promise(() => undefined)],
    ["has only what Discord does not take", async () => ["", "x".repeat(101)]],
  ])("is nothing when what knows it %s", async (_name, complete) => {
    await using here = await started({
      deps: { completion: { ...models, complete } },
    });
    const asked = here.ann.autocomplete(here.channel, "model", typing("a"));
    expect(await asked.suggestions()).toEqual([]);
    expect(here.discord.violations).toEqual([]);
  });
});
