/** What the operator's page says; each view has a section with its name. */
export const pageEn = {
  skip: "Skip to the content",
  menu: "Views",
  logOut: "Log out",
  notFound: "There's nothing here.",
  failedTitle: "Something went wrong",
  failed: (errorId: string) => `Sorry, that failed. The log has the details (error ${errorId}).`,
  refused: "This request was refused. Go back, reload the page and try again.",
  tooOften: "That was too often. Please try again in a minute.",
  reload: "Reload",
  titles: {
    now: "Now",
    approvals: "Approvals",
    spend: "Spend",
    chats: "Chats",
    turn: "Answer",
    schedules: "Schedules",
    dead: "Dead letters",
    people: "People and places",
    health: "Health",
    audit: "Audit",
  },
  login: {
    title: "Log in",
    how: "Send /dashboard to the bot in a direct chat. It answers with a link.",
    code: "Code",
    codeHint: "The code is what follows # in the link.",
    button: "Log in",
    wrong: "This code was used already, or it has expired. Send /dashboard for a new link.",
  },
  done: {
    stopped: "Stopped.",
  },
  now: {
    empty: "Nothing is running, waiting or queued.",
  },
  approvals: {
    empty: "Nothing waits for an approval.",
  },
  spend: {
    empty: "Nothing was spent yet.",
  },
  chats: {
    empty: "No one has talked to the bot yet.",
  },
  turn: {
    empty: "There's nothing to show of this answer.",
  },
  schedules: {
    empty: "There are no schedules.",
  },
  dead: {
    empty: "Every message was delivered.",
  },
  people: {
    empty: "No one has talked to the bot yet.",
  },
  health: {
    empty: "Nothing was examined yet.",
  },
  audit: {
    empty: "Nothing was changed yet.",
  },
};
