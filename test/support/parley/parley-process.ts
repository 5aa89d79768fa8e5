import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { duplicateKeys, isAtLeast, logLinesOf, type LogLine } from "./log-lines.ts";
import { timeoutMs } from "./stage.ts";

export interface ParleyOptions {
  /** On top of a PATH, a data folder and a home of its own; nothing else is inherited. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The text of `parley.yaml` in the working folder. */
  readonly config?: string;
  /** Kept by the caller; otherwise a temporary one that goes with the process. */
  readonly dataFolder?: string;
  /** Kept by the caller, as the data folder; otherwise a temporary one. */
  readonly workingFolder?: string;
  /**
   * `ignore` (the default) is neither a terminal nor a pipe. A `terminal` of 100 columns needs
   * util-linux' `script`; what is written are keys, and its output holds the screen's escapes.
   */
  readonly input?: "ignore" | "pipe" | "terminal";
  /** Default: this Node, and this repository's `src/main.ts`. */
  readonly command?: readonly string[];
  readonly arguments?: readonly string[];
  /** Messages of errors (level 50) that belong to the test. */
  readonly tolerates?: readonly RegExp[];
  /** An exit by itself with a code other than 0, and the sentence for it, belong to the test. */
  readonly mayFail?: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const mainFile = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
/**
 * V8's code of what a process loads, shared by all of them: starting one costs a third less. Keyed
 * by content.
 */
const compiledFolder = fileURLToPath(
  new URL("../../../node_modules/.cache/parley-compiled", import.meta.url),
);
/** Whether a process can have a terminal: BSD's `script` takes other options. */
export const hasTerminal = (): boolean =>
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

/** The command in a pseudo terminal of its own, with its exit code. */
const inTerminal = (command: readonly string[]): readonly string[] => {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  const sized = `stty cols 100 rows 40; exec ${quoted}`;
  return ["script", "--quiet", "--flush", "--return", "--command", sized, "/dev/null"];
};
const secretNames = ["TELEGRAM_BOT_TOKEN", "DISCORD_TOKEN", "OPENAI_API_KEY"];

/** Those that a test worker which dies must not leave behind. */
const running = new Set<ParleyProcess>();
process.once("exit", () => {
  for (const each of running) each.removeAll();
});

/**
 * `node src/main.ts` as an operator starts it: `running → exited`. Ended by its id when disposed.
 */
export class ParleyProcess implements AsyncDisposable {
  readonly dataFolder: string;
  readonly #options: ParleyOptions;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #exited: Promise<Exit>;
  #exit: Exit | undefined;
  #wasKilled = false;
  #stdout = "";
  #stderr = "";

