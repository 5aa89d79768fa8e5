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
export const packFields = (fields: ScriptFields): [string] => [JSON.stringify(fields, wellFormed)];

/**
 * `cjson` refuses half of a surrogate pair, which a plain argument turns into
 * U+FFFD.
 */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;
