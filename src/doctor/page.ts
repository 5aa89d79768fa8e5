import type { Settings } from "../config/settings.ts";
import { ok, type Check, type Examined } from "./check.ts";
import { answerOf, ownAddress, takenPort, type Answer } from "./port.ts";

/** Whether the operator's page has its port, and is reached where its links lead. */
export function pageCheck({ page, role }: Pick<Settings, "page" | "role">): readonly Check[] {
  if (!page.enabled) return [];
  const { host, port, url } = page;
  const run: Check["run"] = async (signal) => {
    if (role === "worker") return [onWorker];
    // Any free port: where it is, its log says.
    if (port === 0) return [];
    const own = ownAddress(host, port);
    const answer = await answerOf(`${own}/in`, signal);
    if (answer === "ECONNREFUSED")
      return [ok("page.port", `Port ${port} is free; the page is there when Parley runs.`)];
    if (!isPage(answer)) return [takenPort("page", page)];
    const isThere = ok("page.port", `The page is at ${own}.`);
    return url === undefined
      ? [isThere]
      : [isThere, behind(url, await answerOf(`${url}/in`, signal))];
  };
  return [{ id: "page", what: "The operator's page", run }];
}

/** Under another name it says which one is its own. */
const isPage = (answer: Answer | string): boolean =>
  typeof answer === "object" &&
  (answer.text.includes("· Parley</title>") || answer.text.includes("PARLEY_PAGE_URL"));

const onWorker: Examined = {
  id: "page.role",
  status: "note",
  what: "PARLEY_PAGE_PORT is set, but a worker serves no page.",
  why: "The page runs in the roles bots and all.",
  fix: "Set it where PARLEY_ROLE is bots or all.",
};

/** Pure. */
function behind(url: string, answer: Answer | string): Examined {
  if (isPage(answer) && typeof answer === "object" && answer.status === 200)
    return ok("page.url", `The page is reached at ${url}.`);
  const isNamedOtherwise = isPage(answer);
  return {
    id: "page.url",
    status: "warning",
    what: isNamedOtherwise
      ? `The proxy at ${url} passes on another Host than its own.`
      : `The page isn't reached at ${url} from this machine (${typeof answer === "string" ? answer : `HTTP ${answer.status}`}).`,
    why: "Links of /dashboard lead there.",
    fix: isNamedOtherwise
      ? "Have it pass the Host header on; for nginx: proxy_set_header Host $host;"
      : "Correct PARLEY_PAGE_URL or the proxy (docs/page.md). Ignore this if only browsers elsewhere reach it.",
  };
}