  constructor(options: ParleyOptions) {
    this.#options = options;
    this.#folder = options.workingFolder ?? mkdtempSync(join(tmpdir(), "parley-e2e-"));
    this.dataFolder = options.dataFolder ?? join(this.#folder, "data");
    if (options.config !== undefined)
      writeFileSync(join(this.#folder, "parley.yaml"), options.config);
    const { input = "ignore" } = options;
    const { command: start = [process.execPath, mainFile] } = options;
    const command = [...start, ...(options.arguments ?? [])];
    const [program = "", ...given] = input === "terminal" ? inTerminal(command) : command;
    this.#child = spawn(program, given, {
      cwd: this.#folder,
      env: {
        PATH: process.env["PATH"],
        HOME: this.#folder,
        PARLEY_DATA: this.dataFolder,
        NODE_COMPILE_CACHE: compiledFolder,
        ...options.environment,
      },
      stdio: [input === "ignore" ? "ignore" : "pipe", "pipe", "pipe"],
    });
    this.#listen();
    const { promise, resolve } = Promise.withResolvers<Exit>();
    this.#exited = promise;
    this.#child.once("error", (error) => {
      this.#stderr += String(error);
      this.#changes.emit("change");
    });
    this.#child.once("close", (code, signal) => {
      this.#exit = { code, signal };
      resolve(this.#exit);
      this.#changes.emit("change");
    });
    running.add(this);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("never started");
    return this.#child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  get exited(): Promise<Exit> {
    return this.#exited;
  }

  get logFile(): string {
    return join(this.dataFolder, "parley.log");
  }

  /** What it logged, to its output or, with the console open, to its file. */
  get log(): readonly LogLine[] {
    return this.rawLog.map((line) => JSON.parse(line) as LogLine);
  }

  /** The same as JSON. */
  get rawLog(): readonly string[] {
    const file =
      this.#options.input === "pipe" && existsSync(this.logFile)
        ? readFileSync(this.logFile, "utf8")
        : "";
    return (
      [this.#stdout, file]
        // What has no end yet is no line.
        .flatMap((text) => logLinesOf(text.slice(0, text.lastIndexOf("\n") + 1)))
    );
  }

  /** The address of its probes: started with PARLEY_HTTP_PORT=0 it is known from the log. */
  async httpUrl(): Promise<string> {
    const line = await this.waitForLog("http listens");
    return String(line["url"]);
  }

  /** Fulfils with the log line `ready`. */
  async ready(): Promise<this> {
    await this.waitForLog("ready");
    return this;
  }

  waitForLog(message: string | RegExp): Promise<LogLine> {
    return this.waitFor(
      () =>
        this.log.find(({ msg = "" }) =>
          typeof message === "string" ? msg === message : message.test(msg),
        ),
      `the log line ${String(message)}`,
    );
  }

  /** Looks again at every output; rejects when the process has ended. */
  waitFor<T>(
    predicate: () => T | undefined | false,
    what: string,
    limitMs = timeoutMs,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const end = () => {
      clearTimeout(timer);
      this.#changes.off("change", check);
    };
    const fail = (why: string) => {
      end();
      reject(new Error(`no ${what}: ${why}\n${this.describe()}`));
    };
    const check = () => {
      const found = predicate();
      if (found !== undefined && found !== false) {
        end();
        resolve(found);
      } else if (this.#exit) fail("the process has ended");
    };
    const timer = setTimeout(() => fail(`waited ${limitMs} ms`), limitMs);
    this.#changes.on("change", check);
    check();
    return promise;
  }

  /**
   * Fulfils when the conversation in its output has this text, `from` characters after its
   * beginning.
   */
  async waitForText(text: string | RegExp, from = 0): Promise<string> {
    return await this.waitFor(
      () => {
        const said = this.#stdout.slice(from);
        const found = typeof text === "string" ? said.includes(text) : text.test(said);
        return found ? said : undefined;
      },
      `text ${String(text)} in the output`,
    );
  }

  type(line: string): void {
    this.write(`${line}\n`);
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** By its id; fulfils when it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Exit> {
    if (signal === "SIGKILL") this.#wasKilled = true;
    if (this.#exit === undefined) this.#child.kill(signal);
    return await this.#exited;
  }

  /** What no one may find in a healthy process' output. */
  problems(texts: readonly string[] = []): string[] {
    const { tolerates = [], mayFail, environment = {} } = this.#options;
    const output = [this.#stdout, this.#stderr].join("\n");
    const logged = this.log.map((line) => JSON.stringify(line)).join("\n");
    const errors = this.log.filter(
      (line) =>
        isAtLeast(line, "fatal") ||
        (isAtLeast(line, "error") && !tolerates.some((each) => each.test(line.msg ?? ""))),
    );
    const secrets = secretNames.flatMap((name) => environment[name] ?? []);
    const code = this.#exit?.code ?? 0;
    return [
      ...errors.map((line) => `it logged ${JSON.stringify(line)}`),
      ...this.rawLog
        .filter((line) => duplicateKeys(line).length > 0)
        .map((line) => `a log line names something twice: ${line}`),
      ...(/unhandled|Parley stops:/i.test(this.#stderr) ? [`it wrote ${this.#stderr}`] : []),
      ...(code !== 0 && !mayFail && !this.#wasKilled
        ? [`it ended with code ${code}: ${this.#stderr}`]
        : []),
      ...secrets
        .filter((secret) => `${output}\n${logged}`.includes(secret))
        .map((secret) => `its output holds the secret ${secret}`),
      ...texts
        .filter((text) => text.length >= 12 && logged.includes(text))
        .map((text) => `its log holds what a person wrote: ${text}`),
    ];
  }

  describe(): string {
    return `stdout:\n${this.#stdout.slice(-4_000)}\nstderr:\n${this.#stderr.slice(-2_000)}`;
  }

  /** SIGTERM where it has a Redis of its own to end, else SIGKILL. */
  async [Symbol.asyncDispose](): Promise<void> {
    const isEmbedded = this.#options.environment?.["REDIS_URL"] === undefined;
    if (this.isRunning) {
      this.#wasKilled = true;
      this.#child.kill(isEmbedded ? "SIGTERM" : "SIGKILL");
    }
    const killTimer = setTimeout(() => this.#child.kill("SIGKILL"), 12_000);
    await this.#exited;
    clearTimeout(killTimer);
    this.removeAll();
  }

  /** At once, without waiting for the process to be gone. */
  removeAll(): void {
    this.#child.kill("SIGKILL");
    if (this.#options.workingFolder === undefined)
      rmSync(this.#folder, { recursive: true, force: true });
    running.delete(this);
  }

  #listen(): void {
    const { stdout, stderr } = this.#child;
    stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#changes.emit("change");
    });
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#changes.emit("change");
    });
    this.#child.stdin?.on("error", () => undefined);
  }
}
