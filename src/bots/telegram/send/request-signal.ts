import type { Api } from "grammy";

type GrammySignal = NonNullable<Parameters<Api["getMe"]>[0]>;

/** grammY names the type of a polyfill's signal; the platform's own does the same. */
export const requestSignal = (signal: AbortSignal): GrammySignal =>
  signal as unknown as GrammySignal;
