/**
 * The protocol between a child process and its parent: frames of a type (1
 * byte), a length (4 bytes, big endian) and as many bytes of payload. The
 * parent writes `job`. The child writes `ready` when its libraries are loaded,
 * and for each job `begun` before it works on it, then `done` with the result
 * or `failed` with an error's message, both UTF-8.
 */
const types = ["ready", "job", "begun", "done", "failed"] as const;
type FrameType = (typeof types)[number];

export interface Frame {
  readonly type: FrameType;
  readonly payload: Buffer;
}

const headLength = 5;

export function frame(type: FrameType, payload: string | Uint8Array): Buffer {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(headLength);
  head.writeUInt8(types.indexOf(type));
  head.writeUInt32BE(body.byteLength, 1);
  return Buffer.concat([head, body]);
}

/** Puts frames together from pieces of a stream. */
export class FrameReader {
  readonly #maxLength: number;
  #pieces: Buffer[] = [];
  /** Of all pieces, bytes. */
  #length = 0;

  /** @param maxLength of a payload, bytes. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The frames that this piece completes. @throws RangeError if a frame is invalid or too long. */
  push(piece: Buffer): Frame[] {
    this.#pieces.push(piece);
    this.#length += piece.byteLength;
    const frames: Frame[] = [];
    for (;;) {
      if (this.#length < headLength) return frames;
      const head = this.#joined(headLength);
      const type = types[head.readUInt8()];
      const length = head.readUInt32BE(1);
      if (type === undefined || length > this.#maxLength)
        throw new RangeError("this is not a frame, or it is too long");
      const end = headLength + length;
      if (this.#length < end) return frames;
      const whole = this.#joined(end);
      frames.push({ type, payload: whole.subarray(headLength, end) });
      this.#pieces = [whole.subarray(end)];
      this.#length -= end;
    }
  }

  /**
   * The first piece, with at least so many bytes; pieces are joined once for a head and once for a
   * frame.
   */
  #joined(length: number): Buffer {
    const [first] = this.#pieces;
    if (first !== undefined && first.byteLength >= length) return first;
    const whole = Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }
}
