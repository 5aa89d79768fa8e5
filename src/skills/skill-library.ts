import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import type { ReportedSkill, Skill, SkillVersion } from "../core/skill.ts";
import { lockText, readLock, writeLock, type Lock } from "./lock-file.ts";
import { readSkills, versionOf, type FoundSkill, type Reading } from "./read-skills.ts";
import { walkFolders } from "./walk-folders.ts";

/** How long a change on disk or an admin's decision may take to have effect. Milliseconds. */
const intervalMs = 3_000;
/** How often everything is reported, though nothing has changed. Milliseconds. */
const reportAgainMs = 600_000;

type Decision = { readonly kind: "approved" | "denied" };

export interface SkillLibraryDeps {
  readonly settings: {
    /** Absolute; those that don't exist hold no skills. */
    readonly folders: readonly string[];
    readonly lockFile: string;
  };
  /** What all processes know, in Redis. */
  readonly reviews: {
    decisions(versions: readonly string[]): Promise<ReadonlyMap<string, Decision>>;
    report(skills: readonly ReportedSkill[], versions: readonly SkillVersion[]): Promise<void>;
  };
  /** Called after a report, with what waits for an admin; not awaited by turns. */
  readonly onReport: (waiting: readonly ReportedSkill[]) => Promise<void>;
  /** Milliseconds, never going back. */
  readonly monotonic: () => number;
  readonly log: Pick<Logger, "warn">;
}

/**
 * One worker's skills. A skill is `approved` by an admin's decision about exactly its files, or,
 * where there is no decision, by the lock file; `denied` by a decision; else it is `waiting`. Only
 * what is approved is offered. Looks every few seconds whether the files or the decisions have
 * changed, and writes what was approved to the lock file.
 */
export class SkillLibrary implements AsyncDisposable {
  readonly #deps: SkillLibraryDeps;
  #marks = "";
  #reading: Reading = { skills: [], problems: [] };
  #lock: Lock | undefined;
  #offered: readonly FoundSkill[] = [];
  #skills: readonly Skill[] = [];
  #reported = "";
  #reportedAtMs = -Infinity;
  #failure = "";
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(deps: SkillLibraryDeps) {
    this.#deps = deps;
  }

  /** What is approved, sorted by name; the same list until it changes. */
  get offered(): readonly Skill[] {
    return this.#skills;
  }

  /** Of all that are on this disk, approved or not. */
  get names(): readonly string[] {
    return this.#reading.skills.map(({ name }) => name);
  }

  /** Looks once, and then every few seconds until it is disposed of. Never rejects. */
  async start(): Promise<void> {
    await this.#lookSafely();
    this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#step;
  }

  /** One look: when it fulfils, nothing is offered but what is on disk and approved. */
  async look(): Promise<void> {
    const { reviews, onReport, monotonic } = this.#deps;
    await this.#readAgain();
    const { skills } = this.#reading;
    // Without skills nothing is asked of Redis, once it knows.
    if (skills.length === 0 && this.#reported === "") return;
    const decisions = await reviews.decisions(skills.map(({ version }) => version));
    const list = skills.map((skill): ReportedSkill => {
      const { name, description, version } = skill;
      return { name, description, version, state: this.#stateOf(skill, decisions.get(version)) };
    });
    const inState = (...states: readonly (string | undefined)[]): readonly FoundSkill[] =>
      skills.filter((_, index) => states.includes(list[index]?.state));
    this.#offer(inState("approved"));
    const json = JSON.stringify(list);
    const isDue = monotonic() - this.#reportedAtMs >= reportAgainMs;
    if (json === this.#reported && !isDue) return;
    await this.#keepLock({ approved: inState("approved"), denied: inState("denied") });
    await reviews.report(list, inState("approved", "waiting").map(asVersion));
    this.#reported = json;
    this.#reportedAtMs = monotonic();
    await onReport(list.filter(({ state }) => state === "waiting"));
  }

  #schedule(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#step = this.#lookSafely().finally(() => this.#schedule());
    }, intervalMs).unref();
  }

  async #lookSafely(): Promise<void> {
    try {
      await this.look();
      this.#failure = "";
    } catch (error) {
      const failure = messageOf(error);
      if (failure !== this.#failure) this.#deps.log.warn({ error }, "could not look for skills");
      this.#failure = failure;
    }
  }

  async #readAgain(): Promise<void> {
    const { settings, log } = this.#deps;
    const walk = await walkFolders(settings.folders);
    this.#lock = await readLock(settings.lockFile);
    const marks = JSON.stringify(walk);
    if (marks === this.#marks) return;
    this.#reading = await readSkills(walk);
    this.#marks = marks;
    const versions = new Set(this.#reading.skills.map(({ version }) => version));
    // Before Redis is asked, which may be away.
    this.#offer(this.#offered.filter(({ version }) => versions.has(version)));
    for (const problem of this.#reading.problems) log.warn(problem);
  }

  #stateOf(skill: FoundSkill, decision: Decision | undefined): ReportedSkill["state"] {
    if (decision !== undefined) return decision.kind;
    return this.#lock && isLocked(skill, this.#lock) ? "approved" : "waiting";
  }

  #offer(skills: readonly FoundSkill[]): void {
    if (versionsOf(skills) === versionsOf(this.#offered)) return;
    this.#offered = skills;
    this.#skills = skills.map(asSkill);
  }

  async #keepLock({
    approved,
    denied,
  }: Readonly<Record<"approved" | "denied", readonly FoundSkill[]>>): Promise<void> {
    const { settings, log } = this.#deps;
    const before = this.#lock;
    if (before === undefined) {
      log.warn(`${settings.lockFile} can't be understood: it approves nothing, and stays as it is`);
      return;
    }
    const lock = new Map(before);
    for (const skill of approved)
      if (!isLocked(skill, before))
        lock.set(skill.name, new Map([...skill.files].map(([path, { sha256 }]) => [path, sha256])));
    for (const skill of denied) if (isLocked(skill, before)) lock.delete(skill.name);
    if (lockText(lock) === lockText(before)) return;
    try {
      await writeLock(settings.lockFile, lock);
    } catch (error) {
      // Redis knows the decisions, too.
      log.warn({ error: messageOf(error) }, `could not write ${settings.lockFile}`);
    }
  }
}

const versionsOf = (skills: readonly FoundSkill[]): string =>
  skills.map(({ version }) => version).join();

/** Whether the lock names exactly these files. */
function isLocked({ name, version }: FoundSkill, lock: Lock): boolean {
  const files = [...(lock.get(name) ?? [])].map(([path, sha256]) => [path, { sha256 }] as const);
  return versionOf(name, new Map(files)) === version;
}

/** A skill's files begin with its SKILL.md. */
const asSkill = ({ name, description, body, files }: FoundSkill): Skill => ({
  name,
  description,
  body,
  files: new Map([...files].slice(1).map(([path, { text }]) => [path, text])),
});

function asVersion(found: FoundSkill): SkillVersion {
  const { body: _, files, ...skill } = found;
  return { ...skill, files: [...files].map(([path, { text }]) => ({ path, text })) };
}
