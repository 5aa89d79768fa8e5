import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { startApp } from "../../src/app.ts";
import { loadSettings } from "../../src/config/load.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { TelegramStage } from "../support/parley/telegram-stage.ts";

/**
 * A bots role and a worker on one Redis, in this process, so that all that they ask of it can be
 * counted.
 */
export interface Deployment extends AsyncDisposable {
  readonly telegram: TelegramStage;
  readonly model: ScriptedModel;
  /** How a chat of a person is called in keys and jobs. */
  chatOf(chat: { readonly personId: string }): string;
}

export interface DeploymentOptions {
  readonly botsUrl: string;
  readonly workerUrl: string;
  /** The text of `parley.yaml`. */
  readonly config?: string;
  /** Of the bot; absent: a random one. */
  readonly token?: string;
}

const apiKey = "sk-test-planted-0123456789abcdef";

export async function startDeployment({
  botsUrl,
  workerUrl,
  config = "",
  token,
}: DeploymentOptions): Promise<Deployment> {
  await using parts = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "parley-counts-"));
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "parley.yaml"), config);
  const openai = parts.use(await OpenAiServer.start({ model: ScriptedModel.textDriven(), apiKey }));
  const telegram = parts.use(await TelegramStage.start(token === undefined ? {} : { token }));
  const start = async (
    role: "bots" | "worker",
    environment: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const stopping = new AbortController();
    const app = await startApp({
      settings: loadSettings({
        environment: {
          OPENAI_BASE_URL: openai.baseUrl,
          OPENAI_API_KEY: apiKey,
          OPENAI_MODEL: "gpt-4o-mini",
          PARLEY_ACCESS: "open",
          PARLEY_DATA: folder,
          PARLEY_ROLE: role,
          ...environment,
        },
        workingFolder: folder,
      }),
      log: pino({ level: "silent" }),
      environment: {},
      console: undefined,
      say: () => undefined,
      columns: undefined,
      signal: stopping.signal,
    });
    parts.defer(async () => {
      stopping.abort("the test is over");
      await app[Symbol.asyncDispose]();
    });
  };
  await start("worker", { REDIS_URL: workerUrl });
  await start("bots", { REDIS_URL: botsUrl, ...telegram.environment });
  await telegram.connected();
  const held = parts.move();
  return {
    telegram,
    model: openai.model,
    chatOf: ({ personId }) => personId.replace("telegram:", `telegram:${telegram.server.bot.id}:`),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
