import { ApplicationCommandOptionType, ApplicationCommandType } from "discord.js";
import type { APIApplicationCommandOption } from "discord.js";
import { describe, expect, it } from "vitest";
import { commandDefinitions } from "../../src/bots/discord/register/definitions.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { discordForms, renderCommands } from "../../src/text/command-names.ts";

const specs = allCommands.map(({ spec }) => spec);

interface Shape {
  readonly name: string;
  readonly required: boolean;
  readonly choices: readonly string[] | undefined;
}

function shapesOf(options: readonly APIApplicationCommandOption[] = []): readonly Shape[] {
  return options
    .filter(({ type }) => type !== ApplicationCommandOptionType.Attachment)
    .map((option) => ({
      name: option.name,
      required: option.required ?? false,
      choices: "choices" in option ? option.choices?.map(({ value }) => String(value)) : undefined,
    }));
}

/** Every command that Discord registers, by its path. */
const registered = new Map(
  commandDefinitions(specs, { offers: () => true })
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap(({ name, ...command }): [string, readonly Shape[]][] => {
      const options = ("options" in command ? command.options : undefined) ?? [];
      const below = options.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand);
      if (below.length === 0) return [[name, shapesOf(options)]];
      return below.map((each) => [
        `${name} ${each.name}`,
        shapesOf("options" in each ? (each.options as APIApplicationCommandOption[]) : []),
      ]);
    }),
);

describe("the names of commands on Discord", () => {
  it("are those that are registered, with their options", () => {
    const named = new Map([...discordForms.values()].map((form) => [form.path, form]));
    expect([...named.keys()].toSorted()).toEqual([...registered.keys()].toSorted());
    for (const [path, shapes] of registered) {
      const options = named.get(path)?.options ?? [];
      expect(
        options.map(({ name, required }) => ({ name, required })),
        path,
      ).toEqual(shapes.map(({ name, required }) => ({ name, required })));
      for (const [index, { choices }] of shapes.entries())
        for (const value of options[index]?.values ?? [])
          if (choices && value !== "default") expect(choices, path).toContain(value);
    }
  });

  it("are there for every command and other name", () => {
    for (const { name, aliases = [] } of specs)
      for (const each of [name, ...aliases]) expect([...discordForms.keys()]).toContain(each);
  });

  it("are said in menus, too", () => {
    const text = JSON.stringify(commandDefinitions(specs, { offers: () => true }));
    expect(text).toContain("/admin pause");
    expect(text).not.toMatch(/[^n] ?\/pause/);
  });
});

describe("a sentence about commands", () => {
  it.each([
    ["Use /allow here.", "Use /admin allow place:here."],
    ["With /allow here in this group", "With /admin allow place:here in this group"],
    ["/persona <name> switches", "/persona pick name:<name> switches"],
    ["/persona default goes back", "/persona pick name:default goes back"],
    ["/persona new makes one", "/persona new makes one"],
    ["/persona delete <name>.", "/persona delete."],
    ["/limits set <scope> <metric> <value>.", "/admin limits-set."],
    ["/limits reset <scope> [metric]", "/admin limits-reset"],
    ["/limits shows them", "/limits shows them"],
    ["发送 /allow here 即可", "发送 /admin allow place:here 即可"],
    ["/stop可以取消。/stats", "/stop可以取消。/admin stats"],
    ["/remind {when:in 20m} {text:tea}, or", "/remind when:in 20m text:tea, or"],
    ["/schedule zone {city:Europe/Berlin}", "/schedule zone city:Europe/Berlin"],
    ["/schedule shows, /schedule list, too", "/schedule list shows, /schedule list, too"],
    ["/approve <id>.<number> always", "/approve id:<id>.<number> always"],
    ["/reset and (/cancel)", "/new and (/stop)"],
    ["/admin role", "/admin role"],
    // No commands.
    ["20/min, /etc/allow, x/allow, https://a.b/allow, …/stats", undefined],
    ["/allowed /allow-list /quit /token", undefined],
    ["5/day {a:b}/x", "5/day b/x"],
  ])("%s", (typed, expected) => {
    expect(renderCommands(typed, { platform: "discord" })).toBe(expected ?? typed);
  });

  it("stays as it is typed on other platforms", () => {
    for (const platform of ["telegram", "console", undefined] as const)
      expect(renderCommands("/allow here, /remind {when:in 20m} {text:tea}", { platform })).toBe(
        "/allow here, /remind in 20m tea",
      );
  });

  it("is marked for the adapter that makes commands clickable", () => {
    const style = { platform: "discord", isMarked: true } as const;
    expect(renderCommands("Use /allow here.", style)).toBe(
      "Use \u2063/admin allow\u2063 place:here.",
    );
  });
});
