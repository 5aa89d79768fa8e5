import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../src/config/load.ts";
import { SettingsError } from "../../src/config/problems.ts";
import type { Settings } from "../../src/config/settings.ts";

export type Given = {
  readonly environment?: Record<string, string>;
  /** The text of `parley.yaml`. */
  readonly yaml?: string;
  readonly dotEnv?: string;
};

/** Loads settings from a folder that holds only what is given. */
export function load({ environment = {}, yaml, dotEnv }: Given = {}): Settings {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-config-"));
  try {
    if (yaml !== undefined) writeFileSync(join(workingFolder, "parley.yaml"), yaml);
    if (dotEnv !== undefined) writeFileSync(join(workingFolder, ".env"), dotEnv);
    return loadSettings({ environment, workingFolder });
  } finally {
    rmSync(workingFolder, { recursive: true });
  }
}

/** The message of the refusal. @throws when the settings are accepted. */
export function refusal(given: Given): string {
  try {
    load(given);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

export const telegramToken = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-pv";
export const discordToken = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-abc";
