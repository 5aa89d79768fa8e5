import { isBlank } from "../../../text/blank.ts";
import type { Chunk } from "../../../core/ports.ts";
import { isPlain } from "../../markdown/parse.ts";
import { escaped } from "./escape.ts";
import { maxContentUnits, sendable } from "./limits.ts";
import { pack } from "./pack.ts";
import { commandsIn, mentionRun } from "./commands.ts";
import { textBlock, type Block } from "./runs.ts";

/** Our own words, shown exactly as they are. */
export function plain(text: string): readonly Chunk[] {
  const given = sendable(text).trim();
  if (isBlank(given)) return [];
  if (given.length <= maxContentUnits && isPlain(given)) return [{ text: given }];
  return pack([plainBlock(given)]);
}

/** Our own words, and the commands in them. */
export const plainBlock = (text: string): Block =>
  textBlock(
    ...[...commandsIn(text)].map((part) =>
      part.isCommand ? mentionRun(part.text, []) : { text: escaped(part.text), marks: [] },
    ),
  );
