import type { Examined } from "./check.ts";

/** A server of this machine, perhaps behind a proxy. Milliseconds. */
const limitMs = 3_000;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Where this machine reaches a port that Parley listens on. */
export function ownAddress(host: string, port: number): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** @returns the answer of the server there, or the code of the error. */
export const answerOf = async (url: string, signal: AbortSignal): Promise<Answer | string> =>
  await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error: unknown) =>
      ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? "no answer",
  );

/** @param kind of the port, whose variable is `PARLEY_<kind>_PORT`. */
export const takenPort = (
  kind: "http" | "page",
  { host, port }: { readonly host: string; readonly port: number },
): Examined => {
  const variable = `PARLEY_${kind.toUpperCase()}_PORT`;
  return {
    id: `${kind}.port`,
    status: "broken",
    say({ findings }) {
      const { what, why, fix } = findings.port.taken;
      return {
        what: what(String(port), host),
        why: why(variable),
        fix: fix(String(port), variable),
      };
    },
  };
};
