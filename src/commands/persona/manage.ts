import { personaExtrasSchema, type Persona, type PersonaRef } from "../../core/persona.ts";
import type { PersonaDraft } from "../../core/persona-draft.ts";
import type { Locale } from "../../locales/locale.ts";
import type { PersonaRevision, StoredPersona } from "../../store/personas/personas.ts";
import { visible } from "../../text/visible-text.ts";
import {
  answer,
  typed,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "../command.ts";
import { moment } from "../moment.ts";
import { removePersona, rollBackPersona, whyNotTheirs } from "../personas.ts";
import { maxChatPrompt } from "./answer-question.ts";
import {
  button,
  digestOf,
  findPersona,
  formButton,
  ownerIn,
  refusalIn,
  shownText,
  useButton,
  warningsOf,
} from "./available.ts";
import { keepDraft, newDraft, showDraft, whyNotMake } from "./dialogue.ts";
import { askWhatToChange } from "./questions.ts";
import { factsOf, wordsOf } from "./preview.ts";

/** Versions in one answer, each with a button. */
const maxVersions = 20;

/** `/persona show <name>` */
export async function showPersona(
  call: CommandCall,
  deps: CommandDeps,
  name: string,
): Promise<CommandAnswer> {
  const { locale } = call;
  const { personas } = locale;
  const named = await findPersona(call, deps, name);
  if ("problem" in named) return answer(named.problem);
  const { ref, persona, revision } = named.found;
  return {
    ...answer(
      `${ref.name} (${ownerIn(personas, ref.owner)})`,
      ref.owner === "file" ? personas.fromFile(ref.name) : versionLine(personas, revision),
      ...contentLines(persona, locale),
    ),
    buttons: [
      useButton(personas, ref),
      ...(mayChange(call, ref)
        ? [formButton(personas.change, `edit #${digestOf(ref)}`, `edit ${ref.name}`)]
        : []),
    ],
  };
}

const mayChange = (call: CommandCall, { owner }: PersonaRef): boolean =>
  whyNotTheirs(call, owner) === undefined && whyNotMake(call) === undefined;

/** All that it is. */
function contentLines(persona: Persona, locale: Locale): readonly string[] {
  const { personas } = locale;
  const { description, prompt } = persona;
  return [
    ...(description === undefined ? [] : [shownText(description)]),
    "",
    ...factsOf(persona, locale),
    "",
    personas.prompt,
    shownText(prompt),
    ...warningsOf(wordsOf(persona), locale),
  ];
}

/** When it was saved, and who saved it, if that is known. */
const versionLine = (personas: Locale["personas"], { atMs, number, by }: PersonaRevision): string =>
  personas.saved(moment(atMs), number, by && visible(by.name));

/** A persona of theirs, or of a chat or everyone they may change those of, or why not. */
async function findTheirs(
  call: CommandCall,
  deps: CommandDeps,
  { name, action }: { readonly name: string; readonly action: string },
): Promise<{ readonly found: StoredPersona } | { readonly problem: string }> {
  const { personas } = call.locale;
  const refusal = whyNotMake(call);
  if (refusal !== undefined) return { problem: refusal };
  if (name === "") return { problem: personas.which(action) };
  const named = await findPersona(call, deps, name);
  if ("problem" in named) return named;
  const { ref } = named.found;
  const why = whyNotTheirs(call, ref.owner);
  if (why === undefined) return named;
  const notAllowed =
    ref.owner === "file"
      ? personas.fromFile(ref.name)
      : personas.mayNotChange(ref.name, ownerIn(personas, ref.owner));
  return { problem: refusalIn(personas, why, { notAllowed }) };
}

/** The draft that changes it. */
export async function draftOfChange(
  call: CommandCall,
  deps: CommandDeps,
  name: string,
): Promise<{ readonly draft: PersonaDraft } | { readonly problem: string }> {
  const named = await findTheirs(call, deps, { name, action: "edit" });
  if ("problem" in named) return named;
  const { ref, persona, revision } = named.found;
  const { prompt, tools, tier, model, description } = persona;
  if (prompt.length > maxChatPrompt)
    return { problem: call.locale.personas.tooLongToEdit(ref.name, maxChatPrompt) };
  const of = { owner: ref.owner, hash: revision.hash };
  const done = { step: "preview", isComplete: true } as const;
  const extras = personaExtrasSchema.parse(persona);
  const kept = { name: ref.name, prompt, tools, tier, model, description, extras };
  return { draft: newDraft(call, { ...done, ...kept, of }) };
}

/** `/persona edit <name> [new prompt]` */
export async function editPersona(
  call: CommandCall,
  deps: CommandDeps,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<CommandAnswer> {
  const begun = await draftOfChange(call, deps, name);
  if ("problem" in begun) return answer(begun.problem);
  const { personas } = call.locale;
  if (text.length > maxChatPrompt) return answer(personas.tooLong(text.length, maxChatPrompt));
  const { draft } = begun;
  const changed = text === "" ? draft : { ...draft, prompt: text.toWellFormed() };
  await keepDraft(deps, call.person, changed);
  return text === "" ? askWhatToChange(changed, call) : await showDraft(call, deps, changed);
}

/** `/persona delete <name>`: asks once. */
export async function deletePersona(
  call: CommandCall,
  deps: CommandDeps,
  { name, isSure }: { readonly name: string; readonly isSure: boolean },
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  const named = await findTheirs(call, deps, { name, action: "delete" });
  if ("problem" in named) return answer(named.problem);
  const { ref } = named.found;
  if (!isSure)
    return {
      ...answer(personas.sureToDelete(ref.name, ownerIn(personas, ref.owner))),
      buttons: [button(personas.delete, `delete #${digestOf(ref)} yes`, `delete ${ref.name} yes`)],
    };
  const isRemoved = await removePersona(deps, call, ref);
  return answer(isRemoved ? personas.deleted(ref.name) : personas.gone);
}

/** `/persona history <name> [version]` */
export async function showHistory(
  call: CommandCall,
  deps: CommandDeps,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  if (name === "") return answer(personas.which("history"));
  const named = await findPersona(call, deps, name);
  if ("problem" in named) return answer(named.problem);
  const { ref } = named.found;
  if (ref.owner === "file") return answer(personas.fromFile(ref.name));
  const versions = (await deps.personas.store.history(ref)).slice(0, maxVersions);
  if (version !== "") {
    const revision = versions.find(({ number }) => String(number) === version);
    const persona = revision && (await deps.personas.store.content(ref.owner, revision.hash));
    return answer(
      ...(revision === undefined || persona === undefined
        ? [personas.noVersion(ref.name, typed(version))]
        : [versionLine(personas, revision), ...contentLines(persona, call.locale)]),
    );
  }
  const lines = versions.map((each, index) =>
    [`• ${versionLine(personas, each)}`, ...(index === 0 ? [`(${personas.current})`] : [])].join(
      " ",
    ),
  );
  const backTo = ({ number }: PersonaRevision) =>
    button(
      personas.rollBack(number),
      `rollback #${digestOf(ref)} ${number}`,
      `rollback ${ref.name} ${number}`,
    );
  return {
    ...answer(personas.history(ref.name), ...lines),
    buttons: mayChange(call, ref) ? versions.slice(1).map(backTo) : [],
  };
}

/** `/persona rollback <name> <version>` */
export async function rollBack(
  call: CommandCall,
  deps: CommandDeps,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  const named = await findTheirs(call, deps, { name, action: "rollback" });
  if ("problem" in named) return answer(named.problem);
  const { ref } = named.found;
  const revision = /^\d{1,9}$/.test(version) ? Number(version) : 0;
  const isBack = await rollBackPersona(deps, call, { ref, revision });
  return answer(
    isBack ? personas.rolledBack(ref.name, revision) : personas.noVersion(ref.name, typed(version)),
  );
}
