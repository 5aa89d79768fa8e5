import { describe, expect, it } from "vitest";
import type { Access } from "../../src/access/access.ts";
import { sayClaimCode } from "../../src/roles/claim-code.ts";
import type { PeopleStore } from "../../src/store/people/people.ts";

const telegram = { id: "telegram:77", profile: { name: "@p_bot", url: "https://t.me/p_bot" } };

async function said(
  bot: Parameters<typeof sayClaimCode>[1],
  { columns, isUnclaimed = true }: { columns?: number; isUnclaimed?: boolean } = {},
): Promise<string> {
  const lines: string[] = [];
  const services = {
    access: { isUnclaimed: () => Promise.resolve(isUnclaimed) } as Access,
    people: { claimCode: () => Promise.resolve("ABCD2345") } as unknown as PeopleStore,
  };
  await sayClaimCode(services, bot, { say: (line) => void lines.push(line), columns });
  return lines.join("\n");
}

const modules = /[█▀▄]/;

describe("the code of the first owner", () => {
  it("is printed as a link, and as a QR code where the terminal has room for it", async () => {
    const link = "https://t.me/p_bot?start=ABCD2345";
    const wide = await said(telegram, { columns: 80 });
    expect(wide).toContain(link);
    expect(wide).toContain("/start ABCD2345");
    const width = Math.max(
      ...wide.split("\n").flatMap((line) => (modules.test(line) ? [line.length] : [])),
    );
    expect(width).toBeGreaterThan(20);
    expect(await said(telegram, { columns: width })).toMatch(modules);
    for (const columns of [width - 1, undefined]) {
      const narrow = await said(telegram, columns === undefined ? {} : { columns });
      expect(narrow).toContain(link);
      expect(narrow).not.toMatch(modules);
    }
  });

  it("comes with the invite link for Discord, whose chats can't be opened by a link", async () => {
    const url = "https://discord.com/oauth2/authorize?client_id=1";
    const discord = { id: "discord:1", profile: { name: "Discord bot 1", url } };
    const text = await said(discord, { columns: 80 });
    expect(text).toContain(url);
    expect(text).toContain('"/start ABCD2345"');
    expect(text).not.toMatch(modules);
  });

  it("is not printed for a bot with an owner, or in the terminal", async () => {
    expect(await said(telegram, { columns: 80, isUnclaimed: false })).toBe("");
    expect(await said({ id: "console:local", profile: undefined })).toBe("");
  });
});
