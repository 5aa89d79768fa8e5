// oxlint-disable no-underscore-dangle -- fields of micromark
import type { gfm } from "micromark-extension-gfm";

/** The types of micromark's extensions, which its own type package would have to name. */
export type Syntax = ReturnType<typeof gfm>;
export type Construct = Exclude<
  NonNullable<NonNullable<Syntax["text"]>[number]>,
  readonly unknown[]
>;
type Tokenizer = Construct["tokenize"];
export type Context = ThisParameterType<Tokenizer>;
export type Given = Parameters<Tokenizer>;
export type State = Given[1];
/** A UTF-16 unit, or a code for a tab or a line end; null at the end of the text. */
export type Code = Parameters<State>[0];

/** At most so many UTF-16 units before this place; none of an earlier line. */
export function textBefore(context: Context, maxUnits: number): string {
  const end = context.now();
  const start = { ...end, _bufferIndex: Math.max(0, end._bufferIndex - maxUnits) };
  return end._bufferIndex > 0 ? context.sliceSerialize({ start, end }) : "";
}

/** At most so many UTF-16 units from this place on; none of a later line. */
export function textAfter(context: Context, maxUnits: number): string {
  const start = context.now();
  const end = { ...start, _bufferIndex: start._bufferIndex + maxUnits };
  return start._bufferIndex >= 0 ? context.sliceSerialize({ start, end }) : "";
}
