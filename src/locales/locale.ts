import type { en } from "./en.ts";

/** What Parley itself says, in one language. */
export type Locale = typeof en;
