import { pino } from "pino";
import {
  createTelegramBot,
  type TelegramReceiving,
} from "../../../src/bots/telegram/create-telegram-bot.ts";
import type { PlatformWatch } from "../../../src/core/outage.ts";
import type { Accept, Acceptance, Inbound } from "../../../src/core/inbound.ts";
import type { Bot, ChatMoves, CommandSpec, Leases, ReachChange } from "../../../src/core/ports.ts";
import { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import type { TelegramOptions } from "../../emulators/telegram/world.ts";

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

/** What the bots of a scene know of groups that have become supergroups. */
class SceneMoves implements ChatMoves {
  readonly #to = new Map<string, string>();
  readonly #from = new Map<string, string>();
  /** Set: the store cannot be asked so often. */
  failures = 0;

  get all(): readonly (readonly [string, string])[] {
    return [...this.#to];
  }

  async record(from: string, to: string): Promise<void> {
    await this.#ask();
    this.#to.set(from, to);
    this.#from.set(to, from);
  }

  async idOf(chat: string): Promise<string> {
    await this.#ask();
    return this.#to.get(chat) ?? chat;
  }

  async nameOf(id: string): Promise<string> {
    await this.#ask();
    return this.#from.get(id) ?? id;
  }

  async #ask(): Promise<void> {
    await Promise.resolve();
    if (this.failures === 0) return;
    this.failures -= 1;
    throw new Error("Connection is closed.");
  }
}

/** The lease that all bots of a scene share. */
class SceneLeases implements Leases {
  #owner: AbortController | undefined;
  #fence = 0;
  #change = Promise.withResolvers<void>();
  /** Set: Redis cannot be asked so often. */
  failures = 0;

  /** Set: no one is answered before it is fulfilled. */
  gate: Promise<void> | undefined;
  /** How often someone wanted it. */
  asked = 0;

  take: Leases["take"] = async (name) => {
    this.asked += 1;
    await this.gate;
    return await this.#take(name);
  };

  #take: Leases["take"] = () => {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error("Connection is closed."));
    }
    if (this.#owner !== undefined) return Promise.resolve(undefined);
    const owner = new AbortController();
    this.#owner = owner;
    this.#fence += 1;
    return Promise.resolve({
      fence: this.#fence,
      lost: owner.signal,
      [Symbol.asyncDispose]: () => {
        if (this.#owner === owner) this.free();
        return Promise.resolve();
      },
    });
  };

  /** How many owners there were. */
  get owners(): number {
    return this.#fence;
  }

  get isTaken(): boolean {
    return this.#owner !== undefined;
  }

  /** Another process has it until `free()`. */
  takeAway(): void {
    const before = this.#owner;
    this.#owner = new AbortController();
    before?.abort();
  }

  free(): void {
    this.#owner = undefined;
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Fulfils when the lease is free, or the signal aborts. */
  async freed(signal: AbortSignal): Promise<void> {
    if (this.#owner !== undefined) await Promise.race([this.#change.promise, aborted(signal)]);
  }
}

/** A bot and its server. Pauses are asked for, recorded and over at once. */
export class Scene implements AsyncDisposable {
  readonly telegram: TelegramServer;
  readonly script = new AcceptScript();
  readonly leases = new SceneLeases();
  readonly moves = new SceneMoves();
  /** How Telegram served, as it was reported. */
  readonly served: string[] = [];
  readonly watch: PlatformWatch = {
    failed: ({ kind, isStandingBy }) =>
      void this.served.push(isStandingBy === true ? `${kind} on standby` : kind),
    served: () => void this.served.push("served"),
  };
  /** Who are admins, as `telegram:1`. */
  admins: readonly string[] = [];
  /** How often a bot has looked at who is an admin. */
  adminLooks = 0;
  /** What was registered last. */
  registered: string | undefined;
  readonly reached: ReachChange[] = [];
  readonly log: LogLine[] = [];
  /** All that was logged, as it would be written. */
  rawLog = "";
  readonly pausesMs: number[] = [];
  readonly #bots: Bot[] = [];
  readonly #stop = new AbortController();
  #look = Promise.withResolvers<void>();

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
      receiving?: TelegramReceiving;
      answerWithinMs?: number;
      accept?: Accept;
      outOfReachMs?: number;
      nativeDrafts?: boolean;
      richMessages?: boolean;
      movesOf?: (bot: string) => ChatMoves;
      commands?: readonly CommandSpec[];
    } = {},
  ): Bot {
    const bot = createTelegramBot({
      token: this.telegram.token,
      apiRoot: this.telegram.apiRoot,
      accept: this.script.accept,
      noteReach: (change) => Promise.resolve(void this.reached.push(change)),
      now: Date.now,
      movesOf: () => this.moves,
      watchOf: () => this.watch,
      commands,
      admins: () => Promise.resolve(this.admins),
      nativeDrafts: false,
      richMessages: false,
      receiving: { mode: "polling" },
      leases: this.leases,
      registration: {
        read: () => Promise.resolve(this.registered),
        write: (digest) => Promise.resolve(void (this.registered = digest)),
      },
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
        // Five minutes between two looks at who is an admin.
        if (ms === 300_000) {
          this.adminLooks += 1;
          return await Promise.race([this.#look.promise, aborted(signal)]);
        }
        this.pausesMs.push(ms);
        // A stand-by's next look at the lease: as soon as there is something to see.
        if (ms === 1_000) await this.leases.freed(signal);
        // As long as a tap may take: the one pause that is a time limit.
        if (ms === 8_000 && !this.tapsAreLate) await aborted(signal);
        // Two minutes between two looks at the webhook.
        if (ms === 120_000) await Promise.race([this.#look.promise, aborted(signal)]);
        await new Promise(setImmediate);
        signal.throwIfAborted();
      },
      ...changes,
    });
    this.#bots.push(bot);
    return bot;
  }

  /** The bot looks at its webhook, and at who is an admin, again. */
  lookAgain(): void {
    this.#look.resolve();
    this.#look = Promise.withResolvers();
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
    return this.telegram.waitFor((server) => server.pendingUpdates.length === 0, {
      what: "every update to be confirmed",
    });
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
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
