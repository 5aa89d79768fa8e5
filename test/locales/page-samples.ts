import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

/** As `samples`, for what the operator's page says. */
export const pageSamples: SamplesOf<Locale["page"]> = {
  now: {},
  approvals: {},
  spend: {},
  chats: {},
  turn: {},
  schedules: {},
  dead: {},
  people: {},
  health: {},
  audit: {},
};
