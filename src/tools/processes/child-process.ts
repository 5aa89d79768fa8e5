import { spawn, type ChildProcess as NodeProcess, type SpawnOptions } from "node:child_process";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unreachable } from "../../core/errors.ts";
import { frame, FrameReader, type Frame } from "./frames.ts";
import {
  addressSpaceKib,
  baseMemoryMb,
  cpuSeconds,
  maxReplyBytes,
  replyDescriptor,
  startLimitMs,
} from "./limits.ts";

/** One kind of work. */
export interface Work {
  /** A file that calls `serve`. */
  readonly script: URL;
  /** Of one job, milliseconds; loading the script is not counted. */
  readonly limitMs: number;
  /** Of V8's heap and, on Linux, of heap and buffers together. */
  readonly maxMemoryMb: number;
}

export type Outcome =
  | { readonly type: "done"; readonly text: string }
  /** The script has thrown. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "out-of-time" }
  /** Out of memory, or ended in any other way before it had a result. */
  | { readonly type: "died" };

/** The child ended before its script was loaded, or before it read the job. */
type NoOutcome = "not-started" | "not-begun";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Where a limit cannot be set (macOS has none of the address space, and an operator's own may be
 * lower), the others hold. No core dumps: they would hold what people have sent.
 */
const limited = 'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; shift 2; exec "$@"';

/** How often the memory of a child that works is looked at, milliseconds. */
const watchMs = 100;

/**
 * One child process: `starting → ready ⇄ working → ended`. It has its own heap,
 * limits and permissions and none of our environment. Whatever it does (abort,
 * loop forever, write anything), it ends only itself.
 */
export class ChildProcess {
  readonly #work: Work;
  readonly #process: NodeProcess;
  readonly #replies = new FrameReader(maxReplyBytes);
  #isReady = false;
  #hasEnded = false;
  /** Milliseconds, of all jobs. */
  #workedMs = 0;
  /** The child has read its job: it may have had an effect, and is not repeated. */
  #hasBegun = false;
  #settle: ((outcome: Outcome | NoOutcome) => void) | undefined;
  #onReady: (() => void) | undefined;

  /** @throws when the system has no process or pipe left. */
  constructor(work: Work) {
    this.#work = work;
    const child = start(work);
    this.#process = child;
    child.once("error", () => this.#end("not-started"));
    child.once("exit", () => {
      this.#hasEnded = true;
    });
    // The child's output has been read completely by then.
    child.once("close", () => this.#end(this.#howItEnded()));
    const replies = child.stdio?.[replyDescriptor];
    if (!(child.stdin instanceof Socket) || !(replies instanceof Socket)) {
      child.kill("SIGKILL");
      throw new Error("no pipe to a child process could be opened");
    }
    for (const pipe of [child.stdin, replies]) {
      pipe.unref();
      pipe.on("error", () => child.kill("SIGKILL"));
    }
    replies.on("data", (piece: Buffer) => this.#read(piece));
    // A job's timer keeps our process alive while a caller waits.
    child.unref();
  }

  /** Whether it may have another job: a child that has worked for long is not used again. */
  get isUsable(): boolean {
    return !this.#hasEnded && this.#workedMs < this.#work.limitMs / 2;
  }

  /**
   * One job at a time. `not-begun`: the child, which had worked before, ended without reading it.
   * @throws the signal's reason; an `Error` when the script cannot be loaded.
   */
  async run(input: string | Uint8Array, signal: AbortSignal): Promise<Outcome | "not-begun"> {
    const { promise, resolve } = Promise.withResolvers<Outcome | NoOutcome>();
    this.#settle = resolve;
    this.#hasBegun = false;
    const outOfTime = (): void => this.#end({ type: "out-of-time" });
    const { limitMs } = this.#work;
    let beganMs = performance.now();
    let timer = setTimeout(outOfTime, this.#isReady ? limitMs : startLimitMs);
    this.#onReady = () => {
      clearTimeout(timer);
      beganMs = performance.now();
      timer = setTimeout(outOfTime, limitMs);
    };
    const abort = (): void => this.kill();
    signal.addEventListener("abort", abort, { once: true });
    const watch = setInterval(() => void this.#watchMemory(), watchMs);
    try {
      if (this.#hasEnded) resolve("not-started");
      else if (signal.aborted) this.kill();
      else this.#process.stdin?.write(frame("job", input));
      const outcome = await promise;
      signal.throwIfAborted();
      if (outcome === "not-started")
        throw new Error(`a child process could not load ${this.#work.script.pathname}`);
      return outcome;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", abort);
      this.#workedMs += performance.now() - beganMs;
      this.#settle = undefined;
    }
  }

  kill(): void {
    this.#end({ type: "died" });
  }

  #howItEnded(): Outcome | NoOutcome {
    if (!this.#isReady) return "not-started";
    return this.#hasBegun ? { type: "died" } : "not-begun";
  }

  #end(how: Outcome | NoOutcome): void {
    this.#hasEnded = true;
    this.#process.kill("SIGKILL");
    // Without a free file descriptor, `spawn` reports an error and opens no pipes.
    for (const pipe of this.#process.stdio ?? []) pipe?.destroy();
    this.#settle?.(how);
  }

  #read(piece: Buffer): void {
    try {
      for (const each of this.#replies.push(piece)) this.#take(each);
    } catch {
      // Not in our protocol: it is no longer our script that writes.
      this.kill();
    }
  }

  #take({ type, payload }: Frame): void {
    switch (type) {
      case "ready":
        this.#isReady = true;
        this.#onReady?.();
        return;
      case "begun":
        this.#hasBegun = true;
        return;
      case "done":
        if (this.#settle === undefined) return this.kill();
        this.#settle({ type, text: payload.toString() });
        return;
      case "failed":
        if (this.#settle === undefined) return this.kill();
        this.#settle({ type, message: payload.toString() });
        return;
      case "job":
        throw new RangeError("a child gives no jobs");
      default:
        unreachable(type);
    }
  }

  /** V8's limit counts no buffers, and that of the address space leaves room for many. */
  async #watchMemory(): Promise<void> {
    const status = await readFile(`/proc/${this.#process.pid}/status`, "utf8").catch(() => "");
    const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    const maxMb = baseMemoryMb + this.#work.maxMemoryMb;
    if (Number(kib) > maxMb * 1_024) this.kill();
  }
}

function start({ script, limitMs, maxMemoryMb }: Work): NodeProcess {
  const file = fileURLToPath(script);
  const node = [
    process.execPath,
    `--max-old-space-size=${maxMemoryMb}`,
    "--max-semi-space-size=8",
    "--stack-size=3900",
    "--v8-pool-size=1",
    // They reserve 4 GiB and more for every memory of WebAssembly.
    "--disable-wasm-trap-handler",
    // To read its own code, and nothing else: no writing, no processes, no threads. Node has no
    // compile cache then.
    "--permission",
    ...[
      `${root}src/`,
      `${root}node_modules/`,
      // Where that is a link.
      `${realpathSync(`${root}node_modules`)}/`,
      `${root}package.json`,
      `${dirname(file)}/`,
    ].map((path) => `--allow-fs-read=${path}`),
    file,
  ] as const;
  const options: SpawnOptions = {
    env: {},
    stdio: ["pipe", "ignore", "ignore", "pipe"],
  };
  if (process.platform === "win32") {
    const [program, ...given] = node;
    return spawn(program, given, options);
  }
  const limits = [String(cpuSeconds(limitMs)), String(addressSpaceKib)];
  return spawn("/bin/sh", ["-c", limited, "sh", ...limits, ...node], options);
}
