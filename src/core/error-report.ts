import { z } from "zod";
import { chatKeySchema } from "./chat.ts";
import { modelFailureKinds } from "./model.ts";

/** Why a turn ended with an error. */
const errorKinds = [...modelFailureKinds, "empty", "poisoned"] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** What an owner can read about an error, by the id that people quote. Holds no one's words. */
export const errorReportSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  atMs: z.number(),
  kind: z.enum(errorKinds),
  chat: chatKeySchema,
  turn: z.number(),
  /** `provider/model`; absent: none was asked. */
  model: z.string().optional(),
  /** For an operator, in English: at most `maxCauseLength` characters, without secrets. */
  cause: z.string(),
});
export type ErrorReport = Readonly<z.infer<typeof errorReportSchema>>;

const maxCauseLength = 300;

/** As one line. Pure. */
export const shortCause = (cause: string): string =>
  cause.replace(/\s+/g, " ").trim().slice(0, maxCauseLength).toWellFormed();
