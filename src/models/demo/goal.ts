import { autoText } from "../../core/auto.ts";

const wrapped = /\bgoal by yourself[^\n]*\n\n([\s\S]+)\n\nThis is turn (\d{1,9}) of (\d{1,9})\./;

/** The goal of a turn of `/auto`; undefined for other messages. Pure. */
export function goalIn(text: string): string | undefined {
  const [, goal, step, of] = wrapped.exec(text) ?? [];
  if (goal === undefined) return undefined;
  return text.includes(autoText(goal, Number(step), Number(of))) ? goal : undefined;
}
