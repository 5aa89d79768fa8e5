import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { FileChange } from "../../config/edit-file.ts";
import { present, readEnvironment } from "../../config/environment.ts";
import type { Environment } from "../../config/interpolation.ts";
import type { Settings } from "../../config/settings.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { createModel } from "../../models/create-model.ts";
import { checkEmbeddings, checkModel } from "./check-model.ts";
import { askForModel, modelFromFlags, usualModel } from "./choose-model.ts";
import type { ChooseModelDeps, ChosenModel, ModelChoice } from "./choose-model.ts";
import { CancelledError, plainDialog, terminalDialog, type Dialog } from "./dialog.ts";
import { Draft } from "./draft.ts";
import { takeOver } from "./import/take-over.ts";
import { readFlags, type InitFlags } from "./options.ts";
import { connectPlatform, platformOf, platforms, type Connected } from "./platforms.ts";
import * as servers from "./servers.ts";
import { chooseSearch } from "./web-search.ts";
import { showChanges, writeFiles } from "./write-files.ts";

export interface InitDeps {
  readonly arguments: readonly string[];
  readonly environment: Environment;
  readonly workingFolder: string;
  /** Whether a person can be asked. */
  readonly isTerminal: boolean;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** `start`: Parley is to start with what was written. */
export type InitOutcome = "written" | "start" | "not-written";

/** @throws PermanentError when no one can be asked, or for arguments and files of no use. */
export async function runInit(deps: InitDeps): Promise<InitOutcome> {
  const flags = readFlags(deps.arguments);
  const canAsk = deps.isTerminal && deps.environment["TERM"] !== "dumb";
  if (!flags.yes && !canAsk)
    throw new PermanentError(
      "npm run init asks questions, and there is no terminal that can show them. Run it in one, or give the answers as options together with --yes; npm run init -- --help lists them.",
    );
  return await setUp(deps, flags, flags.yes ? plainDialog(deps.print) : terminalDialog);
}

/** The same in a dialog of its own. */
export async function setUp(
  deps: InitDeps,
  flags: InitFlags,
  dialog: Dialog,
): Promise<InitOutcome> {
  try {
    return await new Setup(deps, flags, dialog).run();
  } catch (error) {
    if (!(error instanceof CancelledError) && !deps.signal.aborted) throw error;
    dialog.end("Stopped. Nothing was changed.");
    return "not-written";
  }
}

/** One run: `asking → checked → written`. */
class Setup {
  readonly #deps: InitDeps;
  readonly #flags: InitFlags;
  readonly #dialog: Dialog;
  readonly #draft: Draft;

  constructor(deps: InitDeps, flags: InitFlags, dialog: Dialog) {
    this.#deps = deps;
    this.#flags = flags;
    this.#dialog = dialog;
    this.#draft = new Draft(deps);
  }

