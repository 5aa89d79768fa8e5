import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { greetingQuestion, toolQuestion } from "../../src/cli/init/check-model.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { hasTerminal } from "../support/parley/parley-process.ts";
import { PersonAtInit } from "../support/parley/person-at-init.ts";
import { ctrlC, down, enter } from "../support/parley/terminal-session.ts";
import { TelegramStage } from "../support/parley/telegram-stage.ts";
import { canFetch, cloneTimeoutMs, FreshClone, whyNot } from "./fresh-clone.ts";

/** Milliseconds: the first start fetches a Redis. */
const firstStartMs = 120_000;

it(
  "leads from a clone to a conversation in Telegram, through npm run init, without a Redis",
  { timeout: cloneTimeoutMs },
  async ({ skip }) => {
    skip(!canFetch, whyNot);
    skip(!hasTerminal(), "needs script of util-linux");
    const model = ScriptedModel.textDriven()
      .when(greetingQuestion, { text: "Hello!" })
      .when(toolQuestion, { toolCalls: [{ name: "current_time", arguments: {} }] });
    await using ollama = await OllamaServer.start({ model });
    await using telegram = await TelegramStage.start();
    const { server } = telegram;
    const steps = new Steps();
    using clone = await FreshClone.make();
    steps.end("clone and npm ci");

    await using person = new PersonAtInit({
      command: ["npm", "run"],
      workingFolder: clone.folder,
      environment: {
        ...clone.environment,
        TELEGRAM_API_ROOT: server.apiRoot,
        OLLAMA_HOST: ollama.baseUrl,
      },
    });
    const { parley: init } = person;
    await person.press("Which model should answer?", enter);
    await person.press("Which Ollama model?", enter);
    await person.press("Connect Telegram?", enter);
    await person.press("Paste the token", `${server.token}${enter}`);
    await person.press("Connect Discord?", `${down}${enter}`);
    await person.press("Should the bot search the web?", enter);
    await person.press("Save this?", enter);
    await person.press("Start Parley now?", enter);
    steps.end("npm run init");
    const [, code = ""] = await init.waitFor(
      () => /\/start ([A-Z0-9]{8})/.exec(init.stdout) ?? undefined,
      "the owner's code",
      firstStartMs,
    );
    expect(init.stdout).toContain("Redis not found");
    steps.end("first start");
    const ann = telegram.direct("Ann");
    expect(await ann.command("start", code)).toMatch(/owner/);
    ann.say("say it was easy");
    await ann.wait("it was easy");
    steps.end("first conversation");
    init.write(ctrlC);
    // npm's own code after Ctrl-C.
    expect([0, 130]).toContain((await init.exited).code);
    expect(existsSync(join(clone.folder, "data", "redis"))).toBe(true);
    console.log(steps.summary);
  },
);

/** How long the steps of the way took, in seconds. */
class Steps {
  readonly #startedMs = performance.now();
  #endedMs = this.#startedMs;
  readonly #lines: string[] = [];

  end(name: string): void {
    const nowMs = performance.now();
    this.#lines.push(`${name} ${seconds(nowMs - this.#endedMs)}`);
    this.#endedMs = nowMs;
  }

  get summary(): string {
    const whole = seconds(this.#endedMs - this.#startedMs);
    return `From clone to conversation: ${whole} (${this.#lines.join(", ")})`;
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
