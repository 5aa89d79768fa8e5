import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { greetingQuestion, toolQuestion } from "../../src/cli/init/check-model.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { ParleyProcess } from "../support/parley/parley-process.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const [redisUrl = ""] = await emptyDatabases(world.redis, 1);

it("leads from an empty folder to a conversation in Telegram", async () => {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-init-"));
  onTestFinished(() => rmSync(workingFolder, { recursive: true }));
  const model = ScriptedModel.textDriven()
    .when(greetingQuestion, { text: "Hello!" })
    .when(toolQuestion, { toolCalls: [{ name: "current_time", arguments: {} }] });
  await using ollama = await OllamaServer.start({ model });
  const { server } = world.telegram;
  const tokenFile = join(workingFolder, "token");
  writeFileSync(tokenFile, server.token);
  const environment = { TELEGRAM_API_ROOT: server.apiRoot };
  const given = ["--model", "ollama/qwen3", "--ollama-host", ollama.baseUrl];
  const startedMs = performance.now();

  await using init = new ParleyProcess({
    workingFolder,
    environment,
    arguments: ["init", "--yes", ...given, "--telegram-token-file", tokenFile],
  });
  await init.waitForText("Start Parley with: npm start");
  expect((await init.exited).code).toBe(0);

  // Model and token come from the files that it wrote.
  const parley = world.start({
    workingFolder,
    environment: { ...environment, REDIS_URL: redisUrl },
  });
  await parley.ready();
  const [, code = ""] = /\/start ([A-Z0-9]{8})/.exec(parley.stderr) ?? [];
  const ann = world.telegram.direct("Ann");
  expect(await ann.command("start", code)).toMatch(/owner/);
  ann.say("say it was quick");
  await ann.wait("it was quick");
  console.log(`init to answer: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
});

it("says what to do where no one can be asked, and ends with 2", async () => {
  await using init = new ParleyProcess({ arguments: ["init"], mayFail: true });
  expect((await init.exited).code).toBe(2);
  expect(init.stderr).toMatch(/no terminal that can show them\. Run it in one, or .* --yes/);
});
