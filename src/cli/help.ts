import { ownVersion } from "../util/version.ts";

const usage = [
  "Parley, a self-hosted chat-bot platform",
  "",
  "  npm run init                   sets Parley up: a model, Telegram and Discord",
  "  npm start                      starts Parley; settings: .env and parley.yaml, see docs/settings.md",
  "  npm run admin -- <command>     an operator's commands; npm run admin -- --help lists them",
  "  npm run doctor                 what is wrong with this deployment, and how to fix it; npm run doctor -- --help",
  "  npm run trace -- <chat>        what models were asked and answered; npm run trace -- --help",
  "",
  "  --help, -h                     this text, or that of a command",
  "  --version                      the version",
].join("\n");

/**
 * The output of `--help` and `--version`, which may appear anywhere before a
 * `--`. Needs neither settings nor Redis. Undefined: not requested, or no such
 * command.
 */
export async function helpFor(given: readonly string[]): Promise<string | undefined> {
  const end = given.indexOf("--");
  const words = end < 0 ? given : given.slice(0, end);
  if (words.includes("--version")) return ownVersion();
  if (!words.some(isHelp)) return undefined;
  const [command, ...rest] = words.filter((word) => !isHelp(word));
  switch (command) {
    case undefined:
      return usage;
    case "admin":
      return (await import("./admin/commands.ts")).adminUsage(rest[0]);
    case "init":
      return (await import("./init/options.ts")).initUsage;
    case "doctor":
      return (await import("./doctor-command.ts")).doctorUsage;
    case "trace":
      return (await import("./trace-arguments.ts")).traceUsage;
    default:
      return undefined;
  }
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h";
