import { answer, typed, type Command, type CommandCall, type CommandDeps } from "./command.ts";
import { described, helpWith, listedIn, optional } from "./menu.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import { commandIn } from "../locales/locale-for.ts";

/**
 * The groups of commands, in the order shown. Commands without a group are in
 * the last.
 */
const groups = {
  talk: "start help new stop retry undo compact auto skill remind schedule approve deny edit".split(
    " ",
  ),
  choose: "tier model persona settings activation language".split(" "),
  look: "status approvals grants tools skills recall todos limits usage whoami role admins".split(
    " ",
  ),
  data: "memory export forget".split(" "),
};
const groupNames = ["talk", "choose", "look", "data", "admin"] as const;

/** What `/help` shows, so that it fits on a phone's screen; `/help all` has the others. */
const common = new Set(
  "new stop retry undo remind tier persona settings approvals usage tools export forget allow pause stats".split(
    " ",
  ),
);
/** If a person may use only so many commands, `/help` shows them all. */
const fewCommands = 12;

const groupOf = ({ spec }: Command): (typeof groupNames)[number] =>
  groupNames.find((group) => group !== "admin" && groups[group].includes(spec.name)) ?? "admin";

/** `/help [command|all]` */
export const helpCommand: Command = {
  spec: {
    ...described("help", ({ help }) => help.description),
    arguments: [optional("command", ({ help }) => help.command)],
  },
  role: "stranger",
  isPrivate: false,
  run(call, { commands, nearest }) {
    const mine = commands.filter((command) => isAtLeast(call.role, command.role));
    const wanted = call.argument.toLowerCase().replace(/^\/?(?:admin )?/, "");
    if (wanted !== "" && wanted !== "all")
      return Promise.resolve(answer(...oneCommand(wanted, call, { commands: mine, nearest })));
    const { help } = call.locale;
    const isAll = wanted === "all" || mine.length <= fewCommands;
    const shown = isAll ? mine : mine.filter(({ spec }) => common.has(spec.name));
    return Promise.resolve(
      answer(
        ...listed(shown, call, isAll && isAtLeast(call.role, "admin")),
        ...terminalLines(call),
        isAll ? help.more : `${help.all} ${help.more}`,
      ),
    );
  },
};

const listed = (
  commands: readonly Command[],
  { locale }: CommandCall,
  withAdminForms: boolean,
): readonly string[] =>
  groupNames.flatMap((group) => {
    const own = commands.filter((command) => groupOf(command) === group);
    return own.length === 0
      ? []
      : [
          `${locale.help.groups[group]}:`,
          ...own.flatMap(({ spec }) => listedIn(spec, locale, { withAdminForms })),
        ];
  });

/** What only the terminal knows. */
function terminalLines({ address, locale: { help } }: CommandCall): readonly string[] {
  return address.platform === "console" ? [`${help.terminal}:`, quitLine(help)] : [];
}

const quitLine = ({ quit }: Locale["help"]): string => `/quit – ${quit}`;

/** By its name, another one, or the one below `/admin`. */
const isCalled = ({ name, aliases, adminForms }: Command["spec"], wanted: string): boolean =>
  name === wanted ||
  aliases?.includes(wanted) === true ||
  adminForms?.some((form) => form.name === wanted) === true;

function oneCommand(
  wanted: string,
  { locale, address }: CommandCall,
  { commands, nearest }: Pick<CommandDeps, "commands" | "nearest">,
): readonly string[] {
  if (wanted === "quit" && address.platform === "console") return [quitLine(locale.help)];
  const found = commands.find(({ spec }) => isCalled(spec, wanted));
  if (found !== undefined) return helpWith(found.spec, locale);
  const names = commands.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
  const near = nearest(wanted, names);
  return [
    [
      locale.ingress.noCommand(typed(wanted).slice(1, -1)),
      ...(near === undefined ? [] : [locale.choices.didYouMean(commandIn(locale, `/${near}`))]),
    ].join(" "),
  ];
}
