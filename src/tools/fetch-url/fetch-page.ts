import { enveloped } from "./envelope.ts";
import type { ChildProcesses } from "../processes/child-processes.ts";
import { guardedAgent, systemResolve, type AddressGuard } from "./guarded-agent.ts";
import { isPublicAddress } from "./public-address.ts";
import { readPage } from "./read-page.ts";
import { requestPage } from "./request-page.ts";

export interface FetchPageDeps extends Partial<AddressGuard> {
  readonly processes: ChildProcesses;
  /** Default: 80, 443, 8080, 8443. */
  readonly allowedPorts?: readonly number[];
}

const connectTimeoutMs = 10_000;
const usualPorts = [80, 443, 8080, 8443];

/**
 * Fetches a page and determines its type. Connections end with the call and are never reused.
 * @throws PermanentError; what `fetch` and the body's stream throw; the signal's reason.
 */
export async function fetchPage(
  deps: FetchPageDeps,
  given: {
    readonly url: string;
    /** Whose request it is. */
    readonly person: string;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const { person, signal } = given;
  const agent = guardedAgent(
    {
      isAllowedAddress: deps.isAllowedAddress ?? isPublicAddress,
      resolve: deps.resolve ?? systemResolve,
    },
    connectTimeoutMs,
  );
  try {
    const { url, response } = await requestPage({
      url: given.url,
      allowedPorts: deps.allowedPorts ?? usualPorts,
      agent,
      signal,
    });
    const text = await readPage({
      url,
      response,
      processes: deps.processes,
      person,
      signal,
    });
    return enveloped(url.href, text);
  } finally {
    await agent.destroy();
  }
}
