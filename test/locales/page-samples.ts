import type { Locale } from "../../src/locales/locale.ts";
import type { SamplesOf } from "./samples.ts";

/** As `samples`, for what the operator's page says. */
export const pageSamples: SamplesOf<Locale["page"]> = {
  failed: [["7r2ts5"]],
  now: { part: [["100"]] },
  chats: { month: [["1,200"]], group: [["Ana"]] },
  chat: { facts: { limits: [["Ana"]] } },
  turn: {
    most: [["41 s", "tools", "30 s"]],
    longest: [["41 s", "tools", "12 s"]],
    inAndOut: [["1,200", "80"]],
    tier: [["smart"]],
    fellBack: [["openai/gpt", "overloaded"]],
    firstWords: [["0.8 s"]],
  },
  spend: {
    used: [["«$1»", "«$2»", "«50 %»"]],
    all: [[12_345]],
    chartSays: [["«$30»", "«$2»"]],
    position: [[12_345, 12_346, 12_347]],
  },
  health: { skew: [["«1.0.0, 1.1.0»"]], ago: [["«3 s»"]], of: [["«1 MB»", "«2 MB»"]] },
  schedules: {},
  dead: { unreadable: [[1], [12_345]] },
  people: {},
};
