import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

/** As `samples`, for what the operator's page says. */
export const pageSamples: SamplesOf<Locale["page"]> = {
  failed: [["7r2ts5"]],
};
