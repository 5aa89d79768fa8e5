import type { OfferedTool } from "../core/tool.ts";
import { toolsOf } from "../text/persona-tools.ts";
import type { Locale } from "../locales/locale.ts";
import { listedTool } from "../locales/tool-title.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";
import { effectivePersona } from "./personas.ts";
import { skillsLine } from "./skills.ts";

/** Number of tools named per kind, and of characters per description. */
const maxShown = 40;
const maxDescriptionLength = 100;

/** `/tools`: what the model can use, and what of it asks first. */
export const toolsCommand: Command = {
  spec: described("tools", ({ tools }) => tools.description),
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    const { locale } = call;
    const [all, persona] = await Promise.all([deps.tools(), effectivePersona(deps, call)]);
    const skills = await skillsLine(call, deps, persona);
    const has = persona && toolsOf(persona.stored.persona);
    const offered = has ? all.filter(({ name }) => has(name)) : all;
    if (offered.length === 0) return answer(locale.tools.none, ...skills);
    const { free, asking, sometimes, more, noSearch } = locale.tools;
    const headings = [
      ["never", free],
      ["sometimes", sometimes],
      ["always", asking],
    ] as const;
    const blocks = headings.flatMap(([asks, heading]) => {
      const own = offered.filter((tool) => tool.asks === asks);
      if (own.length === 0) return [];
      const hidden = own.length - maxShown;
      return [
        [
          heading,
          ...own.slice(0, maxShown).map((tool) => line(tool, locale)),
          ...(hidden > 0 ? [more(hidden)] : []),
        ].join("\n"),
      ];
    });
    const searches = deps.canSearch || all.some(({ name }) => /search/i.test(name));
    return answer([...blocks, ...(searches ? [] : [noSearch]), ...skills].join("\n\n"));
  },
};

/** Ours in the reader's language, with the name that is typed; a server's as its author has it. */
function line({ name, description }: OfferedTool, locale: Locale): string {
  const ours = listedTool(name, locale);
  if (ours !== undefined) return `• ${ours.title} – ${ours.about}`;
  const short =
    description.length > maxDescriptionLength
      ? `${description
          .slice(0, maxDescriptionLength)
          .replace(/\s+\S*$/, "")
          .toWellFormed()} …`
      : description;
  return short === "" ? `• ${name}` : `• ${name} – ${short}`;
}
