import { describePerson } from "../access/describe-person.ts";
import { chatName, nameAndId, quotedTitle } from "../access/place-name.ts";
import type { Settings } from "../config/settings.ts";
import { chatKey, parseChatKey } from "../core/chat.ts";
import { span } from "../locales/span.ts";
import type { Services } from "../services.ts";
import { createBackupMark } from "../store/operations/backup-mark.ts";
import { createProcesses, type ListedProcess } from "../store/operations/processes.ts";
import { chatNames, type ChatName } from "../store/people/chat-names.ts";
import { refusedGroups } from "../store/people/refused-groups.ts";
import {
  countPausedSchedules,
  countOverdueSchedules,
  readOverdue,
  type Overdue,
} from "../store/turns/overdue.ts";
import { ok, when, type Check, type Examined } from "./check.ts";
import { deadLetterFinding, readDeadLetters, type DeadLetterFacts } from "./dead-letters.ts";
import { maxSkewMs, skewSeconds } from "./redis.ts";
import { commandOn } from "../locales/locale-for.ts";

type Known = Pick<Services, "settings" | "store" | "access" | "people" | "chats">;

/** What waits, who runs it, who owns it, and when it was backed up. */
export const deploymentChecks = ({
  settings,
  store,
  access,
  people,
  chats,
}: Known): readonly Check[] => [
  {
    id: "processes",
    what: ({ processes }) => processes,
    run: async () => processFindings(await createProcesses(store).read()),
  },
  {
    id: "work",
    what: ({ work }) => work,
    async run() {
      const [overdue, letters] = await Promise.all([
        readOverdue(store, overdueMs),
        readDeadLetters(store),
      ]);
      const chat = overdue.oldest?.chat;
      const names = await chatNames(store, people, chat === undefined ? [] : [chat]);
      return workFindings(overdue, letters, chat && names.get(chat));
    },
  },
  {
    id: "schedules",
    what: ({ schedules }) => schedules,
    run: async () =>
      scheduleFindings(await countOverdueSchedules(store), await countPausedSchedules(store)),
  },
  {
    id: "people",
    what: ({ owners }) => owners,
    async run() {
      const ids = await access.owners();
      const known = new Map((await people.knownPeople(ids)).map((each) => [each.id, each]));
      const owners = ids.map((id) => describePerson(known.get(id) ?? { id, name: id }));
      return ownerFindings(settings, owners);
    },
  },
  {
    id: "groups",
    what: ({ groups }) => groups,
    async run() {
      const groups = await refusedGroups(store);
      const names = groups.map((group) => chatName(people, chatKey(parseChatKey(group))));
      return groupFindings(groups, await Promise.all(names));
    },
  },
  {
    id: "backup",
    what: ({ backup }) => backup,
    async run() {
      const [atMs, { thisMonth }] = await Promise.all([
        createBackupMark(store).read(),
        chats.read(),
      ]);
      return [backupFinding(atMs === undefined ? undefined : store.clock.now() - atMs, thisMonth)];
    },
  },
];

/** Pure. */
export function processFindings(processes: readonly ListedProcess[]): readonly Examined[] {
  if (processes.length === 0)
    return [
      {
        id: "processes.running",
        status: "note",
        say: ({ findings }) => ({ ...findings.processes.none, fix: "npm start" }),
      },
    ];
  const versions = [...new Set(processes.map(({ version }) => version))].toSorted();
  const listed = versions.join(", ");
  const hasWorker = processes.some(({ role }) => role !== "bots");
  return [
    versions.length > 1
      ? {
          id: "processes.versions",
          status: "warning",
          say: ({ findings: { processes: said } }) => ({
            ...said.versions,
            what: said.versions.what(listed),
          }),
        }
      : ok("processes.running", ({ processes: said }) =>
          said.runs(
            listed,
            processes.map(({ role, pid, host }) => said.one(role, String(pid), host)).join(", "),
          ),
        ),
    ...when(!hasWorker, {
      id: "processes.worker",
      status: "broken",
      say: ({ findings: { processes: said } }) => ({
        ...said.noneAnswers,
        what: said.noneAnswers.what("worker"),
        fix: "PARLEY_ROLE=worker npm start",
      }),
    }),
    ...processes
      .filter(({ clockAheadMs }) => Math.abs(clockAheadMs) >= maxSkewMs)
      .map(skewedProcess),
  ];
}

const skewedProcess = ({ host, pid, clockAheadMs }: ListedProcess): Examined => ({
  id: "clock.process",
  status: "warning",
  say({ findings: { clock } }) {
    const { ahead, behind, why, fix } = clock.elsewhere;
    const how = clockAheadMs > 0 ? ahead : behind;
    return { what: how(host, String(pid), skewSeconds(clockAheadMs)), why, fix: fix(host) };
  },
});

