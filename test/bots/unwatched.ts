import type { PlatformWatch } from "../../src/core/outage.ts";

/** Where no owner is told. */
export const unwatched: PlatformWatch = { failed: () => undefined, served: () => undefined };
