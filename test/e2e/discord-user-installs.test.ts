import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";

const world = await openWorld();
const { server } = world.discord;

beforeAll(async () => {
  await world
    .start({
      environment: world.environment,
      config: "discord: { userInstall: true }\n",
    })
    .ready();
  await world.discord.connected();
});

/** Someone with the bot as an app of their own, on a server that it has not joined. */
function visitor() {
  const ann = server.user({ username: "ann", globalName: "Ann" });
  const owner = server.user({ username: "owner" });
  const elsewhere = server.guild({
    name: "Elsewhere",
    owner,
    members: [ann],
    withoutBot: true,
  });
  const channel = elsewhere.textChannel("far");
  ann.install();
  const shown = (): string[] => ann.messages(channel).map(({ content }) => content);
  return {
    ann,
    channel,
    shown,
    ask: (question: string) => ann.slash(channel, "ask", { question }),
    sees: (text: string) =>
      expect.poll(() => shown().join("\n"), { timeout: timeoutMs }).toContain(text),
  };
}

describe("an app of the person's own", () => {
  it("answers below the question, and goes on with the next one", async () => {
    const { ask, sees, shown, ann, channel } = visitor();
    ask("say hello from far away");
    await sees("\nhello from far away");
    ask("say and on it goes");
    await sees("\nand on it goes");
    await world.delivered();
    expect(shown()).toEqual([
      "> say hello from far away",
      "hello from far away",
      "> say and on it goes",
      "and on it goes",
    ]);
    expect(ann.messages(channel).every(({ ephemeralFor }) => ephemeralFor === ann.id)).toBe(true);
  });

  it("does nothing there that would need an approval", async () => {
    const { ask, sees, shown } = visitor();
    ask('call write_note {"note":"tea"}');
    await sees("no one can be asked in this place");
    await world.delivered();
    expect(shown().join("\n")).toContain("policy-denied");
    expect(shown().join("\n")).not.toContain("ID:");
  });
});
