import { describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";

const world = await openWorld();
const { server } = world.discord;
const owner = server.user({ username: "owner", globalName: "Olga" });
const stranger = server.user({ username: "bob", globalName: "Bob" });
const guild = server.guild({ name: "Team", owner, members: [stranger] });
const channel = guild.textChannel("general");

async function start(): Promise<void> {
  const environment = {
    ...world.environment,
    PARLEY_ACCESS: "allowlist",
    PARLEY_ADMINS: `discord:${owner.id}`,
  };
  await world.start({ environment }).ready();
  await world.discord.connected();
}

/** A mention of a command, or any other word with a slash. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/<\/([^:<>]+):\d+>|(?<![\w/<])\/[a-z]+/g)].map(([all, path]) => path ?? all);

describe("on Discord", () => {
  it("every sentence names commands as Discord has them", async () => {
    await start();
    const asked = async (
      name: string,
      options: Readonly<Record<string, string>> = {},
      subcommand?: string,
    ): Promise<string> => {
      const handle = owner.slash(channel, name, options, subcommand ? { subcommand } : {});
      await handle.response("", { timeoutMs });
      return owner
        .messages(channel)
        .filter(({ interactionId }) => interactionId === handle.id)
        .map(({ content }) => content)
        .join("\n");
    };
    const everything = (): readonly string[] =>
      named(
        owner
          .messages(channel)
          .map(({ content }) => content)
          .join("\n"),
      );
    stranger.send(channel, "hello?", { mentionsBot: true });
    const refusal = await server.waitForMessage(channel, "Sorry, I'm only", { timeoutMs });
    expect(named(refusal.content)).toEqual(["admin allow"]);
    expect(refusal.content).toContain("place:here");
    await asked("help", { command: "all" });
    // A long answer comes in several messages.
    await expect.poll(everything, { timeout: timeoutMs }).toContain("admin import");
    for (const name of ["admin allow", "admin stats", "persona pick", "help"])
      expect(everything()).toContain(name);
    expect(everything().filter((name) => name.startsWith("/"))).toEqual([]);
    expect(named(await asked("help", { command: "limits" }))).toEqual([
      "limits",
      "admin limits-set",
      "admin limits-reset",
    ]);
    expect(named(await asked("persona", {}, "pick"))).toEqual(["persona new"]);
    expect(named(await asked("limits"))).toEqual(["admin limits-set", "admin limits-reset"]);
    const whom = await asked("admin", {}, "allow");
    expect(named(whom)).toEqual(["admin allow"]);
    expect(whom).not.toContain("Reply");
    expect(await asked("admin", { place: "here" }, "allow")).toContain("can talk to me now");
  });
});
