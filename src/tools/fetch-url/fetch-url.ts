import { z } from "zod";
import { PermanentError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../define-tool.ts";
import { summarisePage } from "./envelope.ts";
import { fetchFailure } from "./fetch-failure.ts";
import type { FetchPageDeps } from "./fetch-page.ts";

export interface FetchUrlDeps extends FetchPageDeps {
  /** Of everything together, milliseconds; default 20 s. */
  readonly limitMs?: number;
}

/** Reads one page of the public internet. */
export function fetchUrlTool(deps: FetchUrlDeps): Tool {
  const limitMs = deps.limitMs ?? 20_000;
  return defineTool({
    name: "fetch_url",
    description:
      "Fetches one http or https URL of the public internet: the readable text of a web page, or JSON or plain text as it is.",
    parameters: z.strictObject({
      url: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .describe("The whole URL, e.g. https://example.com/page"),
    }),
    effect: "read",
    // An address that the model made up may carry what the conversation holds to a stranger's
    // server.
    confirm: ({ url }, conversation) => !conversation.names(url),
    history: "action",
    summarise: summarisePage,
    // The fragment after # is never sent.
    loopKey: ({ url }) => URL.parse(url)?.href.split("#")[0] ?? url,
    timeoutMs: limitMs + 10_000,
    run: async ({ url }, { requester, signal }) => {
      const limit = AbortSignal.timeout(limitMs);
      try {
        // Loaded when it is first needed: most processes never fetch.
        const { fetchPage } = await import("./fetch-page.ts");
        const either = AbortSignal.any([signal, limit]);
        const person = requester.id;
        const text = await fetchPage(deps, { url, person, signal: either });
        return { text };
      } catch (error) {
        if (signal.aborted) throw error;
        if (limit.aborted) throw new PermanentError(`it took longer than ${limitMs / 1_000} s.`);
        throw fetchFailure(error);
      }
    },
  });
}
