import { describePerson } from "../access/describe-person.ts";
import { chatName, nameAndId, quotedTitle } from "../access/place-name.ts";
import type { Settings } from "../config/settings.ts";
import { chatKey, parseChatKey } from "../core/chat.ts";
import type { Services } from "../services.ts";
import { createBackupMark } from "../store/operations/backup-mark.ts";
import { createProcesses, type ListedProcess } from "../store/operations/processes.ts";
import { chatNames, type ChatName } from "../store/people/chat-names.ts";
import { refusedGroups } from "../store/people/refused-groups.ts";
import { countDeadLetters } from "../store/turns/dead-letters.ts";
import {
  countFailedSchedules,
  countOverdueSchedules,
  readOverdue,
  type Overdue,
} from "../store/turns/overdue.ts";
import { durationText } from "../text/durations.ts";
import { ok, when, type Check, type Examined } from "./check.ts";
import { maxSkewMs, skewText } from "./redis.ts";

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
    what: "The list of processes",
    run: async () => processFindings(await createProcesses(store).read()),
  },
  {
    id: "work",
    what: "The work that waits",
    async run() {
      const [overdue, letters] = await Promise.all([
        readOverdue(store, overdueMs),
        countDeadLetters(store),
      ]);
      const chat = overdue.oldest?.chat;
      const names = await chatNames(store, people, chat === undefined ? [] : [chat]);
      return workFindings(overdue, letters, chat && names.get(chat));
    },
  },
  {
    id: "schedules",
    what: "The schedules",
    run: async () =>
      scheduleFindings(await countOverdueSchedules(store), await countFailedSchedules(store)),
  },
  {
    id: "people",
    what: "The list of owners",
    async run() {
      const ids = await access.owners();
      const known = new Map((await people.knownPeople(ids)).map((each) => [each.id, each]));
      const owners = ids.map((id) => describePerson(known.get(id) ?? { id, name: id }));
      return ownerFindings(settings, owners);
    },
  },
  {
    id: "groups",
    what: "The list of refused groups",
    async run() {
      const groups = await refusedGroups(store);
      const names = groups.map((group) => chatName(people, chatKey(parseChatKey(group))));
      return groupFindings(groups, await Promise.all(names));
    },
  },
  {
    id: "backup",
    what: "The time of the last backup",
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
        what: "Parley doesn't run on this Redis.",
        why: "No one is answered while it doesn't.",
        fix: "npm start",
      },
    ];
  const versions = [...new Set(processes.map(({ version }) => version))].toSorted();
  const named = processes.map(({ role, host, pid }) => `${role} (process ${pid} on ${host})`);
  const hasWorker = processes.some(({ role }) => role !== "bots");
  return [
    versions.length === 1
      ? ok("processes.running", `Parley ${versions.join()} runs: ${named.join(", ")}.`)
      : {
          id: "processes.versions",
          status: "warning",
          what: `Processes of several versions run: ${versions.join(", ")}.`,
          why: "That is meant for the minutes of an upgrade only.",
          fix: "Restart the older ones: workers first, then bots (docs/guides/upgrade.md).",
        },
    ...when(!hasWorker, {
      id: "processes.worker",
      status: "broken",
      what: "No worker runs.",
      why: "Messages are kept, but no one is answered.",
      fix: "PARLEY_ROLE=worker npm start",
    }),
    ...processes
      .filter(({ clockAheadMs }) => Math.abs(clockAheadMs) >= maxSkewMs)
      .map(({ host, pid, clockAheadMs }): Examined => ({
        id: "clock.process",
        status: "warning",
        what: `The clock of ${host} (process ${pid}) is ${skewText(clockAheadMs)} Redis'.`,
        why: "Parley goes by Redis' clock, but that machine's log lines, TLS and tokens go by its own.",
        fix: `timedatectl set-ntp true   (on ${host})`,
      })),
  ];
}

/** What should have been woken this long ago has no sweeper. Milliseconds. */
const overdueMs = 30_000;
/** Turns take minutes; a message that waits longer has no worker. Milliseconds. */
const longWaitMs = 10 * 60_000;

