import { personaHash, type PersonaOwner } from "../../core/persona.ts";
import type { DraftTarget, PersonaDraft } from "../../core/persona-draft.ts";
import { answer, type CommandAnswer, type CommandCall, type CommandDeps } from "../command.ts";
import { ownerFor, savePersona } from "../personas.ts";
import { maxOwned, ownerIn, refusalIn, useButton } from "./available.ts";
import { beforeOf, draftOf, keepDraft, openDraft, showDraft, takenNames } from "./dialogue.ts";
import { personaOf } from "./draft-persona.ts";

/**
 * `/persona approve [chat|everyone]`: saves what the preview has shown. Repeated, it saves nothing
 * more.
 */
export async function approveDraft(
  call: CommandCall,
  deps: CommandDeps,
  { token, target }: { readonly token: string; readonly target: DraftTarget },
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  const saved = await draftOf(call, deps);
  if (saved?.savedAs !== undefined && saved.eventId === call.eventId)
    return isSaved(call, saved, saved.savedAs);
  const open = await openDraft(call, deps, token);
  if ("problem" in open) return answer(open.problem);
  const { draft } = open;
  if (draft.step !== "preview")
    return await showDraft(call, deps, draft, { lines: [personas.notYetDone] });
  const { name } = draft;
  const owner = draft.of?.owner ?? ownerFor(call, target === "me" ? "person" : target);
  const problem = await problemOf(call, deps, draft, owner);
  if (problem !== undefined) return answer(problem);
  const persona = personaOf(draft, await beforeOf(draft, deps));
  const outcome = await savePersona(deps, call, { owner, persona });
  const notAllowed = personas.mayNotSave[owner === "everyone" ? "everyone" : "chat"];
  if (typeof outcome === "string")
    return answer(refusalIn(personas, outcome, { name, notAllowed }));
  const next: PersonaDraft = { ...draft, step: "saved", eventId: call.eventId, savedAs: owner };
  await keepDraft(deps, call.person, next);
  return isSaved(call, next, owner);
}

/** A name of its own, room for it, and nothing that someone else has saved since. */
async function problemOf(
  call: CommandCall,
  deps: CommandDeps,
  draft: PersonaDraft,
  owner: PersonaOwner,
): Promise<string | undefined> {
  const { personas } = call.locale;
  const { store } = deps.personas;
  const now = await store.find({ owner, name: draft.name });
  const hash = personaHash(personaOf(draft, await beforeOf(draft, deps)));
  // Delivered again after it was saved.
  if (now?.revision.hash === hash) return undefined;
  if (draft.of !== undefined)
    return now?.revision.hash === draft.of.hash ? undefined : personas.changedSince(draft.name);
  if ((await takenNames(call, deps)).has(draft.name)) return personas.taken(draft.name);
  return (await store.list(owner)).length >= maxOwned ? personas.tooMany(maxOwned) : undefined;
}

function isSaved(
  { locale: { personas } }: CommandCall,
  { name, of }: PersonaDraft,
  owner: PersonaOwner,
): CommandAnswer {
  const said = personas.isSaved(name, ownerIn(personas, owner));
  return of === undefined
    ? {
        ...answer(`${said} ${personas.howToUse(name)}`),
        buttons: [useButton(personas, { owner, name })],
      }
    : answer(said);
}
