import { expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { telegram } = world;

/** `npm run admin -- …`, beside the running deployment. */
async function admin(...given: string[]): Promise<string> {
  const command = world.start({
    environment: world.environment,
    arguments: ["admin", ...given],
  });
  expect(await command.exited).toEqual({ code: 0, signal: null });
  return command.stdout;
}

it("what a chat refused is kept, shown and sent again, while others are answered", async () => {
  const parley = world.start({
    environment: world.environment,
    tolerates: [/^undeliverable/],
  });
  await parley.ready();
  const [ann, ben] = [telegram.direct("Ann"), telegram.direct("Ben")];
  const chatId = Number(ann.personId.slice("telegram:".length));
  const blocked = telegram.server.inject({
    chatId,
    times: Infinity,
    match: ({ method }) => /^(send|edit)Message/i.test(method),
    kind: {
      type: "status",
      code: 403,
      description: "Forbidden: bot was blocked by the user",
    },
  });
  ann.say("say this was refused");
  await parley.waitForLog(/^undeliverable/);
  ben.say("say to Ben it was not");
  await ben.wait("to Ben it was not");
  await world.delivered();

  const shown = await admin("dead-letters");
  expect(shown).toMatch(
    /^s\d+-[0-9a-f]{16} {2}\S+ {2}telegram:\d+:\d+ {2}message {2}1 try {2}refused: .*blocked/,
  );
  expect(shown).toContain(`:${chatId} `);
  expect(shown).not.toContain("this was refused");

  blocked.remove();
  await admin("dead-letters", "replay", "--all");
  await ann.wait("this was refused");
  ann.say("say and this comes behind it");
  await ann.wait("and this comes behind it");
  await world.delivered();
  expect(ann.shown().map(({ text }) => text)).toEqual([
    "this was refused",
    "and this comes behind it",
  ]);
  expect((await parley.kill("SIGTERM")).code).toBe(0);
});
