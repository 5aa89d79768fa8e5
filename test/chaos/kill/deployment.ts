import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { DiscordStage } from "../../support/parley/discord-stage.ts";
import { ParleyProcess } from "../../support/parley/parley-process.ts";
import { timeoutMs, type TestChat } from "../../support/parley/stage.ts";
import { TelegramStage } from "../../support/parley/telegram-stage.ts";
import { startTestRedis } from "../../support/redis/test-redis.ts";
import { openLedger, type Ledger } from "./ledger.ts";
import { vectorOf } from "./memory-records.ts";
import { openRecords, type Records } from "./records.ts";
import type { Scenario } from "./scenario.ts";

const knife = pathToFileURL(join(import.meta.dirname, "knife.ts")).href;
/** How often a file or Redis is looked at again. Milliseconds. */
const lookMs = 10;

/**
 * What a strict platform holds against a bot, and what death makes unavoidable: a tap while no one
 * is there, and an edit or an answer to a tap that is made again because no one knows whether it
 * was made.
 */
const deathly = /not acknowledged within|"(?:edit-unchanged|callback-answered-twice)"/;

/** Which process is cut: the only one, or one of two. */
export const victims = ["all", "bots", "worker"] as const;
export type Victim = (typeof victims)[number];

/**
 * A Parley that is started again whenever it dies, and its knife. `up → down → up …` until it is
 * disposed of.
 */
class Member implements AsyncDisposable {
  readonly #start: (folder: string) => ParleyProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-knife-"));
  readonly #all: ParleyProcess[] = [];
  #parley: ParleyProcess;
  #diedAtMs: number | undefined;
  #backAtMs: number | undefined;
  #isOver = false;

  constructor(start: (folder: string) => ParleyProcess) {
    this.#start = start;
    this.#parley = this.#next();
  }

  /** Of every process so far that is of interest. */
  problems(said: readonly string[]): string[] {
    return this.#all.flatMap((each) => each.problems(said));
  }

  /**
   * What the present process has done since it was armed, oldest first: `<number> <edge> <name>`.
   */
  get steps(): readonly string[] {
    return this.#lines().filter((line) => /^\d/.test(line));
  }

  /** When the armed process died; undefined: it lives. */
  get diedAtMs(): number | undefined {
    return this.#diedAtMs;
  }

  /** When the one behind it was ready to work. */
  get backAtMs(): number | undefined {
    return this.#backAtMs;
  }

  async ready(): Promise<void> {
    await this.#parley.ready();
  }

