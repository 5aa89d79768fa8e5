import { Routes } from "discord.js";
import { expect, it } from "vitest";
import { Agent, type Dispatcher } from "undici";
import { createRest } from "../../../src/bots/discord/rest.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { scene } from "../../emulators/discord/scene.ts";

it("sends files over another version's connections, which know no forms of Node's", async () => {
  await using discord = await DiscordServer.start();
  const { direct } = scene(discord);
  using connection = createRest({ token: discord.token, apiRoot: discord.apiRoot });
  const agent: Dispatcher = new Agent();
  // Its types are of the version that discord.js brings.
  connection.rest.setAgent(agent as never);
  await connection.rest.post(Routes.channelMessages(direct.id), {
    body: { content: "here", allowed_mentions: { parse: [] } },
    files: [{ name: "a.txt", data: Buffer.from("there") }],
  });
  const { attachments } = await discord.waitForMessage(direct, "here");
  expect(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["a.txt", "there"],
  ]);
  await agent.close();
});
