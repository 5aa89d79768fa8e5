import { countedIn, groupedIn } from "./counted.ts";

const counted = countedIn("en");
const grouped = groupedIn("en");
const turns = (count: number): string => counted(count, { one: "turn", other: "turns" });

/** What is the same for tiers and models, but for the noun. */
const choiceOf = (noun: string) => ({
  yours: (value: string, reason: string) => `Your ${noun} is ${value}: ${reason}.`,
  chats: (value: string) => `This chat's ${noun} is ${value}.`,
  yoursIsNow: (value: string) => `Your ${noun} is now ${value}.`,
  chatsIsNow: (value: string) => `This chat's ${noun} is now ${value}.`,
  yoursIsDefault: `Your ${noun} is now the default.`,
  chatsIsDefault: `This chat's ${noun} is now the default.`,
  notForChat: `You are not allowed to choose the ${noun} of this chat: an admin may.`,
  notAnonymously: `You write anonymously, so a ${noun} of your own is not allowed.`,
});

/**
 * Every sentence of Parley's own, grouped by where it is used; the other languages have the same
 * keys. Names of commands and words that are typed behind them are the same in all of them.
 */
export const en = {
  /** Of what arrives and is not passed on as it is. */
  ingress: {
    notAllowed: "You are not allowed to use this bot.",
    adminsOnly: (command: string) => `You are not allowed to use /${command}: it is for admins.`,
    membersOnly: (command: string) =>
      `You are not allowed to use /${command}: it is for members, and you are a guest.`,
    ownersOnly: (command: string) => `You are not allowed to use /${command}: it is for owners.`,
    noCommand: (command: string) => `There is no command /${command}. /help shows all.`,
    wroteNothing: "You wrote nothing. What can I do for you?",
    tooLong: (length: number, limit: number) =>
      `That message has ${length} characters; I take up to ${limit}. Send it in parts.`,
    full: "Too many messages are waiting in this chat. This one is not kept, nor is what follows while there is no room: please send it again later.",
    notKept: (errorId: string) =>
      `Sorry, my storage is full. Your message is not kept: please send it again later. (${errorId})`,
    notDone: (errorId: string) =>
      `Sorry, my storage is full: I cannot do that now. Please try again later. (${errorId})`,
    tapTooOld: "This button is not one of mine, or too old.",
    tapTooLate: "That came too late. Please tap again.",
  },

  /** Of files that come with messages. */
  files: {
    noVoice: "I cannot listen to voice notes here. Please write it instead: it was not kept.",
    noImage: (name: string) =>
      `${name} is no picture that I can read: I take PNG, JPEG, GIF and WebP.`,
    noText: (name: string) =>
      `${name} is of a kind that I cannot read. I take pictures (PNG, JPEG, GIF, WebP), PDFs and text files.`,
    reading: (name: string) => `reading ${name} …`,
    nameless: {
      image: "The image",
      document: "The document",
      voice: "The voice message",
    },
    tooMany: (count: number, limit: number) =>
      `That message has ${count} files; I take up to ${limit}.`,
    tooLarge: (name: string, megabytes: string, limit: string) =>
      `${name} is too large: ${megabytes} MB. I take files of up to ${limit} MB.`,
    chatIsFull: (count: number, megabytes: number) =>
      `This chat has as many files as I keep of one: ${count}, or ${megabytes} MB in a day. Please send it again later.`,
    empty: (name: string) => `${name} is empty.`,
  },

  /** Of answers that are not for a whole group. */
  inPrivate: {
    askThere: "That is private: write to me directly and ask there.",
    full: "Sorry, too much waits to be sent to you in private. Please try again later.",
    answered: "I have answered you in private.",
    writeFirst: "If nothing has come, write to me directly once and ask again.",
    askedIn: (group: string) => `You asked in the group ${group}; "this chat" is that group:`,
    topic: (thread: string) => `topic ${thread}`,
  },

  pairing: {
    asks: (who: string) => `${who} asks to use this bot.`,
    code: (code: string) => `Code: ${code}`,
    allow: "Allow",
    deny: "Deny",
    yourCode: (code: string) =>
      `You are not allowed to use this bot yet. An admin can let you in: your code is ${code}.`,
    unknownCode: "This code is unknown, expired, or already decided.",
    isAdmin: (who: string) => `${who} is an admin already.`,
    allowed: (who: string, admin: string) => `${who}: allowed by ${admin}.`,
    denied: (who: string, admin: string) => `${who}: denied by ${admin}.`,
    youMay: "You may use this bot now. Write me anything.",
    mayUse: (who: string) => `${who} may use this bot now.`,
    neither: (typed: string) =>
      `${typed} is neither a code of 8 letters and digits, nor a name such as @sam, nor an id such as telegram:12345.`,
    adminsDecide: "You are not allowed to decide this: an admin may.",
  },

  start: {
    youAreOwner: "You are this bot's owner now. /help shows what you can do.",
    hello: (place: string) => `I answer questions ${place}: just write to me.`,
    places: {
      telegram: "here in Telegram",
      discord: "here in Discord",
      console: "in this terminal",
    },
    tools: (count: number) =>
      `I can use ${counted(count, { one: "tool", other: "tools" })} (see /tools). What needs an approval I do only after you tapped Approve.`,
    noTools: "What needs an approval I do only after you tapped Approve.",
    direct: "Here I answer everything; in a group, mention me or reply to me.",
    mention: "In this group I answer whoever mentions me, replies to me or sends a command.",
    always: "In this group I answer every message.",
    privacy: (model: string) =>
      `What you write is kept, and read by the model ${model}. /export gives you everything, /forget erases it, /help shows the rest.`,
    question: "What time is it in Tokyo?",
    showTools: "Show your tools",
    showSettings: "Show the settings",
  },

  help: {
    groups: {
      talk: "Conversation",
      choose: "How I work",
      look: "What is going on",
      data: "Your data",
      admin: "For admins",
    },
    more: "/help <command> says more about one.",
    alias: (names: string) => `Also: ${names}.`,
  },

  /** Of the first minutes with a bot: its first owner, people who ask, groups that it joins. */
  contact: {
    noOwner:
      "Hi! This bot is private, and I don't have an owner yet. If you run me, open the link in the terminal.",
    wrongCode: "That code isn't right. Open the link in the terminal once more.",
    waiting: "These people would like to use this bot:",
    more: (count: number) => `…and ${count} more.`,
    nobodyWaits: "Nobody is waiting to be let in.",
    howToAllow: "/allow and a code lets someone in.",
    greeting: "Hi, I'm Parley. Mention me or reply to me, and I'll answer.",
    seeHelp: "/help shows what I can do.",
    askedOwner: "This group is new to me, so I've asked my owner to let it in.",
    letIn: (place: string) => `Let in ${place}?`,
    addedBy: (who: string) => `${who} added me.`,
    leave: "Leave",
    placeAllowed: (place: string, admin: string) => `${admin} let ${place} in.`,
    placeLeft: (place: string, admin: string) => `${admin} made me leave ${place}.`,
    /** Instead of a second notice: a limit is still reached. */
    stillAtLimit: "You're still at this limit.",
    /** A model has said nothing for a while. */
    silent: "This is taking a while: the model hasn't said anything yet. /stop cancels it.",
  },

  /** What owners read about an error. */
  errors: {
    cause: (cause: string) => `Cause: ${cause}`,
    fix: {
      "rate-limited":
        "Wait a minute, or add a second model to the tier in parley.yaml, which then answers instead.",
      overloaded:
        "Try again later, or add a second model to the tier in parley.yaml, which then answers instead.",
      timeout:
        "The model server is too slow. Try a smaller model, or see whether the server is busy.",
      network:
        "Start the model server (for Ollama: ollama serve), or correct its address (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Use a model with a larger context window, or fewer tools.",
      auth: "Check the API key (OPENAI_API_KEY, or apiKey in parley.yaml) and the account's credit.",
      "invalid-request":
        "Check the model's name (OPENAI_MODEL, OLLAMA_MODEL, or tiers in parley.yaml). Ollama needs: ollama pull <model>",
      refused: "The provider declined this request. Try another model with /model.",
      empty: "The model ended without a word. Try another one with /model.",
      poisoned: "A worker died three times at this step. Look for the error's code in the log.",
    },
    heading: (id: string) => `Error ${id}`,
    latest: "Latest errors (UTC):",
    when: (time: string) => `When: ${time} UTC`,
    model: (model: string) => `Model: ${model}`,
    trace: (chat: string) => `More in the shell: npm run trace -- ${chat}`,
    none: "No errors lately.",
    unknown: (typed: string, days: number) =>
      `I don't know an error ${typed}. I remember the latest ones for ${days} days; the log may have more.`,
  },

  /** As menus show them; 1 to 100 characters each. */
  menu: {
    pending: { description: "Who asks to use this bot" },
    error: {
      description: "What I know about an error",
      id: "The code in brackets below the error; leave empty for the latest",
    },
    pause: {
      pause: "Open no turn any more, everywhere or on one platform",
      resume: "Go on after /pause",
      platform: "Where; everywhere if left out",
      now: "Stop what runs as well",
    },
    audit: {
      description: "Who did what, the newest first",
      count: "How many lines",
      who: "Only what concerns somebody, by @name or id",
      what: "Only one kind, or export for everything as a file",
    },
    stats: { description: "How this deployment is doing" },
    broadcast: {
      description: "Send a message to all chats",
      text: "The message",
    },
    start: {
      description: "What this bot does",
      code: "A code that makes you the first admin",
    },
    help: {
      description: "All commands",
      command: "Which one; all of them if left out",
    },
    new: { description: "Start a new conversation" },
    stop: { description: "Stop what I am doing" },
    retry: { description: "Answer my last message anew" },
    undo: { description: "Forget my last message and your answer to it" },
    compact: {
      description: "Sum up what was said, so that there is room for more",
    },
    auto: {
      description: "Work towards a goal by myself, several turns long",
      goal: "What is to be reached; up to 2,000 characters",
      turns: (limit: number, usual: number) =>
        `How many turns at most: 1 to ${limit}, ${usual} if left out`,
    },
    tier: {
      description: "How much of a model answers: fast, smart, deep …",
      tier: "Which tier; default takes a choice back",
    },
    model: {
      description: "Which model is asked first",
      model: "A model's name or a part of it; default takes a choice back",
    },
    for: "me, or chat: everybody here; me if left out",
    settings: {
      description: "How I behave in this chat, and what a turn may cost",
      name: "Which one; all of them if left out",
      value: "What it shall be; default takes it back",
    },
    activation: {
      description: "Which messages of this group I answer",
      when: "mention: those that mention me or reply to me; always: every one",
    },
    language: {
      description: "The language in which I talk to you",
      language: "Which one; auto: as your app says",
    },
    status: { description: "What I am doing in this chat" },
    approvals: {
      description: "What waits for an approval in this chat",
      id: "One call: shows its hidden values to you alone",
    },
    approve: {
      description: "Approve what I have asked for",
      id: "Its ID, then a number for one call of several (see /approvals)",
      always: "For how long the same may run unasked, e.g. 1h; admins may add any",
    },
    deny: {
      description: "Deny what I have asked for",
      id: "Its ID, then a number for one call of several (see /approvals)",
      reason: "Why; I am told it",
    },
    edit: {
      description: "Change what I have asked for, before it is approved",
      id: "Which one; /approvals shows them",
      change: "name=value, several of them, or JSON with all arguments",
    },
    grants: {
      description: "What I may do in this chat without asking again",
      revoke: "revoke and a number takes one back",
    },
    tools: { description: "What I can use, and what of it asks first" },
    todos: { description: "Show this chat's to-do list" },
    limits: {
      description: "Limits on messages, tokens and cost, and how much of them is used",
      set: "Set a limit for somebody, a chat, a role, a platform or everybody",
      reset: "Go back to the limit of the operator's file",
      scope: "person, @name, an id such as telegram:1, chat, role:member, platform or global",
      metric: "What is limited",
      value: "How much: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "What this chat has used, by model, and what it cost",
    },
    export: {
      description: "Everything we said, as a file",
      format: "json for machines; markdown, for people, without it",
    },
    forget: {
      description: "Erase this chat, or everything that I keep of you",
      what: "chat: all of this chat; me: all of you, everywhere",
      confirmation: "What I tell you to type, such as yes-1234",
    },
    whoami: { description: "Who you are to me" },
    role: {
      description: "Your role, and what it lets you do",
      give: "Give somebody a role",
      person: "Whose; without it you see your own",
      role: "The new role",
    },
    allow: {
      description: "Let somebody in, or everybody in this chat",
      person: "Whom",
      code: "The code that the bot gave them, an id such as telegram:12345, here or server",
    },
    ban: {
      description: "Shut somebody out, or be silent in this chat",
      person: "Whom",
      reason: "Why; it is kept in the audit log",
      place: "In place of a person: this chat, or all of this server",
    },
    unban: {
      description: "Take a ban back, or what was said of this chat",
      person: "Whom",
      place: "In place of a person: this chat, or all of this server",
    },
    admins: { description: "Who runs this bot" },
  },

  control: {
    full: "Too many messages are waiting in this chat: there is a limit. Please try again later.",
    begun: "One moment.",
    dropped: (count: number) =>
      `${counted(count, { one: "waiting message", other: "waiting messages" })} dropped.`,
    onlyTheirs: {
      stop: (name: string) => `Only ${name} or an admin can stop this answer.`,
      undo: (name: string) => `Only ${name} or an admin can undo that message.`,
      retry: (name: string) => `Only ${name} or an admin can have that message answered again.`,
    },
    nothingToStop: "There is nothing to stop.",
    stopped: "Stopped.",
    stoppedAndDropped: (count: number) =>
      `Stopped, and ${counted(count, { one: "waiting message", other: "waiting messages" })} dropped.`,
    newAfterAnswer: "I'll finish the current answer, then start a new conversation.",
    newConversation: "A new conversation: I no longer see what we said before.",
  },

  auto: {
    running: (step: number, of: number) =>
      `/auto is working on something already, turn ${step} of ${of}. /stop ends it.`,
    begun: (of: number) =>
      of === 1
        ? `I work on it by myself, for ${turns(of)}. /stop ends it.`
        : `I work on it by myself, for up to ${turns(of)}. /stop ends it.`,
    noGoal: "What is the goal? Write /auto <goal> [turns].",
    badTurns: (limit: number, typed: string) => `/auto takes 1 to ${limit} turns, not ${typed}.`,
    numberHint: "If the number is part of the goal, write the number of turns behind it.",
    goalTooLong: (length: number, limit: number) =>
      `The goal has ${length} characters; the limit is ${limit}.`,
    ended: (step: number) => `/auto ends here, after ${turns(step)}.`,
    done: (step: number) => `/auto is done, after ${turns(step)}.`,
    atLimit: (of: number) =>
      `/auto has reached its limit of ${turns(of)}. Send /auto again to go on.`,
  },

  choices: {
    tier: {
      ...choiceOf("tier"),
      noneOfYours: "No tier is chosen: it is balanced, or another where a message needs it.",
      noneOfChats:
        "No tier is set for this chat: it is balanced, or another where a message needs it.",
    },
    model: {
      ...choiceOf("model"),
      noneOfYours: "No model is chosen: the tier decides.",
      noneOfChats: "No model is set for this chat: the tier decides.",
    },
    byYou: "you chose it",
    byChat: "it is set for this chat",
    gone: (value: string) => `${value} was chosen before, and is no longer there.`,
    hidden: (count: number, command: string) =>
      `${count} more are not shown: /${command} finds them by a part of their name.`,
    how: (command: string) =>
      `/${command} <name> chooses for you, /${command} <name> chat for everybody here, /${command} default takes it back.`,
    notHere: "You are not allowed to change it here.",
    adminsHere: "You are not allowed to change it here: an admin may.",
    replacesYours: (model: string) => `It takes the place of your own model, ${model}.`,
    replacesChats: (model: string) => `It takes the place of the chat's model, ${model}.`,
    yoursFirst: (value: string) => `For you your own choice, ${value}, still goes first.`,
    noTier: (typed: string, tiers: string) =>
      `There is no tier ${typed}. There are: ${tiers}, and default.`,
    noModel: (typed: string) => `There is no model ${typed}.`,
    several: (typed: string, models: string) =>
      `More than one model is meant by ${typed}: ${models}.`,
    thereAre: (names: string) => `There are: ${names}.`,
    didYouMean: (name: string) => `Did you mean ${name}?`,
    andMore: (names: string, count: number) => `${names} and ${count} more`,
    order: (models: string) => `Asked in this order: ${models}.`,
    sameAs: (tier: string, same: string) => `${tier}: the same as ${same} here`,
  },

  settings: {
    heading: "In this chat:",
    how: "/settings <name> <value> changes one, /settings <name> default takes that back.",
    changes: (name: string, expected: string) =>
      expected === ""
        ? `/settings ${name} <value> changes it.`
        : `/settings ${name} <value> changes it: ${expected}.`,
    isDefaultAgain: (name: string, value: string) => `${name} is the default again: ${value}.`,
    cannotBe: (name: string, typed: string, expected: string) =>
      `${name} cannot be ${typed}: ${expected}.`,
    isNow: (name: string, value: string) => `${name} is now ${value} in this chat.`,
    noneChosen: (kind: string) => `${kind}: none chosen (see /${kind})`,
    yourChoice: (kind: string, value: string) =>
      `${kind}: ${value} (your own choice; see /${kind})`,
    chatsChoice: (kind: string, value: string) =>
      `${kind}: ${value} (set for this chat; see /${kind})`,
    default: (name: string, value: string) => `${name}: ${value} (default)`,
    own: (name: string, value: string, fallback: string) =>
      `${name}: ${value} (set for this chat; default: ${fallback})`,
    adminsOnly: (name: string) => `You are not allowed to change ${name}: an admin may.`,
    adminsInGroups: (name: string) =>
      `You are not allowed to change ${name} in a group: an admin may.`,
    which: "Which setting?",
    unknown: (typed: string) => `There is no setting ${typed}.`,
    expectedCount: (min: number, max: number) => `expected a whole number from ${min} to ${max}`,
    expectedDuration: "expected a duration such as 15m or 24h",
    expectedUsd: "expected US dollars such as 5usd",
    orOff: (expected: string) => `${expected}, or off`,
    expectedOther: "expected something else",
    expectedWords: (words: string) => `expected ${words} or default`,
  },

  activation: {
    direct: "Here you write to me alone: I answer everything.",
    mention: "I answer whoever mentions me, replies to me or sends a command.",
    always: "I answer every message of this group.",
    how: "/activation mention or /activation always changes that.",
    telegramHint:
      "For that I must see every message: make me an admin of this group, or turn my privacy mode off with @BotFather.",
    discordHint: "For that I must see every message: whoever runs me sets discord.messageContent.",
    unknown: (typed: string) => `/activation takes mention or always, not ${typed}.`,
  },

  language: {
    /** The language's own name. */
    name: "English",
    isNow: "I talk to you in English now.",
    isAuto: "I talk to you as your app says: in English.",
    is: "I talk to you in English, because you chose it.",
    how: (codes: string) => `/language <${codes}> changes it, /language auto goes by your app.`,
    unknown: (typed: string, codes: string) =>
      `I do not have the language ${typed}. There are: ${codes}, and auto.`,
    notAnonymously: "You write anonymously, so a language of your own is not allowed.",
  },

  status: {
    idle: "Nothing is running.",
    queued: "Waiting for a worker.",
    running: "I am working.",
    waiting: "I am waiting for someone to approve or deny.",
    auto: (step: number, of: number) => `/auto: turn ${step} of ${of}. /stop ends it.`,
    queue: (count: number) => `Messages waiting: ${count}.`,
    model: (models: string) => `Model: ${models}.`,
    tier: (tier: string) => `Tier: ${tier}.`,
    noTier: "Tier: balanced, or another where a message needs it.",
    remembered: (count: number) => `Entries in this conversation: ${count}.`,
  },

  approvals: {
    none: "Nothing waits for an approval in this chat.",
    heading: (count: number) =>
      `${counted(count, { one: "call waits", other: "calls wait" })} for an approval:`,
    askedFor: (person: string) => `asked for ${person}`,
    expiresIn: (time: string) => `expires in ${time}`,
    more: (count: number) => `And ${count} more.`,
    hiddenValues: (tool: string) => `Hidden values of ${tool}:`,
    nothingHidden: "Nothing is hidden there.",
  },

  /** Of tries to decide an approval. */
  decisions: {
    otherChat: "This button is not of this chat, or too old.",
    otherMessage: "This button is not of this message.",
    notAllowed: (who: string) => `You are not allowed to decide this: ${who} may.`,
    anAdmin: "an admin",
    orAnAdmin: (name: string) => `${name} or an admin`,
    anOwner: "an owner",
    aMember: "any member",
    both: (one: string, other: string) => `${one} and ${other}`,
    counted: "Counted: 1 of 2. Another person must approve it, too.",
    countedBefore: "You have approved this already. Another person must approve it, too.",
    approved: "Approved.",
    denied: "Denied.",
    approvedOf: (done: number, of: number) => `Approved: ${done} of ${of}.`,
    deniedOf: (done: number, of: number) => `Denied: ${done} of ${of}.`,
    approvedBy: (name: string) => `Approved by ${name}.`,
    deniedBy: (name: string) => `Denied by ${name}.`,
    deniedBecause: (name: string, reason: string) => `Denied by ${name}: ${reason}`,
    undecided: "Expired: nobody decided in time, so it was denied.",
    expired: "This has expired.",
    tooLate: "That took too long and does not count. Please tap again.",
    tooOld: "This button is too old.",
    already: {
      pending: "This has not been decided yet.",
      approved: "This is already approved.",
      denied: "This is already denied.",
      expired: "This has expired.",
      superseded: "This is already superseded.",
      cancelled: "This is already cancelled.",
      changed: "This is already changed: the newer card below asks about it.",
    },
    changed: "Changed. The call is shown again, to be approved as changed.",
    changedBy: (name: string) => `Changed by ${name}: asked again below.`,
    alreadyChangedBy: (name: string) =>
      `This is already changed by ${name}: the newer card below asks about it.`,
    alreadyApprovedBy: (name: string) => `This is already approved by ${name}.`,
    alreadyDeniedBy: (name: string) => `This is already denied by ${name}.`,
    superseded: "Not run: superseded by a newer message.",
    stopped: "Not run: stopped.",
    unknownId: (id: string) => `No approval ${id} waits here. /approvals shows what does.`,
    whichCard:
      "I'm not sure what that answers. Reply to the card, tap a button on it, or send /approve <id> or /deny <id>. /approvals shows the IDs.",
    noCall: (typed: string, command: string) =>
      `That card has no call ${typed}. Name one of its calls by number: /${command} <id> 1. /approvals shows what is waiting.`,
    which: (command: string) =>
      `Several approvals wait here: /approvals shows them, /${command} <id> takes one.`,
  },

  /** On cards; Markdown. */
  cards: {
    approve: "Approve",
    deny: "Deny",
    approveAll: "Approve all",
    denyAll: "Deny all",
    because: (outcome: string, reason: string) => `${outcome}: ${reason}`,
    /** A time span. */
    lasts: {
      seconds: (count: number) => `${count} s`,
      minutes: (count: number) => `${count} min`,
      hours: (count: number) => `${count} h`,
      days: (count: number) => counted(count, { one: "day", other: "days" }),
    },
    characters: (count: number) => grouped(count, { one: "character", other: "characters" }),
    needed: (tool: string) => `Approval needed: ${tool}`,
    neededFor: (count: number) =>
      `Approval needed for ${counted(count, { one: "call", other: "calls" })}:`,
    calls: (count: number) => `${counted(count, { one: "call", other: "calls" })}:`,
    about: (sentence: string) => `“${sentence}”`,
    noArguments: "No arguments.",
    secretsHidden: (id: string) =>
      `Secrets are partly hidden (••••). \`/approvals ${id}\` shows them to you in private.`,
    showHidden: "Show hidden values",
    lookalikes: (words: string) => `Beware: words with letters that look like others: ${words}.`,
    details: (call: string) => `Everything that ${call} would be given:`,
    decides: (who: string) => `It's up to ${who}.`,
    twoDecide: (who: string) => `Two different people must approve: ${who}.`,
    firstOfTwo: (name: string) => `1 of 2: approved by ${name}; one more is needed.`,
    expiresAt: (moment: string) => `Expires ${moment}.`,
    expiresIn: (duration: string) => `Expires in ${duration}.`,
    typed: (id: string) => `By text: \`/approve ${id}\` or \`/deny ${id}\`.`,
    typedForEach: (id: string) =>
      `By text: \`/approve ${id}\` for all, \`/approve ${id}.1\` for the first, or \`/deny\` likewise.`,
    approved: (number: number) => `✓ ${number} approved`,
    approvedBy: (number: number, name: string) => `✓ ${number} approved by ${name}`,
    approvedFirst: (number: number, name: string) =>
      `… ${number} approved by ${name}; one more is needed`,
    denied: (number: number) => `✗ ${number} denied`,
    deniedBy: (number: number, name: string) => `✗ ${number} denied by ${name}`,
    expired: (number: number) => `✗ ${number} expired: nobody decided in time`,
    superseded: (number: number) => `✗ ${number} not run: superseded by a newer message`,
    stopped: (number: number) => `✗ ${number} not run: stopped`,
    edit: "Edit",
    allowFor: (span: string) => `Allow for ${span}`,
    changedNote: (name: string) => `${name} changed the arguments.`,
    /** By whom is not known any more. */
    changedNoteOfNobody: "A person changed the arguments.",
    howToChange: (id: string) => `To change it first: \`/edit ${id} name=value\`.`,
    changed: (number: number) => `✎ ${number} changed`,
    changedBy: (number: number, name: string) => `✎ ${number} changed by ${name}`,
    erased: "Erased.",
  },

  /** In the place of what cannot be sent, or beside what is sent again. */
  delivery: {
    nothingToShow: "(The answer has nothing that can be shown.)",
    fileGone: "The file is no longer available.",
    fileRefused: "Sorry, the file could not be sent here.",
    goesOn: (fileName: string) =>
      `The answer goes on in the file ${fileName}, which has all of it.`,
    sentAgain: "sent again: it may have arrived before",
  },

  /** Said where a platform's events come in, on all of them. */
  platform: {
    notAllowed: "You are not allowed to do this.",
    tryAgain: "Sorry, that did not work. Please try again in a moment.",
    notTaken: (errorId: string) => `Sorry, I could not take this message. (${errorId})`,
    /** What somebody asks who points at something without a word. */
    whatAboutThis: "What can you tell me about this?",
  },

  telegram: {
    buttonIsGone: "This button no longer works.",
    fileIsGone: "Sorry, Telegram does not give me that file. Please send it again.",
    fileOutOfReach: "Sorry, I could not fetch that file from Telegram. Please send it again later.",
    fileTooLarge: (megabytes: number) =>
      `That file is too large: I take files of up to ${megabytes} MB.`,
    /** What no model of ours reads, by Telegram's names. */
    cannot: {
      animation: "Sorry, I cannot watch GIFs. Send a picture of it instead.",
      video: "Sorry, I cannot watch videos. Send a picture of it, or its sound as a voice message.",
      sticker: "Sorry, I cannot see stickers. Send a picture, or write it.",
      paid_media: "Sorry, I cannot open paid media. Tell me in words what it is about.",
      story: "Sorry, I cannot open stories. Tell me in words what it is about.",
      contact: "Sorry, I cannot read shared contacts. Write what I should know of it.",
      venue: "Sorry, I cannot read shared places. Write the address instead.",
      location: "Sorry, I cannot read shared locations. Write the place instead.",
      poll: "Sorry, I cannot read polls. Write the question instead.",
      checklist: "Sorry, I cannot read checklists. Write it as a list instead.",
      dice: "Sorry, I cannot play dice. Write to me.",
      game: "Sorry, I cannot play games. Write to me.",
      rich_message: "Sorry, I cannot read rich messages. Send it as plain text.",
    },
    thisFile: "this file",
    cannotReadPicture: (name: string) =>
      `Sorry, I cannot read the picture ${name}. Send it as a photo, or as JPEG, PNG, WebP or GIF.`,
    cannotReadFile: (name: string) =>
      `Sorry, I cannot read ${name}. I read text, code, CSV, JSON, PDF, pictures and voice.`,
  },

  discord: {
    admin: "For admins of this bot",
    unknownCommand: "This command is not available any more.",
    unknownAction: "I cannot do anything with that.",
    elsewhere: "I can answer only in a direct message with me, or on a server that I have joined.",
    onlyUserInstall:
      "I cannot do that here, where I have not joined: use it in a direct message with me.",
    mayNotWrite: "I am not allowed to write in this channel, so I cannot answer here.",
    mayNotAttach: "I am not allowed to send files to this channel, so I cannot do that here.",
    delayed: "Sorry, I cannot take this in just now. I keep trying and will answer here.",
    unreadable: "I could not read that. Please try again.",
    done: "Done.",
    doneBefore: "I have done that, but my answer was lost. Ask again if you need it.",
    tooLate: "Sorry, my answer came too late to be shown to you alone. Please ask again.",
    /** In Discord's menus; at most 32 characters. */
    askAboutThis: "Ask about this",
    yourQuestion: "Your question",
    forgotten: "Sorry, I have forgotten which message that was about. Please choose it again.",
    about: (link: string) => `about ${link}`,
    ask: "Ask me something",
    askQuestion: "What you want to know or have done",
    askFile: "A picture, a text, a PDF or a sound file",
    video: (name: string) =>
      `I cannot watch videos (${name}). I take pictures, texts, PDFs and sound files.`,
    archive: (name: string) => `I cannot open archives (${name}). Send the files in it one by one.`,
    picture: (name: string) =>
      `I cannot see pictures of this type (${name}). Send PNG, JPEG, GIF or WebP.`,
    otherFile: (name: string) =>
      `I cannot read files of this type (${name}). I take pictures, texts, PDFs and sound files.`,
    sticker: "I cannot see stickers. Say it in words, please.",
    poll: "I cannot read polls. Write its question as a message, please.",
    fileIsGone: (name: string) => `Sorry, Discord no longer has ${name}. Please send it again.`,
    fileFailed: (name: string) =>
      `Sorry, I could not get ${name} from Discord. Please send it again.`,
    fileTooLarge: (name: string, megabytes: number) =>
      `${name} is too large. I take files of up to ${megabytes} MB.`,
  },

  tools: {
    none: "I can use no tools just now.",
    free: "I use these by myself:",
    asking: "For these I ask for an approval first:",
    sometimes: "For these I ask for an approval where it matters:",
    more: (count: number) => `And ${count} more.`,
  },

  todos: {
    none: "The to-do list is empty. Ask me for something with several steps, and I'll keep track of them here.",
    heading: (done: number, total: number) => `To-do list: ${done} of ${total} done`,
  },

  usage: {
    heading: "This chat has used:",
    turns: (count: number) => `turns: ${count}`,
    modelCalls: (count: number) => `model calls: ${count}`,
    inputTokens: (count: number) => `input tokens: ${count}`,
    outputTokens: (count: number) => `output tokens: ${count}`,
    about: (amount: string) => `about ${amount}`,
    model: (requests: number, input: string, output: number) =>
      `${counted(requests, { one: "request", other: "requests" })}, ${input} input and ${output} output tokens`,
    costUnknown: "cost unknown",
    cost: (amount: string) => `cost: ${amount}`,
    unknown: "unknown",
    andUnpriced: (amount: string) => `${amount}, and what has no known price`,
  },

  /**
   * Of what people and chats may use. Limits themselves are shown as they are typed: 20/min,
   * 5usd/day.
   */
  limits: {
    whose: {
      you: "you",
      thisChat: "this chat",
      everybody: "everybody together",
    },
    role: (role: string) => `you, your role being ${role}`,
    platform: (platform: string) => `everybody on ${platform}`,
    /** In news for admins. */
    ofPerson: (person: string) => `of ${person}`,
    ofChat: (chat: string) => `of the chat ${chat}`,
    hit: (limit: string, whose: string, used: string) =>
      `A limit is reached: ${limit} (${whose}). Used: ${used}.`,
    /** Of a model call for which too little is left. */
    needs: (amount: string) => `An answer may take up to ${amount}: more than is left.`,
    resets: (when: string) => `It resets ${when}.`,
    notKept: "This message is not kept.",
    nearly: (percent: number, limit: string, whose: string, used: string) =>
      `${percent} % of a limit is used: ${limit} (${whose}). Used: ${used}.`,
    slowDown: (limit: string) =>
      `Too many commands: the limit is ${limit}. It resets within a minute.`,
    heading: "These limits hold for you in this chat:",
    none: "No limit is set for you in this chat.",
    used: (used: string, when: string) => `used: ${used}, resets ${when}`,
    running: (count: number) => `running: ${count}`,
    setHeading: "Set from chats:",
    more: (count: number) => `… and ${count} more`,
    ofTurn: "of one turn",
    how: "/limits set <scope> <metric> <value> sets a limit, /limits reset <scope> [metric] goes back to what the operator's file says.\nScopes: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Values: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "You are not allowed to change limits: that is for admins.",
    adminsOfAll: "You are not allowed to change this limit: you may set those of this chat.",
    badAction: (typed: string) => `/limits cannot ${typed}: expected set, reset or nothing.`,
    badScope: (typed: string) =>
      `${typed} is no scope of a limit: expected person, @name, an id such as telegram:1, chat, chats, role:member, platform:telegram or global.`,
    badMetric: (typed: string, metrics: string) =>
      `${typed} cannot be limited: expected ${metrics}.`,
    badValue: (typed: string, metric: string, example: string, per: string) =>
      `${typed} is no limit of ${metric}: expected one such as ${example}, per ${per}, or off.`,
    isNow: (scope: string, limit: string, before: string) =>
      `The limit for ${scope} is now ${limit}. Before: ${before}. It holds from the next message on.`,
    isReset: (scope: string, limit: string, before: string) =>
      `The limit for ${scope} is as in the operator's file again: ${limit}. Before: ${before}.`,
    notSet: "none",
    nothingSet: (scope: string) =>
      `Nothing was set from a chat for ${scope}: there is nothing to reset.`,
    yoursToday: (used: string) => `You, today: ${used}.`,
    yoursThisMonth: (used: string) => `You, this month: ${used}.`,
    allToday: (used: string) => `Everybody, today: ${used}.`,
    allThisMonth: (used: string) => `Everybody, this month: ${used}.`,
    amounts: (messages: string, tokens: string, cost: string) =>
      `messages: ${messages}, tokens: ${tokens}, cost: ${cost}`,
  },

  whoami: {
    name: (name: string) => `Name: ${name}`,
    id: (id: string) => `Id: ${id}`,
    role: (role: string) => `Role: ${role}`,
    chat: (chat: string) => `Chat: ${chat}`,
    anonymous: "You write anonymously: you can decide nothing here.",
    place: (place: string) => `In lists of places: ${place}`,
    adminHere:
      "You administer this group: for its settings, approvals and limits you count as an admin here.",
    may: {
      owner: "You run this bot: you may use everything, and nobody changes that from a chat.",
      admin:
        "You may use everything: talk to me, decide what I ask for, change settings and let people in.",
      member: "You may talk to me, decide what I ask you for, and change what concerns you alone.",
      guest: "You may talk to me here; members decide what I ask for.",
      stranger: "You are not allowed to talk to me yet.",
      banned: "You are not allowed to talk to me.",
    },
  },

  /** Of rights: who has which, and who changes them. */
  people: {
    nobodyCalled: (typed: string) =>
      `I know nobody called ${typed}. Whoever has never written to me has to be named by an id such as telegram:12345.`,
    whom: (command: string) =>
      `Whom do you mean? Answer a message of theirs with /${command}, or name them: /${command} @name, or an id such as telegram:12345.`,
    anonymous: (who: string) =>
      `${who} writes anonymously, for many perhaps: no role can be given to that.`,
    adminsOnly: "You are not allowed to change roles: an admin may.",
    ownersOnly: "You are not allowed to do that: only owners make somebody an admin, or end it.",
    ownerStays: (who: string) =>
      `You are not allowed to change that: ${who} owns this bot, and no chat changes it.`,
    fileBans: (who: string) => `The operator's settings ban ${who}: that has to be changed there.`,
    fileAllows: (who: string) =>
      `The operator's settings let ${who} in: that has to be changed there.`,
    isNow: (who: string, role: string) => `${who} has the role ${role} now.`,
    isAlready: (who: string, role: string) => `${who} has the role ${role} already.`,
    banned: (who: string) => `${who} is not allowed to use this bot any more.`,
    unbanned: (who: string) => `${who} is no longer banned.`,
    notBanned: (who: string) => `${who} is not banned.`,
    noRole: (typed: string) =>
      `${typed} is no role that can be given: expected admin, member or guest.`,
    whichRole: "Which role? There are admin, member and guest.",
    placeAllowed: (place: string) =>
      `Everybody in ${place} may talk to me now. Whoever has no role of their own is a guest there.`,
    placeBanned: (place: string) => `I am silent in ${place} now. What admins say, I still hear.`,
    placeCleared: (place: string) => `Nothing is set for ${place} any more.`,
    placeNotSet: (place: string) => `Nothing was set for ${place} from a chat.`,
    noPlace: "This is a chat of two: name the person instead.",
    noServer: "There is no Discord server here.",
    owners: "Owners:",
    admins: "Admins:",
    noneNamed: "Nobody is named as one.",
    terminal: "Whoever sits at the terminal where I run owns me too.",
  },

  export: {
    adminsOnly: "You are not allowed to export what a group said: only an admin is.",
    badFormat: (typed: string) =>
      `${typed} is no format of /export: expected json, markdown or nothing.`,
    full: "Sorry, too much is waiting to be sent in this chat. Please try again later.",
    nothing: "There is nothing to export: we have said nothing yet.",
    done: (entries: number) =>
      `Everything we said, ${counted(entries, { one: "entry", other: "entries" })}, is in the file.`,
    doneIn: (entries: number, files: number) =>
      `Everything we said, ${counted(entries, { one: "entry", other: "entries" })}, is in ${files} files.`,
    shown: "Everybody here can see it.",
  },

  forget: {
    notAnonymously: "You are not allowed to erase anything in the name of a group or channel.",
    inPrivateOnly: "That is not allowed here: write /forget me to me in our private chat.",
    adminsOnly:
      "You are not allowed to erase this chat: in a group, admins may. /forget me in our private chat erases what you wrote here.",
    badScope: (typed: string) =>
      `I can erase chat (all of this chat) or me (all that I keep of you), not ${typed}.`,
    badCode: (typed: string) =>
      `${typed} confirms nothing: expected yes- and four digits, as I gave them to you.`,
    yes: { chat: "Yes, erase this chat", me: "Yes, erase all of it" },
    confirm: (confirmation: string) =>
      `To confirm, use the button or send ${confirmation} within 5 minutes.`,
    explained: {
      chat: "This erases all that I keep of this chat, for good: what was said, notes, to-dos, settings, usage, files and archives. Whatever I am doing here ends.\nMessages stay in the app itself: only you can delete them there.",
      me: "This erases, for good: all of your private chats with me, your profile with your choices and your role (you may have to be let in again), and in groups what you wrote, your reasons and changes where you decided for others, what I answered you, and where I repeated your words. Whatever I am doing for you ends.\nNotes and to-dos of groups stay, since nobody knows who wrote them; so does what others wrote about you, and messages in the app itself. A ban stays, without your name, and how much you have used until the month ends.",
    },
    expired: (scope: string) =>
      `That does not confirm anything, or has expired: only who asked can confirm, here and within 5 minutes. Ask anew with /forget ${scope}.`,
    begun: "One moment. I will say so when everything is erased.",
    chatDone: "Done: everything that I kept of this chat is erased.",
    meDone: "Done: your private chats with me and your profile are erased.",
    meDoneWith: (groups: number) =>
      `Done: your private chats with me and your profile are erased, and what you wrote in ${counted(groups, { one: "group", other: "groups" })}.`,
    but: (count: number) =>
      `But I could not read or remove ${counted(count, { one: "thing", other: "things" })}, which may be part of it: whoever runs me finds more in my log.`,
  },

  /** How a turn ends that does not end with the model's own words. */
  end: {
    modelCalls: (limit: number) =>
      `I stopped here: this turn reached its limit of ${counted(limit, { one: "model call", other: "model calls" })}.`,
    toolExecutions: (limit: number) =>
      `I stopped here: this turn reached its limit of ${counted(limit, { one: "tool execution", other: "tool executions" })}.`,
    tokens: (limit: number) =>
      `I stopped here: this turn reached its limit of ${counted(limit, { one: "token", other: "tokens" })}.`,
    cost: (limitUsd: number) => `I stopped here: this turn reached its cost limit of $${limitUsd}.`,
    deadline: (limitSeconds: number) =>
      `I stopped here: this turn reached its time limit of ${counted(limitSeconds, { one: "second", other: "seconds" })} of work.`,
    loop: "I stopped here, because I kept doing the same thing without getting anywhere.",
    denied: "I stopped here, because what I wanted to do was not approved.",
    notAllowed: "I stopped here, because what I wanted to do is not allowed.",
    toolFailed: "I stopped here, because a tool failed.",
    cut: 'I stopped here: the answer was cut at the length limit; say "go on" for the rest.',
    cutEmpty:
      'I stopped here: I reached the length limit before I could write an answer. Say "go on" and I\'ll try again.',
    downgraded: (tier: string) =>
      `The budget is running low, so a cheaper model answered (${tier}).`,
    poisoned: (errorId: string) =>
      `Sorry, I had to give this message up: working on it failed three times. Please try another way. (${errorId})`,
    stopped: "(stopped)",
    interrupted: "(interrupted)",
  },

  modelFailed: {
    "rate-limited": (errorId: string) =>
      `Sorry, the model's service has too many requests just now. (${errorId})`,
    overloaded: (errorId: string) => `Sorry, the model's service is overloaded. (${errorId})`,
    timeout: (errorId: string) => `Sorry, the model took too long. (${errorId})`,
    network: (errorId: string) => `Sorry, the model could not be reached. (${errorId})`,
    "context-overflow": (errorId: string) =>
      `Sorry, this conversation is too long for the model; /new starts a fresh one. (${errorId})`,
    "setup-too-long": (errorId: string) =>
      `Sorry, my instructions and tools alone are too long for the model. An admin can shorten the prompt or the tools, or choose a model with a larger context window. (${errorId})`,
    "turn-too-long": (errorId: string) =>
      `Sorry, this request is too long for the model. Please shorten it or split it into smaller parts. (${errorId})`,
    auth: (errorId: string) => `Sorry, the model's service refused our key. (${errorId})`,
    "invalid-request": (errorId: string) =>
      `Sorry, the model's service refused the request. (${errorId})`,
    refused: (errorId: string) => `Sorry, the model declined to answer. (${errorId})`,
    empty: (errorId: string) => `Sorry, the model gave an empty answer. (${errorId})`,
  },

  /** Why a file could not be read: for the model, and in exports. */
  unreadable: {
    locked: "It is protected by a password.",
    damaged: "The file is damaged, or no PDF that I can read.",
    "too-complicated": "The file is too complicated to be read.",
    failed:
      "Something went wrong while reading it. It won't be tried again on its own: send it again, or use /retry.",
    pictures: "It has no text: its pages are probably pictures.",
    empty: "There is no text in it.",
    unknown: "It is of a kind that I cannot read.",
    "no-transcription": "I cannot listen to voice notes here.",
    "not-transcribed": "Sorry, the voice note could not be transcribed.",
    silent: "Nobody can be heard in it.",
    gone: "It is no longer kept: files are kept for a day.",
    refused: "The model's provider does not take this picture.",
  },

  /** The words between people's and the model's own in the file that `/export` makes. */
  exported: {
    title: "Conversation",
    asOf: (chat: string, time: string) => `The chat ${chat}, as it was at ${time}.`,
    edited: (who: string, time: string) => `${who} edited a message, ${time}`,
    reading: "Text of what was attached",
    result: (number: number, tool: string) => `Result of call ${number}, ${tool}`,
    failed: (kind: string) => `failed: ${kind}`,
    ended: (reason: string) => `The turn ended: ${reason}`,
    reset: (time: string) => `A new conversation, ${time}`,
    sawNothing: "From here on the model saw nothing of what stands above.",
    auto: (step: number, of: number) => `Turn ${step} of at most ${of} towards:`,
    inAnswerTo: "In answer to:",
    said: "What was said:",
    attached: (name: string, bytes: number) => `Attached: ${name}, ${bytes} bytes`,
    cutOff: "cut off",
    noted: "Added below it by the platform:",
    thinking: "Thinking:",
    answer: "Answer:",
    call: (number: number, tool: string) => `Call ${number}: ${tool}`,
    compaction: (strategy: string) => `Compaction: ${strategy}`,
    by: (model: string) => `by ${model}`,
    inPlaceOf: (from: number, to: number) =>
      `From here on the model saw this in the place of the entries ${from} to ${to}, which stand above as they were:`,
    shortened: (entries: string) => `It saw these results shortened: ${entries}.`,
    undone: (time: string) => `Undone, ${time}`,
    sawNothingOf: (from: number, to: number) =>
      `From here on the model saw nothing of the entries ${from} to ${to}.`,
    notUndone: "What these calls did was not undone:",
  },

  /** The terminal's own lines. */
  console: {
    greeting: "This is Parley. Write something; /help shows all commands, /quit ends.",
    notHandedOver: "This could not be handed over yet; it is kept, and tried again.",
    questionIsOpen:
      "A question from an earlier session is still open: your next message replaces it.",
    questionReplaced: "Your message replaces the open question.",
    interruptAgain: "Press Ctrl-C again to quit",
    file: (path: string) => `File: ${path}`,
  },

  /** News of a turn that goes on. */
  turn: {
    awaits: (person: string, minutes: number) =>
      `I am waiting for ${person} to approve or deny something. I will come to your message after that, in ${counted(minutes, { one: "minute", other: "minutes" })} at the latest.`,
    awaitsAdmin: (minutes: number) =>
      `I am waiting for an admin to approve or deny something. I will come to your message after that, in ${counted(minutes, { one: "minute", other: "minutes" })} at the latest.`,
    awaitsDecision: (minutes: number) =>
      `I am waiting until something is approved or denied here. I will come to your message after that, in ${counted(minutes, { one: "minute", other: "minutes" })} at the latest.`,
    brokeOff: (model: string) => `${model} broke off; asking again …`,
    shortening: "shortening our conversation …",
    shortened: (before: string, after: string) =>
      `Shortened our earlier conversation: about ${before} → ${after} tokens. Nothing is deleted; /export has every word.`,
    nothingToShorten: "There is nothing to shorten yet.",
    nothingToUndo: "There is nothing to undo.",
    nothingToRetry: "There is nothing to retry.",
    cannotRetry:
      "I cannot try that again: your message has been summed up meanwhile. Please send it again.",
    undone: "Undone: I no longer see your last message and what followed it.",
    undoneOf: (person: string) =>
      `Undone: I no longer see ${person}'s last message and what followed it.`,
    staysDone: (tools: string) => `What was done stays done, though: ${tools}.`,
    messageKept:
      "All workers are busy or down just now. Your message is kept and will be answered.",
    /** @param limit how many turns may run at the same time. */
    waitsForPlace: (limit: number) =>
      `Your message waits: as many turns as the limit allows are running (${limit}). I will come to it by myself.`,
    orderKept: (command: string) =>
      `All workers are busy or down just now. Your /${command} is kept and will be carried out.`,
  },

  /** Said to whoever changes the arguments of a call that waits. */
  edits: {
    refused: (why: string) =>
      `That change cannot be asked about: ${why} The call is asked about again as it was.`,
    refusedAndGone: (why: string) =>
      `That change cannot be asked about: ${why} Neither can the call as it was, not any more: it is not run.`,
    notJson: 'That is not JSON: expected an object such as {"name": "value"}.',
    unknownName: (name: string, known: string) =>
      `There is no argument ${name} here. Expected: ${known}.`,
    expected: (path: string, what: string) => `${path}: expected ${what}.`,
    isMissing: (path: string) => `${path} is missing.`,
    isHidden: (path: string) =>
      `${path} is hidden here: write all of it anew, or leave it as it is.`,
    keptHidden: (path: string) =>
      `${path} is hidden here: only whoever asked, or an admin, can change the rest and keep it.`,
    same: "That changes nothing: these are the arguments that I have asked for.",
    tooLong: (count: number) => `That is too long: at most ${count} characters.`,
    how: "What is to change? /edit <id> name=value, or JSON with all arguments. You can also answer the card with that.",
    which: "Which call? Begin with its number: 2 name=value.",
    title: "Change the arguments",
    asJson: "All arguments, as JSON",
    noForm:
      "These arguments do not fit into a form. Answer the card with name=value, or with JSON that has all of them.",
    types: {
      string: "a text",
      number: "a number",
      integer: "a whole number",
      boolean: "true or false",
      object: "a JSON object",
      array: "a JSON list",
      null: "null",
    },
    oneOf: (choices: string) => `one of ${choices}`,
  },

  /** Of standing permissions. */
  grants: {
    none: "Nothing runs in this chat without asking: nobody has allowed that.",
    heading: "What runs in this chat without asking:",
    exactly: (given: string) => `with exactly ${given}`,
    alike: (given: string) => `with any arguments like ${given}`,
    lasts: (span: string) => `for another ${span}`,
    allowedBy: (name: string) => `allowed by ${name}`,
    onlyFor: (name: string) => `only when ${name} asks`,
    howTo: "/grants revoke <number> takes one back.",
    revoked: (tool: string) => `Taken back: I ask again before I use ${tool} like that.`,
    noSuch: (number: string) => `There is no number ${number} here. /grants shows what there is.`,
    notYours: "Only an admin, or whoever allowed it, can take that back.",
    given: (span: string) =>
      `Approved. For ${span} the same call runs without asking; /grants takes that back.`,
    givenAny: (span: string, tool: string) =>
      `Approved. For ${span} ${tool} runs without asking with any arguments like these; /grants takes that back.`,
    off: "The operator wants this to be asked about every time.",
    atMost: (span: string) => `At most ${span}: the operator does not let it stand for longer.`,
    noSpan: (typed: string) => `${typed} is no time. Expected: 30m, 2h.`,
    adminsAny: "Only admins can allow other arguments than these.",
    full: "Approved. More cannot be allowed in this chat: /grants shows what is, and takes it back.",
    one: "Which call? /approve <id>.<number> always allows one of them.",
  },

  /** Of the kill switch. */
  pause: {
    kept: "This bot is paused. Your message is kept and will be answered when it goes on.",
    halted: "I had to stop: an admin has paused this bot. Please ask again when it goes on.",
    scopes: {
      all: "everything",
      telegram: "Telegram's chats",
      discord: "Discord's chats",
      console: "the terminal",
    },
    begun: (what: string) =>
      `Paused: ${what}. No new turn begins, and those that run come to their end. /resume ends this.`,
    begunNow: (what: string) =>
      `Paused: ${what}. No new turn begins, and those that ran are stopped. /resume ends this.`,
    ended: (what: string) => `Resumed: ${what}. What waits is answered within seconds.`,
    notPaused: (what: string) => `Not paused: ${what}.`,
    stillAll: "Everything is still paused: /resume all ends that.",
    unknown: (typed: string) => `${typed} is none of these: all, telegram, discord, console, now.`,
    since: (moment: string) => `Paused since ${moment}.`,
    sinceOf: (what: string, moment: string) => `Paused since ${moment}: ${what}.`,
  },

  audit: {
    itself: "Parley itself",
    heading: (count: number) =>
      `The newest ${counted(count, { one: "line", other: "lines" })} of the audit log, times in UTC:`,
    none: "Nothing of that stands in the audit log.",
    part: "I have looked at the newest 20,000 lines only; /audit export has all.",
    unknown: (typed: string, kinds: string) =>
      `${typed} is neither a number nor a person nor a kind. Kinds: ${kinds}.`,
    exported: (count: number) =>
      `The audit log, ${grouped(count, { one: "line", other: "lines" })}, comes as a file in our private chat.`,
    actions: {
      "approval-decided": "decided an approval",
      "approval-edited": "changed an approval's arguments",
      "values-shown": "viewed hidden values of an approval",
      "grant-given": "gave a standing permission",
      "grant-revoked": "took a standing permission back",
      "limit-set": "set a limit",
      "limit-reset": "reset a limit",
      "role-set": "gave a role",
      "pairing-decided": "decided a pairing",
      paused: "paused",
      resumed: "resumed",
      "setting-changed": "changed a setting",
      broadcast: "wrote to all chats",
      "erasure-asked": "asked for an erasure",
      "attempt-denied": "was refused",
      "tool-executed": "had a tool run",
    },
  },

  stats: {
    spent: (messages: number, tokens: number, cost: string) =>
      `${grouped(messages, { one: "message", other: "messages" })}, ${grouped(tokens, { one: "token", other: "tokens" })}, ${cost}`,
    chats: (today: number, thisMonth: number) =>
      `Chats that wrote: about ${today} today, ${thisMonth} this month`,
    today: (spent: string) => `Today: ${spent}`,
    thisMonth: (spent: string) => `This month: ${spent}`,
    turns: (active: number, waiting: number) => `Turns: ${active} at work, ${waiting} waiting`,
    deliveries: (waiting: number) => `Deliveries: ${waiting} waiting`,
    deadLetters: (count: number) => `Messages given up: ${count}`,
    running: (version: string, span: string) => `Parley ${version}, up for ${span}`,
  },

  broadcast: {
    asks: (count: number) => `This goes to ${counted(count, { one: "chat", other: "chats" })}:`,
    asksMore: (count: number) =>
      `This goes to more than ${counted(count, { one: "chat", other: "chats" })}:`,
    yes: "Send it",
    confirm: (command: string) => `Tap the button or send ${command} within 5 minutes.`,
    begun: "It is on its way. I say when every chat has it.",
    done: (count: number) =>
      `Your message went to ${counted(count, { one: "chat", other: "chats" })}.`,
    nobody: "There is no chat yet that it could go to.",
    tooLong: (length: number, limit: number) =>
      `That has ${length} characters; I take up to ${limit}.`,
    expired: "This confirms nothing, or has expired: ask again with /broadcast.",
  },
};
