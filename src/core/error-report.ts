import { z } from "zod";
import { chatKeySchema } from "./chat.ts";
import { modelFailureKinds, storedFailureKind } from "./model.ts";

/** Why a turn ended with an error. */
const errorKinds = [...modelFailureKinds, "empty", "poisoned"] as const;
export type ErrorKind = (typeof errorKinds)[number];

/**
 * The characters of an error's id: without letters and digits that are taken for one another when
 * they are read aloud or copied by hand.
 */
export const errorIdAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";
export const errorIdLength = 6;

/**
 * What an owner can read about an error, by the id that people quote. Holds no one's words but those
 * that a provider may repeat in its cause: an erasure removes all reports of the chat.
 */
const errorReportSchema = z.object({
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
  /** How long the provider wanted to be left alone, since `atMs`; absent: it didn't say. */
  retryAfterMs: z.number().optional(),
});
export type ErrorReport = Readonly<z.infer<typeof errorReportSchema>>;

/** `kind` is one that earlier versions can read, `exactKind` the one that is meant. */
export const storedErrorReportSchema = errorReportSchema
  .extend({ exactKind: z.enum(errorKinds).optional().catch(undefined) })
  .transform(({ exactKind, ...report }): ErrorReport => ({
    ...report,
    kind: exactKind ?? report.kind,
  }));

/** As it is stored. Pure. */
export function toStoredErrorReport(report: ErrorReport): z.input<typeof storedErrorReportSchema> {
  const { kind } = report;
  if (kind === "empty" || kind === "poisoned") return report;
  const earlier = storedFailureKind(kind);
  return earlier === kind ? report : { ...report, kind: earlier, exactKind: kind };
}

const maxCauseLength = 300;

/** As one line. Pure. */
export const shortCause = (cause: string): string =>
  cause.replace(/\s+/g, " ").trim().slice(0, maxCauseLength).toWellFormed();
