import type { Settings } from "./settings.ts";

/** How long an idle chat is remembered: for ten years where it is to be for ever. */
export const retentionMsOf = ({ retention }: Settings): number =>
  retention.historyMs ?? 10 * 365 * 86_400_000;