  /** From now on its steps are counted, and it dies at this one. */
  async arm(at: number): Promise<void> {
    // Only what comes from here on is held against it.
    const earlier = this.#all.splice(0, this.#all.length, this.#parley);
    for (const each of earlier) if (each !== this.#parley) await each[Symbol.asyncDispose]();
    this.#diedAtMs = undefined;
    this.#backAtMs = undefined;
    await this.#signal(at, "armed");
  }

  /**
   * Nothing is counted any more. A process that died meanwhile has been followed by one that rests.
   */
  async rest(): Promise<void> {
    if (this.#diedAtMs === undefined) await this.#signal(0, "resting");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const each of this.#all) await each[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #lines(): string[] {
    return readFileSync(join(this.#folder, "steps"), "utf8").split("\n");
  }

  async #signal(at: number, answer: string): Promise<void> {
    const { pid } = this.#parley;
    if (answer === "armed") writeFileSync(join(this.#folder, "steps"), "");
    writeFileSync(join(this.#folder, "kill-at"), String(at));
    process.kill(pid, "SIGUSR2");
    while (!this.#lines().includes(answer) && this.#diedAtMs === undefined) await sleep(lookMs);
  }

  #next(): ParleyProcess {
    const parley = this.#start(this.#folder);
    this.#all.push(parley);
    void this.#follow(parley);
    return parley;
  }

  async #follow(parley: ParleyProcess): Promise<void> {
    await parley.exited;
    if (this.#isOver) return;
    this.#diedAtMs = Date.now();
    this.#parley = this.#next();
    // Where this one dies, too, it is followed by another.
    await this.#parley.ready().catch(() => undefined);
    this.#backAtMs = Date.now();
  }
}

/**
 * Everything that one scenario is played with again and again: a Redis, a platform, a model, tools,
 * and Parley.
 */
export class Deployment implements AsyncDisposable {
  readonly scenario: Scenario;
  readonly stage: TelegramStage | DiscordStage;
  readonly model: ScriptedModel;
  readonly ledger: Ledger;
  readonly records: Records;
  readonly #openai: OpenAiServer;
  readonly #members: readonly Member[];
  readonly #victim: Member;
  readonly #closed = new Map<TestChat, number>();
  readonly #parts: AsyncDisposableStack;

  private constructor(
    given: Pick<Deployment, "scenario" | "stage" | "model" | "ledger" | "records"> & {
      readonly openai: OpenAiServer;
      readonly members: readonly Member[];
      readonly victim: Member;
      readonly parts: AsyncDisposableStack;
    },
  ) {
    this.scenario = given.scenario;
    this.stage = given.stage;
    this.model = given.model;
    this.ledger = given.ledger;
    this.records = given.records;
    this.#openai = given.openai;
    this.#members = given.members;
    this.#victim = given.victim;
    this.#parts = given.parts;
  }

  static async open(scenario: Scenario, victim: Victim): Promise<Deployment> {
    await using parts = new AsyncDisposableStack();
    const redis = parts.use(await startTestRedis({ appendOnly: "always" }));
    const stage = parts.use(
      scenario.platform === "telegram" ? await TelegramStage.start() : await DiscordStage.start(),
    );
    const model = ScriptedModel.textDriven();
    scenario.script?.(model);
    const openai = parts.use(
      await OpenAiServer.start({ model, embeddings: (texts) => texts.map(vectorOf) }),
    );
    const ledger = parts.use(await openLedger());
    const records = parts.use(openRecords(redis.url));
    const start = (folder: string, role: Victim): ParleyProcess =>
      new ParleyProcess({
        environment: {
          ...stage.environment,
          REDIS_URL: redis.url,
          OPENAI_BASE_URL: openai.baseUrl,
          OPENAI_API_KEY: "sk-of-the-knife",
          OPENAI_MODEL: "gpt-4o-mini",
          PARLEY_ACCESS: "open",
          PARLEY_ROLE: role,
          NODE_OPTIONS: `--import=${knife}`,
          KNIFE_FOLDER: folder,
        },
        ...(scenario.tolerates === undefined ? {} : { tolerates: scenario.tolerates }),
        config: `${ledger.config}\n${scenario.config ?? ""}`,
      });
    const roles: readonly Victim[] = victim === "all" ? ["all"] : ["bots", "worker"];
    const members = roles.map((role) => ({
      role,
      member: parts.use(new Member((folder) => start(folder, role))),
    }));
    for (const { member } of members) await member.ready();
    await stage.connected();
    const chosen = members.find(({ role }) => role === victim)?.member;
    if (chosen === undefined) throw new TypeError(`nobody is ${victim}`);
    return new Deployment({
      scenario,
      stage,
      model,
      ledger,
      records,
      openai,
      members: members.map(({ member }) => member),
      victim: chosen,
      parts: parts.move(),
    });
  }

  get victim(): Member {
    return this.#victim;
  }

  /** The chat is done with: whatever it shows from now on comes too late. */
  close(chat: TestChat): void {
    this.#closed.set(chat, chat.shown().length);
  }

  /** What was shown in chats that were done with. */
  late(): string[] {
    return [...this.#closed].flatMap(([chat, count]) =>
      chat
        .shown()
        .slice(count)
        .map(({ text }) => `late: ${text.slice(0, 80)}`),
    );
  }

  /** What no one may find in any process' output, or in what a strict server was asked. */
  problems(): string[] {
    const { said } = this.stage;
    return [
      ...this.#members.flatMap((member) => member.problems(said)),
      ...[...this.stage.violations, ...this.#openai.violations]
        .map((each) => JSON.stringify(each))
        .filter((each) => !deathly.test(each)),
    ];
  }

  /** Fulfils when nothing is left to do; with what is, when that takes too long. */
  async settled(): Promise<string[]> {
    const endMs = Date.now() + timeoutMs;
    for (;;) {
      const left = await this.records.leftovers();
      if (left.length === 0 || Date.now() > endMs) return left;
      await sleep(lookMs * 2);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}
