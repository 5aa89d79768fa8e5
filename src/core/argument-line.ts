import { legible } from "./hide-secrets.ts";
import { visible } from "./visible-text.ts";

/** A call's arguments in one line as people may see them, of at most so many characters. Empty where there are none. Pure. */
export function argumentLine(
  json: string,
  {
    characters,
    maxLength,
  }: {
    /** What a masked value is called, by its length. */
    readonly characters: Parameters<typeof legible>[1];
    readonly maxLength: number;
  },
): string {
  const shown = legible(JSON.parse(json), characters);
  const line =
    typeof shown === "object" && shown !== null
      ? Object.entries(shown)
          .map(
            ([name, value]) =>
              `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
          )
          .join(", ")
      : String(shown);
  const text = visible(line);
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
