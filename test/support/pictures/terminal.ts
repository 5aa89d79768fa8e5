import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { timeoutMs } from "../parley/stage.ts";
import { escaped, page } from "./page.ts";

/** A command in a tmux session with a server of its own, which ends with it. */
export class Terminal implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "parley-terminal-"));

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>) {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.folder, LANG: "C.UTF-8", ...environment };
    const size = ["-x", "78", "-y", "60"];
    this.#tmux(["new-session", "-d", ...size, ...command], env);
  }

  /** Types a line, and waits until the screen shows what is expected. */
  async type(line: string, expected: RegExp): Promise<void> {
    this.#tmux(["send-keys", "-l", line]);
    this.#tmux(["send-keys", "Enter"]);
    await this.shows(expected);
  }

  async shows(expected: RegExp): Promise<void> {
    const deadlineMs = Date.now() + timeoutMs;
    while (!expected.test(this.#screen())) {
      if (Date.now() > deadlineMs)
        throw new Error(`no ${String(expected)} on the screen:\n${this.#screen()}`);
      await sleep(100);
    }
  }

  picture(): string {
    const lines = this.#screen("-e").trimEnd();
    return page("terminal", `<pre>${colored(lines)}</pre>`);
  }

  [Symbol.dispose](): void {
    this.#tmux(["kill-server"]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #screen(...options: readonly string[]): string {
    return this.#tmux(["capture-pane", "-p", ...options]);
  }

  #tmux(given: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const own = ["-u", "-f", "/dev/null", "-S", join(this.folder, "socket")];
    const options = { env, cwd: this.folder, encoding: "utf8" } as const;
    return execFileSync("tmux", [...own, ...given], options);
  }
}

/** The codes that each code of ECMA-48's "select graphic rendition" ends. */
const ended: Readonly<Record<string, RegExp>> = {
  "": /./,
  0: /./,
  22: /^[12]$/,
  23: /^3$/,
  24: /^4$/,
  39: /^[39]\d$/,
};

/** The codes become classes: `c1` is bold, `c2` dim, `c36` cyan. */
function colored(text: string): string {
  let codes: readonly string[] = [];
  const [plain = "", ...parts] = text.split("\u001b[");
  const spans = parts.map((part) => {
    const end = part.indexOf("m");
    for (const code of part.slice(0, end).split(";")) {
      const ends = ended[code];
      codes = ends ? codes.filter((each) => !ends.test(each)) : [...codes, code];
    }
    const classes = codes.map((code) => `c${code}`).join(" ");
    return `<span class="${classes}">${escaped(part.slice(end + 1))}</span>`;
  });
  return escaped(plain) + spans.join("");
}
