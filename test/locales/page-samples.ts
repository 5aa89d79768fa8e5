import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

/** As `samples`, for what the operator's page says. */
export const pageSamples: SamplesOf<Locale["page"]> = {
  schedules: {},
  dead: { unreadable: [[1], [12_345]] },
  people: {},
};
