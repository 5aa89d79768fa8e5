import { z } from "zod";

/** OpenClaw's way to say where a secret is: in a variable, a file, or what a program prints. */
const secretObject = z
  .object({ source: z.string(), id: z.string().optional(), provider: z.string().optional() })
  .strict();

export const isSecretObject = (value: unknown): boolean => secretObject.safeParse(value).success;

/** As a reference, `${NAME}`; undefined: it isn't in a variable. */
export function variableIn(value: unknown): string | undefined {
  const { source, id } = secretObject.safeParse(value).data ?? {};
  return source === "env" && id !== undefined ? `\${${id}}` : undefined;
}

/** Why such a secret is left: files of secrets and programs aren't read. */
export const secretElsewhere =
  "its value comes from a file or a program there; put it where Parley needs it by hand";
