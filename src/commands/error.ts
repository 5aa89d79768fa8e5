import { errorIdAlphabet, errorIdLength, type ErrorReport } from "../core/error-report.ts";
import { errorsKeptDays } from "../store/operations/error-reports.ts";
import { errorLines } from "../locales/error-lines.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, typed, type Command } from "./command.ts";
import { described, optional } from "./menu.ts";
import { minute } from "./moment.ts";

const maxShown = 10;
/** People copy an id together with the words around it, in any language. */
const idShape = new RegExp(`(?<![a-z0-9])[${errorIdAlphabet}]{${errorIdLength}}(?![a-z0-9])`, "g");

/** `/error [id]`: what the bot knows about an error that someone was told of. */
export const errorCommand: Command = {
  spec: {
    ...described("error", ({ error }) => error.description),
    arguments: [optional("id", ({ error }) => error.id)],
    adminOnly: true,
  },
  role: "owner",
  isPrivate: true,
  async run({ argument, locale }, { errors, now }) {
    const said = locale.errors;
    const reports = await errors.list();
    if (argument === "")
      return reports.length === 0
        ? answer(said.none)
        : answer(said.latest, ...reports.slice(0, maxShown).map(lineOf));
    const wanted = argument.toLowerCase().match(idShape)?.at(-1);
    const found = reports.find(({ id }) => id === wanted);
    return found === undefined
      ? answer(said.unknown(typed(argument), errorsKeptDays))
      : answer(...detailsOf(found, locale, now()));
  },
};

const lineOf = ({ id, atMs, kind, model }: ErrorReport): string =>
  `• ${id}: ${minute(atMs)}, ${[kind, ...(model === undefined ? [] : [model])].join(", ")}`;

const detailsOf = (
  { id, atMs, chat, model, retryAfterMs, ...why }: ErrorReport,
  locale: Locale,
  nowMs: number,
): readonly string[] => [
  locale.errors.heading(id),
  locale.errors.when(minute(atMs)),
  ...(model === undefined ? [] : [locale.errors.model(model)]),
  ...errorLines(why, locale, retryAfterMs && atMs + retryAfterMs - nowMs),
  locale.errors.trace(chat),
];
