import type { MessageEntity } from "@grammyjs/types";

const entity =
  (type: "bot_command" | "mention" | "url") =>
  (match: RegExpExecArray): MessageEntity => ({
    type,
    offset: match.index,
    length: match[0].length,
  });

/**
 * The entities that Telegram finds by itself in what people write: commands, mentions and addresses
 * with a scheme (`find_entities`, TDLib).
 */
export function detectEntities(text: string): MessageEntity[] {
  const commands = /(?<![\w/@])\/[a-zA-Z0-9_]{1,64}(@\w{3,32})?(?![\w/])/g;
  const mentions = /(?<![\w/])@[a-zA-Z]\w{2,31}(?!\w)/g;
  const addresses = /(?<!\w)https?:\/\/[^\s<>"]*[^\s<>".,:;!?)\]]/g;
  const found = [...text.matchAll(addresses)].map(entity("url"));
  const isApart = ({ index }: RegExpExecArray): boolean =>
    found.every(({ offset, length }) => index < offset || index >= offset + length);
  return [
    ...found,
    ...[...text.matchAll(commands)].filter(isApart).map(entity("bot_command")),
    ...[...text.matchAll(mentions)].filter(isApart).map(entity("mention")),
  ].toSorted((left, right) => left.offset - right.offset);
}
