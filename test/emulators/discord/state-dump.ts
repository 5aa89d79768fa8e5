import type { Emulation } from "./emulation.ts";

/** The last calls shown in a dump. */
const shownCalls = 20;

/**
 * What a failed wait prints: channels with their messages, the last calls, violations, the gateway.
 */
export function describeState({ world, recorder, gateway }: Emulation): string {
  const channels = [...world.channels.values()].flatMap((channel) => [
    `channel ${channel.id} ${channel.name || "(direct)"}`,
    ...world.messagesOf(channel.id).map((message) => {
      const author =
        message.authorId === world.bot.id ? "BOT" : world.user(message.authorId).username;
      const marks = `${message.ephemeralFor ? " ephemeral" : ""}${message.flags & 128 ? " thinking" : ""}`;
      return `  ${message.id} ${author}${marks}: ${JSON.stringify(message.content.slice(0, 200))} embeds ${message.embeds.length} edits ${message.revisions.length - 1}`;
    }),
  ]);
  const calls = recorder.calls.slice(-shownCalls).map((call) => {
    const path = call.path.replaceAll(/[\w-]{60,}/g, "…");
    return `  ${call.status ?? "…"} ${call.method} ${path}${call.fault ? ` [${call.fault}]` : ""}`;
  });
  return [
    `sessions connected ${gateway.connectedSessions}, identifies ${gateway.identifies}, resumes ${gateway.resumes}`,
    ...channels,
    `last ${calls.length} of ${recorder.calls.length} calls:`,
    ...calls,
    `violations: ${recorder.violations.length === 0 ? "none" : recorder.violations.join("; ")}`,
  ].join("\n");
}
