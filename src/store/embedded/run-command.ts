import { execFile } from "node:child_process";

export type CommandOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  readonly signal?: AbortSignal | undefined;
};

/** Five minutes: a package list over a slow line. */
const timeoutMs = 300_000;

/** Runs a program to its end. @throws Error with the last lines of its output, if it fails. */
export function runCommand(
  command: string,
  given: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const { environment, folder, signal } = options;
  return new Promise((done, fail) => {
    execFile(
      command,
      given,
      {
        env: { ...environment },
        timeout: timeoutMs,
        maxBuffer: 64 * 1_024 * 1_024,
        ...(folder === undefined ? {} : { cwd: folder }),
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) return done(stdout);
        const said = stderr.trim().split("\n").slice(-5).join("\n");
        const reason = said === "" ? error.message : said;
        fail(new Error(`${command} failed: ${reason}`, { cause: error }));
      },
    );
  });
}
