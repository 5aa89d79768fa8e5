import type { FileChange } from "../../config/edit-file.ts";
import { webSearchSection } from "../../config/file-tools.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { searchProblemText } from "../../locales/search-problem.ts";
import { searchProviders } from "../../tools/web-search/providers.ts";
import { searchProblem } from "../../tools/web-search/search-web.ts";
import type { Dialog } from "./dialog.ts";
import type { Draft } from "./draft.ts";
import type { InitFlags } from "./options.ts";

interface SearchDeps {
  readonly dialog: Dialog;
  readonly draft: Draft;
  readonly flags: InitFlags;
  readonly readSecret: (flag: string, file: string) => string;
  readonly signal: AbortSignal;
}

/** False: the search that a flag names doesn't work. @throws PermanentError */
export async function chooseSearch(deps: SearchDeps): Promise<boolean> {
  const { dialog, draft, flags, signal } = deps;
  const provider = flags["web-search"] ?? (await askForProvider(deps));
  if (provider === undefined) return true;
  const keyName = `${provider.toUpperCase()}_API_KEY`;
  const value = { provider, ...(await detailsOf(provider, keyName, deps)) };
  const change: FileChange = { path: ["webSearch"], value, comment: "Who searches the web." };
  const { webSearch } = draft.settings([change]);
  const problem = webSearch && (await searchProblem(webSearch, signal));
  if (problem === undefined) dialog.say("ok", "Web search works");
  else {
    const { what, fix } = searchProblemText(problem, localeFor());
    dialog.say("fail", `${what}\n${fix}`);
  }
  const isKept =
    problem === undefined ||
    flags["skip-checks"] ||
    (dialog.asks && (await dialog.agrees("Save it without the check?")));
  if (isKept) draft.changes.push(change);
  else delete draft.values[keyName];
  return isKept || dialog.asks;
}

/** Undefined: everything stays as it is. */
async function askForProvider({ dialog, draft }: SearchDeps): Promise<string | undefined> {
  if (!dialog.asks) return undefined;
  const current = draft.settings().webSearch?.provider;
  const answer = await dialog.choose("Should the bot search the web?", [
    { value: "none", label: current ? `Keep ${searchProviders[current].label}` : "Not now" },
    ...Object.entries(searchProviders).map(([value, { label, account }]) => {
      return { value, label, hint: account ? `needs a key from ${account}` : "one of your own" };
    }),
  ]);
  return answer === "none" ? undefined : answer;
}

const isFine = (section: object): boolean => webSearchSection.safeParse(section).success;

/** Its address, or its key, which goes into the draft of `.env`. */
async function detailsOf(
  provider: string,
  keyName: string,
  { dialog, draft, flags, readSecret }: SearchDeps,
): Promise<object> {
  const { "search-url": url, "search-key-file": file } = flags;
  const given = url === undefined ? {} : { url };
  if (provider === "searxng") {
    if (url !== undefined || !dialog.asks) return given;
    const example = "http://127.0.0.1:8888";
    const problem = (text: string): string | undefined =>
      isFine({ provider, url: text })
        ? undefined
        : `Type an address such as ${example}, without a login and a query`;
    return { url: await dialog.write("The address of SearXNG?", { example, problem }) };
  }
  if (file !== undefined) draft.values[keyName] = readSecret("search-key-file", file);
  else if (dialog.asks)
    draft.values[keyName] = await dialog.secret("Its API key?", (apiKey) =>
      isFine({ provider, apiKey })
        ? undefined
        : "A key has plain letters, digits and signs, and no spaces.",
    );
  return { ...given, apiKey: `\${${keyName}}` };
}
