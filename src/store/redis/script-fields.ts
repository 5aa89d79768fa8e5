/** What a script takes by name. An absent field is `nil` in Lua. */
export interface ScriptFields {
  readonly [name: string]: ScriptField | undefined;
}

/** What is stored is a string: `cjson` would change an empty list and a number beyond 2^53. */
type ScriptField =
  string | number | boolean | readonly ScriptField[] | ScriptFields;

/** The one argument of a script that takes named fields: it reads them with `cjson.decode(ARGV[1])`. */
export const packFields = (fields: ScriptFields): [string] => [
  JSON.stringify(fields, wellFormed),
];

/** `cjson` refuses half a surrogate pair; as a plain argument it would become U+FFFD, too. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;
