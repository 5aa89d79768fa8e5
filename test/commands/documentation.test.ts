import { describe, expect, it } from "vitest";
import { adminCommands } from "../../src/cli/admin/commands.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import type { Command } from "../../src/commands/command.ts";
import { usageOf } from "../../src/commands/menu.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { settingNames } from "../../src/commands/setting-values.ts";
import { read, rowsIn } from "../support/shown-by.ts";

/** Who the page says may use a command, by the lowest role that may. */
const audiences: Readonly<Record<Command["role"], string>> = {
  stranger: "everyone",
  guest: "guests",
  member: "members",
  admin: "admins",
  owner: "owners",
};

/** The rows below a heading of the page, with the code of their first cells as it is typed. */
const rowsBelow = new Map(
  read("docs/commands.md")
    .split("\n## ")
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const rows = rowsIn(lines).map(([first = "", ...rest]) => [
        first.replaceAll("`", "").replaceAll(String.raw`\|`, "|"),
        ...rest,
      ]);
      return [heading, rows] as const;
    }),
);
const firstCells = (heading: string): readonly string[] =>
  (rowsBelow.get(heading) ?? []).map(([first = ""]) => first);

describe("docs/commands.md", () => {
  const chatRows = [...rowsBelow.values()].flat().filter(([usage = ""]) => usage.startsWith("/"));

  it("lists every chat command as it is typed, with who may use it, and no other", () => {
    const shown = chatRows.map(([usage, who]) => `${usage}: ${who}`);
    const known = allCommands.map(
      ({ spec, role }) => `${usageOf(spec, localeFor())}: ${audiences[role]}`,
    );
    expect(shown.toSorted()).toEqual(known.toSorted());
  });

  it("names the aliases of each command, and no others", () => {
    for (const { spec } of allCommands) {
      const [, , what = ""] =
        chatRows.find(([usage]) => usage === usageOf(spec, localeFor())) ?? [];
      const named = [...(/Also (.+)$/.exec(what)?.[1]?.matchAll(/`\/(\w+)`/g) ?? [])];
      expect(
        named.map(([, alias]) => alias),
        spec.name,
      ).toEqual(spec.aliases ?? []);
    }
  });

  it("lists every setting of /settings, and no other", () => {
    expect(firstCells("Settings of a chat").toSorted()).toEqual(settingNames.toSorted());
  });

  it("lists every form of every admin command, and no other", () => {
    expect(firstCells("From the shell").toSorted()).toEqual(
      adminCommands.flatMap(({ usage }) => usage).toSorted(),
    );
  });
});
