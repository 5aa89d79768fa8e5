import { resolve } from "node:path";
import type { Dialog } from "../dialog.ts";
import type { Draft } from "../draft.ts";
import type { InitFlags } from "../options.ts";
import { importFrom } from "./import-from.ts";
import { placeKnowledge, withRoom } from "./knowledge.ts";
import { placePersona } from "./persona.ts";
import { placeSkills } from "./skills.ts";

interface TakeOverDeps {
  readonly dialog: Dialog;
  readonly draft: Draft;
  readonly flags: InitFlags;
  readonly workingFolder: string;
  /** The user's own folder. */
  readonly home: string;
}

/**
 * Puts into the draft what `--from` names and Parley has a place for, and reports the rest. Secrets
 * are copied with consent only. @throws PermanentError when that folder can't be used.
 */
export async function takeOver(deps: TakeOverDeps): Promise<void> {
  const { dialog, draft, flags, workingFolder, home } = deps;
  const { source } = flags;
  if (source === undefined) return;
  const from = resolve(workingFolder, source.folder ?? `${home}/.${source.kind}`);
  const imported = await importFrom(source.kind, from, (name) => draft.valueOf(name));
  const { personas, skills, dataFolder } = draft.settings();
  const settingsFile = draft.filePath;
  const persona =
    imported.persona && placePersona(imported.persona, { folder: personas.folder, settingsFile });
  const placed = placeSkills(imported.skills, { folder: skills.folders[0], settingsFile });
  const noRoom: string[] = [];
  const known = withRoom(imported, (what, why) => void noRoom.push(`${what}: ${why}`));
  const knowledge = placeKnowledge(known, { dataFolder, settingsFile });
  const files = [persona, knowledge].flatMap((each) => (each === undefined ? [] : [each.file]));
  draft.added.push(...files, ...placed.files);
  dialog.box(`From ${from}, taken over`, [
    ...(persona === undefined ? [] : [persona.said]),
    ...imported.taken,
    ...(knowledge === undefined ? [] : [knowledge.said]),
    ...placed.taken,
  ]);
  dialog.box("Not taken", [...imported.left, ...noRoom, ...placed.left]);
  const { problems } = imported.skills;
  if (problems.length > 0) dialog.box("What to know about the skills", problems);
  await copySecrets(imported.secrets, deps);
  draft.changes.push(...(persona?.changes ?? []), ...imported.changes);
}

async function copySecrets(
  secrets: Readonly<Record<string, string>>,
  { dialog, draft, flags }: TakeOverDeps,
): Promise<void> {
  const names = Object.keys(secrets).join(", ");
  if (names === "") return;
  const copies =
    flags["copy-secrets"] || (dialog.asks && (await dialog.agrees(`Copy ${names} into .env?`)));
  if (copies) Object.assign(draft.values, secrets);
  else dialog.say("info", `Not copied: ${names}. Put them into .env yourself.`);
}
