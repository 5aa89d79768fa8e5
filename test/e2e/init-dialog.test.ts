import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { greetingQuestion, toolQuestion } from "../../src/cli/init/check-model.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { hasTerminal } from "../support/parley/parley-process.ts";
import { PersonAtInit } from "../support/parley/person-at-init.ts";
import { ctrlC, down, enter } from "../support/parley/terminal-session.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const [redisUrl = ""] = await emptyDatabases(world.redis, 1);

it("asks a person in a terminal, from an empty folder to a conversation, and again before it overwrites", async ({
  skip,
}) => {
  // Not `it.skipIf`: a file without tests to run never closes its world.
  skip(!hasTerminal(), "needs script of util-linux");
  const folder = mkdtempSync(join(tmpdir(), "parley-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const model = ScriptedModel.textDriven()
    .when(greetingQuestion, { text: "Hello!" })
    .when(toolQuestion, { toolCalls: [{ name: "current_time", arguments: {} }] });
  await using ollama = await OllamaServer.start({ model });
  const { server } = world.telegram;
  const environment = {
    TELEGRAM_API_ROOT: server.apiRoot,
    OLLAMA_HOST: ollama.baseUrl,
    REDIS_URL: redisUrl,
  };
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");

  await using first = new PersonAtInit({ workingFolder: folder, environment });
  await first.press("Which model should answer?", enter);
  await first.press("Which Ollama model?", enter);
  await first.press("Connect Telegram?", enter);
  await first.press("Paste the token", `${server.token}${enter}`);
  await first.press("Connect Discord?", `${down}${enter}`);
  await first.press("Should the bot search the web?", enter);
  const shown = await first.press("Save this?", enter);
  expect(shown).toMatch(/parley\.yaml \(new\)[^]*\+ +- ollama\/qwen3/);
  expect(shown).toContain(".env (new)");
  const { parley: init } = first;
  await first.press("Start Parley now?", enter);
  expect(init.stdout).not.toContain(server.token);
  for (const name of [".env", "parley.yaml"])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(read(".env")).toContain(`TELEGRAM_BOT_TOKEN=${server.token}`);

  const [, code = ""] = await init.waitFor(
    () => /\/start ([A-Z0-9]{8})/.exec(init.stdout) ?? undefined,
    "the owner's code",
  );
  const ann = world.telegram.direct("Ann");
  expect(await ann.command("start", code)).toMatch(/owner/);
  ann.say("say it was easy");
  await ann.wait("it was easy");
  init.write(ctrlC);
  expect((await init.exited).code).toBe(0);

  const before = read("parley.yaml");
  for (const saves of [false, true]) {
    await using again = new PersonAtInit({ workingFolder: folder, environment });
    await again.press("Which model should answer?", `${down}${enter}`);
    await again.press("Which Ollama model?", `${down}${enter}`);
    await again.press("Connect Telegram?", enter);
    await again.press("Connect Discord?", `${down}${enter}`);
    await again.press("Should the bot search the web?", enter);
    const difference = await again.press("Save this?", saves ? enter : "n");
    expect(difference).toMatch(/- +- ollama\/qwen3[^]*\+ +- ollama\/llama3\.2/);
    if (saves) await again.press("Start Parley now?", "n");
    expect((await again.parley.exited).code).toBe(saves ? 0 : 1);
    const end = stripVTControlCharacters(again.parley.stdout);
    expect(end).toContain(saves ? "Start Parley with: npm start" : "Stopped. Nothing was changed.");
    if (!saves) expect(read("parley.yaml")).toBe(before);
  }
  expect(read("parley.yaml")).toBe(before.replace("ollama/qwen3", "ollama/llama3.2"));
  expect(statSync(join(folder, "parley.yaml")).mode & 0o777).toBe(0o600);
});
