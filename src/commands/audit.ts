import { auditActions } from "../core/audit.ts";
import { botOf, parseChatKey, type ChatKey } from "../core/chat.ts";
import { parsePlace, placesOf } from "../core/places.ts";
import { visible } from "../text/visible-text.ts";
import type { AuditFilter, AuditRecord } from "../store/operations/audit.ts";
import type { Locale } from "../locales/locale.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { postFiles } from "./export/parts.ts";
import { described } from "./menu.ts";
import { minute } from "./moment.ts";
import { findPerson } from "./who.ts";

const usualCount = 10;
const maxCount = 50;
/** Characters of an answer: several of a platform's messages, not a wall of them. */
const maxLength = 6_000;

/** `/audit [count] [@name|id] [action]` and `/audit export`: who did what, the newest first. */
export const auditCommand: Command = {
  spec: {
    ...described("audit", ({ audit }) => audit.description),
    arguments: [
      {
        ...described("count", ({ audit }) => audit.count),
        required: false,
        range: { min: 1, max: maxCount },
      },
      {
        ...described("who", ({ audit }) => audit.who),
        required: false,
        kind: "person",
      },
      {
        ...described("what", ({ audit }) => audit.what),
        required: false,
        choices: ["export", ...auditActions],
      },
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, deps) {
    const request = await requestOf(call, deps);
    if ("problem" in request) return answer(request.problem);
    if (request.isExport) return await exportAll(call, deps);
    return await show(call, deps, request);
  },
};

interface AuditRequest {
  readonly count: number;
  readonly filter: AuditFilter;
  readonly isExport: boolean;
}

async function requestOf(
  call: CommandCall,
  deps: CommandDeps,
): Promise<AuditRequest | { readonly problem: string }> {
  const { argument, options, locale } = call;
  const given =
    options === undefined
      ? argument.split(/\s+/)
      : [options["count"], options["who"], options["what"]];
  let count = usualCount;
  let isExport = false;
  let filter: AuditFilter = {};
  for (const word of given) {
    const text = word?.trim() ?? "";
    const action = auditActions.find((each) => each === text.toLowerCase());
    if (text === "") continue;
    if (/^\d{1,6}$/.test(text)) count = Math.min(maxCount, Math.max(1, Number(text)));
    else if (text.toLowerCase() === "export") isExport = true;
    else if (action !== undefined) filter = { ...filter, action };
    else if (/^@|:/.test(text)) {
      const found = await findPerson(call, deps, { text, name: "audit" });
      if (found.type === "problem") return { problem: found.text };
      filter = { ...filter, personId: found.person.id };
    } else
      return {
        problem: locale.audit.unknown(typed(text), auditActions.join(", ")),
      };
  }
  return { count, filter, isExport };
}

async function show(
  { locale }: CommandCall,
  { audit, pairing }: CommandDeps,
  { count, filter }: AuditRequest,
): Promise<CommandAnswer> {
  const { records, isPart } = await audit.newest(filter, count);
  const part = isPart ? [locale.audit.part] : [];
  if (records.length === 0) return answer(locale.audit.none, ...part);
  const nameOf = await namesIn(records, pairing);
  const lines: string[] = [];
  let length = 0;
  for (const record of records) {
    const line = lineOf(record, nameOf, locale);
    length += line.length;
    if (length > maxLength) break;
    lines.push(line);
  }
  return answer(locale.audit.heading, ...lines, ...part);
}

type NameOf = (id: string) => string | undefined;

/**
 * Names that people have now, and groups, by their ids; and of the actors' private chats, by their
 * keys. Undefined: the bot has not heard it for 30 days.
 */
async function namesIn(
  records: readonly AuditRecord[],
  { people }: CommandDeps["pairing"],
): Promise<NameOf> {
  const chats = records.flatMap(({ chat }) => (chat === undefined ? [] : [chat]));
  const facts = records.flatMap(({ target = "", details = {} }) => [
    idIn(target),
    ...Object.values(details).map(idIn),
  ]);
  const actors = new Map(
    records.flatMap(({ by }) => (by?.name ? [[by.id, by.name] as const] : [])),
  );
  const [known, ...own] = await Promise.all([
    people.knownPeople([...new Set([...facts, ...chats.map(keptAs)])]),
    ...[...actors].map(async ([id, name]) =>
      (await people.directChats(id)).map((chat) => [chat, name] as const),
    ),
  ]);
  const names = new Map<string, string>([
    ...own.flat(),
    ...actors,
    ...known.map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(idIn(id));
}

/** What a fact is kept as where it is a limit's chat; else the fact itself. */
function idIn(fact: string): string {
  const [, chat] = /^chat:((?:telegram|discord|console)(?::[^:]+){2,3})$/.exec(fact) ?? [];
  return chat === undefined ? fact : keptAs(chat);
}

/** A chat of two is called as its person, where the platform gives both one number; a group as its place. */
function keptAs(chat: string): string {
  const address = parseChatKey(chat);
  const [place = ""] = placesOf({ address, direct: false });
  return parsePlace(place) ?? `${address.platform}:${address.chat}`;
}

function lineOf(record: AuditRecord, nameOf: NameOf, { audit }: Locale): string {
  const { atMs, action, by, target, outcome, details } = record;
  const named = (id: string, name = nameOf(id)): string =>
    name === undefined ? id : `${name} (${id})`;
  const facts = Object.entries(details ?? {}).map(([name, value]) => `${name}: ${named(value)}`);
  const chatName = (chat: string): string => nameOf(chat) ?? nameOf(keptAs(chat)) ?? chat;
  const parts = [
    `${minute(atMs)} ${by === undefined ? audit.itself : named(by.id, by.name)}:`,
    actionIn(audit, action),
    ...(target === undefined ? [] : [named(target, record.targetName)]),
    ...(outcome === undefined ? [] : [`→ ${outcome}`]),
    ...(facts.length === 0 ? [] : [`(${facts.join(", ")})`]),
    ...(record.chat === undefined ? [] : [`[${chatName(record.chat)}]`]),
  ];
  // One line each: no name can add lines, or move or hide the text next to it.
  return visible(parts.join(" ").replace(/\s+/g, " "));
}

/** An action of a newer version has no sentence here, but a name. */
function actionIn({ actions }: Locale["audit"], action: string): string {
  const known = auditActions.find((each) => each === action);
  return known === undefined ? action.replaceAll("-", " ") : actions[known];
}

/**
 * The whole log as files, sent only to the person who asked; it contains no
 * message texts and no secrets.
 */
async function exportAll(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const { locale, eventId, person } = call;
  const chat = await whereTo(call, deps);
  if (chat === undefined) return answer(locale.inPrivate.askThere);
  let lines = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const record of deps.audit.since(0)) {
      lines += 1;
      yield jsonLine(record);
    }
  }
  const day = minute(deps.now()).slice(0, 10);
  const files = await postFiles(deps, { chat, person }, texts(), {
    id: `audit-${call.chat}-${eventId}`,
    nameOf: (number) => `parley-audit-${day}${number}.jsonl`,
    mediaType: "application/x-ndjson",
  });
  if (files === undefined) return answer(locale.inPrivate.full);
  return answer(lines === 0 ? locale.audit.none : locale.audit.exported(lines));
}

/** One line of JSON, as the export and the operator's command write it. */
export const jsonLine = ({ atMs, ...record }: AuditRecord): string =>
  `${JSON.stringify({ at: new Date(atMs).toISOString(), ...record })}\n`;

async function whereTo(
  { direct, chat, person }: CommandCall,
  { pairing }: CommandDeps,
): Promise<ChatKey | undefined> {
  if (direct) return chat;
  return await pairing.people.directChat(botOf(chat), person.id);
}
