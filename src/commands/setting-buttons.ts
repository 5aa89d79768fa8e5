import type { AnswerButton } from "../core/inbound.ts";
import type { CommandDeps } from "./command.ts";
import { settingKinds, settingNames, type SettingName } from "./setting-values.ts";

const unset = "default";

/** One button per setting, `st:<name>`, which shows it as `/settings <name>` does. */
export const settingButtons = (): readonly AnswerButton[] =>
  settingNames.map((name) => ({ label: name, data: `st:${name}`, typed: `/settings ${name}` }));

/** The setting that such a button shows. Undefined: it is another button. */
export function shownSetting(data: string): SettingName | undefined {
  const [kind, name] = data.split(":");
  return kind === "st" ? settingNames.find((each) => each === name) : undefined;
}

/**
 * Buttons that set one setting, `sv:<name>:<value>`, and one that goes back to the default.
 * @param current as it is stored. Undefined: it isn't set.
 */
export const valueButtons = (
  name: SettingName,
  { limits }: Pick<CommandDeps, "limits">,
  current: string | undefined,
): readonly AnswerButton[] => {
  const kind = settingKinds[name];
  return [...kind.offered, unset].map((value) => {
    const reading = kind.read(value, limits);
    const isCurrent =
      current === undefined ? value === unset : "stored" in reading && reading.stored === current;
    return {
      label: isCurrent ? `✓ ${value}` : value,
      data: `sv:${name}:${value}`,
      typed: `/settings ${name} ${value}`,
    };
  });
};
