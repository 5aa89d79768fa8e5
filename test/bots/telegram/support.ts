import { pino } from "pino";
import { createTelegramBot } from "../../../src/bots/telegram/create-telegram-bot.ts";
import type { Acceptance, Inbound } from "../../../src/core/inbound.ts";
import type { Bot, CommandSpec } from "../../../src/core/ports.ts";
import { TelegramServer } from "../../support/telegram/telegram-server.ts";
import type { TelegramOptions } from "../../support/telegram/world.ts";

const commands: readonly CommandSpec[] = [
  { name: "start", description: "Begin" },
  { name: "help", description: "What I can do" },
  { name: "ban", description: "Ban somebody", adminOnly: true },
];

interface LogLine {
  /** 30 info, 40 warn, 50 error. */
  readonly level: number;
  readonly msg: string;
}

/** What the bot handed over, and what it is told. */
class AcceptScript {
  readonly attempts: Inbound[] = [];
  readonly accepted: Inbound[] = [];
  /** Asked at every attempt; throws or rejects to refuse the storing. */
  behave: (inbound: Inbound) => Acceptance | Promise<Acceptance> = () => ({
    type: "queued",
  });

  readonly accept = async (inbound: Inbound): Promise<Acceptance> => {
    this.attempts.push(inbound);
    const acceptance = await this.behave(inbound);
    this.accepted.push(inbound);
    return acceptance;
  };

  get texts(): readonly string[] {
    return this.accepted.map((inbound) =>
      inbound.type === "message" ? inbound.text : inbound.type,
    );
  }
}

/** A bot and its server. Pauses are asked for, recorded and over at once. */
export class Scene implements AsyncDisposable {
  readonly telegram: TelegramServer;
  readonly script = new AcceptScript();
  readonly log: LogLine[] = [];
  /** All that was logged, as it would be written. */
  rawLog = "";
  readonly pausesMs: number[] = [];
  readonly #bots: Bot[] = [];
  readonly #stop = new AbortController();

  constructor(telegram: TelegramServer) {
    this.telegram = telegram;
  }

  static async open(options: TelegramOptions = {}): Promise<Scene> {
    return new Scene(await TelegramServer.start(options));
  }

  createBot(
    changes: {
      token?: string;
      apiRoot?: string;
      sendingGraceMs?: number;
    } = {},
  ): Bot {
    const bot = createTelegramBot({
      token: this.telegram.token,
      apiRoot: this.telegram.apiRoot,
      accept: this.script.accept,
      commands,
      log: pino(
        { level: "debug" },
        {
          write: (line: string) => {
            this.rawLog += line;
            this.log.push(JSON.parse(line) as LogLine);
          },
        },
      ),
      signal: this.#stop.signal,
      random: () => 0.5,
      sleep: async (ms, signal) => {
        this.pausesMs.push(ms);
        // As long as a tap may take: the one pause that is a time limit.
        if (ms === 8_000 && !this.tapsAreLate) await aborted(signal);
        await new Promise(setImmediate);
        signal.throwIfAborted();
      },
      ...changes,
    });
    this.#bots.push(bot);
    return bot;
  }

  /** Set: a tap's time limit passes at once. */
  tapsAreLate = false;

  async start(): Promise<Bot> {
    const bot = this.createBot();
    await bot.start();
    return bot;
  }

  warnings(): readonly string[] {
    return this.log.filter(({ level }) => level >= 40).map(({ msg }) => msg);
  }

  /** Every update was confirmed to the server. */
  allConfirmed(): Promise<unknown> {
    return this.telegram.waitFor(
      (server) => server.pendingUpdates.length === 0,
      { what: "every update to be confirmed" },
    );
  }

  stop(): void {
    this.#stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bot of this.#bots) await bot[Symbol.asyncDispose]();
    await this.telegram[Symbol.asyncDispose]();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
