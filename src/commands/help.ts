import { answer, typed, type Command } from "./command.ts";
import { described, descriptionIn, helpWith } from "./menu.ts";
import { isAtLeast } from "../core/roles.ts";

/**
 * The groups of commands, in the order shown. Commands without a group are in
 * the last.
 */
const groups = {
  talk: "start help new stop retry undo compact auto approve deny edit".split(" "),
  choose: "tier model settings activation language".split(" "),
  look: "status approvals grants tools todos limits usage whoami role admins".split(" "),
  data: "export forget".split(" "),
};
const groupNames = ["talk", "choose", "look", "data", "admin"] as const;

const groupOf = ({ spec }: Command): (typeof groupNames)[number] =>
  groupNames.find((group) => group !== "admin" && groups[group].includes(spec.name)) ?? "admin";

/** `/help [command]` */
export const helpCommand: Command = {
  spec: {
    ...described("help", ({ help }) => help.description),
    arguments: [{ ...described("command", ({ help }) => help.command), required: false }],
  },
  role: "stranger",
  isPrivate: false,
  run({ role, argument, locale, person }, { commands, nearest }) {
    const { language } = person;
    const mine = commands.filter((command) => isAtLeast(role, command.role));
    if (argument !== "") {
      const wanted = argument.toLowerCase().replace(/^\//, "");
      const names = mine.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
      const found = mine.find(({ spec }) => spec.name === wanted || spec.aliases?.includes(wanted));
      if (found !== undefined)
        return Promise.resolve(answer(...helpWith(found.spec, locale, language)));
      const near = nearest(wanted, names);
      return Promise.resolve(
        answer(
          [
            locale.ingress.noCommand(typed(wanted).slice(1, -1)),
            ...(near === undefined ? [] : [locale.choices.didYouMean(`/${near}`)]),
          ].join(" "),
        ),
      );
    }
    const lines = groupNames.flatMap((group) => {
      const own = mine.filter((command) => groupOf(command) === group);
      return own.length === 0
        ? []
        : [
            `${locale.help.groups[group]}:`,
            ...own.map(({ spec }) => `/${spec.name} – ${descriptionIn(spec, language)}`),
            "",
          ];
    });
    return Promise.resolve(answer(...lines, locale.help.more));
  },
};
