/** How the view is kept within a model's window; `compactAt` and `compactTo` are shares of it. */
export interface ContextSettings {
  readonly compactAt: number;
  readonly compactTo: number;
  /** Turns whose tool results stay whole. */
  readonly keepTurns: number;
  /** User and assistant pairs that no compaction touches while there is room. */
  readonly protectPairs: number;
  readonly strategy: "summarise" | "agent" | "truncate";
}
