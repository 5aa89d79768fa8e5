import { parseArgs } from "node:util";
import { messageOf, PermanentError } from "../../core/errors.ts";

export const initUsage = `Sets Parley up: a model, Telegram, Discord and web search, in .env and parley.yaml

  npm run init                          asks; Ctrl-C leaves everything as it was
  npm run init -- --yes [options]       asks nothing, for scripts

Model
  --model <provider/model>      such as ollama/qwen3, lmstudio/qwen3-4b, openai/gpt-5-mini,
                                or demo for the built-in demo
  --ollama-host <address>       Ollama on another machine, such as http://192.168.1.5:11434
  --openai-base-url <address>   OpenAI or any server with its API, ending in /v1
  --openai-key-file <file>      a file that holds the key

Platforms
  --telegram-token-file <file>  a file that holds the token from @BotFather
  --discord-token-file <file>   a file that holds the token from the page "Bot"
  --terminal-only               no platform; Parley opens a chat in the terminal

Web search
  --web-search <provider>       searxng, brave or tavily
  --search-url <address>        your SearXNG, such as http://127.0.0.1:8888
  --search-key-file <file>      a file that holds the key for Brave or Tavily

Coming from another bot
  --from openclaw|hermes [folder]   takes over what Parley has a place for and lists the rest;
                                    the folder is ~/.openclaw or ~/.hermes by default
  --copy-secrets                also copies the tokens and keys found there

Other
  --yes, -y                     take the defaults, and write without asking
  --skip-checks                 write even if a check fails
  --start                       start Parley afterwards

Keys and tokens come from files or are typed in; the command line would show them to
other users of this machine. PARLEY_CONFIG names another file than parley.yaml.`;

const options = {
  model: { type: "string" },
  "ollama-host": { type: "string" },
  "openai-base-url": { type: "string" },
  "openai-key-file": { type: "string" },
  "telegram-token-file": { type: "string" },
  "discord-token-file": { type: "string" },
  "terminal-only": { type: "boolean", default: false },
  "web-search": { type: "string" },
  "search-url": { type: "string" },
  "search-key-file": { type: "string" },
  from: { type: "string" },
  "copy-secrets": { type: "boolean", default: false },
  yes: { type: "boolean", short: "y", default: false },
  "skip-checks": { type: "boolean", default: false },
  start: { type: "boolean", default: false },
} as const;

export const importSources = ["openclaw", "hermes"] as const;
export type ImportSource = (typeof importSources)[number];

export type InitFlags = ReturnType<typeof parse>["values"] & {
  readonly source: { readonly kind: ImportSource; readonly folder: string | undefined } | undefined;
};

const parse = (given: readonly string[]) =>
  parseArgs({ args: [...given], allowPositionals: true, options });

/** @throws PermanentError for what is unknown; no value is repeated. */
export function readFlags(given: readonly string[]): InitFlags {
  const { values, positionals } = parsed(given);
  const [folder, ...rest] = positionals;
  const kind = importSources.find((each) => each === values.from);
  if (values.from !== undefined && kind === undefined)
    refuse("--from: expected openclaw or hermes");
  if (rest.length > 0 || (folder !== undefined && kind === undefined))
    refuse("Unexpected words without an option");
  return { ...values, source: kind && { kind, folder } };
}

function parsed(given: readonly string[]) {
  try {
    return parse(given);
  } catch (error) {
    // Node's advice in the later sentences would not work through npm.
    const [reason = ""] = messageOf(error).split(". ");
    const isSecret = /--(?:telegram-token|discord-token|openai-key|search-key)\b(?!-)/.test(reason);
    return refuse(isSecret ? `${reason}: put it into a file, and add -file to the name` : reason);
  }
}

function refuse(reason: string): never {
  throw new PermanentError(`${reason}. See npm run init -- --help`);
}
