import { describe, expect, it, vi } from "vitest";
import type { CommandSpec } from "../../../src/core/ports.ts";
import { Scene } from "./support.ts";

const commands: readonly CommandSpec[] = [
  {
    name: "help",
    description: "What I can do",
    descriptions: { de: "Was ich kann", fr: "Ce que je sais faire" },
  },
  {
    name: "ban",
    description: "Ban somebody",
    descriptions: { de: "Jemanden sperren" },
    adminOnly: true,
  },
];
const help = { command: "help", description: "What I can do" };
const ban = { command: "ban", description: "Ban somebody" };

const menuOf = (userId: number) => ({ type: "chat", chat_id: userId });

describe("the menu of commands", () => {
  it("is there in each language that the commands have, and written once", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    const first = scene.createBot({ commands });
    await first.start();
    expect(telegram.commands()).toEqual([help]);
    expect(telegram.commands(undefined, "de")).toEqual([
      { command: "help", description: "Was ich kann" },
    ]);
    expect(telegram.commands(undefined, "fr")).toEqual([
      { command: "help", description: "Ce que je sais faire" },
    ]);
    await first[Symbol.asyncDispose]();
    await scene.createBot({ commands }).start();
    expect(telegram.callsOf("setMyCommands")).toHaveLength(3);
    expect(telegram.violations).toEqual([]);
  });

  it("has the admins' commands in their chats only", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    const [anna, ben] = ["Anna", "Ben"].map((firstName) => telegram.person({ firstName }));
    if (!anna || !ben) throw new Error("nobody");
    telegram.privateChat(anna);
    // Ben has never written to the bot.
    scene.admins = [`telegram:${anna.id}`, `telegram:${ben.id}`, "discord:1"];
    await scene.createBot({ commands }).start();
    await vi.waitFor(() => expect(scene.adminLooks).toBe(1));
    expect(telegram.commands(menuOf(anna.id))).toEqual([help, ban]);
    expect(telegram.commands(menuOf(anna.id), "de")).toEqual([
      { command: "help", description: "Was ich kann" },
      { command: "ban", description: "Jemanden sperren" },
    ]);
    expect(telegram.commands(menuOf(anna.id), "fr")).toEqual([
      { command: "help", description: "Ce que je sais faire" },
      ban,
    ]);
    expect(telegram.commands()).toEqual([help]);

    telegram.privateChat(ben);
    scene.admins = [`telegram:${ben.id}`];
    scene.lookAgain();
    await vi.waitFor(() => expect(scene.adminLooks).toBe(2));
    expect(telegram.commands(menuOf(ben.id))).toEqual([help, ban]);
    expect(telegram.commands(menuOf(anna.id))).toBeUndefined();
    expect(telegram.commands(menuOf(anna.id), "de")).toBeUndefined();
    expect(scene.warnings()).toEqual([]);
  });
});
