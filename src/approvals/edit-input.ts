import {
  hiddenIn,
  isFields,
  keptHidden,
  restored,
  shownOf,
  sorted,
  type CharactersOf,
  type Fields,
} from "./hidden-values.ts";
import { schemaProblem, type PlainSchema, type SchemaProblem } from "./schema-problems.ts";
import { parsed, setArgument } from "./set-argument.ts";

/*
 * Parses a person's changes to the arguments of a call: one or several `name=value`, also nested
 * (`to.city=Bern`), or a JSON object with all arguments. A value is read as its argument's type; a
 * masked value that comes back unchanged stays.
 */

/** The current arguments. */
export interface Editable {
  readonly arguments: Fields;
  /** The tool's schema, as far as it is known. */
  readonly schema: PlainSchema;
  /** Formats the length of a masked value, as its card does. */
  readonly charactersOf: CharactersOf;
  /**
   * False: the editor must not be able to send hidden values to another
   * destination.
   */
  readonly keepsHidden: boolean;
}

export type EditProblem =
  | SchemaProblem
  | { readonly type: "not-json" }
  | { readonly type: "hidden"; readonly path: string }
  | { readonly type: "kept-hidden"; readonly path: string }
  | { readonly type: "same" }
  | { readonly type: "too-long"; readonly most: number };

export type EditInput =
  | { readonly type: "edited"; readonly arguments: Fields }
  | { readonly type: "problem"; readonly problem: EditProblem };

/** UTF-16 units of arguments that fit into an approval. */
const maxEditedLength = 50_000;

/** Characters of names, in any script; other arguments are changed with JSON. */
const nameFirst = /^[\p{L}\p{M}\p{N}_.-]{1,100}=/u;
const nameAnywhere = /(?<=^|\s)([\p{L}\p{M}\p{N}_.-]{1,100})\s*=/gu;

/** Whether a text says something about arguments rather than to the model. Pure. */
export const looksLikeEdit = (text: string): boolean =>
  /^\{[^]*\}$/.test(unfenced(text)) || nameFirst.test(text.trim());

/** Phones replace straight quotes by typographic ones. Pure. */
export function readEdit(text: string, editable: Editable): EditInput {
  const written = unfenced(text);
  if (written.length > maxEditedLength) return tooLong;
  if (written.startsWith("{")) {
    const given = parsed(written) ?? parsed(written.replaceAll(/[“”„]/g, '"'));
    return isFields(given) ? checked(given, editable) : problem({ type: "not-json" });
  }
  const pairs = pairsIn(written, editable);
  if ("type" in pairs) return problem(pairs);
  return withPairs(pairs, editable);
}

/** The name of the only argument; undefined where there are none or several. Pure. */
export function onlyArgument({ arguments: given }: Editable): string | undefined {
  const [name, ...others] = Object.keys(given);
  return others.length === 0 ? name : undefined;
}

/** The new value of the only argument; for several, what `readEdit` reads. Pure. */
export function readReply(text: string, editable: Editable): EditInput {
  const name = onlyArgument(editable);
  if (name === undefined || text.trim().startsWith(`${name}=`)) return readEdit(text, editable);
  return text.length > maxEditedLength ? tooLong : withPairs([[name, text.trim()]], editable);
}

/** The submitted fields of a form, by name; an unchanged field keeps its argument. Pure. */
export function readForm(filled: Readonly<Record<string, string>>, editable: Editable): EditInput {
  const { arguments: before } = editable;
  // A client can send fields that were never shown.
  const stray = Object.keys(filled).find((name) => !Object.hasOwn(before, name));
  if (stray !== undefined)
    return problem({
      type: "unknown",
      path: stray,
      known: Object.keys(before),
    });
  const pairs = Object.entries(filled).filter(
    ([name, text]) => asTyped(formText(name, before[name], editable)) !== asTyped(text),
  );
  return withPairs(pairs, editable);
}

/** Forms return a text without blanks at its ends, and with uniform line breaks. */
const asTyped = (text: string): string => text.replaceAll("\r\n", "\n").trim();

/** An argument as a form shows it. Pure. */
export function formText(
  name: string,
  value: unknown,
  { charactersOf }: Pick<Editable, "charactersOf">,
): string {
  const shown = shownOf({ [name]: value }, charactersOf)[name];
  if (shown === undefined) return "";
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

/** All arguments as a form shows them. Pure. */
export const formJson = (editable: Editable): string =>
  JSON.stringify(shownOf(editable.arguments, editable.charactersOf), undefined, 2);

const problem = (what: EditProblem): EditInput => ({
  type: "problem",
  problem: what,
});

const tooLong = problem({ type: "too-long", most: maxEditedLength });

/** Without a surrounding code fence. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const [opening] = /^```\w*\n?/.exec(trimmed) ?? [];
  const isFenced = opening !== undefined && trimmed.slice(opening.length).endsWith("```");
  return isFenced ? trimmed.slice(opening.length, -3).trim() : trimmed;
}

type Pair = readonly [path: string, text: string];

/**
 * `name=` of an argument starts a pair anywhere in the text; the text up to the
 * next one is its value.
 */
function pairsIn(text: string, editable: Editable): readonly Pair[] | EditProblem {
  const known = new Set([
    ...Object.keys(editable.arguments),
    ...Object.keys(editable.schema.properties ?? {}),
  ]);
  const starts = [...text.matchAll(nameAnywhere)];
  const [first] = starts;
  if (first?.index !== 0) return { type: "not-json" };
  const own = starts.filter(([, path = ""], index) => index === 0 || isKnown(known, path));
  const pairs = own.map((match, index): Pair => [
    match[1] ?? "",
    text.slice(match.index + match[0].length, own[index + 1]?.index).trim(),
  ]);
  const stray = pairs.find(([path]) => !isKnown(known, path));
  return stray === undefined
    ? // Of several values for one name the last one counts.
      [...new Map(pairs)]
    : { type: "unknown", path: stray[0], known: [...known] };
}

const isKnown = (known: ReadonlySet<string>, path: string): boolean =>
  known.has(path) || known.has(path.split(".", 1)[0] ?? "");

function withPairs(pairs: readonly Pair[], editable: Editable): EditInput {
  const changed = structuredClone(editable.arguments);
  for (const [path, text] of pairs) {
    const failed = setArgument(changed, path, text, editable);
    if (failed === "unknown") {
      const known = Object.keys(editable.arguments);
      return problem({ type: "unknown", path, known });
    }
    if (failed !== undefined) return problem({ type: "type", path, expected: failed });
  }
  return checked(changed, editable);
}

/** Restores masked values that came back unchanged, then validates the whole. */
function checked(given: Fields, editable: Editable): EditInput {
  const { arguments: before, schema, charactersOf } = editable;
  const whole = restored(given, before, charactersOf);
  const hidden = hiddenIn(whole, before);
  if (hidden !== undefined) return problem({ type: "hidden", path: hidden });
  const wrong = schemaProblem(schema, whole);
  if (wrong !== undefined) return problem(wrong);
  const [was, is] = [sorted(before), sorted(whole)];
  if (was === is) return problem({ type: "same" });
  const kept = editable.keepsHidden ? undefined : keptHidden(whole, before, charactersOf);
  if (kept !== undefined) return problem({ type: "kept-hidden", path: kept });
  return is.length > maxEditedLength ? tooLong : { type: "edited", arguments: whole };
}
