/** One whole value of Redis' protocol, RESP 2 or 3: a command as it is asked, or a reply. */
export interface RespValue {
  /** The first byte: `*`, `$`, `+` … */
  readonly type: string;
  /** All of it, in bytes. */
  readonly size: number;
  /** Of a list of texts, those; lists within lists are left out. */
  readonly texts: readonly string[];
}

/** What is cut anywhere by the network, as whole values. */
export class RespReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The values that this completes. @throws Error for what is no RESP */
  read(chunk: Buffer): readonly RespValue[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const values: RespValue[] = [];
    let at = 0;
    for (;;) {
      const value = readValue(bytes, at);
      if (value === undefined) break;
      at += value.size;
      values.push(value);
    }
    this.#rest = bytes.subarray(at);
    return values;
  }
}

/** Undefined: it goes on in what has not come yet. */
function readValue(bytes: Buffer, at: number): RespValue | undefined {
  const end = bytes.indexOf("\r\n", at);
  if (end === -1) return undefined;
  const type = String.fromCharCode(bytes[at] ?? 0);
  const head = bytes.toString("latin1", at + 1, end);
  const headSize = end + 2 - at;
  switch (type) {
    case "+":
    case "-":
    case ":":
    case ",":
    case "#":
    case "(":
      return { type, size: headSize, texts: [head] };
    case "_":
      return nothing(type, headSize);
    case "$":
    case "=":
    case "!": {
      const length = Number(head);
      if (length < 0) return nothing(type, headSize);
      const size = headSize + length + 2;
      if (at + size > bytes.length) return undefined;
      const from = at + headSize;
      const text = bytes.toString("utf8", from, from + length);
      return { type, size, texts: [text] };
    }
    case "*":
    case "~":
    case ">":
      return readList(bytes, at, { type, headSize, count: Number(head) });
    case "%":
      return readList(bytes, at, { type, headSize, count: 2 * Number(head) });
    default:
      throw new Error(`no RESP: ${JSON.stringify(type + head.slice(0, 40))}`);
  }
}

function readList(
  bytes: Buffer,
  at: number,
  { type, headSize, count }: { type: string; headSize: number; count: number },
): RespValue | undefined {
  if (count < 0) return nothing(type, headSize);
  let size = headSize;
  const texts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const value = readValue(bytes, at + size);
    if (value === undefined) return undefined;
    size += value.size;
    if (value.type === "$") texts.push(...value.texts);
  }
  return { type, size, texts };
}

const nothing = (type: string, size: number): RespValue => ({
  type,
  size,
  texts: [],
});
