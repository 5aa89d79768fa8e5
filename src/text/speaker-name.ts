/**
 * A person's name in front of what they said: without a colon, and in quotation marks where it
 * begins with what the bot is called there, so that no one can pass for the bot. Pure.
 */
export function speakerName(name: string, bot: string): string {
  const plain = name.replaceAll(/[:：]/g, "").trim();
  const start = plain.slice(0, bot.length).toLowerCase();
  const isBots = start === bot.toLowerCase() && !/^[\p{L}\p{N}_]/u.test(plain.slice(bot.length));
  return isBots ? `"${plain}"` : plain;
}
