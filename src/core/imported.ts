import { z } from "zod";
import { maxFactLength, maxFacts } from "./facts.ts";
import { maxSchedules, timingSchema } from "./schedule.ts";

/** The file in the data folder that `init --from` writes and `/import` reads. */
export const importedFileName = "import.json";

/** What another bot knew and did by the clock, until an owner takes it over with `/import`. */
export const importedSchema = z.object({
  v: z.literal(1),
  facts: z.array(z.string().min(1).max(maxFactLength)).max(maxFacts),
  schedules: z
    .array(
      z.object({
        /** What the bot is to answer when it is due. */
        text: z.string().min(1),
        timing: timingSchema,
        /** IANA. */
        zone: z.string(),
      }),
    )
    .max(maxSchedules),
});
export type ImportedKnowledge = z.infer<typeof importedSchema>;

/** The file that takes the place of the first one: what was taken over, without its content. */
export const takenOverFileName = "import-done.json";

export const takenOverSchema = z.object({
  v: z.literal(1),
  /** Of `/import <code>`. */
  code: z.string(),
  /** How many. */
  facts: z.number(),
  schedules: z.number(),
});
export type TakenOver = z.infer<typeof takenOverSchema>;