/** Pure. @param name of the oldest message's chat, where one is known */
export function workFindings(
  { count, oldest }: Overdue,
  letters: number,
  name?: ChatName,
): readonly Examined[] {
  // A writer's name isn't that of their group.
  const title = name === undefined || name.isWriter ? undefined : quotedTitle(name.name);
  const waits = oldest === undefined ? 0 : oldest.waitsMs;
  return [
    count === 0
      ? ok("work.overdue", "Nothing is overdue.")
      : {
          id: "work.overdue",
          status: "warning",
          what: `${count} chats or approvals should have been woken more than 30 s ago.`,
          why: "No running process takes care of them; people wait.",
          fix: "npm start   (or restart the processes that hang)",
        },
    oldest === undefined || waits < longWaitMs
      ? ok("work.waiting", "No message waits for long.")
      : {
          id: "work.waiting",
          status: "warning",
          what: `A message in ${nameAndId(title ?? oldest.chat, oldest.chat)} has waited for ${durationText(Math.floor(waits / 60_000) * 60_000)}.`,
          why: "Its worker hangs, none runs, or the deployment is paused.",
          fix: `npm run trace -- ${oldest.chat} ; npm run admin -- resume (where it is paused); else restart the workers.`,
        },
    letters === 0
      ? ok("work.dead-letters", "Every answer could be delivered.")
      : {
          id: "work.dead-letters",
          status: "warning",
          what: `${letters} messages couldn't be delivered.`,
          why: "People miss an answer.",
          fix: "npm run admin -- dead-letters   (shows why; then dead-letters replay --all)",
        },
  ];
}

/** Pure. */
function scheduleFindings(overdue: number, failed: number): readonly Examined[] {
  return [
    overdue === 0
      ? ok("schedules.overdue", "No schedule is overdue.")
      : {
          id: "schedules.overdue",
          status: "warning",
          what: `${overdue} schedules should have been fired more than two minutes ago.`,
          why: "No running process fires them, or too many messages wait in their chats.",
          fix: "npm start   (or restart the processes that hang)",
        },
    failed === 0
      ? ok("schedules.failed", "No schedule is paused because it failed.")
      : {
          id: "schedules.failed",
          status: "note",
          what: `${failed} schedules are paused because they failed three times in a row.`,
          why: "Their people know; the reason may be a model or a tool that all of them use.",
          fix: "Search the log for their turns, then resume them in their chats with /schedule.",
        },
  ];
}

function ownerFindings(
  { access, telegram, discord }: Settings,
  owners: readonly string[],
): readonly Examined[] {
  if (owners.length > 0) return [ok("people.owner", `Owners: ${owners.join(", ")}.`)];
  // In the terminal its user owns the bot.
  if (!telegram.enabled && !discord.enabled) return [];
  return [
    {
      id: "people.owner",
      status: "warning",
      what: "The bot has no owner.",
      why: "No one may let people in, decide what is for admins, or read what is broken.",
      fix:
        access.mode === "pairing"
          ? "npm start prints a code: send it to the bot in a direct message as /start CODE. Or set PARLEY_ADMINS=telegram:<your id>."
          : "Set PARLEY_ADMINS=telegram:<your id> (or discord:<your id>) in .env.",
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
    what: `Someone was refused in the group ${nameAndId(names[index] ?? group, group)} within the last ten minutes.`,
    why: "Neither the group nor that person is allowed.",
    fix: `Write /allow here in the group as an admin, or add ${placeIn(group)} to access.allow in parley.yaml.`,
  }));

function placeIn(group: string): string {
  const { platform, chat } = parseChatKey(group);
  return `${platform}:${platform === "discord" ? "channel" : "chat"}:${chat}`;
}

/** Milliseconds. */
const oldBackupMs = 7 * 24 * 3_600_000;
const noteBackup = "Back up Redis (docs/guides/backup.md), then: npm run admin -- backup-done";

/** Pure. @param ageMs undefined: none was ever noted. */
export function backupFinding(ageMs: number | undefined, chatsThisMonth: number): Examined {
  if (ageMs !== undefined && ageMs < oldBackupMs)
    return ok("backup.age", `The last backup is ${ageText(ageMs)} old.`);
  if (ageMs === undefined && chatsThisMonth === 0)
    return ok("backup.age", "There is nothing to back up yet.");
  return {
    id: "backup.age",
    status: "warning",
    what:
      ageMs === undefined
        ? "No backup was ever noted."
        : `The last backup is ${ageText(ageMs)} old.`,
    why: "Conversations, roles and approvals are in Redis only.",
    fix: noteBackup,
  };
}

const ageText = (ageMs: number): string =>
  ageMs < 60_000 ? "less than 1m" : durationText(Math.floor(ageMs / 60_000) * 60_000);
