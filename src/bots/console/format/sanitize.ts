/* oxlint-disable no-control-regex -- control characters are what this file is about */

/**
 * ECMA-48's sequences: CSI; strings (OSC, DCS, SOS, PM, APC) where they end; character sets. No
 * repetition can run over the beginning of another sequence, so that hostile text takes no longer
 * than any other (Node's own `stripVTControlCharacters` needs seconds for 50,000 unfinished OSCs).
 */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]P^_X]|[\u0090\u0098\u009d-\u009f])(?:[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c))?|\u001b[ -/]+[0-~]?/g;
/** C0 but tab and newline, DEL, and C1: what a terminal obeys. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Overrides, embeddings and isolates reorder the shown text, so that arguments
 * would look different from what runs.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from a model, a tool or another person, without anything that a terminal would obey.
 * Letters, tabs and line ends stay as they are; `\r\n` and the Unicode line separators become `\n`.
 */
export function sanitize(text: string): string {
  return text
    .replace(sequences, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(controls, "")
    .replace(reordering, "");
}
