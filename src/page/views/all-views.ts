import type { View } from "../view.ts";
import { approvalsView, approvalView } from "./approvals.ts";
import { auditView } from "./audit.ts";
import { browsersView } from "./browsers.ts";
import { chatView } from "./chat.ts";
import { chatsView } from "./chats.ts";
import { deadView } from "./dead.ts";
import { healthView } from "./health.ts";
import { nowView } from "./now.ts";
import { peopleView } from "./people.ts";
import { schedulesView } from "./schedules.ts";
import { spendView } from "./spend.ts";
import { turnView } from "./turn.ts";

/** Those with a place in the menu are in its order. */
export const allViews: readonly View[] = [
  nowView,
  approvalsView,
  approvalView,
  spendView,
  chatsView,
  chatView,
  turnView,
  schedulesView,
  deadView,
  peopleView,
  healthView,
  auditView,
  browsersView,
];
