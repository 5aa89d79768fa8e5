import type { System } from "../systems.ts";
import type { Asked, Values } from "./measure.ts";

/** The figures of one row, or of several rows by name. */
export type Answer = Values | ReadonlyMap<string, Values>;

/** How a question is shown: one table and one plot for all that have its name. */
export interface Shown {
  readonly name: string;
  /** The row that the others are compared with. */
  readonly base: string;
  /** The figures that are plotted, each in a panel of its own. */
  readonly plots: readonly string[];
  /** The figures of its table; absent: all that are known. */
  readonly columns?: readonly string[];
}

export interface Question extends Shown {
  /** What its row is called, where that is not the system's name. */
  readonly row?: string;
  /** Only asked where it is named. */
  readonly isOnRequest?: true;
  /** The systems that it is asked of. */
  readonly suits: (system: System) => boolean;
  ask(asked: Asked): Promise<Answer>;
}
