import type { Persona } from "../../core/persona.ts";
import type { PersonaDraft } from "../../core/persona-draft.ts";
import type { AnswerButton } from "../../core/inbound.ts";
import { isAtLeast } from "../../core/roles.ts";
import type { Locale } from "../../locales/locale.ts";
import { lineDiff, nearChanges } from "../../text/line-diff.ts";
import { mayChangeChat } from "../choice.ts";
import type { CommandCall } from "../command.ts";
import { button, formButton, shownText, warningsOf } from "./available.ts";
import { personaOf } from "./draft-persona.ts";

/** Names an exact state of a draft, so that a button acts on what was shown above it. */
export const tokenOf = ({ id, revision }: PersonaDraft): string => `${id}.${revision}`;

/** A persona's lines: what it uses. */
export const factsOf = (
  { tools, tier, model, temperature, maxModelCalls, skills, memory, starters }: Persona,
  { personas }: Locale,
): readonly string[] => [
  personas.tools(tools === undefined ? personas.allTools : tools.join(", ") || personas.noTools),
  personas.model([model, tier].filter(Boolean).join(", ") || personas.automatic),
  ...(skills === undefined ? [] : [personas.skills(skills.join(", ") || personas.noTools)]),
  ...(temperature === undefined ? [] : [personas.temperature(temperature)]),
  personas.modelCalls(maxModelCalls),
  ...(memory === "on" ? [] : [personas.noMemory]),
  ...(starters.length === 0 ? [] : [personas.starters, ...starters.map((text) => `“${text}”`)]),
];

/** All that people read of it. */
export const wordsOf = ({ description = "", prompt, starters }: Persona): string =>
  [description, prompt, ...starters].join(" ");

/** What would be saved, as it is; hidden characters and lookalikes are marked. */
export function previewOf(
  draft: PersonaDraft,
  before: Persona | undefined,
  locale: Locale,
): string {
  const { personas } = locale;
  const persona = personaOf(draft, before);
  const lines =
    before === undefined
      ? [
          personas.preview(persona.name),
          "",
          ...factsOf(persona, locale),
          "",
          personas.prompt,
          shownText(persona.prompt),
        ]
      : [
          personas.previewOfChange(persona.name),
          "",
          personas.before,
          ...changesOf(before, persona, locale).map(shownText),
        ];
  const warnings = warningsOf(wordsOf(persona), locale);
  return [...lines, ...(warnings.length === 0 ? [] : ["", ...warnings])].join("\n");
}

/** Empty: nothing would change. */
export function changesOf(before: Persona, after: Persona, locale: Locale): readonly string[] {
  const [old, now] = [before, after].map((persona) =>
    [
      ...(persona.description === undefined ? [] : [locale.personas.about(persona.description)]),
      ...factsOf(persona, locale),
      persona.prompt,
    ].join("\n"),
  );
  return old === now ? [] : nearChanges(lineDiff(old ?? "", now ?? ""), 1);
}

/** Approve, Change and Cancel; for admins also who it is for. */
export function previewButtons(draft: PersonaDraft, call: CommandCall): readonly AnswerButton[] {
  const { personas } = call.locale;
  const token = tokenOf(draft);
  const isNew = draft.of === undefined;
  const below = (label: string, action: string) => button(label, `${action} ${token}`, action);
  return [
    below(personas.approve, "approve"),
    ...(isNew && !call.direct && mayChangeChat(call)
      ? [below(personas.approveChat, "approve chat")]
      : []),
    ...(isNew && isAtLeast(call.role, "admin")
      ? [below(personas.approveEveryone, "approve everyone")]
      : []),
    formButton(personas.change, `change ${token}`, "change"),
    below(personas.cancel, "cancel"),
  ];
}
