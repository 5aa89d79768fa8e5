import { GrammyError } from "grammy";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import {
  GroupAdmins,
  type GroupAdminsDependencies,
} from "../../../src/bots/telegram/receive/group-admins.ts";

type Ask = GroupAdminsDependencies["api"]["getChatMember"];
type Status = Awaited<ReturnType<Ask>>["status"];

const log = pino({ level: "silent" });

/** What Telegram says of each person, and how often it was asked. */
function telegramSaying(statuses: Readonly<Record<number, Status | Error>>) {
  const asked: string[] = [];
  const getChatMember = ((chatId: number, userId: number) => {
    asked.push(`${chatId} ${userId}`);
    const status = statuses[userId];
    return status instanceof Error ? Promise.reject(status) : Promise.resolve({ status });
  }) as unknown as Ask;
  return { asked, api: { getChatMember } };
}

const refused = new GrammyError(
  "Call to 'getChatMember' failed!",
  { ok: false, error_code: 400, description: "Bad Request: chat not found" },
  "getChatMember",
  {},
);

const { signal } = new AbortController();

describe("a group's administrators", () => {
  it.each<[Status, boolean]>([
    ["creator", true],
    ["administrator", true],
    ["member", false],
    ["restricted", false],
    ["left", false],
    ["kicked", false],
  ])("are not all: %s is one: %s", async (status, expected) => {
    const { api } = telegramSaying({ 5: status });
    const admins = new GroupAdmins({ api, log, signal });
    expect(await admins.has(-100, 5)).toBe(expected);
  });

  it("are asked for once a minute, in each group for itself", async () => {
    let nowMs = 0;
    const { api, asked } = telegramSaying({ 5: "administrator", 6: "member" });
    const admins = new GroupAdmins({ api, log, signal, now: () => nowMs });
    for (let again = 0; again < 3; again += 1) {
      expect(await admins.has(-100, 5)).toBe(true);
      expect(await admins.has(-100, 6)).toBe(false);
      expect(await admins.has(-200, 5)).toBe(true);
    }
    expect(asked).toEqual(["-100 5", "-100 6", "-200 5"]);
    nowMs = 59_999;
    await admins.has(-100, 5);
    expect(asked).toHaveLength(3);
    nowMs = 60_000;
    await admins.has(-100, 5);
    expect(asked).toHaveLength(4);
  });

  it("are no one while Telegram does not say, and are asked for again", async () => {
    const statuses: Record<number, Status | Error> = { 5: refused };
    const { api, asked } = telegramSaying(statuses);
    const admins = new GroupAdmins({ api, log, signal });
    expect(await admins.has(-100, 5)).toBe(false);
    statuses[5] = "administrator";
    expect(await admins.has(-100, 5)).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
