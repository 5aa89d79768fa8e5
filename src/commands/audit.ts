import { auditActions } from "../core/audit.ts";
import { botOf, type ChatKey } from "../core/chat.ts";
import type { AuditFilter, AuditRecord } from "../store/operations/audit.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { auditLine, auditParts, namesIn } from "./audit-lines.ts";
import { postFiles } from "./export/parts.ts";
import { described, optional } from "./menu.ts";
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
      optional("count", ({ audit }) => audit.count, { range: { min: 1, max: maxCount } }),
      optional("who", ({ audit }) => audit.who, { kind: "person" }),
      optional("what", ({ audit }) => audit.what, { choices: ["export", ...auditActions] }),
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
  const nameOf = await namesIn(records, pairing.people);
  const lines: string[] = [];
  let length = 0;
  for (const record of records) {
    const line = auditLine(auditParts(record, nameOf, locale));
    length += line.length;
    if (length > maxLength) break;
    lines.push(line);
  }
  return answer(locale.audit.heading, ...lines, ...part);
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
