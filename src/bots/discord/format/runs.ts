/**
 * The mark around formatted text, for example `**`; a link's end contains its
 * address.
 */
export interface Mark {
  readonly open: string;
  readonly close: string;
}

/** Whether words with these marks are a link's. */
export const isInLink = (marks: readonly Mark[]): boolean => marks.some(({ open }) => open === "[");

/**
 * Words as Discord is sent them, and the marks around them, the outermost first. A line's end has
 * no marks.
 */
export interface Run {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** It begins a line: a quote's mark, a bullet, an indentation. */
  readonly isPrefix?: true;
  /** It is shown as it is: no backslash in it protects anything. */
  readonly isCode?: true;
}

/** The parts of a message. A `text` contains no fence; a `code` is its body without the fences. */
export type Block =
  | { readonly type: "text"; readonly runs: readonly Run[] }
  | { readonly type: "code"; readonly language: string; readonly text: string };

/** Words without any marks, their escapes included. */
export const textBlock = (...runs: readonly Run[]): Block => ({ type: "text", runs });

/** Keeps apart what would otherwise be one longer mark. */
const apart = "\u200B";

/** The runs' text with their marks, every mark closed at the end. */
export function serialise(runs: readonly Run[]): string {
  let text = "";
  let open: readonly Mark[] = [];
  let lastMark = "";
  for (const run of runs) {
    const kept = sharedLength(open, run.marks);
    const closing = open.slice(kept).toReversed();
    const opening = run.marks.slice(kept);
    for (const { close } of closing) {
      text += close;
      lastMark = close;
    }
    for (const mark of opening) {
      const isJoined = lastMark !== "" && mark.open.startsWith(lastMark.slice(-1));
      text += (isJoined && closing.length > 0 ? apart : "") + mark.open;
      lastMark = mark.open;
    }
    text += run.text;
    lastMark = "";
    open = run.marks;
  }
  return (
    text +
    open
      .map(({ close }) => close)
      .toReversed()
      .join("")
  );
}

/** Marks that go on from one run to the next. */
export function sharedLength(before: readonly Mark[], after: readonly Mark[]): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return length;
}
