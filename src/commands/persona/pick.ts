import { fitsScope, type PersonaScope } from "../../core/persona.ts";
import type { AnswerButton } from "../../core/inbound.ts";
import type { StoredPersona } from "../../store/personas/personas.ts";
import {
  answer,
  typed,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "../command.ts";
import { availablePersonas, choosePersona, effectivePersona } from "../personas.ts";
import { maxButtons } from "../picker.ts";
import {
  button,
  digestOf,
  findPersona,
  formButton,
  ownerIn,
  refusalIn,
  warningsOf,
} from "./available.ts";
import { whyNotMake } from "./dialogue.ts";

/** Lines of the list; there are more of an owner's than anyone reads. */
const maxListed = 40;
/** Starters that are offered after a choice. */
const maxStarters = 3;
/** Characters of a starter on its button. */
const maxLabel = 60;

const scopes: Readonly<Record<string, PersonaScope>> = {
  me: "person",
  chat: "chat",
  place: "place",
};

/** `/persona`: who answers here and why, all that there are, and a picker. */
export async function showPersonas(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const { locale, person } = call;
  const { personas } = locale;
  const [all, effective] = await Promise.all([
    availablePersonas(deps, call),
    effectivePersona(deps, call),
  ]);
  const mayMake = whyNotMake(call) === undefined;
  const hidden = all.length - maxListed;
  const lines = [
    whoAnswers(effective, personas),
    "",
    ...(all.length === 0
      ? [personas.noneYet]
      : [
          personas.listed,
          ...all.slice(0, maxListed).map((each) => lineOf(each, call)),
          ...(hidden > 0 ? [personas.more(hidden)] : []),
          ...warningsOf(all.map(({ persona }) => persona.description ?? "").join(" "), locale),
        ]),
    "",
    [...(all.length === 0 ? [] : [personas.how]), ...(mayMake ? [personas.howNew] : [])].join(" "),
    ...(person.anonymous ? [personas.notAnonymously] : []),
  ];
  return {
    ...answer(...lines),
    buttons: [
      ...(person.anonymous ? [] : pickButtons(all, effective?.stored)),
      ...(mayMake ? [formButton(personas.make, "new")] : []),
    ],
  };
}

const lineOf = ({ ref, persona }: StoredPersona, { locale: { personas } }: CommandCall): string =>
  `• ${ref.name}${persona.description === undefined ? "" : ` – ${persona.description}`} (${ownerIn(personas, ref.owner)})`;

/** The one that answers now comes first, the way back last. */
function pickButtons(
  all: readonly StoredPersona[],
  current: StoredPersona | undefined,
): readonly AnswerButton[] {
  if (all.length === 0) return [];
  const isCurrent = ({ ref }: StoredPersona) =>
    current !== undefined && digestOf(ref) === digestOf(current.ref);
  const sorted = [...all.filter(isCurrent), ...all.filter((each) => !isCurrent(each))];
  return [
    ...sorted
      .slice(0, maxButtons - 2)
      .map((each) =>
        button(
          isCurrent(each) ? `✓ ${each.ref.name}` : each.ref.name,
          `pick #${digestOf(each.ref)}`,
          each.ref.name,
        ),
      ),
    button("default", "pick default", "default"),
  ];
}

/** `/persona <name|default> [me|chat|place]` */
export async function pickPersona(
  call: CommandCall,
  deps: CommandDeps,
  given: { readonly name: string; readonly scope: string },
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  const scope = scopes[given.scope.toLowerCase() || "me"];
  if (scope === undefined) return answer(personas.badScope(typed(given.scope)));
  const isReset = /^(?:default|none)$/i.test(given.name);
  const named = isReset ? undefined : await findPersona(call, deps, given.name);
  if (named !== undefined && "problem" in named) return answer(named.problem);
  const found = named?.found;
  const { chat, person } = call;
  if (found !== undefined && !fitsScope(found.ref, scope, { chat, personId: person.id }))
    return answer(personas.doesNotFit(found.ref.name));
  const outcome = await choosePersona(deps, call, {
    scope,
    ref: found?.ref,
    server: call.address.platform === "discord",
  });
  const notAllowed = scope === "place" ? personas.notForPlace : personas.notForChat;
  if (outcome !== "chosen") return answer(refusalIn(personas, outcome, { notAllowed }));
  const said =
    found === undefined ? personas.cleared[scope] : personas.chosen[scope](found.ref.name);
  const effective = await effectivePersona(deps, call);
  const isOverruled = scope !== "person" && found !== undefined && effective?.by === "person";
  return withStarters(call, found, [
    said,
    ...(found === undefined ? [whoAnswers(effective, personas)] : []),
    ...(isOverruled ? [personas.yoursFirst(effective.ref.name)] : []),
  ]);
}

const whoAnswers = (
  effective: Awaited<ReturnType<typeof effectivePersona>>,
  { noneAnswers, answers, why }: CommandCall["locale"]["personas"],
): string =>
  effective === undefined ? noneAnswers : answers(effective.ref.name, why[effective.by]);

/** A starter is sent as if the person had typed it. */
function withStarters(
  { locale: { personas } }: CommandCall,
  found: StoredPersona | undefined,
  lines: readonly string[],
): CommandAnswer {
  const said = lines.join(" ");
  if (found === undefined || found.persona.starters.length === 0) return answer(said);
  return {
    ...answer(said, personas.starters),
    buttons: found.persona.starters.slice(0, maxStarters).map((text, index) => ({
      label: text.length > maxLabel ? `${text.slice(0, maxLabel - 1).toWellFormed()}…` : text,
      data: `ps:${digestOf(found.ref)}:${index}`,
      typed: text,
    })),
  };
}

/** The text of a starter's button. Undefined: it is another button, or there is no such one now. */
export async function starterOf(
  call: Parameters<typeof availablePersonas>[1],
  deps: Pick<CommandDeps, "personas">,
  data: string,
): Promise<string | undefined> {
  const [, digest, index] = /^ps:([\w-]{10}):(\d)$/.exec(data) ?? [];
  if (digest === undefined) return undefined;
  const all = await availablePersonas(deps, call);
  const found = all.find(({ ref }) => digestOf(ref) === digest);
  return found?.persona.starters[Number(index)];
}