  async run(): Promise<InitOutcome> {
    const dialog = this.#dialog;
    dialog.start("Parley: set up your bot");
    await takeOver({
      dialog,
      draft: this.#draft,
      flags: this.#flags,
      workingFolder: this.#deps.workingFolder,
      home: this.#deps.environment["HOME"] ?? "",
    });
    if (!(await this.#chooseModel())) return this.#giveUp();
    await checkEmbeddings(this.#draft.settings(), this.#checking());
    const connected: Connected[] = [];
    for (const name of this.#flags["terminal-only"] ? [] : platforms) {
      const answer = await this.#connect(name);
      if (answer === "failed") return this.#giveUp();
      if (answer !== undefined) connected.push(answer);
    }
    const draft = this.#draft;
    const { workingFolder, signal } = this.#deps;
    const readSecret = (flag: string, file: string) => this.#readSecret(flag, file);
    if (!(await chooseSearch({ dialog, draft, flags: this.#flags, readSecret, signal })))
      return this.#giveUp();
    const settings = draft.settings();
    const files = draft.files();
    if (showChanges(files, dialog)) {
      if (dialog.asks && !(await dialog.agrees("Save this?"))) throw new CancelledError();
      this.#deps.signal.throwIfAborted();
      writeFiles(files);
      const own = files.filter(({ isCopy }) => isCopy !== true);
      const copies = files.length - own.length;
      const saved = own.map(({ path }) => relative(workingFolder, path));
      if (copies > 0) saved.push(copies === 1 ? "1 copied file" : `${copies} copied files`);
      dialog.say("ok", `Saved ${saved.join(" and ")}`);
    } else dialog.say("ok", "Everything is set already; no file needs a change.");
    for (const name of draft.overridden())
      dialog.say("warn", `${name} is also set in your shell, which overrides .env.`);
    return await this.#end(settings, connected);
  }

  /** False: it does not work, and no one can be asked. */
  async #chooseModel(): Promise<boolean> {
    const deps = await this.#modelDeps();
    let chosen = await modelFromFlags(this.#flags, deps);
    for (;;) {
      const choice = chosen ?? (this.#dialog.asks ? await askForModel(deps) : usualModel(deps));
      chosen = undefined;
      if (choice === "demo") {
        const names = this.#draft.changes.some(({ path }) => path[0] === "tiers");
        if (names || deps.current !== undefined) this.#draft.changes.push(servers.demoChange);
        this.#dialog.say("info", "The built-in demo will answer. Run this again for a real model.");
        return true;
      }
      const changes = choice === "keep" ? [] : this.#takeModel(choice);
      const works = await this.#modelWorks(choice, changes);
      if (works || this.#flags["skip-checks"]) {
        this.#draft.changes.push(...changes);
        return true;
      }
      if (!this.#dialog.asks) return false;
      const next = await this.#dialog.choose("What now?", [
        { value: "again", label: "Try again" },
        { value: "other", label: "Choose another model" },
        { value: "keep", label: "Save it as it is" },
      ]);
      if (next === "again") chosen = choice;
      else if (next === "other" && typeof choice === "object")
        delete this.#draft.values[choice.server.keyName ?? ""];
      if (next === "keep") {
        this.#draft.changes.push(...changes);
        return true;
      }
    }
  }

  #takeModel({ server, model, apiKey }: ModelChoice): readonly FileChange[] {
    const { keyName } = server;
    if (apiKey !== undefined && keyName !== undefined && this.#draft.valueOf(keyName) !== apiKey)
      this.#draft.values[keyName] = apiKey;
    return servers.modelChanges(server, { model, hasKey: apiKey !== undefined });
  }

  async #modelDeps(): Promise<ChooseModelDeps> {
    const { signal } = this.#deps;
    const given = this.#flags["ollama-host"] ?? this.#draft.valueOf("OLLAMA_HOST");
    const reading = readEnvironment(given === undefined ? {} : { OLLAMA_HOST: given });
    if (reading.problems.length > 0)
      throw new PermanentError(`--ollama-host: ${reading.problems[0]?.expected ?? ""}`);
    const ollamaHost = reading.settings.OLLAMA_HOST;
    const lmStudio = servers.serverNamed("lmstudio", ollamaHost);
    const local = [servers.ollamaAt(ollamaHost), ...(lmStudio === undefined ? [] : [lmStudio])];
    // Scripts that name a provider need no search.
    const isNamed = !this.#dialog.asks && /^demo$|\//.test(this.#flags.model ?? "");
    const found = isNamed ? [] : await servers.findServers(local, signal);
    for (const { label, address, models } of found)
      this.#dialog.say("ok", `${label} runs at ${address}: ${shortList(models)}`);
    return {
      dialog: this.#dialog,
      found,
      current: this.#currentModel(),
      ollamaHost,
      valueOf: (name) => this.#draft.valueOf(name),
      readSecret: (flag, file) => this.#readSecret(flag, file),
      signal,
    };
  }

  #currentModel(): string | undefined {
    try {
      const [first] = this.#draft.settings().models.tiers.balanced.models;
      const key = first && `${first.provider}/${first.model}`;
      return key === "demo/demo" ? undefined : key;
    } catch {
      // Settings that can't be used yet name no model to keep.
      return undefined;
    }
  }

  async #modelWorks(choice: ChosenModel, changes: readonly FileChange[]): Promise<boolean> {
    const settings = this.#draft.settings(changes);
    const [first] = settings.models.tiers.balanced.models;
    if (first === undefined) return true;
    const key = `${first.provider}/${first.model}`;
    const server = typeof choice === "object" ? choice.server : serverOf(first.provider, settings);
    this.#dialog.say("info", `Asking ${key}. The first answer may take a minute.`);
    return await checkModel(createModel(key, settings.models, {}), server, this.#checking());
  }

  #checking(): Parameters<typeof checkEmbeddings>[1] {
    const { signal } = this.#deps;
    return { signal, onLine: ({ mark, text }) => this.#dialog.say(mark, text) };
  }

  async #connect(name: (typeof platforms)[number]): Promise<Connected | "failed" | undefined> {
    const { tokenName } = platformOf[name];
    const flag = `${name}-token-file` as const;
    const file = this.#flags[flag];
    const reading = readEnvironment(
      present({
        TELEGRAM_API_ROOT: this.#draft.valueOf("TELEGRAM_API_ROOT"),
        DISCORD_API_ROOT: this.#draft.valueOf("DISCORD_API_ROOT"),
      }),
    );
    if (reading.problems.length > 0)
      throw new PermanentError(reading.problems.map((each) => each.expected).join("\n"));
    const answer = await connectPlatform(name, {
      dialog: this.#dialog,
      roots: reading.settings,
      given: file === undefined ? this.#draft.values[tokenName] : this.#readSecret(flag, file),
      current: this.#draft.valueOf(tokenName),
      skipChecks: this.#flags["skip-checks"],
    });
    if (typeof answer === "object" && answer.token !== this.#draft.valueOf(tokenName))
      this.#draft.values[tokenName] = answer.token;
    return answer;
  }

  #readSecret(flag: string, file: string): string {
    let text: string;
    try {
      text = readFileSync(resolve(this.#deps.workingFolder, file), "utf8").trim();
    } catch (cause) {
      throw new PermanentError(`--${flag}: can't read ${file}: ${messageOf(cause)}`, { cause });
    }
    if (text === "" || /\s/.test(text))
      throw new PermanentError(`--${flag}: expected ${file} to hold one line, the secret itself`);
    return text;
  }

  #giveUp(): InitOutcome {
    this.#dialog.end("Nothing was changed. --skip-checks saves the settings all the same.");
    return "not-written";
  }

  async #end(settings: Settings, connected: readonly Connected[]): Promise<InitOutcome> {
    const dialog = this.#dialog;
    const { admins, mode } = settings.access;
    if (connected.length > 0 && admins.length === 0 && mode === "pairing")
      dialog.box("Become the owner", [
        ...connected.flatMap(({ becomeOwner }) => becomeOwner.split("\n")),
        "Until then, the bot doesn't answer anyone.",
      ]);
    const starts = this.#flags.start || (dialog.asks && (await dialog.agrees("Start Parley now?")));
    dialog.end(starts ? "Starting. Ctrl-C stops it." : "Start Parley with: npm start");
    return starts ? "start" : "written";
  }
}

/** At most three names, then how many more there are. */
function shortList(models: readonly string[]): string {
  if (models.length === 0) return "no models yet; fetch one with `ollama pull qwen3`";
  const more = models.length - 3;
  return [...models.slice(0, 3), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function serverOf(name: string, { models }: Settings): servers.ModelServer {
  const provider = models.providers[name];
  return provider?.type === "openai"
    ? servers.compatibleAt(provider.baseUrl)
    : servers.ollamaAt(provider?.type === "ollama" ? provider.host : servers.ollamaAddress);
}
