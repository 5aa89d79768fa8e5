import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const thisVersion = fileURLToPath(new URL("../../..", import.meta.url));

export interface FleetOptions {
  /** Logs and data of all processes. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The `parley.yaml` of a process that is known to the outside by this key. */
  readonly config: (key: string) => string;
}

interface Line {
  /** Earlier versions write numbers. */
  readonly level: number | string;
  readonly msg?: string;
  readonly chat?: string;
  readonly entry?: string;
}

/**
 * What deliveries say when they give something up: then people do not get it, and operators know.
 * Earlier versions say "nobody knows".
 */
const givenUp = /^(?:it is unknown|nobody knows) whether this arrived|^undeliverable/;

/** Those that must not outlive us. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * One place in a deployment, and the process that has it: `down → starting → up → ending → down`,
 * `up ⇄ stopped` (SIGSTOP). Each process has a key of its own, by which models and tools know it.
 */
export class Member {
  readonly name: string;
  readonly role: "bots" | "worker";
  state: "down" | "starting" | "up" | "stopped" | "ending" = "down";
  /** Where its Parley lies. */
  program: string;
  /** What it said at level 50 and above, by message. */
  readonly errors = new Map<string, number>();
  /** Ends that no one had asked for. */
  readonly collapses: string[] = [];
  /** Deliveries that it gave up. */
  readonly givenUp: { readonly chat: string; readonly what: string }[] = [];
  readonly #options: FleetOptions;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #isEnding = false;
  #lives = 0;

  constructor(
    options: FleetOptions & {
      readonly name: string;
      readonly role: "bots" | "worker";
      readonly program?: string | undefined;
    },
  ) {
    this.#options = options;
    this.name = options.name;
    this.role = options.role;
    this.program = options.program ?? thisVersion;
  }

  /** Of the process that runs now. */
  get key(): string {
    return `sk-storm-${this.name}-${this.#lives}`;
  }

  /** Fulfils when it is ready, or has ended before. */
  async start(): Promise<void> {
    this.#lives += 1;
    this.#isEnding = false;
    this.state = "starting";
    const { folder, environment, config } = this.#options;
    const own = join(folder, `${this.name}.${this.#lives}`);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "parley.yaml"), config(this.key));
    const child = spawn(process.execPath, [join(this.program, "src", "main.ts")], {
      cwd: own,
      env: {
        PATH: process.env["PATH"],
        HOME: own,
        PARLEY_DATA: join(own, "data"),
        PARLEY_ROLE: this.role,
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        ...environment,
        OPENAI_API_KEY: this.key,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    running.add(child);
    const ready = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    this.#gone = gone.promise;
    const stderr: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr.push(text);
    });
    const log = createWriteStream(join(own, "log"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      log.write(`${line}\n`);
      if (this.#note(line) === "ready" && this.#child === child) {
        this.state = "up";
        ready.resolve();
      }
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      log.end(stderr.join(""));
      if (this.#child === child) this.state = "down";
      if (!this.#isEnding)
        this.collapses.push(
          `${this.name}.${this.#lives} ended by itself (${code ?? signal}): ${stderr.join("").slice(-500)}`,
        );
      gone.resolve();
      ready.resolve();
    });
    await ready.promise;
  }

  /** Fulfils when it is gone, with the milliseconds that it took. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    const beganMs = Date.now();
    this.#isEnding = true;
    // A caller that looks for a process to end now takes another one: two starts would share this
    // place.
    if (this.state !== "down") this.state = "ending";
    this.#child?.kill(signal);
    await this.#gone;
    return Date.now() - beganMs;
  }

  stop(): void {
    this.state = "stopped";
    this.#child?.kill("SIGSTOP");
  }

  goOn(): void {
    if (this.state === "stopped") this.state = "up";
    this.#child?.kill("SIGCONT");
  }

  /** From now on it runs this version. */
  upgrade(program: string | undefined): void {
    this.program = program ?? thisVersion;
  }

  /** The line's message. */
  #note(text: string): string | undefined {
    if (!text.startsWith("{")) return undefined;
    const { level, msg = "", chat, entry } = JSON.parse(text) as Line;
    if (chat !== undefined && givenUp.test(msg))
      this.givenUp.push({ chat, what: `${entry ?? ""}: ${msg}` });
    if ([50, 60, "error", "fatal"].includes(level))
      this.errors.set(msg, (this.errors.get(msg) ?? 0) + 1);
    return msg;
  }
}
