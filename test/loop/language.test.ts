import { describe, expect, it } from "vitest";
import { newErrorId } from "../../src/logging/error-id.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ann, bob, openScene, type SceneOptions } from "./scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });
const german = { ...ann, language: "de" };

it("tells the model the language by a line that stays the same for the whole chat, and by none in a group", async () => {
  await using scene = await open();
  await scene.say("hallo", { person: german });
  await scene.settle();
  await scene.say("und nun", { person: german });
  await scene.settle();
  const [first, second] = scene.model.requests.map(({ messages }) => messages[0]?.text ?? "");
  expect(first).toContain("app is set to German");
  expect(second).toBe(first);
  await using group = await open();
  await group.say("hallo", { person: german, group: true });
  await group.settle();
  await group.say("hello", { person: bob, group: true });
  await group.settle();
  expect(JSON.stringify(group.model.requests)).not.toContain("app is set to");
});

describe("what a turn says by itself is in the language of the person it answers", () => {
  it("a failed model, with an id that is in the log beside the cause", async () => {
    await using scene = await open({ deps: { newErrorId } });
    scene.model.reply({ failure: { status: 401 } });
    await scene.say("eine private Frage", { person: german });
    await scene.settle();
    const [said = ""] = await scene.said();
    const [, errorId = ""] =
      /^Entschuldige, der KI-Dienst hat den API-Schlüssel abgelehnt\. \(Fehler ([a-z2-9]{6})\)\nBitte sag der Person Bescheid/.exec(
        said,
      ) ?? [];
    expect(errorId).not.toBe("");
    const lines = scene.logged("warn").split("\n");
    expect(lines.filter((line) => line.includes(errorId))).toEqual([
      expect.stringMatching(/"kind":"auth"/),
    ]);
    expect(scene.logged("info")).not.toContain("private Frage");
  });

  it("an empty answer", async () => {
    await using scene = await open({ deps: { newErrorId } });
    scene.model.reply({ text: "" }, { text: "" });
    await scene.say("hallo", { person: german });
    await scene.settle();
    const [said = ""] = await scene.said();
    const [, errorId = ""] = /keine Antwort bekommen\. .* \(Fehler (\w{6})\)$/.exec(said) ?? [
      "",
      "none",
    ];
    expect(scene.logged("error")).toContain(errorId);
  });

  it("a limit, an order that cannot be carried out, and whose decision is awaited", async () => {
    await using scene = await open();
    await scene.control("undo", { person: german });
    await scene.control("compact", { person: german });
    await scene.settle();
    await scene.say("bitte", { person: german });
    await scene.settle({
      policy: { ...scene.deps.policy, maxTokens: 0 },
    });
    expect(await scene.notices()).toEqual(["Es gibt nichts zurückzunehmen."]);
    expect(await scene.said()).toEqual([
      "Es gibt noch nichts zusammenzufassen.",
      expect.stringMatching(/^Ich habe hier gestoppt, .* Limit/),
    ]);
    scene.model.reply({
      toolCalls: [{ name: "buy", arguments: { label: "1" } }],
    });
    await scene.say("delete it", { person: ann });
    await scene.settle();
    await scene.say("hallo?", { person: { ...bob, language: "de" } });
    await scene.settle();
    expect((await scene.notices()).at(-1)).toMatch(/^Ich warte darauf, dass Ann etwas freigibt\./);
  });

  it("and so is what is said of it on its way", async () => {
    await using scene = await open();
    scene.model.reply({
      text: "Moment.",
      toolCalls: [{ name: "buy", arguments: { label: "1" } }],
    });
    await scene.say("kauf es", { person: german });
    await scene.settle();
    await scene.say("hello?", { person: { ...bob, language: "fr" } });
    await scene.settle();
    scene.model.reply({ text: "Gut." });
    await scene.say("doch nicht", { person: german });
    await scene.settle();
    const posted = await scene.outbox();
    expect(posted.map(({ kind, language }) => [kind, language])).toEqual([
      ["message", "de"],
      ["card", "de"],
      ["notice", "fr"],
      ["resolution", "de"],
      ["message", "fr"],
      ["message", "de"],
    ]);
    expect(posted[3]).toMatchObject({
      text: "Abgebrochen wegen einer neueren Nachricht.",
    });
  });
});