/** What should have been woken this long ago has no sweeper. Milliseconds. */
const overdueMs = 30_000;
/** Turns take minutes; a message that waits longer has no worker. Milliseconds. */
const longWaitMs = 10 * 60_000;

/** Pure. @param name of the oldest message's chat, where one is known */
export function workFindings(
  { count, oldest }: Overdue,
  letters: DeadLetterFacts,
  name?: ChatName,
): readonly Examined[] {
  return [
    count === 0
      ? ok("work.overdue", ({ work }) => work.nothingOverdue)
      : {
          id: "work.overdue",
          status: "warning",
          say: ({ findings: { work } }) => ({ ...work.overdue, what: work.overdue.what(count) }),
        },
    oldest === undefined || oldest.waitsMs < longWaitMs
      ? ok("work.waiting", ({ work }) => work.noneWaits)
      : waitingFinding(oldest, name),
    deadLetterFinding(letters),
  ];
}

function waitingFinding(
  { chat, waitsMs }: NonNullable<Overdue["oldest"]>,
  name: ChatName | undefined,
): Examined {
  // A writer's name isn't that of their group.
  const title = name === undefined || name.isWriter ? undefined : quotedTitle(name.name);
  const shown = nameAndId(title ?? chat, chat);
  return {
    id: "work.waiting",
    status: "warning",
    say({ findings, cards }) {
      const { what, why, fix } = findings.work.waits;
      return { what: what(shown, span(waitsMs, cards)), why, fix: fix(chat) };
    },
  };
}

/** Pure. */
function scheduleFindings(
  overdue: number,
  { failed, dead }: Readonly<Record<"failed" | "dead", number>>,
): readonly Examined[] {
  return [
    overdue === 0
      ? ok("schedules.overdue", ({ schedules }) => schedules.nothingOverdue)
      : {
          id: "schedules.overdue",
          status: "warning",
          say: ({ findings: { schedules: said } }) => ({
            ...said.overdue,
            what: said.overdue.what(overdue),
          }),
        },
    failed === 0
      ? ok("schedules.failed", ({ schedules }) => schedules.noneFailed)
      : {
          id: "schedules.failed",
          status: "note",
          say: ({ findings: { schedules: said } }) => ({
            ...said.failed,
            what: said.failed.what(failed),
          }),
        },
    dead === 0
      ? ok("schedules.dead", ({ schedules }) => schedules.noneDead)
      : {
          id: "schedules.dead",
          status: "note",
          say: ({ findings: { schedules: said } }) => ({
            ...said.dead,
            what: said.dead.what(dead),
          }),
        },
  ];
}

function ownerFindings(
  { access, telegram, discord }: Settings,
  owners: readonly string[],
): readonly Examined[] {
  const { length } = owners;
  if (length > 0) return [ok("people.owner", ({ people }) => people.owners(owners.join(", ")))];
  // In the terminal its user owns the bot.
  if (!telegram.enabled && !discord.enabled) return [];
  return [
    {
      id: "people.owner",
      status: "warning",
      say({ findings: { people } }) {
        const { what, why, fix, fixByCode } = people.noOwner;
        return { what, why, fix: access.mode === "pairing" ? fixByCode : fix };
      },
    },
  ];
}

/** Pure. @param groups chats that were refused in the last ten minutes. @param names theirs. */
export const groupFindings = (
  groups: readonly string[],
  names: readonly string[],
): readonly Examined[] =>
  groups.map((group, index) => ({
    id: "people.group",
    status: "warning",
    say({ findings: { people } }) {
      const { what, why, fix } = people.refusedGroup;
      // It is written there, wherever this is read.
      const allow = commandOn(group, "/allow here");
      const shown = nameAndId(names[index] ?? group, group);
      return { what: what(shown), why, fix: fix(allow, placeIn(group)) };
    },
  }));

function placeIn(group: string): string {
  const { platform, chat } = parseChatKey(group);
  return `${platform}:${platform === "discord" ? "channel" : "chat"}:${chat}`;
}

/** Milliseconds. */
const oldBackupMs = 7 * 24 * 3_600_000;

/** Pure. @param ageMs undefined: none was ever noted. */
export function backupFinding(ageMs: number | undefined, chatsThisMonth: number): Examined {
  const id = "backup.age";
  if (ageMs === undefined && chatsThisMonth === 0) return ok(id, ({ backup }) => backup.nothingYet);
  if (ageMs !== undefined && ageMs < oldBackupMs)
    return ok(id, ({ backup }, { cards }) => backup.age(span(ageMs, cards)));
  return {
    id,
    status: "warning",
    say({ findings: { backup }, cards }) {
      const { never, why, fix } = backup.old;
      return { what: ageMs === undefined ? never : backup.age(span(ageMs, cards)), why, fix };
    },
  };
}
