/** The first mark in a text. */
export const markIn = (text: string): string | undefined => /\bc\d+m\d+/.exec(text)?.[0];

/** A mark's place: which chat, and which of its messages. */
export function placeOf(mark: string): {
  readonly chat: number;
  readonly index: number;
} {
  const [, chat, index] = /^c(\d+)m(\d+)$/.exec(mark) ?? [];
  return { chat: Number(chat), index: Number(index) };
}
