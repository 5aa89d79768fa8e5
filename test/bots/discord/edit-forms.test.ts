import { InteractionResponseType } from "discord.js";
import { describe, expect, test } from "vitest";
import type { InboundForm } from "../../../src/core/inbound.ts";
import { en } from "../../../src/locales/en.ts";
import { eventually, started } from "./harness.ts";

const card = {
  nonce: "card-1",
  final: true,
  buttons: [
    { label: "Approve", data: "a:s1-abc" },
    { label: "Edit", data: "e:s1-abc" },
  ],
};

const form: InboundForm = {
  data: "e:s1-abc",
  title: "Change the arguments",
  fields: [
    { id: "=city", label: "city", value: "Bern", long: false },
    { id: "=note", label: "note", value: "", long: true },
  ],
};

/** A bot whose card stands in a channel; its Edit opens the form. */
async function withCard() {
  const here = await started();
  const { bot, channel, guild, ingress } = here;
  const address = {
    platform: "discord",
    bot: bot.id.slice("discord:".length),
    chat: channel.id,
  } as const;
  const sent = await bot.sender.send(address, { text: "May I?" }, card);
  if (sent.type !== "sent") throw new Error(sent.type);
  ingress.answer = (inbound) =>
    inbound.type === "tap" && inbound.filled === undefined
      ? { type: "form", form, text: "Write it instead." }
      : { type: "answered", text: "Changed.", isPrivate: true };
  return { ...here, guild, messageId: sent.messageId };
}

describe("a button that opens a form", () => {
  test("is answered with the form that ingress makes, and what is filled in comes as a tap on it", async () => {
    const here = await withCard();
    await using _ = here;
    const { ann, channel, ingress, discord, messageId } = here;
    const pressed = ann.press(channel, messageId, "Edit");
    const { type, data } = await pressed.acknowledged();
    expect(type).toBe(InteractionResponseType.Modal);
    expect(data).toMatchObject({
      custom_id: "e:s1-abc",
      title: "Change the arguments",
      components: [
        { label: "city", component: { custom_id: "=city", value: "Bern" } },
        { label: "note", component: { custom_id: "=note" } },
      ],
    });
    const sent = ann.fillIn(channel, pressed, { "=city": "Basel" });
    const { type: second } = await sent.acknowledged();
    expect(second).toBe(InteractionResponseType.DeferredMessageUpdate);
    expect(await sent.response("Changed.")).toMatchObject({
      ephemeralFor: ann.id,
    });
    expect(ingress.arrived).toMatchObject([
      { type: "tap", data: "e:s1-abc", messageId },
      {
        type: "tap",
        data: "e:s1-abc",
        messageId,
        filled: { "=city": "Basel", "=note": "" },
        person: { id: `discord:${ann.id}` },
      },
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("refused, it says so only to the person who pressed it", async () => {
    const here = await withCard();
    await using _ = here;
    const { ann, channel, ingress, discord, messageId } = here;
    ingress.answer = () => ({ type: "refused", text: "You may not." });
    const pressed = ann.press(channel, messageId, "Edit");
    expect(await pressed.response("You may not.")).toMatchObject({
      ephemeralFor: ann.id,
    });
    expect(discord.violations).toEqual([]);
  });

  test("does not leave anyone waiting where ingress does not answer in time", async () => {
    const here = await withCard();
    await using _ = here;
    const { ann, channel, ingress, discord, messageId } = here;
    const never = Promise.withResolvers<never>();
    ingress.answer = () => never.promise;
    const pressed = ann.press(channel, messageId, "Edit");
    expect(await pressed.response(en.platform.tryAgain)).toMatchObject({
      ephemeralFor: ann.id,
    });
    ingress.answer = () => Promise.reject(new Error("no store"));
    const again = ann.press(channel, messageId, "Edit");
    await again.response(en.platform.tryAgain);
    expect(discord.violations).toEqual([]);
  });

  test("sent by a client that no one has shown it to is a tap like any other: ingress decides", async () => {
    const here = await withCard();
    await using _ = here;
    const { ben, channel, ingress } = here;
    ingress.answer = () => ({ type: "refused", text: "You may not." });
    const forged = ben.fillInForged(channel, "e:s1-abc", "what?");
    await eventually(() => ingress.arrived).toHaveLength(1);
    expect(ingress.arrived[0]).toMatchObject({
      type: "tap",
      filled: { question: "what?" },
      person: { id: `discord:${ben.id}` },
    });
    await forged.acknowledged().catch(() => undefined);
  });
});
