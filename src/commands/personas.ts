import type { ChatKey } from "../core/chat.ts";
import { personaModels, type PersonaModels } from "../core/choices.ts";
import {
  chosenPersonas,
  isPersonaName,
  ownersFor,
  type ChosenPersona,
  type Persona,
  type PersonaChoices,
  type PersonaOwner,
  type PersonaRef,
  type PersonaScope,
} from "../core/persona.ts";
import { placesOf } from "../core/places.ts";
import { isAtLeast } from "../core/roles.ts";
import type { PersonaRevision, StoredPersona } from "../store/personas/personas.ts";
import { lookalikes } from "../text/lookalikes.ts";
import { mayChangeChat, type Chooser } from "./choice.ts";
import type { CommandCall, CommandDeps } from "./command.ts";

type Deps = Pick<CommandDeps, "personas" | "audit" | "now">;

/** Who asks, where. */
export type PersonaAsker = Chooser & Pick<CommandCall, "address" | "guild" | "threadOf" | "role">;

const whereOf = ({ chat, person }: PersonaAsker) => ({ chat, personId: person.id });

/**
 * All that they can choose here, the most trusted owner's first. Where two have one name, the first
 * is meant by it: no one's own passes for the operator's.
 */
export async function availablePersonas(
  { personas: { store } }: Pick<CommandDeps, "personas">,
  asker: PersonaAsker,
): Promise<readonly StoredPersona[]> {
  const owners = ownersFor(whereOf(asker));
  return (await Promise.all(owners.map((owner) => store.list(owner)))).flat();
}

export type EffectivePersona = ChosenPersona & { readonly stored: StoredPersona };

/** The persona that holds for them here; undefined: none. */
export async function effectivePersona(
  { personas }: Pick<CommandDeps, "personas">,
  asker: PersonaAsker,
): Promise<EffectivePersona | undefined> {
  const { choices } = personas;
  const where = whereOf(asker);
  const chosen = await choices.read({ ...where, places: placesOf(asker) });
  return await firstPersona({ personas }, chosen, where);
}

/** Of what was chosen, the first that exists, in the order in which it applies. */
async function firstPersona(
  { personas: { store, usual } }: Pick<CommandDeps, "personas">,
  chosen: PersonaChoices,
  where: { readonly chat: ChatKey; readonly personId: string },
): Promise<EffectivePersona | undefined> {
  for (const each of chosenPersonas(chosen, { ...where, usual })) {
    const stored = await store.find(each.ref);
    if (stored !== undefined) return { ...each, stored };
  }
  return undefined;
}

/** What the persona that holds for them chooses of the models; undefined: nothing. */
export const modelsOfPersona = (
  persona: EffectivePersona | undefined,
  { role }: Pick<CommandCall, "role">,
  { models: { keys } }: Pick<CommandDeps, "models">,
): PersonaModels | undefined =>
  personaModels({ persona: persona?.stored.persona, by: persona?.by, role }, keys);

export type PersonaRefusal =
  /** They may not, there: a group's persona is for its admins, a place's and everyone's for admins. */
  | "not-allowed"
  /** An anonymous sender has nothing of their own. */
  | "anonymous"
  /** A chat of two is in no place. */
  | "no-place"
  /** There is none, or it can't be chosen for that. */
  | "not-found";

export type SaveRefusal = PersonaRefusal | "full" | "name-taken" | "bad-name";

/** Whether they may choose for this scope, or have personas of this owner; undefined: yes. */
function whyNoPersona(
  asker: PersonaAsker,
  of: PersonaScope | "everyone",
): PersonaRefusal | undefined {
  switch (of) {
    case "person":
      return asker.person.anonymous ? "anonymous" : undefined;
    case "chat":
      return mayChangeChat(asker) ? undefined : "not-allowed";
    case "place":
    case "everyone":
      if (of === "place" && placesOf(asker).length === 0) return "no-place";
      return isAtLeast(asker.role, "admin") ? undefined : "not-allowed";
    default:
      return of satisfies never;
  }
}

/**
 * Chooses a persona for the scope; a group's choice is audited. `place`: the group or channel, or,
 * with `server`, the Discord server.
 * @param choice.ref one that fits the scope; undefined: none is chosen any more.
 */
