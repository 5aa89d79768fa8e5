import { expect, it } from "vitest";
import { languages } from "../../src/locales/locale-for.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { isAtLeast } from "../support/parley/log-lines.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { crowd } from "../emulators/telegram/crowd.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const { telegram } = world;
const { server } = telegram;

const start = (role: string): Promise<ParleyProcess> =>
  world
    .start({
      environment: {
        ...world.services,
        ...(role === "bots" ? telegram.environment : {}),
        PARLEY_ROLE: role,
      },
    })
    .ready();

const { everybodySays, allAnswered } = crowd(world);

const leads = (each: ParleyProcess) => each.waitForLog("this process receives from Telegram now");
const standsBy = (each: ParleyProcess) => each.waitForLog(/this one is on standby/);

const refusedPolls = () =>
  server.callsOf("getUpdates").filter(({ response }) => response?.ok === false);

it("a process that polls may die, be stopped or end: another goes on, and every message is answered once, in order", async () => {
  await start("worker");
  const first = await start("bots");
  const second = await start("bots");
  await standsBy(second);
  // One menu per language; who stands by does not look at what the other has registered.
  expect(server.callsOf("getMyCommands")).toHaveLength(languages.length);

  everybodySays("one before the death");
  everybodySays("two before the death");
  await server.waitFor(() => server.callsOf("sendMessage").length > 2, {
    timeoutMs,
  });
  await first.kill("SIGKILL");
  everybodySays("three after the death");
  await leads(second);
  await allAnswered();

  const third = await start("bots");
  await standsBy(third);
  await telegram.until(() => server.isPolled, "a poll");
  const pollsBefore = refusedPolls().length;
  process.kill(second.pid, "SIGSTOP");
  // They are given to the one that was stopped, which does not even read them.
  everybodySays("four while it is stopped");
  everybodySays("five while it is stopped");
  await leads(third);
  await allAnswered();
  process.kill(second.pid, "SIGCONT");
  await standsBy(second);
  everybodySays("six after it came back");
  await allAnswered();
  // Telegram ends the poll of the stopped one, and none of its successor.
  expect(refusedPolls().length - pollsBefore).toBeLessThanOrEqual(1);
  expect(third.log.filter((line) => isAtLeast(line, "warn"))).toEqual([]);

  everybodySays("seven before the end");
  expect(await third.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  everybodySays("eight after the end");
  await second.waitFor(
    () =>
      second.log.filter(({ msg }) => msg === "this process receives from Telegram now").length ===
      2,
    "second term",
  );
  await allAnswered();
  await telegram.until(() => server.pendingUpdates.length === 0, "every update confirmed");
});
