/**
 * One write of a stream. `content` frames carry text, reasoning or calls: gates and failures count
 * them.
 */
export interface Frame {
  readonly text: string;
  readonly content: boolean;
}

export function frame(text: string, content: boolean): Frame {
  return { text, content };
}