export async function choosePersona(
  deps: Deps,
  asker: PersonaAsker,
  choice: {
    readonly scope: PersonaScope;
    readonly ref: PersonaRef | undefined;
    readonly server?: boolean;
  },
): Promise<"chosen" | PersonaRefusal> {
  const { scope, ref, server = false } = choice;
  const { choices } = deps.personas;
  const value = ref?.name ?? "default";
  const refusal = whyNoPersona(asker, scope);
  if (refusal !== undefined) return refusal;
  if (scope === "place") {
    const places = placesOf(asker);
    const place = server ? places.find((each) => each.startsWith("discord:guild:")) : places[0];
    if (place === undefined) return "no-place";
    await choices.set({ scope, place }, ref);
    await audit(deps, asker, place, { value });
    return "chosen";
  }
  await choices.set({ scope, ...whereOf(asker) }, ref);
  if (scope === "chat" && !asker.direct) await audit(deps, asker, "persona", { value });
  return "chosen";
}

const ownedFor = ["person", "chat", "everyone"] as const;

/** Who owns what they save for a scope. Pure. */
export const ownerFor = (
  { person, chat }: Pick<PersonaAsker, "person" | "chat">,
  of: (typeof ownedFor)[number],
): PersonaOwner =>
  (({ person: `person:${person.id}`, chat: `chat:${chat}`, everyone: "everyone" }) as const)[of];

/** Whether they may change this owner's personas; undefined: yes. Files are the operator's. */
export function whyNotTheirs(asker: PersonaAsker, owner: PersonaOwner): PersonaRefusal | undefined {
  if (owner === "file") return "not-allowed";
  const of = ownedFor.find((each) => ownerFor(asker, each) === owner);
  return of === undefined ? "not-found" : whyNoPersona(asker, of);
}

/**
 * Saves a persona of theirs, as a new revision. `name-taken`: a more trusted owner here has one of
 * that name, which this one would pass for. `bad-name`: it can't be one, or looks like another.
 */
export async function savePersona(
  deps: Deps,
  asker: PersonaAsker,
  { owner, persona }: { readonly owner: PersonaOwner; readonly persona: Persona },
): Promise<PersonaRevision | SaveRefusal> {
  const { store } = deps.personas;
  const refusal = whyNotTheirs(asker, owner);
  if (refusal !== undefined) return refusal;
  const { name } = persona;
  if (!isPersonaName(name) || lookalikes(name).length > 0) return "bad-name";
  const owners = ownersFor(whereOf(asker));
  for (const other of owners.slice(0, owners.indexOf(owner)))
    if ((await store.find({ owner: other, name })) !== undefined) return "name-taken";
  const saved = await store.save(owner, persona, asker.person);
  if (saved !== "full") await auditOf(deps, asker, { owner, name }, `revision ${saved.number}`);
  return saved;
}

/** Makes an earlier revision the newest again, as a new one. False: there is none. Checks no rights. */
export async function rollBackPersona(
  deps: Deps,
  asker: PersonaAsker,
  { ref, revision }: { readonly ref: PersonaRef; readonly revision: number },
): Promise<boolean> {
  const saved = await deps.personas.store.rollBack(ref, revision, asker.person);
  if (saved) await auditOf(deps, asker, ref, `revision ${saved.number}, as ${revision}`);
  return saved !== undefined;
}

/** Turns that have begun with it end with it. False: there is none. Checks no rights. */
export async function removePersona(
  deps: Deps,
  asker: PersonaAsker,
  ref: PersonaRef,
): Promise<boolean> {
  const isRemoved = await deps.personas.store.remove(ref);
  if (isRemoved) await auditOf(deps, asker, ref, "removed");
  return isRemoved;
}

/** A person's own is their business. */
async function auditOf(
  deps: Deps,
  asker: PersonaAsker,
  { owner, name }: PersonaRef,
  value: string,
): Promise<void> {
  const isTheirs = owner.startsWith("person:") || (owner.startsWith("chat:") && asker.direct);
  if (!isTheirs) await audit(deps, asker, "persona", { value, name });
}

const audit = (
  { audit: log, now }: Deps,
  { person, chat }: PersonaAsker,
  target: string,
  details: { readonly value: string; readonly name?: string },
): Promise<void> =>
  // A tap has no id that commands know.
  log.write(`persona-${details.name ?? target}-${details.value}-${now()}`, {
    action: "setting-changed",
    by: person,
    chat,
    target,
    details,
  });
