import { revokeGrant } from "../approvals/always-allow.ts";
import { isAuto, type AnyGrant, type Grant } from "../core/grants.ts";
import { isAtLeast } from "../core/roles.ts";
import { legible } from "../text/hide-secrets.ts";
import { visible } from "../text/visible-text.ts";
import { span } from "../locales/span.ts";
import { toolTitle, toolTitleAndName } from "../locales/tool-title.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";

/** Characters of a permission's arguments. */
const maxArguments = 120;

/** `/grants [revoke <number>]`: what runs in this chat without asking; revokes one of them. */
export const grantsCommand: Command = {
  spec: {
    ...described("grants", ({ grants }) => grants.description),
    arguments: [optional("revoke", ({ grants }) => grants.revoke)],
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { chat, locale, argument, person, chatRole } = call;
    const grants = (await deps.grants.of(chat)).toSorted((one, other) => one.fromMs - other.fromMs);
    if (argument === "") return answer(...listOf(grants, call, deps.now()));
    const [, number] = /^(?:revoke\s+)?(\d{1,3})$/i.exec(argument) ?? [];
    const grant = grants[Number(number) - 1];
    if (grant === undefined) return answer(locale.grants.noSuch(number ?? typed(argument)));
    const by = { id: person.id, name: person.name, role: chatRole };
    const outcome = await revokeGrant(deps, chat, grant, by);
    if (outcome === "not-theirs") return answer(locale.grants.notYours);
    return answer(
      isAuto(grant) ? locale.permissions.isAsk : locale.grants.revoked(toolTitle(grant, locale)),
    );
  },
};

function listOf(
  grants: readonly AnyGrant[],
  { locale }: CommandCall,
  nowMs: number,
): readonly string[] {
  const say = locale.grants;
  if (grants.length === 0) return [say.none];
  return [
    say.heading,
    ...grants.map((grant, index) => {
      const { by, untilMs } = grant;
      const lasts = span(Math.max(60_000, untilMs - nowMs), locale.cards);
      const only = onlyFor(grant);
      const parts = [
        `${index + 1}. ${isAuto(grant) ? locale.permissions.inGrants : whatOf(grant, locale)}`,
        say.lasts(lasts),
        say.allowedBy(visible(by.name)),
        ...(only === undefined ? [] : [say.onlyFor(visible(only))]),
      ];
      return parts.join(", ");
    }),
    say.howTo,
  ];
}

function whatOf(grant: Grant, locale: CommandCall["locale"]): string {
  const { grants: say, cards } = locale;
  const given = shortly(grant, cards.characters);
  return `${toolTitleAndName(grant, locale)} ${grant.scope === "same" ? say.exactly(given) : say.alike(given)}`;
}

/** Whose calls alone it covers. Without a role of their own, people approve only what they ask for. */
function onlyFor(grant: AnyGrant): string | undefined {
  if (!isAuto(grant)) return grant.requester?.name;
  return isAtLeast(grant.role, "admin") ? undefined : grant.by.name;
}

/** Arguments in one line, as they may be shown. */
function shortly(grant: Grant, charactersOf: (count: number) => string): string {
  const shown = JSON.stringify(legible(JSON.parse(grant.arguments), charactersOf));
  const text = visible(shown);
  return text.length > maxArguments ? `${text.slice(0, maxArguments).toWellFormed()}…` : text;
}
