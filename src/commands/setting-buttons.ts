import { commandData, type AnswerButton } from "../core/inbound.ts";
import type { Locale } from "../locales/locale.ts";
import type { CommandDeps } from "./command.ts";
import { offeredModes } from "./permissions.ts";
import {
  groupNames,
  settingGroups,
  settingKinds,
  settingNames,
  type SettingGroup,
  type ShownName,
} from "./setting-values.ts";

const unset = "default";

/** One button per group, `st:<group>`, which shows its settings. */
export const groupButtons = ({ settings }: Locale): readonly AnswerButton[] =>
  groupNames.map((group) => ({
    label: settings.groups[group],
    data: `st:${group}`,
    typed: `/settings ${group}`,
  }));

/**
 * One button per setting of a group, `st:<name>`, which shows it as `/settings <name>` does. The
 * chat's tier and model are chosen by commands of their own.
 */
export const settingButtons = (group: SettingGroup): readonly AnswerButton[] => [
  ...(group === "model" ? (["tier", "model"] as const) : []).map((kind) => ({
    label: kind,
    data: commandData(kind, "chat"),
    typed: `/${kind} chat`,
  })),
  ...settingGroups[group].map((name) => ({
    label: name,
    data: `st:${name}`,
    typed: `/settings ${name}`,
  })),
];

/** The setting or group that such a button shows. Undefined: it is another button. */
export function shownSetting(data: string): ShownName | SettingGroup | undefined {
  const [kind, name] = data.split(":");
  return kind === "st" ? [...settingNames, ...groupNames].find((each) => each === name) : undefined;
}

const button = (name: ShownName, value: string, isCurrent: boolean): AnswerButton => ({
  label: isCurrent ? `✓ ${value}` : value,
  data: `sv:${name}:${value}`,
  typed: `/settings ${name} ${value}`,
});

/**
 * Buttons that set one setting, `sv:<name>:<value>`, and one that goes back to the default.
 * @param current as it is stored. Undefined: it isn't set.
 */
export const valueButtons = (
  name: ShownName,
  { limits, defaults }: Pick<CommandDeps, "limits" | "defaults">,
  current: string | undefined,
): readonly AnswerButton[] => {
  if (name === "permissions")
    return offeredModes(defaults).map((value) =>
      button(name, value, value === "ask" && current === undefined),
    );
  const kind = settingKinds[name];
  return [...kind.offered, unset].map((value) => {
    const reading = kind.read(value, limits);
    const isCurrent =
      current === undefined ? value === unset : "stored" in reading && reading.stored === current;
    return button(name, value, isCurrent);
  });
};
