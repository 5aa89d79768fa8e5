import { z } from "zod";

/** OpenClaw's way to say where a secret is: in a variable, a file, or what a program prints. */
const secretObject = z
  .object({
    source: z.enum(["env", "file", "exec"]),
    id: z.string(),
    provider: z.string().optional(),
  })
  .strict();

/** As a reference, `${NAME}`; undefined: it isn't in a variable. */
export function variableIn(value: unknown): string | undefined {
  const { source, id = "" } = secretObject.safeParse(value).data ?? {};
  return source === "env" && /^[A-Za-z_]\w*$/.test(id) ? `\${${id}}` : undefined;
}

/** Why a secret is left; undefined: it is in a variable, or no such object. */
export function secretProblem(value: unknown): string | undefined {
  const { data } = secretObject.safeParse(value);
  if (data === undefined || variableIn(value) !== undefined) return undefined;
  return data.source === "env"
    ? `a variable of Parley's can't be called ${data.id}`
    : "its value comes from a file or a program there; put it where Parley needs it by hand";
}
