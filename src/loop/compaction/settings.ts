import type { ChatSettings, CompactionStrategy } from "../../core/chat-settings.ts";

/** How the view is kept within a model's window; `compactAt` and `compactTo` are shares of it. */
export interface ContextSettings {
  readonly compactAt: number;
  readonly compactTo: number;
  /** Turns whose tool results stay whole. */
  readonly keepTurns: number;
  /** User and assistant pairs that no compaction touches while there is room. */
  readonly protectPairs: number;
  readonly strategy: CompactionStrategy;
}

/**
 * With what the chat has set. A chat that compacts earlier also compacts to less, in proportion:
 * `compactTo` stays below `compactAt`. Pure.
 */
export function contextFor(base: ContextSettings, chat: ChatSettings): ContextSettings {
  const { compactAt = base.compactAt, keepTurns = base.keepTurns, strategy = base.strategy } = chat;
  const compactTo = base.compactTo * Math.min(1, compactAt / base.compactAt);
  return { ...base, compactAt, compactTo, keepTurns, strategy };
}
