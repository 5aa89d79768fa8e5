import type { ChatKey } from "../core/chat.ts";
import type { AnswerButton } from "../core/inbound.ts";
import type { Locale } from "../locales/locale.ts";
import type { PageSession } from "../store/operations/page-sessions.ts";
import {
  answer,
  commandButtons,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { moment } from "./moment.ts";

type Deps = Pick<CommandDeps, "page" | "audit">;

/**
 * `/dashboard`: a link that logs a browser in to the operator's page; `/dashboard off` logs all of
 * the person's browsers out, `/dashboard end <id>` is a button and logs one out.
 */
export const dashboardCommand: Command = {
  spec: {
    ...described("dashboard", ({ dashboard }) => dashboard.description),
    arguments: [optional("action", ({ dashboard }) => dashboard.action, { choices: ["off"] })],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  hasButtons: true,
  async run(call, deps) {
    const typed = (call.options?.["action"] ?? call.argument).trim();
    const [action = "", id = ""] = typed.split(/\s+/);
    if (action.toLowerCase() === "off") return await endAll(call, deps);
    if (action === "end") return await end(call, deps, id);
    return await sendLink(call, deps);
  },
};

/** The link is a key to everything: a group never gets one. */
async function sendLink(
  { person, chat, direct, locale }: CommandCall,
  { page }: Deps,
): Promise<CommandAnswer> {
  const { dashboard } = locale;
  const url = page.url();
  if (url === undefined) return answer(dashboard.off);
  if (!direct) return answer(dashboard.directOnly);
  const [code, sessions] = await Promise.all([
    page.sessions.createCode({ person, chat }),
    page.sessions.list(person.id),
  ]);
  const link = dashboard.link(`${url}/in#${code}`);
  if (sessions.length === 0) return answer(link);
  const buttons = sessions
    .slice(0, maxButtons)
    .map((session) => endButton(session, dashboard.end(browserOf(session, locale))));
  const names = sessions.map((session) => browserOf(session, locale)).join(", ");
  return { text: `${link}\n\n${dashboard.isOpenIn(names)}`, buttons };
}

const maxButtons = 10;

async function end(call: CommandCall, deps: Deps, id: string): Promise<CommandAnswer> {
  const { dashboard } = call.locale;
  const browser = await endSession(call, deps, id);
  return answer(browser === undefined ? dashboard.endedBefore : dashboard.ended(browser));
}

/** Logs one of a person's browsers out. @returns its name; undefined: it was none of theirs. */
export async function endSession(
  { person, chat, locale }: Pick<CommandCall, "person" | "locale"> & { readonly chat?: ChatKey },
  { page, audit }: Deps,
  id: string,
): Promise<string | undefined> {
  const session = await page.sessions.read(id);
  if (session?.person.id !== person.id) return undefined;
  const target = browserOf(session, locale);
  const where = chat === undefined ? {} : { chat };
  // First: after a crash in between, the session is there to be ended again.
  await audit.write(id, { action: "page-session-ended", by: person, ...where, target });
  await page.sessions.end(id);
  return target;
}

async function endAll(
  { person, chat, eventId, locale: { dashboard } }: CommandCall,
  { page, audit }: Deps,
): Promise<CommandAnswer> {
  await audit.write(eventId, { action: "page-session-ended", by: person, chat, target: "all" });
  await page.sessions.endAll(person.id);
  return answer(dashboard.allEnded);
}

const button = commandButtons("dashboard");
const endButton = ({ id }: PageSession, label: string): AnswerButton => button(label, `end ${id}`);

export const browserOf = ({ browser }: PageSession, { dashboard }: Locale): string =>
  browser ?? dashboard.someBrowser;

/** What its person is sent when a browser has logged in. */
export const loginNotice = (session: PageSession, locale: Locale) => ({
  text: locale.dashboard.newBrowser(browserOf(session, locale), moment(session.sinceMs)),
  buttons: [endButton(session, locale.dashboard.notMe)],
});
