import type { Extras } from "../../../core/history.ts";
import { joinExtras, pickExtras } from "../../extras.ts";
import { callExtras } from "../dialect.ts";
import type { CallDelta } from "./chunk.ts";

/** A call as far as it has come. */
export interface AssembledCall {
  id: string;
  name: string;
  arguments: string;
  extras: Extras;
}

/**
 * Puts calls together from their pieces, in the order in which they began. A piece belongs to the
 * call with its index; without one, to the call with its id; without either, to the newest call. It
 * begins a call instead when it names a tool and could not be a later piece: another id or name
 * than the call's, or the call's arguments are complete. Some servers give every call the index 0
 * and no id.
 */
export class CallAssembler {
  readonly #calls: AssembledCall[] = [];
  readonly #byIndex = new Map<number, AssembledCall>();

  add(delta: CallDelta): void {
    const found = this.#find(delta);
    if (found !== undefined && isRepeated(found, delta)) return;
    const call = found === undefined || isAnother(found, delta) ? this.#begin(delta) : found;
    const { name, arguments: piece } = delta.function ?? {};
    if (call.id === "") call.id = delta.id ?? "";
    if (call.name === "") call.name = name ?? "";
    call.arguments += pieceText(piece);
    call.extras = joinExtras(call.extras, pickExtras(delta, callExtras));
  }

  /** Calls without a name are ignored. `{}` means no arguments. */
  calls(): readonly AssembledCall[] {
    return this.#calls
      .filter((call) => call.name !== "")
      .map((call) => ({
        ...call,
        arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
      }));
  }

  #find(delta: CallDelta): AssembledCall | undefined {
    if (typeof delta.index === "number") return this.#byIndex.get(delta.index);
    const sameId = delta.id ? this.#calls.find((call) => call.id === delta.id) : undefined;
    return sameId ?? this.#calls.at(-1);
  }

  #begin(delta: CallDelta): AssembledCall {
    const call = { id: "", name: "", arguments: "", extras: {} };
    this.#calls.push(call);
    if (typeof delta.index === "number") this.#byIndex.set(delta.index, call);
    return call;
  }
}

/** The whole call again, without an id that would distinguish it from another one. */
function isRepeated(call: AssembledCall, delta: CallDelta): boolean {
  const { name, arguments: piece } = delta.function ?? {};
  return (
    typeof delta.index === "number" &&
    !delta.id &&
    name === call.name &&
    pieceText(piece) === call.arguments &&
    isJsonObject(call.arguments)
  );
}

function isAnother(call: AssembledCall, delta: CallDelta): boolean {
  const name = delta.function?.name;
  if (!name || call.name === "") return false;
  if (delta.id && call.id !== "") return delta.id !== call.id;
  if (name !== call.name) return true;
  const begins = pieceText(delta.function?.arguments).trimStart();
  return (
    isJsonObject(call.arguments) && (typeof delta.index !== "number" || begins.startsWith("{"))
  );
}

export function pieceText(piece: unknown): string {
  if (typeof piece === "string") return piece;
  return typeof piece === "object" && piece !== null ? JSON.stringify(piece) : "";
}

export function isJsonObject(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
