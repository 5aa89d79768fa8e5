import type { Locale } from "./locale.ts";

/** A notice that a message isn't taken, with the count of all that aren't where they are several. Pure. */
export const leftOutText = ({ ingress }: Locale, text: string, count: number): string =>
  count <= 1 ? text : `${text}\n${ingress.leftOut(count)}`;
