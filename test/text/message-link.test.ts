import { expect, it } from "vitest";
import { messageLink } from "../../src/text/message-link.ts";

it.each([
  [{ platform: "telegram", chat: "-1001234" }, "5", undefined, "https://t.me/c/1234/5"],
  [
    { platform: "telegram", chat: "-1001234", thread: "9" },
    "5",
    undefined,
    "https://t.me/c/1234/9/5",
  ],
  [{ platform: "telegram", chat: "77" }, "5", undefined, undefined],
  [{ platform: "telegram", chat: "-77" }, "5", undefined, undefined],
  [{ platform: "discord", chat: "10" }, "5", "3", "https://discord.com/channels/3/10/5"],
  [
    { platform: "discord", chat: "10", thread: "11" },
    "5",
    "3",
    "https://discord.com/channels/3/11/5",
  ],
  [{ platform: "discord", chat: "10" }, "5", undefined, "https://discord.com/channels/@me/10/5"],
  [{ platform: "discord", chat: "visit-1-2" }, "5", undefined, undefined],
  [{ platform: "console", chat: "1" }, "5", undefined, undefined],
  [{ platform: "discord", chat: "10" }, "5/../6", "3", undefined],
] as const)("%j, message %s, server %s: %s", (address, messageId, guild, link) => {
  expect(messageLink({ bot: "b", ...address }, messageId, guild)).toBe(link);
});
