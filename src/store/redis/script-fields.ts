/** A script's named arguments. An absent field is `nil` in Lua. */
export interface ScriptFields {
  readonly [name: string]: ScriptField | undefined;
}

/**
 * What a script stores is passed as a string: `cjson` doesn't encode every value
 * again as it was, e.g. an empty list.
 */
type ScriptField = string | number | boolean | readonly ScriptField[] | ScriptFields;

/** The only argument of a script that reads `cjson.decode(ARGV[1])`. */
export function packFields(fields: ScriptFields): [string] {
  const json = JSON.stringify(fields);
  return [json.includes(halfPair) ? JSON.stringify(fields, wellFormed) : json];
}

/** What half of a surrogate pair begins with in JSON; texts that speak of one have it, too. */
const halfPair = String.raw`\ud`;

/**
 * `cjson` refuses half of a surrogate pair, which a plain argument turns into
 * U+FFFD. Looking at each value takes longer than all the rest.
 */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;
