import { createHash } from "node:crypto";
import { parseChatKey } from "../core/chat.ts";
import { currentFacts, maxFactLength, type Fact, type FactOwner } from "../core/facts.ts";
import { isAtLeast } from "../core/roles.ts";
import { linkOf } from "../text/message-link.ts";
import { visible } from "../text/visible-text.ts";
import {
  answer,
  commandButtons,
  pageOf,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { postFiles } from "./export/parts.ts";
import { described, optional, required } from "./menu.ts";

const idArgument = required("id", ({ memory }) => memory.id);

/** `/memory [list|delete|edit|export] [id] [text]`: what is kept about the person and the chat. */
export const memoryCommand: Command = {
  spec: {
    ...described("memory", ({ memory }) => memory.description),
    arguments: [
      optional("action", ({ memory }) => memory.action),
      optional("id", ({ memory }) => memory.id),
      optional("text", ({ memory }) => memory.text),
    ],
    subcommands: [
      { ...described("list", ({ memory }) => memory.list), action: "list" },
      {
        ...described("delete", ({ memory }) => memory.delete),
        action: "delete",
        arguments: [idArgument],
      },
      {
        ...described("edit", ({ memory }) => memory.edit),
        action: "edit",
        arguments: [idArgument, required("text", ({ memory }) => memory.text)],
      },
      { ...described("export", ({ memory }) => memory.export), action: "export" },
    ],
    sendsFiles: true,
  },
  role: "member",
  isPrivate: false,
  hasButtons: true,
  async run(call, deps) {
    const { action, id, text } = requestOf(call);
    switch (action) {
      case "":
      case "list":
        return await list(call, deps, Number(id) || 1);
      case "delete":
        return await remove(call, deps, id);
      case "edit":
        return await edit(call, deps, { id, text });
      case "export":
        return await exportAll(call, deps);
      default:
        return answer(call.locale.memory.badAction(typed(action)));
    }
  },
};

function requestOf({ argument, options }: CommandCall) {
  const [, action = "", id = "", text = ""] = /^(\S*)\s*(\S*)\s*([^]*)$/.exec(argument) ?? [];
  return {
    action: (options?.["action"] ?? action).toLowerCase(),
    id: (options?.["id"] ?? id).trim().toLowerCase(),
    text: (options?.["text"] ?? text).trim().toWellFormed(),
  };
}

/** A fact, or a note of the chat: of notes only the words are known. */
interface Item {
  readonly id: string;
  readonly text: string;
  readonly owner: FactOwner;
  readonly fact?: Fact;
}

/** In a group only what is the group's. */
const ownersIn = ({ direct, chat, person }: CommandCall): readonly FactOwner[] =>
  direct && !person.anonymous ? [{ person: person.id }, { chat }] : [{ chat }];

/** By its words: a button means the same note, whatever was deleted since. */
const noteId = (text: string): string =>
  `note-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;

async function itemsOf(
  call: CommandCall,
  { facts, notes }: CommandDeps,
  select: (facts: readonly Fact[]) => readonly Fact[] = currentFacts,
): Promise<readonly Item[]> {
  const { chat } = call;
  const [written, ...lists] = await Promise.all([
    notes.list(chat),
    ...ownersIn(call).map(async (owner) =>
      select(await facts.list(owner)).map((fact) => ({ ...fact, owner, fact })),
    ),
  ]);
  const old = written.map((text) => ({ id: noteId(text), text, owner: { chat } }));
  return [...lists.flat(), ...old];
}

const pageSize = 10;
const maxShown = 200;

const shortly = (text: string): string => {
  const shown = visible(text);
  return shown.length > maxShown ? `${shown.slice(0, maxShown).toWellFormed()}…` : shown;
};

function lineOf(item: Item, { locale }: CommandCall): string {
  const { id, text, fact } = item;
  if (fact === undefined) return `${shortly(text)} (${id}, ${locale.memory.note})`;
  const link = linkOf([fact], parseChatKey(fact.chat)) ?? "";
  const when = new Date(fact.atMs).toISOString().slice(0, 10);
  return `${shortly(text)} (${id}, ${visible(fact.by.name)}, ${when}) ${link}`.trimEnd();
}

const button = commandButtons("memory");

async function list(call: CommandCall, deps: CommandDeps, page: number): Promise<CommandAnswer> {
  const say = call.locale.memory;
  const all = await itemsOf(call, deps);
  if (all.length === 0) return answer(say.none);
  const { from, shown, next } = pageOf(all, page, pageSize);
  const lines = shown.map((item, index) => ({
    isOwn: "person" in item.owner,
    text: `${from + index + 1}. ${lineOf(item, call)}`,
  }));
  const under = (heading: string, isOwn: boolean): readonly string[] => {
    const own = lines.filter((line) => line.isOwn === isOwn).map(({ text }) => text);
    return own.length === 0 ? [] : [heading, ...own];
  };
  return {
    ...answer(...under(say.aboutYou, true), ...under(say.aboutChat, false), say.howTo),
    buttons: [
      ...shown.map(({ id }, index) => button(`✕ ${from + index + 1}`, `delete ${id}`)),
      ...(next === undefined ? [] : [button(say.more, `list ${next}`)]),
    ],
  };
}

/** In a group what others wanted to be kept is for them, and for admins, to change. */
const mayChange = ({ direct, chatRole, person }: CommandCall, { fact }: Item): boolean =>
  direct || isAtLeast(chatRole, "admin") || fact?.by.id === person.id;

async function found(call: CommandCall, deps: CommandDeps, id: string): Promise<Item | string> {
  const say = call.locale.memory;
  if (id === "") return say.which;
  const item = (await itemsOf(call, deps)).find((each) => each.id === id);
  if (item === undefined) return say.unknown(typed(id));
  return mayChange(call, item) ? item : say.notYours;
}

const removeItem = ({ facts, notes }: CommandDeps, { chat }: CommandCall, item: Item) =>
  item.fact === undefined ? notes.remove(chat, item.text) : facts.remove(item.owner, item.id);

async function remove(call: CommandCall, deps: CommandDeps, id: string): Promise<CommandAnswer> {
  const item = await found(call, deps, id);
  if (typeof item === "string") return answer(item);
  await removeItem(deps, call, item);
  return answer(call.locale.memory.isDeleted(shortly(item.text)));
}

/** The person writes it themselves: nothing is asked. */
async function edit(
  call: CommandCall,
  deps: CommandDeps,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<CommandAnswer> {
  const { locale, person, chat, messageId, eventId } = call;
  const say = locale.memory;
  const item = await found(call, deps, id);
  if (typeof item === "string") return answer(item);
  if (text === "" || text.length > maxFactLength) return answer(say.badText(maxFactLength));
  const by = { id: person.id, name: person.name };
  const { fact, owner } = item;
  const kept = await deps.facts.keep(
    owner,
    { text, by, chat, messageId, guild: call.guild, supersedes: fact?.id },
    `memory-${eventId}`,
  );
  if (kept !== "kept") return answer(kept === "full" ? say.full : say.unknown(typed(id)));
  if (fact === undefined) await removeItem(deps, call, item);
  return answer(say.isChanged(shortly(text)));
}

const isOwn = ({ owner }: Item): boolean => "person" in owner;

const section = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${heading}\n\n${lines.map((line) => `- ${line}\n`).join("")}\n`;

async function exportAll(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const { chat, eventId, direct, messageId, locale } = call;
  const say = locale.memory;
  const items = await itemsOf(call, deps, (facts) => facts);
  const summaries = await deps.summaries.list(chat);
  if (items.length + summaries.length === 0) return answer(say.none);
  const line = (item: Item): string =>
    [
      lineOf({ ...item, text: "" }, call).trim(),
      visible(item.text),
      ...(item.fact?.supersedes === undefined ? [] : [say.supersedes(item.fact.supersedes)]),
    ].join(" ");
  async function* texts(): AsyncGenerator<string> {
    yield section(say.aboutYou, items.filter(isOwn).map(line));
    yield section(say.aboutChat, items.filter((item) => !isOwn(item)).map(line));
    yield section(
      say.summaries,
      summaries.map(({ atMs, text }) => `${new Date(atMs).toISOString()} ${visible(text)}`),
    );
  }
  const files = await postFiles(deps, call, texts(), {
    id: `memory-${eventId}`,
    head: `# ${say.title}\n\n`,
    nameOf: (number) => `parley-memory${number}.md`,
    mediaType: "text/markdown",
    ...(direct || messageId === undefined ? {} : { replyTo: messageId }),
  });
  return answer(files === undefined ? locale.export.full : say.isExported);
}
