import { expect, it } from "vitest";
import type { Dialog } from "../../../src/cli/init/dialog.ts";
import type { Draft } from "../../../src/cli/init/draft.ts";
import { chooseSearch } from "../../../src/cli/init/web-search.ts";

it.each([
  ["searxng", "http://127.0.0.1:8888/search?q=%s", "http://127.0.0.1:8888"],
  ["searxng", "http://me:pw@127.0.0.1:8888", "https://search.example/"],
  ["brave", "k\u00e9y", "k-1_!"],
  ["tavily", "a key", "tvly-1"],
])("what %s can't have, such as %j, is asked for again at once", async (provider, bad, good) => {
  type Check = (text: string) => string | undefined;
  const checked: unknown[] = [];
  const answer = (check: Check = () => undefined) => {
    checked.push(check(bad), check(good));
    return Promise.resolve(good);
  };
  const dialog: Partial<Dialog> = {
    asks: true,
    say: () => undefined,
    choose: () => Promise.resolve(provider as never),
    write: (_, { problem }) => answer(problem),
    secret: (_, problem) => answer(problem),
  };
  const draft = { settings: () => ({}), values: {}, changes: [] };
  await chooseSearch({
    dialog: dialog as Dialog,
    draft: draft as unknown as Draft,
    flags: {} as never,
    readSecret: () => "",
    signal: new AbortController().signal,
  });
  expect(checked).toEqual([expect.any(String), undefined]);
});
