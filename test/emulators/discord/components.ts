import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { Components } from "./model.ts";

/** The custom id of an enabled button; throws when there is none with that label or custom id. */
export function pressable(components: Components, labelOrCustomId: string): string {
  const buttons = components
    .flatMap((row) => row.components)
    .filter((component) => component.type === ComponentType.Button);
  for (const button of buttons) {
    if (button.style === ButtonStyle.Link || button.style === ButtonStyle.Premium) continue;
    if (button.custom_id !== labelOrCustomId && button.label !== labelOrCustomId) continue;
    if (button.disabled) throw new Error(`The button ${labelOrCustomId} is disabled.`);
    return button.custom_id;
  }
  const labels = buttons.map((button) => ("label" in button ? button.label : ""));
  throw new Error(`No button ${labelOrCustomId}; there are [${labels.join(", ")}].`);
}
