import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

/** As `samples`, for what the operator's page says. */
export const pageSamples: SamplesOf<Locale["page"]> = {
  spend: {
    used: [["«$1»", "«$2»", "«50 %»"]],
    all: [[12_345]],
    chartSays: [["«$30»", "«$2»"]],
    position: [[12_345, 12_346, 12_347]],
  },
  health: { skew: [["«1.0.0, 1.1.0»"]], ago: [["«3 s»"]], of: [["«1 MB»", "«2 MB»"]] },
};
