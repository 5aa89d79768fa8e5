import type { Api } from "grammy";
import type { BotCommand, BotCommandScope, LanguageCode } from "grammy/types";
import type { CommandSpec } from "../../core/ports.ts";
import { requestSignal } from "./send/request-signal.ts";

type MenuApi = Pick<Api, "getMyCommands" | "setMyCommands" | "deleteMyCommands">;

/**
 * The commands as people with one language see them; without a language, as everyone else sees
 * them.
 */
interface Menu {
  readonly language: LanguageCode | undefined;
  readonly commands: readonly BotCommand[];
}

/** One menu for each language that any of the commands has. Pure. */
function menusOf(specs: readonly CommandSpec[]): readonly Menu[] {
  const languages = new Set(specs.flatMap(({ descriptions = {} }) => Object.keys(descriptions)));
  return [undefined, ...languages].map((language) => ({
    language: language as LanguageCode | undefined,
    commands: specs.map(({ name, description, descriptions }) => ({
      command: name,
      description: (language && descriptions?.[language]) || description,
    })),
  }));
}

const shownToAll = (specs: readonly CommandSpec[]): readonly Menu[] =>
  menusOf(specs.filter((spec) => spec.adminOnly !== true));

/** Updates the menus that everyone sees where they are outdated. */
export async function registerCommands(
  api: MenuApi,
  specs: readonly CommandSpec[],
  signal: AbortSignal,
): Promise<void> {
  for (const menu of shownToAll(specs)) await register(api, menu, { signal });
}

/** Whether all of these menus are as `registerCommands` would make them. */
export async function areCommandsCurrent(
  api: MenuApi,
  specs: readonly CommandSpec[],
  signal: AbortSignal,
): Promise<boolean> {
  const found = await Promise.all(
    shownToAll(specs).map((menu) =>
      isCurrent(api, menu, { place: placeOf({ language: menu.language }), signal }),
    ),
  );
  return found.every(Boolean);
}

/**
 * The same with all commands, for one person in their private chat: it takes precedence over the
 * general menu.
 */
export async function registerForAdmin(
  api: MenuApi,
  specs: readonly CommandSpec[],
  { userId, signal }: { readonly userId: number; readonly signal: AbortSignal },
): Promise<void> {
  const scope = { type: "chat", chat_id: userId } as const;
  for (const menu of menusOf(specs)) await register(api, menu, { scope, signal });
}

/** They see the general menu. */
export async function unregisterForAdmin(
  api: MenuApi,
  specs: readonly CommandSpec[],
  { userId, signal }: { readonly userId: number; readonly signal: AbortSignal },
): Promise<void> {
  const scope = { type: "chat", chat_id: userId } as const;
  for (const { language } of menusOf(specs))
    await api.deleteMyCommands(placeOf({ language, scope }), requestSignal(signal));
}

async function register(
  api: MenuApi,
  { language, commands }: Menu,
  {
    scope,
    signal,
  }: {
    readonly scope?: BotCommandScope;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const place = placeOf({ language, scope });
  if (!(await isCurrent(api, { commands }, { place, signal })))
    await api.setMyCommands(commands, place, requestSignal(signal));
}

async function isCurrent(
  api: MenuApi,
  { commands }: Pick<Menu, "commands">,
  { place, signal }: { readonly place: Place; readonly signal: AbortSignal },
): Promise<boolean> {
  const current = await api.getMyCommands(place, requestSignal(signal));
  return (
    current.length === commands.length &&
    commands.every(
      ({ command, description }, index) =>
        current[index]?.command === command && current[index].description === description,
    )
  );
}

type Place = ReturnType<typeof placeOf>;

const placeOf = ({
  language,
  scope,
}: {
  readonly language: LanguageCode | undefined;
  readonly scope?: BotCommandScope | undefined;
}): { readonly language_code?: LanguageCode; readonly scope?: BotCommandScope } => ({
  ...(language === undefined ? {} : { language_code: language }),
  ...(scope === undefined ? {} : { scope }),
});
