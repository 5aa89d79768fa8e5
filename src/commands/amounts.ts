export { usdText as usd } from "../text/amounts.ts";
export { durationText as duration } from "../text/durations.ts";
