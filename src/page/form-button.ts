import { html, type Html } from "./html.ts";

export interface FormButton {
  /** The address that it posts to. */
  readonly to: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly label: string;
  readonly kind?: "main" | "bad" | undefined;
  /** What it acts on, for those who don't see what it is next to. */
  readonly about: string;
  /** More to fill in, above the button. */
  readonly inside?: Html | undefined;
}

/** A form with a button. Pure. */
export const formButton = ({ to, fields, label, kind, about, inside }: FormButton): Html =>
  html`<form method="post" action="${to}" class="act">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${inside} <button class="${kind}" aria-label="${label}: ${about}">${label}</button>
  </form>`;

/** The same behind a second step, which needs no script. Pure. */
export const confirmedButton = (summary: string, button: FormButton): Html =>
  html`<details class="act">
    <summary aria-label="${summary} ${button.about}">${summary}</summary>
    ${formButton(button)}
  </details>`;

/** The choices of a `<select>`. Pure. */
export const optionsOf = (
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string | undefined,
): readonly Html[] =>
  choices.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === chosen && "selected"}>${text}</option>`,
  );
