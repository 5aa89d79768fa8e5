import type { FileChange } from "../../../config/edit-file.ts";
import { mask } from "../../../config/problems.ts";
import { PermanentError } from "../../../core/errors.ts";
import type { ImportedKnowledge } from "../../../core/imported.ts";
import { httpUrl, personOrPlace } from "../../../config/leaves.ts";
import { compatibleAt, hasAccount, modelChanges, serverNamed, ollamaAddress } from "../servers.ts";
import type { ModelServer } from "../servers.ts";
import { schedulesIn } from "./jobs.ts";
import { factsIn } from "./knowledge.ts";
import type { ImportedPersona } from "./persona.ts";
import type { SourceFolder } from "./source-folder.ts";

/** What another bot's folder holds for Parley. */
export interface Imported {
  /** Undefined: none of its texts says who the bot is. */
  readonly persona: ImportedPersona | undefined;
  readonly changes: readonly FileChange[];
  /** For `.env`, by name; only copied with consent. */
  readonly secrets: Readonly<Record<string, string>>;
  /** A line each. */
  readonly taken: readonly string[];
  /** A line each: what, and why not. */
  readonly left: readonly string[];
  /** Folders with skills, the first ones first; they need not exist. */
  readonly skillFolders: readonly string[];
  readonly facts: readonly string[];
  readonly schedules: readonly ImportedKnowledge["schedules"][number][];
}

export type ValueHere = (name: string) => string | undefined;

/** Collects what was imported and what wasn't, so that the report names everything. */
export class Report implements Imported {
  persona: ImportedPersona | undefined;
  readonly changes: FileChange[] = [];
  readonly secrets: Record<string, string> = {};
  readonly taken: string[] = [];
  readonly left: string[] = [];
  readonly skillFolders: string[] = [];
  readonly facts: string[] = [];
  readonly schedules: ImportedKnowledge["schedules"] = [];

  /** What Parley's environment and `.env` have now. */
  readonly valueHere: ValueHere;

  constructor(valueHere: ValueHere) {
    this.valueHere = valueHere;
  }

  leave(what: string, why: string): void {
    this.left.push(`${what}: ${why}`);
  }

  /** Facts of a text, and schedules of `cron/jobs.json`. */
  knows(text: string | undefined): void {
    this.facts.push(...factsIn(text ?? ""));
  }

  jobs(jobs: unknown, usualZone?: string): void {
    this.schedules.push(...schedulesIn(jobs, (what, why) => this.leave(what, why), usualZone));
  }

  /** As `SourceFolder.data`, of a file without which the rest is still of use. */
  optional(folder: SourceFolder, name: string): unknown {
    try {
      return folder.data(name);
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      this.leave(name, error.message.replace(`${folder.at(name)}: `, ""));
      return undefined;
    }
  }

  secret(name: string, value: string | undefined): void {
    if (value !== undefined) this.secrets[name] = value;
  }

  /** People and places such as `telegram:1`; others are left. */
  allow(names: readonly string[], from: string): void {
    const known = names.filter((name) => personOrPlace.safeParse(name).success);
    for (const name of names.filter((each) => !known.includes(each)))
      this.leave(`${from}: ${name}`, "Parley's allowlist needs a number for each person or group");
    this.#allowed.push(...known.filter((name) => !this.#allowed.includes(name)));
    if (known.length === 0) return;
    this.taken.push(`${from}: ${known.join(", ")} → access.allow`);
    this.changes.push({
      path: ["access", "allow"],
      value: this.#allowed,
      comment: "People and places that may use the bot.",
    });
  }
  readonly #allowed: string[] = [];

  /**
   * The first one answers; the others are asked in this order when it fails.
   * @param at.address undefined: the usual one of this provider
   * @param at.key is taken with the server only
   */
  model(
    provider: string,
    model: string,
    { address, key }: { readonly address: string | undefined; readonly key?: string | undefined },
  ): void {
    const what = `the ${this.#models.length === 0 ? "" : "fallback "}model ${provider}/${model}`;
    const problem = addressProblem(address);
    if (problem !== undefined) return this.leave(what, problem);
    const server = serverOf(provider, address);
    if (server === undefined) return this.leave(what, "Parley doesn't know its server's address");
    const { name, keyName } = server;
    const account = keyName ?? name;
    const id = `${name}/${model}`;
    if (this.#models.includes(id)) return;
    const known = this.#addresses[account];
    if (known !== undefined && known !== server.address)
      return this.leave(what, `another server is called ${name} in parley.yaml already`);
    const hasKey = key !== undefined || Object.hasOwn(this.secrets, account);
    // Settings whose fallback lacks its key refuse the start.
    if (this.#models.length > 0 && hasAccount(server) && !hasKey)
      return this.leave(what, `its key, ${account}, isn't there`);
    this.#addresses[account] = server.address;
    if (keyName !== undefined && key !== undefined && this.secrets[keyName] !== key) {
      // A server's own key comes before that of `.env`; a second one has no place.
      if (known === undefined || !Object.hasOwn(this.secrets, keyName)) this.secret(keyName, key);
      else this.leave(`the key of ${what}`, `its server has another one, ${keyName}`);
    }
    this.#models.push(id);
    this.changes.push(
      ...modelChanges(server, { model, hasKey }).map((change) =>
        change.path[0] === "tiers" ? { ...change, value: [...this.#models] } : change,
      ),
    );
    this.taken.push(`${what} → tiers.balanced.models`);
  }
  readonly #models: string[] = [];
  /** Of the servers, by the names of their keys, which two of their own names can share. */
  readonly #addresses: Record<string, string> = {};
}

/** Why a server's address can't be taken over. */
export function addressProblem(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (address.includes("${")) return "its server's address names a variable that isn't set there";
  if (!httpUrl.safeParse(address).success) return "its server's address isn't an http or https URL";
  return mask(address) === address ? undefined : "its server's address holds a secret";
}

/** An unknown server keeps the name that the other bot gives it, and so does its key. */
export function serverOf(provider: string, address: string | undefined): ModelServer | undefined {
  if (address === undefined) return serverNamed(provider, ollamaAddress);
  const server = compatibleAt(address);
  if (hasAccount(server) || server.preset !== undefined) return server;
  const name = provider.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  return {
    ...server,
    name,
    keyName: `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`,
  };
}

/** A server without a name, such as `custom`: no two hosts share one, nor the name of a key. */
export const nameOfHost = (address: string): string =>
  `custom-${URL.parse(address)?.host.replaceAll(/[^A-Za-z0-9.]+/g, "-") || "server"}`;

/** A server of the person's own, called like one that Parley knows, must not be sent its key. */
export function nameOfOwn(called: string, address: string): string {
  const known = serverNamed(called.toLowerCase(), ollamaAddress);
  const isKnown = known?.type === "openai" && isSameAddress(known.address, address);
  return known === undefined || isKnown ? called : nameOfHost(address);
}

export const isSameAddress = (one: string | undefined, other: string | undefined): boolean =>
  one?.replace(/\/+$/, "") === other?.replace(/\/+$/, "");
