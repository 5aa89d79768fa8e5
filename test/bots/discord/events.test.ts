import {
  ApplicationCommandType,
  ComponentType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  InteractionType,
  MessageType,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { byName } from "../../../src/bots/keyed-queue/priority.ts";
import { interactionSchema } from "../../../src/bots/discord/receive/payloads.ts";
import { translateInteraction } from "../../../src/bots/discord/receive/translate-interaction.ts";
import { dispatches } from "../../emulators/discord/fixtures/dispatches.ts";
import {
  oddMessages,
  someMember,
  someMessage,
  someUser,
} from "../../emulators/discord/fixtures/messages.ts";
import type { Gateway } from "../../emulators/discord/gateway/gateway.ts";
import { commands, eventually, started, type Started } from "./harness.ts";

const everything = {
  server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
  deps: { settings: { messageContent: true, shards: 1 } },
} as const;

const tell = ({ discord }: Started, name: string, payload: unknown) =>
  (discord.gateway as Gateway).dispatch({
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the table's own names
    name: name as GatewayDispatchEvents,
    guildId: undefined,
    intents: 0,
    payload: () => payload,
  });

/** What people write; the rest is Discord's own. */
const written: ReadonlySet<number> = new Set([MessageType.Default, MessageType.Reply]);

/** Numbers of an enumeration of Discord's. */
const numbersOf = (enumeration: object): number[] =>
  Object.values(enumeration).filter((value) => typeof value === "number");

test("every event of the gateway is taken without harm, and none is answered that is not for the bot", async () => {
  await using here = await started(everything);
  const { ann, channel, direct, discord, ingress, guild, logged } = here;
  const all = dispatches({
    guild: guild.id,
    channel: channel.id,
    bot: discord.botUserId,
  });
  const names = Object.values(GatewayDispatchEvents).filter(
    (name) => name !== GatewayDispatchEvents.Ready && name !== GatewayDispatchEvents.Resumed,
  );
  expect(Object.keys(all).toSorted()).toEqual(names.toSorted());
  for (const [name, payload] of Object.entries(all)) tell(here, name, payload);
  ann.send(direct, "still here");
  await eventually(() => ingress.texts()).toEqual(["still here"]);
  expect(discord.gateway.connectedSessions).toBe(1);
  expect(logged()).not.toContain("could not be handled");
  expect(
    discord.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/messages")),
  ).toEqual([]);
});

describe("messages of every kind that name the bot", () => {
  test.each(["a server", "a direct message"])(
    "are taken when people have written them, in %s",
    async (where) => {
      await using here = await started(everything);
      const { ann, channel, direct, discord, ingress, guild } = here;
      const isDirect = where === "a direct message";
      const types = numbersOf(MessageType).map((type) => ({
        name: `type ${type}`,
        isTaken: written.has(type),
        changes: { type },
      }));
      const expected: string[] = [];
      const all = [...oddMessages, ...types, { ...oddMessages[0], name: "end" }];
      for (const [index, { name, isTaken, changes }] of all.entries()) {
        const id = String(910_000_000_000_000_000n + BigInt(index));
        if (isTaken === true) expected.push(`${name} m${id}`);
        tell(here, GatewayDispatchEvents.MessageCreate, {
          ...someMessage,
          content: `<@${discord.botUserId}> ${name}`,
          id,
          channel_id: isDirect ? direct.id : channel.id,
          channel_type: isDirect ? 1 : 0,
          ...(isDirect ? {} : { guild_id: guild.id, member: someMember }),
          mentions: [
            {
              ...someUser,
              id: discord.botUserId,
              bot: true,
              ...(isDirect ? {} : { member: someMember }),
            },
          ],
          ...changes,
        });
      }
      ann.send(direct, "last");
      await eventually(() => ingress.texts()).toContain("last");
      await eventually(() => ingress.texts()).toContain("end");
      const arrived = ingress.arrived.flatMap((inbound) =>
        inbound.type === "message" && inbound.text !== "last"
          ? // Behind what a forward, a poll or an activity shows.
            [`${inbound.text.split("\n").at(-1)} ${inbound.id}`]
          : [],
      );
      expect(arrived).toEqual(expected);
    },
  );
});

const interaction = (type: number, data: unknown) =>
  interactionSchema.parse({
    id: "5",
    application_id: "6",
    token: "t",
    version: 1,
    type,
    guild_id: "9",
    channel_id: "7",
    channel: { id: "7", type: 0, parent_id: null },
    member: { ...someMember, user: someUser, permissions: "0" },
    app_permissions: "274878008320",
    locale: "de",
    guild_locale: "en-US",
    entitlements: [],
    authorizing_integration_owners: { 0: "9" },
    context: 0,
    attachment_size_limit: 10_485_760,
    data,
  });

const asked = (type: number, data: unknown) =>
  translateInteraction(interaction(type, data), {
    botId: "1",
    commands: byName(commands),
    atMs: 1,
    fetchFile: () => Promise.reject(new Error("nothing is fetched here")),
    pointed: { recall: () => undefined },
    references: { opening: () => ({}) },
  }).type;

describe("interactions of every kind", () => {
  const shapes: readonly unknown[] = [
    undefined,
    null,
    {},
    [],
    { name: 7 },
    { custom_id: "x", components: [{ type: 1 }] },
    { id: "1", name: "gone", type: 1, options: [{ name: "a", options: [] }] },
    { id: "1", name: "Ask about this", type: 3, target_id: "2" },
    { name: "Ask about this", type: 3, target_id: "2", resolved: {} },
    {
      name: "Ask about this",
      type: 3,
      target_id: "2",
      resolved: { messages: { 2: { id: "2", content: 7 } } },
    },
    {
      name: "Ask about this",
      type: 3,
      target_id: "2",
      resolved: {
        messages: {
          2: { ...someMessage, id: "2", type: MessageType.UserJoin },
        },
      },
    },
  ];

  test.each(
    [...numbersOf(InteractionType), 99].flatMap((type) =>
      shapes.map((data) => [type, data] as const),
    ),
  )("of type %i with %j are nothing, politely", (type, data) => {
    expect(asked(type, data)).toMatch(/^(?:nothing|suggestions)$/);
  });

  test.each(numbersOf(ComponentType))(
    "of the component %i are taps on buttons, or nothing",
    (component_type) => {
      const data = { component_type, custom_id: "a:1", values: ["1"] };
      const type = asked(InteractionType.MessageComponent, data);
      const button: number = ComponentType.Button;
      expect(type).toBe(component_type === button ? "tap" : "nothing");
    },
  );

  test.each(numbersOf(ApplicationCommandType))(
    "of the command type %i are commands only where they are slashed",
    (type) => {
      const data = { id: "1", name: "status", type };
      const slash: number = ApplicationCommandType.ChatInput;
      expect(asked(InteractionType.ApplicationCommand, data)).toBe(
        type === slash ? "command" : "nothing",
      );
    },
  );
});
