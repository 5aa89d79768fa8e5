import type { ChatKey } from "../../core/chat.ts";
import type { LogEntry } from "../../core/history.ts";
import type {
  ModelCard,
  ModelOptions,
  RequestImage,
  RequestMessage,
  ToolSpec,
} from "../../core/model.ts";
import type { ReducibleTool } from "../view/reduce-results.ts";
import type { ContextSettings } from "./settings.ts";

/** A request that is about to be made, as far as its size is concerned. */
export interface CompactionRequest {
  readonly chat: ChatKey;
  /** The chat's; absent: the deployment's. */
  readonly settings?: ContextSettings;
  /** The open turn. */
  readonly turn: number;
  readonly transcript: readonly LogEntry[];
  /** The log position of the transcript's first entry. */
  readonly viewStart: number;
  /** Of the model that will be asked. */
  readonly card: ModelCard;
  /** What the model is asked with, as far as it is known. */
  readonly options: ModelOptions;
  /** The blocks that lead the request. */
  readonly context: readonly string[];
  readonly tools: readonly ToolSpec[];
  readonly tool: ReducibleTool;
  readonly images?: ReadonlyMap<string, RequestImage>;
  /** The view as it is. */
  readonly messages: readonly RequestMessage[];
  /**
   * `checkpoint`: before a model call, when the view has grown too large. `asked`: a person wants
   * it, however large it is. `overflow`: the provider refused the request as too long, whatever we
   * had counted.
   */
  readonly why: "checkpoint" | "asked" | "overflow";
}
