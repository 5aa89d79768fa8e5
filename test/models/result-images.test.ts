import { expect, it } from "vitest";
import type { ModelCard, ModelRequest } from "../../src/core/model.ts";
import { toChatRequest } from "../../src/models/ollama/request.ts";
import { toChatBody } from "../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../src/models/openai/dialect.ts";
import { toResponsesBody } from "../../src/models/openai/responses/request.ts";
import { png } from "../support/files/samples.ts";
import { card, currentTime, request } from "./helpers.ts";

const lead = "[From the platform: images of the results above: shoot: a.png.]";
const data = png.toString("base64");
const asked: ModelRequest = request("look", {
  tools: [currentTime],
  messages: [
    { role: "user", text: "look" },
    {
      role: "assistant",
      text: "",
      calls: [{ id: "t1_1_0", name: "current_time", arguments: "{}" }],
    },
    { role: "tool", callId: "t1_1_0", name: "current_time", text: "Taken." },
    {
      role: "user",
      text: lead,
      images: [{ mediaType: "image/png", data }],
      ofResults: true,
    },
  ],
});

const dialect = dialectOf("https://api.openai.com/v1");

/** The last two messages on each wire. */
const wires: Record<string, (able: ModelCard) => readonly unknown[]> = {
  chat: (able) =>
    toChatBody({
      model: "m",
      card: able,
      request: asked,
      dialect,
    }).messages.slice(-2),
  responses: (able) =>
    [toResponsesBody({ model: "m", card: able, request: asked, dialect }).input ?? []]
      .flat()
      .slice(-2),
  ollama: (able) =>
    toChatRequest({ model: "m", card: able, request: asked }).messages?.slice(-2) ?? [],
};

it.each(Object.entries(wires))(
  "an image of a result is sent behind it to a model that sees (%s)",
  (_wire, body) => {
    const [result, images] = body({ ...card, vision: true });
    expect(JSON.stringify(result)).toContain("Taken.");
    expect(images).toMatchObject({ role: "user" });
    expect(JSON.stringify(images)).toContain(lead);
    expect(JSON.stringify(images)).toContain(data);
  },
);

it.each(Object.entries(wires))(
  "a model that is blind is sent one line with the result instead (%s)",
  (_wire, body) => {
    const [, result] = body({ ...card, vision: false });
    expect(JSON.stringify(result)).toContain(
      String.raw`Taken.\n[image: not visible to this model]`,
    );
    expect(JSON.stringify(body({ ...card, vision: false }))).not.toContain(data);
  },
);
