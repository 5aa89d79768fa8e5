import type { MessageEntity } from "grammy/types";
import type { Chunk } from "../../../core/ports.ts";
import type { Block } from "./rich-limits.ts";

/**
 * A chunk's markup: entities, and possibly the same as rich blocks, which Telegram is offered
 * first.
 */
interface RichMarkup {
  readonly entities: readonly MessageEntity[];
  readonly blocks: readonly Block[];
}

/** The same words, to be shown as blocks where Telegram takes them. */
export const richChunk = (chunk: Chunk, blocks: readonly Block[]): Chunk => ({
  ...chunk,
  markup: {
    entities: entitiesOf(chunk),
    blocks,
  } satisfies RichMarkup,
});

const isRich = (markup: unknown): markup is RichMarkup =>
  typeof markup === "object" && markup !== null && "blocks" in markup;

export const entitiesOf = ({ markup }: Chunk): readonly MessageEntity[] =>
  isRich(markup) ? markup.entities : ((markup ?? []) as readonly MessageEntity[]);

/** Undefined: it is text with entities, and no more. */
export const blocksOf = ({ markup }: Chunk): readonly Block[] | undefined =>
  isRich(markup) ? markup.blocks : undefined;
