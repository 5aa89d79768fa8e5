import type { MessageEntity } from "@grammyjs/types";

const entity =
  (type: "bot_command" | "mention") =>
  (match: RegExpExecArray): MessageEntity => ({
    type,
    offset: match.index,
    length: match[0].length,
  });

/**
 * The entities that Telegram finds by itself in what people write: commands and mentions
 * (`find_entities`, TDLib).
 */
export function detectEntities(text: string): MessageEntity[] {
  const commands = /(?<![\w/@])\/[a-zA-Z0-9_]{1,64}(@\w{3,32})?(?![\w/])/g;
  const mentions = /(?<![\w/])@[a-zA-Z]\w{2,31}(?!\w)/g;
  return [
    ...[...text.matchAll(commands)].map(entity("bot_command")),
    ...[...text.matchAll(mentions)].map(entity("mention")),
  ].toSorted((left, right) => left.offset - right.offset);
}
