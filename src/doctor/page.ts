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
      return [ok("page.port", (findings) => findings.page.free(String(port)))];
    if (!isPage(answer)) return [takenPort("page", page)];
    const isThere = ok("page.port", (findings) => findings.page.isAt(own));
    return url === undefined
      ? [isThere]
      : [isThere, behind(url, await answerOf(`${url}/in`, signal))];
  };
  return [{ id: "page", what: (checks) => checks.page, run }];
}

/** Under another name it says which one is its own. */
const isPage = (answer: Answer | string): boolean =>
  typeof answer === "object" &&
  (answer.text.includes("· Parley</title>") || answer.text.includes("PARLEY_PAGE_URL"));

const onWorker: Examined = {
  id: "page.role",
  status: "note",
  say: ({ findings: { page } }) => ({ ...page.notOfRole, what: page.notOfRole.what("worker") }),
};

/** Pure. */
function behind(url: string, answer: Answer | string): Examined {
  const id = "page.url";
  if (isPage(answer) && typeof answer === "object" && answer.status === 200)
    return ok(id, ({ page }) => page.reached(url));
  const got = typeof answer === "string" ? answer : `HTTP ${answer.status}`;
  return {
    id,
    status: "warning",
    say: ({ findings: { page } }) =>
      isPage(answer)
        ? { ...page.otherHost, what: page.otherHost.what(url) }
        : { ...page.unreached, what: page.unreached.what(url, got) },
  };
}
