import { englishWhen } from "../text/when.ts";
import { countedIn, moneyIn, numberIn } from "./counted.ts";
import { findingsEn } from "./findings/en.ts";
import { pageEn } from "./page/en.ts";

const counted = countedIn("en");
const n = numberIn("en");
const { money, exactMoney } = moneyIn("en");

/** What is the same for tiers and models, but for the noun. */
const choiceOf = (noun: string) => ({
  yours: (value: string, reason: string) => `Your ${noun} is ${value} (${reason}).`,
  chats: (value: string) => `This chat's ${noun} is ${value}.`,
  yoursIsNow: (value: string) => `Your ${noun} is now ${value}.`,
  chatsIsNow: (value: string) => `This chat's ${noun} is now ${value}.`,
  yoursIsDefault: `You're back on the default ${noun}.`,
  chatsIsDefault: `This chat is back on the default ${noun}.`,
  notForChat: `Only an admin can choose the ${noun} for this chat.`,
  notAnonymously: `Anonymous senders are not allowed to have a ${noun} of their own.`,
});

/**
 * Every sentence of Parley's own, grouped by where it is used; the other languages have the same
 * keys. Names of commands and words that are typed behind them are the same in all of them.
 */
export const en = {
  /** Of what arrives and is not passed on as it is. */
  ingress: {
    notAllowed: "Sorry, I'm only available to approved people.",
    adminsOnly: (command: string) => `Only admins can use /${command}.`,
    membersOnly: (command: string) =>
      `Only members can use /${command}, and you're a guest. Ask an admin to make you a member.`,
    ownersOnly: (command: string) => `Only owners can use /${command}.`,
    noCommand: (command: string) => `I don't know /${command}. /help all lists all commands.`,
    wroteNothing: "Yes? What can I do for you?",
    tooLong: (length: number, limit: number) =>
      `That message is too long (${n(length)} characters; the limit is ${n(limit)}). Please split it up.`,
    full: "I'm behind with this chat and couldn't take this message. Please send it again in a few minutes.",
    fullWhilePaused:
      "I'm paused at the moment, and too many messages are waiting in this chat for me to keep this one. Please send it again when I'm back.",
    leftOut: (count: number) =>
      `Not taken, from this one on: ${counted(count, { one: "message", other: "messages" })}.`,
    notKept: (errorId: string) =>
      `Sorry, I'm out of storage and couldn't save your message. Please send it again later. (error ${errorId})`,
    notDone: (errorId: string) =>
      `Sorry, I'm out of storage and can't do that right now. Please try again later. (error ${errorId})`,
    tapTooOld: "This button no longer works.",
    tapTooLate: "That took too long. Please tap again.",
    notAllowedInGroup:
      "Sorry, I'm only available to approved people. An admin can switch me on in this group with /allow here.",
  },

  /** Of files that come with messages. */
  files: {
    noVoice: "I can't listen to voice messages here. Please type it instead.",
    noImage: (name: string) => `I can't open ${name}. I can read PNG, JPEG, GIF and WebP.`,
    noText: (name: string) =>
      `I can't read ${name}. I can read images (PNG, JPEG, GIF, WebP), PDFs and text files.`,
    /** Where no model sees pictures. */
    blind: {
      picture: (name: string) =>
        `I can't see pictures, so I can't read ${name}. Please describe it in words.`,
      file: (name: string) => `I can't read ${name}. I can read PDFs and text files.`,
      video: "I can't watch videos. Please describe it in words.",
    },
    reading: (name: string) => `reading ${name} …`,
    nameless: {
      image: "this image",
      document: "this document",
      voice: "this voice message",
    },
    tooMany: (count: number, limit: number) =>
      `That's too many files (${count}). Please send up to ${limit} at a time.`,
    tooLarge: (name: string, megabytes: string, limit: string) =>
      `Sorry, ${name} is too large (${megabytes} MB). The limit is ${limit} MB.`,
    chatIsFull: (count: number, megabytes: number) =>
      `This chat has reached today's file limit (${count} files or ${megabytes} MB). Please try again tomorrow.`,
    empty: (name: string) => `There's nothing in ${name}.`,
  },

  /** Of answers that are not for a whole group. */
  inPrivate: {
    askThere: "Let's do that in private. Message me directly.",
    full: "Sorry, I have too many private messages queued for you. Please try again later.",
    answered: "I've sent you the answer privately.",
    writeFirst: "Nothing there? Start a chat with me first, then ask again.",
    askedIn: (group: string) => `For the group ${group}:`,
    topic: (thread: string) => `topic ${thread}`,
  },

  pairing: {
    asks: (who: string) => `${who} would like to use this bot.`,
    code: (code: string) => `Code: ${code}`,
    allow: "Allow",
    deny: "Deny",
    yourCode: (code: string) =>
      `Hi! This bot is private. I've asked its admin to let you in. Your code, in case they ask: ${code}`,
    /** To people who wrote before there was an owner. */
    askedOwner: (code: string) =>
      `I have an owner now, and I've asked them to let you in. Your code, in case they ask: ${code}`,
    unknownCode: "I don't know this code. It may have expired, or someone has already decided.",
    isAdmin: (who: string) => `${who} is an admin already.`,
    allowed: (who: string, admin: string) => `${admin} let ${who} in.`,
    denied: (who: string, admin: string) => `${admin} turned ${who} down.`,
    youMay: "You're in! Ask me anything.",
    mayUse: (who: string) => `${who} can use this bot now.`,
    neither: (typed: string) =>
      `I don't recognize ${typed}. Give me an 8-character code, a name like @sam, or an ID like telegram:12345.`,
    adminsDecide: "Only an admin can decide this.",
  },

  start: {
    youAreOwner: "You're now the owner of this bot. Say hi, or see /help.",
    hello: "Hi, I'm Parley. Ask me anything.",

    tools: (count: number) => `I have ${counted(count, { one: "tool", other: "tools" })} (/tools).`,

    direct: "In groups, mention me or reply to one of my messages.",
    mention: "In this group, mention me or reply to me.",
    always: "In this group I answer every message.",
    privacy: (model: string) =>
      `Your messages are stored and sent to the AI model ${model}. /export to download them, /forget to delete them, /help for more.`,
    question: "What time is it in Tokyo?",
    showTools: "Show your tools",
    showSettings: "Show the settings",
    wrongCode: "That code isn't right. Copy the /start line from the terminal once more.",
    asksFirst: "Before I change anything, I ask you first.",
    directOnDiscord: "On a server, mention me or reply to one of my messages.",
  },

  help: {
    groups: {
      talk: "Conversation",
      choose: "How I work",
      look: "What's going on",
      data: "Your data",
      admin: "For admins",
    },
    more: "/help <command> explains one command.",
    alias: (names: string) => `Also: ${names}.`,
    all: "/help all lists every command.",
    terminal: "In the terminal",
    quit: "Leave Parley",
  },

  /** Of the first minutes with a bot: its first owner, people who ask, groups that it joins. */
  contact: {
    noOwner:
      "Hi! This bot is private, and I don't have an owner yet. If you run me, open the link in the terminal.",
    noOwnerOnDiscord:
      "Hi! This bot is private, and I don't have an owner yet. If you run me, send me the /start code from the terminal in a private message.",
    waiting: "These people would like to use this bot:",
    more: (count: number) => `…and ${n(count)} more.`,
    nobodyWaits: "No one is waiting to be let in.",
    howToAllow: "/allow and a code lets someone in.",
    groupsWait: "These groups would like to use this bot:",
    hello: "Hi, I'm Parley.",
    greeting: "Hi, I'm Parley. Mention me or reply to me, and I'll answer.",
    seeHelp: "/help shows what I can do.",
    askedOwner: "This group is new to me, so I've asked my owner to let it in.",
    letIn: (place: string) => `Let in ${place}?`,
    addedBy: (who: string) => `${who} added me.`,
    leave: "Leave",
    /** Instead of leaving, where only another of its bots could leave. */
    stayQuiet: "Stay quiet",
    placeAllowed: (place: string, admin: string) => `${admin} let ${place} in.`,
    placeLeft: (place: string, admin: string) => `${admin} made me leave ${place}.`,
    placeQuiet: (place: string, admin: string) => `${admin} wants me to stay quiet in ${place}.`,
    alreadyDecided: (outcome: string) => `This is already decided. ${outcome}`,
    /** Instead of a second notice: a limit is still reached. */
    stillAtLimit: "You're still at this limit.",
    /** A model has said nothing for a while. */
    silent: "This is taking a while: the model hasn't said anything yet. /stop cancels it.",
  },

  /** What owners read about an error. */
  errors: {
    tellOperator: "Please tell the person who runs me.",
    toldOwner: "I've told my owner.",
    cause: (cause: string) => `Cause: ${cause}`,
    fix: {
      "rate-limited": (when?: string) =>
        `Try again ${when ?? "in a minute"}, or add a second model to the tier in parley.yaml, which then answers instead.`,
      overloaded: (when?: string) =>
        `Try again ${when ?? "later"}, or add a second model to the tier in parley.yaml, which then answers instead.`,
      timeout:
        "The model server is too slow. Try a smaller model, or see whether the server is busy.",
      network:
        "Start the model server (for Ollama: ollama serve), or correct its address (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Use a model with a larger context window, or fewer tools.",
      auth: "Check the API key (OPENAI_API_KEY, or apiKey in parley.yaml; for Ollama, the login in OLLAMA_HOST).",
      "no-credit":
        "The key works, but the account has no credit. Top it up on the provider's billing page, or raise the key's spending limit.",
      "unknown-model":
        "Set a model that the provider has (OPENAI_MODEL, OLLAMA_MODEL, or tiers in parley.yaml). For Ollama, ollama pull fetches it.",
      "invalid-request": "The provider rejected the request; the cause above says why.",
      moderated:
        "The provider's moderation flagged the request. If it does that often, try another model with /model.",
      "broken-call":
        "The model doesn't use tools in a way that works. Try another one with /model, or check the tool parser and chat template of its server.",
      refused: "The provider declined this request. Try another model with /model.",
      empty: "The model ended without a word. Try another one with /model.",
      poisoned: "A process died three times at this step. Look for the error's code in the log.",
    },
    heading: (id: string) => `Error ${id}`,
    latest: "Latest errors (UTC):",
    when: (time: string) => `When: ${time} UTC`,
    model: (model: string) => `Model: ${model}`,
    inLog: (path: string) => `Details are in ${path}.`,
    trace: (chat: string) => `More in the shell: npm run trace -- ${chat}`,
    none: "No errors lately.",
    unknown: (typed: string, days: number) =>
      `I don't know an error ${typed}. I remember the latest ones for ${n(days)} days; the log may have more.`,
  },

  /** News for owners of a model that stopped answering people, or a platform that stopped serving a bot. */
  outage: {
    stopped: (model: string, since: string) =>
      `People get no answers from ${model} since ${since}.`,
    replaced: (model: string, since: string) =>
      `${model} has been failing since ${since}. Another model answers in its place.`,
    cutOff: (platform: string, bot: string, since: string) =>
      `I've been cut off from ${platform} since ${since} (bot ${bot}). People get no answers there.`,
    backAgain: (platform: string, bot: string, lasted: string) =>
      `I'm back on ${platform} after ${lasted} (bot ${bot}).`,
    page: (url: string) => `Dashboard: ${url}`,
    over: (model: string, lasted: string) => `${model} answers again, after ${lasted}.`,
    unanswered: (count: number) =>
      `${counted(count, { one: "message", other: "messages" })} got no answer in that time.`,
  },

  /** As menus show them; 1 to 100 characters each. */
  menu: {
    pending: { description: "Who asks to use this bot" },
    error: {
      description: "What I know about an error",
      id: "The code in brackets below the error; leave empty for the latest",
    },
    pause: {
      pause: "Stop answering, everywhere or on one platform",
      resume: "Resume after /pause",
      platform: "Where (leave empty for everywhere)",
      now: "Also stop running answers",
    },
    audit: {
      description: "Audit log, newest first",
      count: "How many lines to show",
      who: "Only this person, by @name or ID",
      what: 'Only this kind, or "export" for a full file',
    },
    stats: { description: "Bot statistics" },
    doctor: { description: "Examine this deployment and say what to fix" },
    dashboard: {
      description: "Open the dashboard in your browser",
      action: "off logs out all your browsers",
    },
    import: {
      description: "Import facts and schedules from another bot",
      code: "The code that I showed",
    },
    broadcast: {
      description: "Send a message to all chats",
      text: "The message",
    },
    start: {
      description: "What I can do",
      code: "The owner code printed at startup",
    },
    help: {
      description: "What you can do",
      command: 'A command, or "all"',
    },
    new: { description: "Start a new conversation" },
    stop: { description: "Stop the current answer" },
    retry: { description: "Try your last message again" },
    undo: { description: "Undo your last message and my answer" },
    compact: {
      description: "Summarize the conversation to free up space",
    },
    auto: {
      description: "Let me work on a goal on my own",
      goal: "The goal, up to 2,000 characters",
      turns: (limit: number, usual: number) =>
        `Maximum number of steps, 1 to ${limit} (default ${usual})`,
    },
    tier: {
      description: "Choose speed or depth: fast, smart, deep …",
      tier: 'The tier, or "default" to reset',
    },
    model: {
      description: "Choose the model",
      model: 'Part of the model\'s name, or "default" to reset',
    },
    for: '"me" (default) or "chat" for everyone here',
    persona: {
      description: "Choose who answers, or make a persona",
      pick: "Choose who answers here",
      new: "Make a persona, by answering four questions",
      edit: "Change a persona",
      show: "Show a persona's prompt, tools and model",
      delete: "Delete a persona",
      history: "Earlier versions of a persona",
      name: "A persona, or new, edit, show, delete, history",
      persona: 'Its name, or "default" to go back',
      for: "me (default), chat for everyone here, place for the whole group or server",
      newName: "Its name; leave it empty and I'll find one",
    },
    settings: {
      description: "Settings for this chat",
      name: "Which setting (leave empty to see all)",
      value: 'The new value, or "default" to reset',
    },
    activation: {
      description: "When I answer in this group",
      when: "mention = only when mentioned or replied to; always = every message",
    },
    language: {
      description: "My language",
      language: 'A language, or "auto" to follow your app',
    },
    status: { description: "What I'm doing right now" },
    approvals: {
      description: "Actions waiting for approval",
      id: "Its ID: shows you its hidden values in private",
    },
    approve: {
      description: "Approve an action",
      id: "Its ID, then a number for one action of several (see /approvals)",
      always: 'Allow it without asking for a while, e.g. 1h (admins can add "any")',
    },
    deny: {
      description: "Deny an action",
      id: "Its ID, then a number for one action of several (see /approvals)",
      reason: "Reason (I'll see it)",
    },
    edit: {
      description: "Change an action before approving it",
      id: "Its ID (see /approvals)",
      change: "One or more name=value, or JSON with all arguments",
    },
    grants: {
      description: "What I can do here without asking",
      revoke: '"revoke" and a number removes one',
    },
    tools: { description: "My tools, and which need approval" },
    skills: {
      description: "Show skills, or switch them on and off here",
      action: "What to do: on or off; for admins review, show, approve or deny",
      skill: "The name of the skill",
    },
    skill: {
      description: "Do a task with a skill",
      name: "The name of the skill",
      task: "What to do",
    },
    remind: {
      description: "Remind you of something",
      when: "in 20m, tomorrow 9:00, 2027-01-05 09:00, every monday 9:00",
      text: "What to remind you of",
    },
    schedule: {
      description: "Reminders and schedules of this chat",
      action: "What to do: list, run, pause, resume, delete or zone",
      list: "Show reminders and schedules",
      run: "Run one now",
      pause: "Pause one",
      resume: "Resume one",
      delete: "Delete one",
      zone: "Show or set your time zone",
      id: "Its ID, as the list shows it",
      city: "For example Europe/Berlin",
      page: "Which part of a long list",
    },
    memory: {
      description: "What I remember about you and this chat",
      action: "What to do: list, delete, edit or export",
      list: "Show what I remember",
      delete: "Delete something",
      edit: "Change something",
      export: "Get all of it as a file",
      id: "Its ID, as the list shows it",
      text: "The new text",
    },
    recall: {
      description: "Search what was said in this chat",
      words: "Words to look for",
    },
    todos: { description: "Show this chat's to-do list" },
    limits: {
      description: "Your limits and how much you've used",
      set: "Set a limit for a person, chat, role, platform or everyone",
      reset: "Go back to the configured limit",
      scope: "person, @name, an ID such as telegram:1, chat, role:member, platform or global",
      metric: "What is limited",
      value: "How much: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Tokens and cost in this chat",
    },
    export: {
      description: "Download this conversation",
      format: "markdown (default) or json",
    },
    forget: {
      description: "Delete this chat, or all your data",
      what: "chat = this chat; me = everything about you, everywhere",
      confirmation: "The confirmation code I gave you",
    },
    whoami: { description: "Your ID and role" },
    role: {
      description: "Your role, and what it lets you do",
      give: "Change someone's role",
      person: "Who (leave empty for yourself)",
      role: "The new role",
    },
    allow: {
      description: "Give someone access, or everyone in this chat",
      person: "Who",
      code: "Their code or ID",
    },
    ban: {
      description: "Block someone, or mute me in this chat",
      person: "Who",
      reason: "Reason (saved in the audit log)",
      place: "Instead of a person: this chat or the whole server",
    },
    unban: {
      description: "Unblock someone, or clear the rule for this chat",
      person: "Who",
      place: "Instead of a person: this chat or the whole server",
    },
    admins: { description: "List owners and admins" },
  },

  /** Of `/persona`. */
  personas: {
    /** Whose a persona is. */
    owners: {
      person: "yours",
      chat: "this chat's",
      everyone: "everyone's",
      file: "the operator's",
    },
    answers: (name: string, why: string) => `${name} answers you here (${why}).`,
    why: {
      person: "your choice",
      chat: "set for this chat",
      place: "set for this group or server",
      default: "the default",
    },
    noneAnswers: "I answer as usual here, without a persona.",
    listed: "Personas:",
    noneYet: "There are no personas yet.",
    more: (count: number) => `…and ${n(count)} more.`,
    how: "/persona <name> switches, /persona default goes back.",
    howNew: "/persona new makes one.",
    make: "New persona",
    notAnonymously: "Anonymous senders are not allowed to have a persona of their own.",
    notForChat: "Only an admin can choose the persona for this chat.",
    notForPlace: "Only an admin can choose the persona for the whole group or server.",
    noPlace: "There's no group or server here. Leave that out, or say chat.",
    badScope: (typed: string) => `${typed} isn't one of me, chat, place.`,
    doesNotFit: (name: string) =>
      `${name} can't be chosen for others: only a persona of this chat, of everyone or of the operator can.`,
    chosen: {
      person: (name: string) => `From your next message on, ${name} answers you here.`,
      chat: (name: string) => `From the next message on, ${name} answers in this chat.`,
      place: (name: string) =>
        `From the next message on, ${name} answers in this whole group or server.`,
    },
    cleared: {
      person: "Your choice is gone.",
      chat: "This chat's choice is gone.",
      place: "The choice for this group or server is gone.",
    },
    yoursFirst: (name: string) => `For you, your own choice still comes first: ${name}.`,
    starters: "You could begin with:",
    noPersona: (typed: string) => `I don't know the persona ${typed}.`,
    seeAll: "/persona lists all.",
    gone: "That persona no longer exists.",
    /** Of what a persona is. */
    tools: (what: string) => `Tools: ${what}`,
    allTools: "everything I can use here",
    noTools: "none",
    model: (what: string) => `Model: ${what}`,
    automatic: "automatic",
    skills: (what: string) => `Skills: ${what}`,
    temperature: (value: number) => `Temperature: ${n(value)}`,
    modelCalls: (count: number) => `Model requests per answer: at most ${n(count)}`,
    noMemory: "It sees no notes, facts or earlier conversations.",
    saved: (when: string, number: number, by?: string) =>
      `Version ${n(number)}, ${when}${by === undefined ? "" : `, by ${by}`}`,
    fromFile: (name: string) =>
      `It comes from the operator's file personas/${name}.md and can only be changed there.`,
    prompt: "Its prompt:",
    about: (text: string) => `About: ${text}`,
    /** The questions, in their order. */
    ask: {
      purpose: "What is it for? You can put a name first, like “chef: plans my dinners”.",
      style: "How should it talk? For example: short and friendly, like a good colleague.",
      tools:
        "What may it use? Choose, or send names of tools (/tools lists them). It never gets more than I have here, and I still ask first where I do.",
      model: "Which model should answer? Choose, or send a model's name (/model lists them).",
      name: "What should it be called?",
      description: "What is it, in one line?",
      prompt: "Send the new prompt.",
      extras:
        "Send the lines to change, as in a persona's file, for example “temperature: 0.5”. What you leave out stays; without a value it goes back to the default. Right now:",
    },
    begin:
      "Let's make a persona. I'll ask four questions and show you the result before I save it.",
    howToStop: "Any command ends this, for example /stop.",
    replyToAnswer: "Reply to this message.",
    none: "No tools",
    all: "Everything",
    auto: "Automatic",
    cancel: "Cancel",
    cancelled: "OK, I've dropped it. Nothing was saved.",
    left: "The persona that you were making is dropped. /persona new starts again.",
    wroteNothing: "Please answer with some text.",
    tooLong: (length: number, limit: number) =>
      `That's too long (${n(length)} characters; the limit is ${n(limit)}). Please send a shorter text.`,
    badName: (typed: string, limit: number) =>
      `${typed} can't be a name. Use letters and digits, up to ${n(limit)}, with hyphens between words.`,
    reservedName: (name: string) =>
      `“${name}” is a word of this command. Please choose another name.`,
    lookalikeName: (name: string) =>
      `This name has letters that only look like others: ${name}. Please choose another name.`,
    taken: (name: string) => `There's already a persona ${name}. Please choose another name.`,
    noTool: (typed: string) => `I have no tool ${typed}.`,
    seeTools: "/tools lists them.",
    noFields: "I can't read that. Send lines such as “temperature: 0.5” or “memory: off”.",
    noField: (typed: string) => `There's no setting ${typed} here.`,
    expectedStarters: (count: number, length: number) =>
      `Send a list of at most ${n(count)} messages, each in one line of at most ${n(length)} characters`,
    expectedSkills: "Send a list of skills (/skills shows them), such as [pdf], or [] for none",
    /** The preview. */
    preview: (name: string) => `Your new persona: ${name}`,
    previewOfChange: (name: string) => `Changed: ${name}`,
    nothingChanged: "Nothing would change.",
    before: "− before, + after:",
    sampleFollows: (question: string) => `Next comes a sample answer to “${question}”`,
    sample: "Who are you, and how do you help? Give me a short example.",
    noSample: (why: string) => `I can't show a sample answer right now. ${why}`,
    busy: "Too many messages are waiting in this chat.",
    notSavedYet: "Nothing is saved before you approve.",
    approve: "Approve",
    approveChat: "Approve for this chat",
    approveEveryone: "Approve for everyone",
    change: "Change",
    whatToChange: "What would you like to change?",
    fields: {
      name: "Name",
      purpose: "What it's for",
      style: "How it talks",
      tools: "What it may use",
      model: "Model",
      description: "Description",
      prompt: "Prompt",
      extras: "More settings",
    },
    back: "Back",
    formTitle: "New persona",
    formTitleOfChange: (name: string) => `Change ${name}`,
    isSaved: (name: string, owner: string) => `${name} is saved (${owner}).`,
    alreadySaved: (name: string) => `${name} is already saved.`,
    use: "Use it here",
    howToUse: (name: string) => `/persona {name:${name}} switches to it.`,
    noDraft: "There's nothing to approve or change here any more. /persona new starts again.",
    outdated: "That preview is out of date. Please use the newest one.",
    notYetDone: "A question is still open.",
    changedSince: (name: string) =>
      `${name} was changed by someone else in the meantime. /persona edit {name:${name}} starts again.`,
    mayNotMake: "Only members can make personas, and you're a guest. You can choose one, though.",
    mayNotSave: {
      chat: "Only an admin can make a persona for this chat.",
      everyone: "Only an admin can make a persona for everyone.",
    },
    mayNotChange: (name: string, owner: string) =>
      `Only an admin can change ${name}, because it's ${owner}.`,
    tooMany: (limit: number) =>
      `That's the limit of ${n(limit)} personas. Please delete one first: /persona delete <name>.`,
    tooLongToEdit: (name: string, limit: number) =>
      `The prompt of ${name} is longer than the ${n(limit)} characters that can be changed in a chat.`,
    which: (action: string) => `Which one? /persona ${action} <name>`,
    delete: "Delete",
    sureToDelete: (name: string, owner: string) =>
      `Delete ${name} (${owner}) and all its versions?`,
    deleted: (name: string) => `${name} is deleted.`,
    history: (name: string) => `Versions of ${name}:`,
    current: "current",
    rollBack: (number: number) => `Back to ${n(number)}`,
    rolledBack: (name: string, number: number) => `${name} is back to version ${n(number)}.`,
    noVersion: (name: string, typed: string) => `${name} has no version ${typed} any more.`,
    badTarget: (typed: string) => `${typed} isn't one of me, chat, everyone.`,
    badAction: (typed: string) => `I don't know /persona ${typed}.`,
  },

  control: {
    full: "Too many messages are waiting in this chat; that's the limit. Please try again later.",
    begun: "One moment.",
    dropped: (count: number) =>
      `I discarded ${counted(count, { one: "waiting message", other: "waiting messages" })}.`,
    onlyTheirs: {
      stop: (name: string) => `Only ${name} or an admin can stop this answer.`,
      undo: (name: string) => `Only ${name} or an admin can undo that message.`,
      retry: (name: string) => `Only ${name} or an admin can retry that message.`,
    },
    nothingToStop: "Nothing is running.",
    stopped: "Stopped.",
    stoppedByAdmin: "An admin stopped this answer.",
    stoppedAndDropped: (count: number) =>
      `Stopped. I also discarded ${counted(count, { one: "waiting message", other: "waiting messages" })}.`,
    newAfterAnswer: "I'll finish the current answer, then start a new conversation.",
    newConversation:
      "New conversation. I no longer see what we said before; it's still in /export.",
  },

  auto: {
    running: (step: number, of: number) =>
      `I'm already working on a goal, step ${step} of ${of}. /stop ends it.`,
    begun: (of: number) =>
      `On it. I'll work on this for up to ${counted(of, { one: "step", other: "steps" })}; /stop ends it early.`,
    noGoal: "What's the goal? For example: /auto {goal:plan a trip to Lisbon} {turns:5}",
    badTurns: (limit: number, typed: string) =>
      `The number of steps must be 1 to ${limit}, not ${typed}.`,
    numberHint: "If it belongs to your goal, add the steps at the end: /auto {goal:…} {turns:10}",
    goalTooLong: (length: number, limit: number) =>
      `The goal is too long (${n(length)} characters; the limit is ${n(limit)}).`,
    ended: (step: number) =>
      `I've stopped working on the goal, after ${counted(step, { one: "step", other: "steps" })}.`,
    done: (step: number) =>
      `Goal reached, after ${counted(step, { one: "step", other: "steps" })}.`,
    atLimit: (of: number) =>
      `That was the limit of ${counted(of, { one: "step", other: "steps" })}. Send /auto again to continue.`,
  },

  choices: {
    tier: {
      ...choiceOf("tier"),
      noneOfYours: "Tier: automatic (usually balanced).",
      noneOfChats: "This chat's tier: automatic (usually balanced).",
    },
    model: {
      ...choiceOf("model"),
      noneOfYours: "Model: automatic.",
      noneOfChats: "This chat's model: automatic.",
    },
    byYou: "your choice",
    byChat: "set for this chat",
    byPersona: "set by the persona",
    gone: (value: string) => `${value} was chosen before but is no longer available.`,
    hidden: (count: number, command: string) =>
      `…and ${n(count)} more. Type /${command} and part of the name.`,
    how: (command: string) =>
      `/${command} <name> for yourself · /${command} <name> chat for everyone here · /${command} default to reset`,
    notHere: "Anonymous senders are not allowed to change it.",
    adminsHere: "Only an admin can change it here.",
    replacesYours: (model: string) => `It replaces your own model, ${model}.`,
    replacesChats: (model: string) => `It replaces this chat's model, ${model}.`,
    yoursFirst: (value: string) => `For you, your own choice still applies: ${value}.`,
    noTier: (typed: string, tiers: string) =>
      `I don't know the tier ${typed}. Available: ${tiers}, default.`,
    noModel: (typed: string) => `I don't have a model ${typed}.`,
    several: (typed: string, models: string) => `${typed} matches several models: ${models}.`,
    thereAre: (names: string) => `Available: ${names}.`,
    didYouMean: (name: string) => `Did you mean ${name}?`,
    andMore: (names: string, count: number) => `${names} and ${n(count)} more`,
    order: (models: string) => `I ask them in this order: ${models}.`,
    sameAs: (tiers: string, same: string) => `Same as ${same} here: ${tiers}`,
  },

  settings: {
    heading: "Settings for this chat:",
    how: 'To change one: /settings <name> <value>, or "default" to reset it.',
    changes: (name: string, expected: string) =>
      `To change it: /settings {name:${name}} <value>. ${expected}.`,
    isDefaultAgain: (name: string, value: string) => `${name} is back to the default: ${value}.`,
    cannotBe: (name: string, typed: string, expected: string) =>
      `${name} can't be ${typed}. ${expected}.`,
    isNow: (name: string, value: string) => `${name} is now ${value} in this chat.`,
    groups: {
      answers: "Answers",
      actions: "Tools and permissions",
      limits: "Limits",
      memory: "Memory of the conversation",
      model: "Model",
    },
    modelsOwn: "the model's own",
    noneChosen: (kind: string) => `${kind}: automatic (see /${kind})`,
    yourChoice: (kind: string, value: string) => `${kind}: ${value} (your choice; see /${kind})`,
    chatsChoice: (kind: string, value: string) =>
      `${kind}: ${value} (set for this chat; see /${kind})`,
    personasChoice: (kind: string, value: string) =>
      `${kind}: ${value} (set by the persona; see /persona)`,
    withPersona: (persona: string, value: string) => `with the persona ${persona}: ${value}`,
    default: (name: string, value: string) => `${name}: ${value}`,
    own: (name: string, value: string, fallback: string) =>
      `${name}: ${value} (default: ${fallback})`,
    adminsOnly: (name: string) => `Only an admin can change ${name}.`,
    adminsInGroups: (name: string) => `Only an admin can change ${name} in a group.`,
    which: "Which setting?",
    unknown: (typed: string) => `I don't have a setting ${typed}.`,
    expectedCount: (min: number, max: number) =>
      `It must be a whole number from ${n(min)} to ${n(max)}`,
    expectedDecimal: (min: number, max: number) =>
      `It must be a number from ${n(min)} to ${n(max)}`,
    expectedDuration: "Use a time such as 15m or 24h",
    expectedUsd: "Use US dollars such as 5usd",
    orOff: (expected: string) => `${expected}, or off`,

    expectedWords: (words: string) => `Use ${words} or default`,
    about: {
      whileBusy: "if you write while I'm still answering",
      tools: "how much of my tool use you see",
      activation: "when I answer in a group",
      thinking: "show my reasoning",
      maxModelCalls: "most model requests per answer",
      maxToolExecutions: "most tool uses per answer",
      deadline: "most time per answer",
      maxTokens: "most tokens per answer",
      maxCost: "most money per answer",
      toolFailure: "stop when a tool fails",
      confirmationDenied: "stop when someone says no",
      policyDenied: "stop when a rule says no",
      loopSameCall: "repeats of one action that count as a loop",
      loopSameTool: "uses of one tool in a row that count as a loop",
      loopHints: "hints to get out of a loop before I stop",
      permissions: "whether I ask before I act",
      compactAt: "how full my memory gets before I summarize, from 0 to 1",
      keepTurns: "how many answers keep their tool results in full",
      strategy: "how I shorten a long conversation",
      temperature: "how varied my wording is, 0 is the least",
      maxOutputTokens: "most tokens per model reply",
      repeatPenalty: "how much I avoid repeating myself, 1 is off",
    },
    values: {
      followup: "answer it next",
      steer: "take it into account right away",
      interrupt: "stop and answer the new message",
      collect: "answer everything you wrote together",
      off: "show nothing",
      names: "show the names of tools",
      full: "show names and details",
      mention: "only when mentioned or replied to",
      always: "every message",
      ask: "ask before every action that needs approval",
      auto: "don't ask where a rule allows that, e.g. auto 30m",
      summarise: "summarize the older part",
      agent: "let a helper read it and note what matters",
      truncate: "leave out the older part",
    },
  },

  activation: {
    direct: "This is a private chat, so I answer every message.",
    mention: "In this group I answer when someone mentions me, replies to me or sends a command.",
    always: "I answer every message in this group.",
    how: "To change it: /activation mention or /activation always.",
    telegramHint:
      "To see every message, I need to be a group admin, or have privacy mode off (@BotFather → Bot Settings → Group Privacy).",
    discordHint:
      "To see every message, I need discord.messageContent: true in my settings. Please ask the person who runs me.",
    unknown: (typed: string) =>
      `I don't understand ${typed}. Use /activation mention or /activation always.`,
  },

  language: {
    /** The language's own name. */
    name: "English",
    isNow: "OK, I'll speak English.",
    isAuto: "I follow your app's language: English.",
    is: "I speak English, as you chose.",
    how: (codes: string) =>
      `To change it: /language <${codes}>, or /language auto to follow your app.`,
    unknown: (typed: string, codes: string) => `I don't speak ${typed}. Available: ${codes}, auto.`,
    notAnonymously: "Anonymous senders are not allowed to have a language of their own.",
  },

  status: {
    memory: {
      auto: "Memory: I search earlier messages by myself (keywords only)",
      tool: "Memory: earlier messages are searched when needed (keywords only)",
      off: "Memory: earlier messages aren't searched",
      autoMeaning: "Memory: I search earlier messages by myself (keywords and meaning)",
      toolMeaning: "Memory: earlier messages are searched when needed (keywords and meaning)",
      keywordsOnly: "Memory: search by meaning isn't available right now, only keywords",
    },
    idle: "Nothing is running.",
    queued: "Queued.",
    running: "Working on an answer.",
    waiting: "Waiting for someone to approve or deny an action.",
    auto: (step: number, of: number) => `/auto: step ${step} of ${of}. /stop ends it.`,
    queue: (count: number) => `Messages waiting: ${n(count)}`,
    model: (models: string) => `Model: ${models}`,
    tier: (tier: string) => `Tier: ${tier}`,
    persona: (name: string) => `Persona: ${name}.`,
    noTier: "Tier: automatic",
    remembered: (count: number) => `Messages and actions in this conversation: ${n(count)}`,
  },

  approvals: {
    none: "Nothing is waiting for approval.",
    heading: (count: number) =>
      `${counted(count, { one: "action is", other: "actions are" })} waiting for approval:`,
    askedFor: (person: string) => `asked for ${person}`,
    expiresIn: (time: string) => `expires in ${time}`,
    more: (count: number) => `And ${n(count)} more.`,
    hiddenValues: (tool: string) => `Hidden values of ${tool}:`,
    nothingHidden: "Nothing is hidden there.",
  },

  /** Of tries to decide an approval. */
  decisions: {
    otherChat: "This button belongs to another chat, or is too old.",
    otherMessage: "This button belongs to another message.",
    notAllowed: (who: string) => `Only ${who} can decide this.`,
    anAdmin: "an admin",
    orAnAdmin: (name: string) => `${name} or an admin`,
    anOwner: "an owner",
    aMember: "a member",
    both: (one: string, other: string) => `${one} and ${other}`,
    counted: "Got it: 1 of 2 approvals. One more person has to approve.",
    countedBefore: "You've already approved this. One more person has to approve.",
    approved: "Approved.",
    denied: "Denied.",
    /** Of a fact. */
    kept: "Kept.",
    notKept: "Not saved.",
    approvedOf: (done: number, of: number) => `Approved: ${done} of ${of}.`,
    deniedOf: (done: number, of: number) => `Denied: ${done} of ${of}.`,
    approvedBy: (name: string) => `Approved by ${name}.`,
    deniedBy: (name: string) => `Denied by ${name}.`,
    deniedBecause: (name: string, reason: string) => `Denied by ${name}: ${reason}`,
    undecided: "Expired. Nobody decided in time, so I didn't do it.",
    expired: "This has expired.",
    tooLate: "That took too long and didn't count. Please tap again.",
    tooOld: "This button no longer works.",
    already: {
      pending: "This hasn't been decided yet.",
      approved: "This is already approved.",
      denied: "This is already denied.",
      expired: "This has expired.",
      superseded: "This was already replaced by a newer message.",
      cancelled: "This is already cancelled.",
      changed: "This was already changed; see the newer card below.",
    },
    changed: "Changed. Please check it and approve it below.",
    changedBy: (name: string) => `Changed by ${name}; see the new card below.`,
    alreadyChangedBy: (name: string) => `${name} already changed this; see the newer card below.`,
    alreadyApprovedBy: (name: string) => `This is already approved by ${name}.`,
    alreadyDeniedBy: (name: string) => `This is already denied by ${name}.`,
    superseded: "Cancelled, because of a newer message.",
    stopped: "Cancelled.",
    unknownId: (id: string) => `There's no pending approval ${id} here. See /approvals.`,
    whichCard:
      "I'm not sure what that answers. Reply to the card, tap a button on it, or send /approve <id> or /deny <id>. /approvals shows the IDs.",
    noCall: (typed: string, command: string) =>
      `That card has no action ${typed}. Name one of its actions by number: /${command} {id:<id> 1}. /approvals shows what's waiting.`,
    which: (command: string) =>
      `Several actions are waiting. /approvals lists them; /${command} <id> picks one.`,
  },

  /** On cards; Markdown. */
  cards: {
    approve: "Approve",
    deny: "Deny",
    /** In place of the two before, where it is asked whether a fact is kept. */
    keep: "Keep",
    dontKeep: "Don't",
    /** Whose a fact is, and where it is used. */
    factOfYours: "About you. I use it only in your direct chats with me.",
    factOf: (name: string) => `About ${name}. I use it only in their direct chats with me.`,
    factOfChat: "About this chat. Everyone here can see it.",
    factReplaces: (id: string) => `It replaces ${id}.`,
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
    characters: (count: number) => counted(count, { one: "character", other: "characters" }),
    /** @param title in bold. */
    needed: (title: string) => `${title}?`,
    neededFor: (count: number) =>
      `Approval needed for ${counted(count, { one: "action", other: "actions" })}:`,
    calls: (count: number) => `${counted(count, { one: "action", other: "actions" })}:`,
    /** Quoted: it is what a tool's author says. */
    about: (sentence: string) => `“${sentence}”`,
    noArguments: "No arguments.",
    secretsHidden: (id: string) =>
      `Secrets are partly shown as ••••. \`/approvals {id:${id}}\` shows them to you in private.`,
    secretsMasked: "Secrets are partly shown as ••••.",
    showHidden: "Show hidden values",
    lookalikes: (words: string) => `Careful: these words contain look-alike letters: ${words}.`,
    details: (call: string) => `Full input of ${call}:`,
    decides: (who: string) => `It's up to ${who}.`,
    /** In the chat of a person who may not decide it. */
    waitsForAdmins: "I've asked the admins to approve this. /stop cancels it.",
    waitsForOwner: "I've asked my owner to approve this. /stop cancels it.",
    asksElsewhere: (who: string) => `${who} asks for this in a private chat with me.`,
    youDecide: "It's up to you.",
    twoDecide: (who: string) => `Needs two approvals, from ${who}.`,
    firstOfTwo: (name: string) => `1 of 2: approved by ${name}. One more is needed.`,
    expiresAt: (moment: string) => `Expires ${moment}.`,
    expiresIn: (duration: string) => `Expires in ${duration}.`,
    id: (id: string) => `ID: \`${id}\``,
    /** Where the platform refused the card's buttons. */
    typed: (id: string) => `I can't show buttons here: send \`/approve ${id}\` or \`/deny ${id}\`.`,
    /** Outcomes, after the number of a call or its title. */
    approved: (what: string) => `✓ ${what} approved`,
    approvedBy: (what: string, name: string) => `✓ ${what} approved by ${name}`,
    approvedFirst: (what: string, name: string) =>
      `… ${what} approved by ${name}. One more is needed`,
    denied: (what: string) => `✗ ${what} denied`,
    deniedBy: (what: string, name: string) => `✗ ${what} denied by ${name}`,
    kept: (what: string) => `✓ ${what} kept`,
    keptBy: (what: string, name: string) => `✓ ${what} kept by ${name}`,
    notKept: (what: string) => `✗ ${what} not saved`,
    expired: (what: string) => `✗ ${what} expired, no one decided in time`,
    superseded: (what: string) => `✗ ${what} cancelled because of a newer message`,
    stopped: (what: string) => `✗ ${what} cancelled`,
    edit: "Edit",
    allowFor: (span: string) => `Allow for ${span}`,
    changedNote: (name: string) => `${name} changed the arguments.`,
    changedNoteOfYours: "You changed the arguments.",
    /** By whom is not known any more. */
    changedNoteOfNobody: "Someone changed the arguments.",
    changed: (what: string) => `✎ ${what} changed`,
    changedBy: (what: string, name: string) => `✎ ${what} changed by ${name}`,
    erased: "Deleted.",
  },

  /** What the built-in tools do, wherever people read of them. */
  toolTitles: {
    current_time: "Tell the time",
    calculate: "Calculate",
    fetch_url: "Open web page",
    web_search: "Search the web",
    read_notes: "Read notes",
    write_note: "Write note",
    remember: "Remember",
    recall: "Search this chat",
    read_more: "Read more of a result",
    todo_list: "Show to-do list",
    todo_write: "Update to-do list",
    find_tools: "Find tools",
    schedule: "Set reminder or schedule",
    activate_skill: "Read skill",
    read_skill_file: "Read a file of a skill",
  },

  /** What they are for, in lists: one line each, without a period. */
  toolDescriptions: {
    current_time: "The date and time anywhere in the world",
    calculate: "Exact arithmetic, also with units and dates",
    fetch_url: "Reads a page whose address you give me",
    web_search: "Finds pages, with a short excerpt of each",
    read_notes: "Reads the notes of this chat",
    write_note: "Adds a note to this chat's notes",
    remember: "Keeps a fact about you or this chat",
    recall: "Finds what was said earlier in this chat",
    read_more: "Reads on in a long result",
    todo_list: "Shows this chat's to-do list",
    todo_write: "Adds and checks off to-dos",
    find_tools: "Finds the right tool among many",
    schedule: "Sets, changes and deletes reminders and schedules",
    activate_skill: "Reads the instructions of a skill",
    read_skill_file: "Reads a file that belongs to a skill",
  },

  /** In the place of what cannot be sent, or beside what is sent again. */
  delivery: {
    nothingToShow: "(empty answer)",
    fileGone: "The file is no longer available.",
    fileRefused: "Sorry, I couldn't send the file here.",
    goesOn: (fileName: string) => `The full answer is in ${fileName}.`,
    sentAgain: "sent again; you may see this twice",
    noButtons: "I can't show buttons here. /help lists what you can type instead.",
    /** To the person in private: what was for a chat that doesn't take it. */
    undelivered: (place: string, why: string) =>
      `I couldn't post my message to you in ${place}. ${why} You can ask me again here.`,
    /** Above a reminder, to its author in private. */
    notPosted: (place: string, why: string) => `I couldn't post this in ${place}. ${why}`,
    /** Instead of a place's name. */
    elsewhere: "the group where you asked",
    /** On the operator's page, too. */
    why: {
      closed: "The topic or thread is closed.",
      gone: "The topic was deleted, or the chat can no longer be reached.",
      forbidden: "Writing there isn't allowed.",
      blocked: "Messages to this person are blocked.",
      moderated: "A filter of the server blocked the text.",
      other: "The platform didn't take it.",
    },
  },

  /** Said where a platform's events come in, on all of them. */
  platform: {
    notAllowed: "You're not allowed to do this.",
    tryAgain: "Sorry, that didn't work. Please try again in a moment.",
    notTaken: (errorId: string) => `Sorry, I couldn't take this message. (error ${errorId})`,
    /** What somebody asks who points at something without a word. */
    whatAboutThis: "What can you tell me about this?",
  },

  telegram: {
    buttonIsGone: "This button no longer works.",
    fileIsGone: "Sorry, Telegram no longer has that file. Please send it again.",
    fileOutOfReach:
      "Sorry, I couldn't download that file from Telegram. Please send it again later.",
    fileTooLarge: (megabytes: number) => `That file is too large. The limit is ${megabytes} MB.`,
    /** What no model of ours reads, by Telegram's names. */
    cannot: {
      animation: "Sorry, I can't watch GIFs. Please send a screenshot instead.",
      video: "Sorry, I can't watch videos. Please send a screenshot instead.",
      sticker: "Sorry, I can't see stickers. Please say it in words.",
      paid_media: "Sorry, I can't open paid media. Please tell me what it's about.",
      story: "Sorry, I can't open stories. Please tell me what it's about.",
      other: "Sorry, I can't read this kind of message. Please tell me in words what it's about.",
    },
    thisFile: "this file",
    cannotReadPicture: (name: string) =>
      `Sorry, I can't read the picture ${name}. Please send it as a photo, or as JPEG, PNG, WebP or GIF.`,
    cannotReadFile: (name: string) =>
      `Sorry, I can't read ${name}. I can read text, code, CSV, JSON and PDF files.`,
  },

  discord: {
    admin: "For admins of this bot",
    unknownCommand: "This command is no longer available.",
    unknownAction: "Sorry, I don't know what to do with that.",
    elsewhere: "I can only answer in a direct message, or on a server that I've joined.",
    onlyUserInstall: "I'm not a member of this server. Please use this in a direct message.",
    mayNotWrite: "I'm not allowed to write in this channel, so I can't answer here.",
    mayNotAttach: "I'm not allowed to send files in this channel, so I can't do that here.",
    delayed: "Sorry, I can't take this right now. I'll keep trying and answer here.",
    unreadable: "I couldn't read that. Please try again.",
    done: "Done.",
    doneBefore: "That's done, but my answer got lost. Ask again if you need it.",
    tooLate: "Sorry, that took too long for me to answer you in private. Please ask again.",
    /** In Discord's menus; at most 32 characters. */
    askAboutThis: "Ask about this",
    yourQuestion: "Your question",
    forgotten: "Sorry, I've lost track of that message. Please choose it again.",
    about: (link: string) => `about ${link}`,
    ask: "Ask me something",
    askQuestion: "Your question or request",
    askFile: "A file to ask about",
    video: (name: string) => `I can't watch videos (${name}). Please send a screenshot instead.`,
    archive: (name: string) => `I can't open archives (${name}). Please send the files one by one.`,
    picture: (name: string) =>
      `I can't open this kind of image (${name}). Please send PNG, JPEG, GIF or WebP.`,
    otherFile: (name: string) =>
      `I can't read this kind of file (${name}). I can read images, text files and PDFs.`,
    sticker: "I can't see stickers. Please say it in words.",
    fileIsGone: (name: string) => `Sorry, Discord no longer has ${name}. Please send it again.`,
    fileFailed: (name: string) =>
      `Sorry, I couldn't download ${name} from Discord. Please send it again.`,
    fileTooLarge: (name: string, megabytes: number) =>
      `${name} is too large. The limit is ${megabytes} MB.`,
  },

  tools: {
    none: "I don't have any tools right now.",
    free: "I use these without asking:",
    asking: "I ask before I use these:",
    sometimes: "I sometimes ask before I use these:",
    more: (count: number) => `And ${n(count)} more.`,
    noSearch:
      "I can't search the web yet. An admin can set that up with npm run init or under webSearch in parley.yaml.",
  },

  memory: {
    none: "I haven't kept anything here. Say “remember that …”, and I'll ask before I keep it.",
    aboutYou: "About you (only seen in your direct chats):",
    aboutChat: "About this chat:",
    note: "note",
    more: "More",
    howTo:
      "To delete something: ✕ or /memory delete <ID>. To change it: /memory edit <ID> <text>. /memory export sends everything as a file.",
    which: "Which one? /memory shows their IDs.",
    unknown: (typed: string) => `I don't know ${typed}. /memory shows what I remember here.`,
    badAction: (typed: string) =>
      `I don't know ${typed}. Use /memory list, delete, edit or export.`,
    badText: (limit: number) =>
      `Please write the new text after the ID, up to ${n(limit)} characters.`,
    notYours: "Only the person who said it, or an admin, can change that.",
    full: "There's no room for more here. Delete something first: /memory",
    isDeleted: (text: string) => `I've forgotten: ${text}`,
    isChanged: (text: string) => `Changed. I now remember: ${text}`,
    isExported: "Here's what I remember, as a file.",
    title: "What Parley remembers",
    summaries: "Summaries of earlier conversations",
    /** @param id of the fact that was true before. */
    supersedes: (id: string) => `(replaces ${id})`,
  },

  recall: {
    none: "I found nothing about that in this chat.",
    bot: "Me",
    indexing: "I'm still indexing this chat. Please try again in a minute.",
    tooLong: "This chat is too long to search all of it, so I searched its newest part.",
    off: "Search is switched off here.",
  },

  todos: {
    none: "The to-do list is empty. Ask me for something with several steps, and I'll keep track of them here.",
    heading: (done: number, total: number) => `To-do list: ${done} of ${total} done`,
  },

  usage: {
    heading: "This chat so far:",
    turns: (count: number) => `Answers: ${n(count)}`,
    modelCalls: (count: number) => `Model requests: ${n(count)}`,
    inputTokens: (count: number) => `Input tokens: ${n(count)}`,
    outputTokens: (count: number) => `Output tokens: ${n(count)}`,
    about: (amount: string) => `about ${amount}`,
    model: (requests: number, input: string, output: string) =>
      `${counted(requests, { one: "request", other: "requests" })}, ${input} input and ${output} output tokens`,
    costUnknown: "cost unknown",
    cost: (amount: string) => `Cost: ${amount}`,
    unknown: "unknown",
    andUnpriced: (amount: string) => `${amount}, plus models without a known price`,
    spent: (messages: number, tokens: number) =>
      `${counted(messages, { one: "message", other: "messages" })}, ${counted(tokens, { one: "token", other: "tokens" })}`,
  },

  /**
   * Of what people and chats may use. Limits themselves are shown as they are typed: 20/min,
   * 5usd/day.
   */
  limits: {
    whose: {
      you: "for you",
      thisChat: "for this chat",
      everybody: "for everyone together",
      eachPerson: "for each person",
      eachChat: "for each chat",
      terminal: "for everyone in the terminal",
    },
    role: (role: string) => `for you, as ${role}`,
    platform: (platform: string) => `for everyone on ${platform}`,
    /** In news for admins. */
    ofPerson: (person: string) => `for ${person}`,
    ofChat: (chat: string) => `for the chat ${chat}`,
    hit: (limit: string, whose: string) => `The limit of ${limit} (${whose}) has been reached.`,
    /** Of a model call for which too little is left. */
    needs: (amount: string, used: string, limit: string, whose: string) =>
      `There isn't enough left for an answer (up to ${amount}): ${used} of the limit of ${limit} (${whose}) is used.`,
    resets: (when: string) => `It resets ${when}.`,
    notKept: "Please send this again then.",
    nearly: (percent: number, limit: string, whose: string, used: string) =>
      `${percent}% of the limit of ${limit} (${whose}) is used: ${used}.`,
    slowDown: (limit: string) =>
      `Slow down a little: the limit is ${limit}. It resets within a minute.`,
    heading: "Your limits in this chat:",
    none: "You have no limits in this chat.",
    used: (used: string, when: string) => `used: ${used}, resets ${when}`,
    running: (count: number) => `running: ${n(count)}`,
    setHeading: "Set by admins in chats:",
    more: (count: number) => `… and ${n(count)} more`,

    how: "To set one: /limits set <scope> <metric> <value>. To go back to the configured one: /limits reset <scope> [metric].\nScopes: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Values: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Only admins can change limits.",
    adminsOfAll:
      "Only the bot's admins can change this limit. You can set the limits of this chat.",
    badAction: (typed: string) =>
      `I don't understand ${typed}. Use /limits, /limits set or /limits reset.`,
    badScope: (typed: string) =>
      `I don't know who ${typed} is. Use person, @name, an ID such as telegram:1, chat, chats, role:member, platform:telegram or global.`,
    badMetric: (typed: string, metrics: string) => `I can't limit ${typed}. Use ${metrics}.`,
    /** Of a metric that has one window only. */
    badAmount: (typed: string, example: string) =>
      `I don't understand ${typed}. Use a limit like ${example}, or off.`,
    badValue: (typed: string, metric: string, example: string, per: string) =>
      `I don't understand ${typed}. For ${metric}, use a limit like ${example}, per ${per}, or off.`,
    isNow: (whose: string, limit: string, before: string) =>
      `New limit ${whose}: ${limit} (before: ${before}). It applies from the next message on.`,
    isReset: (whose: string, limit: string, before: string) =>
      `The limit ${whose} is back to the configured one: ${limit} (before: ${before}).`,
    /** In place of an amount, before `per`. */
    unlimited: {
      messages: "unlimited messages",
      tokens: "unlimited tokens",
      cost: "unlimited spending",
      turns: "unlimited answers",
      "model-calls": "unlimited model requests",
      "tool-executions": "unlimited tool uses",
      deadline: "unlimited time",
    },
    ofEach: (role: string) => `for each ${role}`,
    notSet: "none",
    nothingSet: (whose: string) =>
      `No limit was set in a chat ${whose}, so there's nothing to reset.`,
    yoursToday: (used: string) => `You, today: ${used}`,
    yoursThisMonth: (used: string) => `You, this month: ${used}`,
    allToday: (used: string) => `Everyone, today: ${used}`,
    allThisMonth: (used: string) => `Everyone, this month: ${used}`,

    amount: {
      messages: (count: number) => counted(count, { one: "message", other: "messages" }),
      tokens: (count: number) => counted(count, { one: "token", other: "tokens" }),
      turns: (count: number) => counted(count, { one: "answer", other: "answers" }),
      "model-calls": (count: number) =>
        counted(count, { one: "model request", other: "model requests" }),
      "tool-executions": (count: number) => counted(count, { one: "tool use", other: "tool uses" }),
    },
    per: {
      minute: (amount: string) => `${amount} a minute`,
      hour: (amount: string) => `${amount} an hour`,
      day: (amount: string) => `${amount} a day`,
      month: (amount: string) => `${amount} a month`,
      turn: (amount: string) => `${amount} per answer`,
      "at-once": (amount: string) => `${amount} at once`,
    },
    hitYours: (limit: string) => `You've reached your limit of ${limit}.`,
    nearlyYours: (percent: number, limit: string, used: string) =>
      `You've used ${percent}% of your limit of ${limit} (${used}).`,
  },

  whoami: {
    name: (name: string) => `Name: ${name}`,
    id: (id: string) => `ID: ${id}`,
    role: (role: string) => `Role: ${role}`,
    chat: (chat: string) => `Chat: ${chat}`,
    anonymous: "You're posting anonymously, so you can't decide anything here.",
    place: (place: string) => `Place ID: ${place}`,
    adminHere:
      "You're an admin of this group, so you can change its settings and limits and decide its approvals.",
    roles: {
      owner: "owner",
      admin: "admin",
      member: "member",
      guest: "guest",
      stranger: "stranger",
      banned: "blocked",
    },
    may: {
      owner: "You own this bot. You can do everything.",
      admin:
        "You can do everything: chat with me, approve actions, change settings and give people access.",
      member: "You can chat with me, approve what I do for you, and change your own settings.",
      guest: "You can chat with me here. Members approve actions.",
      stranger: "You're not allowed to chat with me yet.",
      banned: "You're not allowed to chat with me.",
    },
  },

  /** Of rights: who has which, and who changes them. */
  people: {
    nobodyCalled: (typed: string) =>
      `I don't know anyone called ${typed}. If they've never written to me, use an ID like telegram:12345.`,
    whomOnDiscord: (command: string) =>
      `Who? Choose a person in the options of /${command}, or a place.`,
    whom: (command: string) =>
      `Who? Reply to one of their messages with /${command}, or use @name or an ID: /${command} telegram:12345`,
    anonymous: (who: string) =>
      `${who} posts anonymously, possibly for several people, so they can't have a role.`,
    adminsOnly: "Only an admin can change roles.",
    ownersOnly: "Only owners can add or remove admins.",
    ownerStays: (who: string) =>
      `${who} owns this bot. That can only be changed in the bot's settings file.`,
    fileBans: (who: string) =>
      `${who} is blocked in the bot's settings file. Please change it there.`,
    fileAllows: (who: string) =>
      `${who} has access through the bot's settings file. Please change it there.`,
    /** A role with its article, as the sentences below and the limits have it. */
    aRole: {
      owner: "an owner",
      admin: "an admin",
      member: "a member",
      guest: "a guest",
      banned: "blocked",
    },
    isNow: (who: string, role: string) => `${who} is now ${role}.`,
    isAlready: (who: string, role: string) => `${who} is already ${role}.`,
    banned: (who: string) => `${who} is blocked.`,
    unbanned: (who: string) => `${who} is no longer blocked.`,
    notBanned: (who: string) => `${who} isn't blocked.`,
    noRole: (typed: string) => `There's no role ${typed}. Use admin, member or guest.`,
    whichRole: "Which role? Use admin, member or guest.",
    placeAllowed: (place: string) => `Everyone in ${place} can talk to me now (as a guest).`,
    placeBanned: (place: string) => `I'll stay quiet in ${place}, except for admins.`,
    placeCleared: (place: string) => `I've cleared the rule for ${place}.`,
    placeNotSet: (place: string) => `There's no rule for ${place}.`,
    noPlace: "This is a private chat. Name a person instead.",
    noServer: "This isn't a Discord server.",
    owners: "Owners:",
    admins: "Admins:",
    noneNamed: "None.",
    terminal: "Anyone at my terminal is an owner too.",
    thisChat: "this chat",
    thisServer: "this server",
  },

  export: {
    adminsOnly: "Only an admin can export a group's conversation.",
    badFormat: (typed: string) =>
      `I can't export as ${typed}. Use /export json or /export markdown.`,
    full: "Sorry, too many messages are waiting to be sent in this chat. Please try again later.",
    nothing: "There's nothing to export yet.",
    done: (entries: number) =>
      `Here's the conversation, with ${counted(entries, { one: "item", other: "items" })}.`,
    doneIn: (entries: number, files: number) =>
      `Here's the conversation, with ${counted(entries, { one: "item", other: "items" })} in ${n(files)} files.`,
    shown: "Everyone here can see it.",
  },

  forget: {
    notAnonymously: "You're not allowed to delete anything in the name of a group or channel.",
    inPrivateOnly: "That works only in our private chat. Please send /forget me there.",
    adminsOnly:
      "In a group, only admins can delete the chat. To delete what you wrote here, send /forget me in our private chat.",
    badScope: (typed: string) =>
      `I can delete "chat" (this chat) or "me" (all your data), but I don't know ${typed}.`,
    badCode: (typed: string) => `That code isn't right: ${typed}. It looks like yes-1234.`,
    yes: { chat: "Yes, delete this chat", me: "Yes, delete everything" },
    confirm: (confirmation: string) => `To confirm, send ${confirmation} within 5 minutes.`,
    explained: {
      chat: "This permanently deletes everything I've stored for this chat: messages, notes, to-dos, settings, usage, files and archives. It also stops anything I'm doing here.\nMessages in the app itself stay. Only you can delete them there.",
      me: "This permanently deletes your data and stops anything I'm doing for you.\nDeleted:\n• your private chats with me\n• your profile with your choices and role (you may need to be let in again)\n• in groups: what you wrote, what I answered you, and where I repeated your words\n• your reasons and changes where you decided for others\nKept:\n• group notes and to-dos\n• what others wrote about you\n• this month's usage\n• a block, if you have one (without your name)\n• messages in the app itself",
    },
    expired: (scope: string) =>
      `That confirmation is wrong or has expired. Only the person who asked can confirm, here and within 5 minutes. Start again with /forget ${scope}.`,
    begun: "One moment. I'll tell you when everything is deleted.",
    chatDone: "Done. Everything in this chat has been deleted.",
    meDone: "Done. Your private chats with me and your profile have been deleted.",
    meDoneWith: (groups: number) =>
      `Done. Your private chats with me, your profile and what you wrote in ${counted(groups, { one: "group", other: "groups" })} have been deleted.`,
    but: (count: number) =>
      `I couldn't read or remove ${counted(count, { one: "item that may belong to it", other: "items that may belong to it" })}. The person who runs me can find details in my log.`,
  },

  /** How a turn ends that does not end with the model's own words. */
  end: {
    modelCalls: (limit: number) =>
      `I stopped here because I reached the limit of ${counted(limit, { one: "step", other: "steps" })}. Say "go on" to continue.`,
    toolExecutions: (limit: number) =>
      `I stopped here because I reached the limit of ${counted(limit, { one: "tool use", other: "tool uses" })}. Say "go on" to continue.`,
    tokens: (limit: number) =>
      `I stopped here because I reached the limit of ${counted(limit, { one: "token", other: "tokens" })} for one answer.`,
    cost: (limitUsd: number) =>
      `I stopped here because I reached the cost limit of ${exactMoney(limitUsd)} for one answer.`,
    deadline: (limitSeconds: number) =>
      `I stopped here because I reached the time limit of ${counted(limitSeconds, { one: "second", other: "seconds" })} for one answer.`,
    loop: "I was going in circles, so I stopped. Could you put it another way?",
    denied: "I stopped here because that wasn't approved.",
    notAllowed: "I stopped here, because that isn't allowed.",
    toolFailed: "I stopped here, because a tool failed.",
    cut: 'I stopped here, at the length limit. Say "go on" for the rest.',
    cutEmpty:
      'I stopped at the length limit before I could write an answer. Say "go on" and I\'ll try again.',
    filtered: "The AI service's content filter stopped my answer here.",
    downgraded: (tier: string) =>
      `The budget is running low, so a cheaper model answered (${tier}).`,
    poisoned: (errorId: string) =>
      `Sorry, I tried this three times and failed. Please try it another way. (error ${errorId})`,
    stopped: "(stopped)",
    interrupted: "(stopped for a newer message)",
  },

  modelFailed: {
    "rate-limited": (errorId: string, when?: string) =>
      `Sorry, the AI service is too busy right now. Please try again ${when ?? "in a minute"}. (error ${errorId})`,
    overloaded: (errorId: string, when?: string) =>
      `Sorry, the AI service is having problems. Please try again ${when ?? "later"}. (error ${errorId})`,
    timeout: (errorId: string) =>
      `Sorry, my AI model took too long. Please try again. (error ${errorId})`,
    network: (errorId: string) =>
      `Sorry, I can't reach my AI model right now. Please try again later. (error ${errorId})`,
    "context-overflow": (errorId: string) =>
      `Sorry, this conversation is too long for the model. /new starts a fresh one. (error ${errorId})`,
    "setup-too-long": (errorId: string) =>
      `Sorry, my instructions and tools alone are too long for the model. An admin can shorten the prompt or the tools, or choose a model with a larger context window. (error ${errorId})`,
    "turn-too-long": (errorId: string) =>
      `Sorry, this request is too long for the model. Please shorten it or split it into smaller parts. (error ${errorId})`,
    auth: (errorId: string) => `Sorry, my API key was rejected. (error ${errorId})`,
    "invalid-request": (errorId: string) =>
      `Sorry, the AI service rejected my request. (error ${errorId})`,
    refused: (errorId: string) => `Sorry, the AI model declined to answer. (error ${errorId})`,
    "no-credit": (errorId: string) =>
      `Sorry, my account with the AI service is out of credit. (error ${errorId})`,
    moderated: (errorId: string) =>
      `Sorry, the AI service's content filter didn't let this through. Please rephrase it, or start over with /new. (error ${errorId})`,
    "unknown-model": (errorId: string) =>
      `Sorry, my AI model isn't available any more. (error ${errorId})`,
    "broken-call": (errorId: string) =>
      `Sorry, my AI model tried to use a tool but made a mistake. Please try again. (error ${errorId})`,
    empty: (errorId: string) => `Sorry, I got no answer. Please try again. (error ${errorId})`,
  },

  /** Why a file could not be read: for the model, and in exports. */
  unreadable: {
    locked: "The file is password-protected.",
    damaged: "The file is damaged or isn't a readable PDF.",
    "too-complicated": "The file is too complex to read.",
    failed: "Something went wrong while reading it. Please send it again or use /retry.",
    pictures: "It has no text. Its pages are probably images.",
    empty: "There's no text in it.",
    unknown: "I can't read this kind of file.",
    "no-transcription": "I can't listen to voice messages here.",
    "not-transcribed": "Sorry, I couldn't transcribe the voice message.",
    silent: "I couldn't hear any speech in it.",
    gone: "It's no longer stored. Files are deleted after a day.",
    refused: "The AI service doesn't accept this image.",
  },

  /** The words between people's and the model's own in the file that `/export` makes. */
  exported: {
    title: "Conversation",
    asOf: (chat: string, time: string) => `The chat ${chat} at ${time}.`,
    sample: (persona: string, who: string) => `Sample for the persona ${persona}: ${who}`,
    asPersona: (model: string, persona: string) => `${model} as ${persona}`,
    edited: (who: string, time: string) => `${who} edited a message, ${time}`,
    reading: "Text of the attachment",
    result: (number: number, tool: string) => `Result of action ${number}, ${tool}`,
    failed: (kind: string) => `failed: ${kind}`,
    ended: (reason: string) => `The answer ended: ${reason}`,
    endedAs: (reason: string, persona: string) => `The answer as ${persona} ended: ${reason}`,
    reset: (time: string) => `A new conversation, ${time}`,
    sawNothing: "From here on, the model no longer saw anything above.",
    auto: (step: number, of: number) => `Step ${step} of at most ${of}, goal:`,
    threadBegan: "This thread began with:",
    inAnswerTo: "In reply to:",
    said: "Message:",
    attached: (name: string, bytes: number) => `Attachment: ${name}, ${n(bytes)} bytes`,
    cutOff: "cut off",
    noted: "Added by the platform:",
    thinking: "Thinking:",
    answer: "Answer:",
    call: (number: number, tool: string) => `Action ${number}: ${tool}`,
    compaction: (strategy: string) => `Summary: ${strategy}`,
    by: (model: string) => `by ${model}`,
    inPlaceOf: (from: number, to: number) =>
      `From here on, the model saw this instead of items ${from} to ${to} above:`,
    shortened: (entries: string) => `It saw these results shortened: ${entries}.`,
    undone: (time: string) => `Undone, ${time}`,
    sawNothingOf: (from: number, to: number) =>
      `From here on, the model no longer saw items ${from} to ${to}.`,
    notUndone: "What these actions did wasn't undone:",
  },

  /** The terminal's own lines. */
  console: {
    demoModel: "demo model",
    hints: "Type a message. /help lists the commands, /quit leaves.",
    earlier: "Earlier:",
    working: (seconds: number) => `${seconds} s · Ctrl-C to stop`,
    /** Of a call that was asked about, after its name. */
    outcomes: {
      approved: "approved",
      denied: "denied",
      expired: "expired: no one decided in time",
      superseded: "not run, because you wrote something new",
      cancelled: "stopped",
      changed: "changed, asked again below",
    },
    notHandedOver: "I couldn't take this yet. It's saved, and I'll try again.",
    questionIsOpen:
      "This is still waiting from last time. Answer y or n; anything else cancels it.",
    questionReplaced: "Cancelled the pending action.",
    formGone: "This is no longer waiting for an answer, so I dropped your change.",
    interruptAgain: "Press Ctrl-C again to quit",
    file: (path: string) => `File: ${path}`,
  },

  /** News of a turn that goes on. */
  turn: {
    awaits: (person: string, minutes: number) =>
      `I'm waiting for ${person} to approve something. I'll get to your message after that, within ${counted(minutes, { one: "minute", other: "minutes" })}.`,
    awaitsAdmin: (minutes: number) =>
      `I'm waiting for an admin to approve something. I'll get to your message after that, within ${counted(minutes, { one: "minute", other: "minutes" })}.`,
    awaitsDecision: (minutes: number) =>
      `I'm waiting for something to be approved here. I'll get to your message after that, within ${counted(minutes, { one: "minute", other: "minutes" })}.`,
    brokeOff: (model: string) => `${model} stopped midway. Trying again …`,
    shortening: "summarizing our conversation …",
    shortened: (before: string, after: string) =>
      `I summarized the earlier part of our conversation to make room (about ${before} → ${after} tokens). Nothing is lost: /export has every word.`,
    nothingToShorten: "There's nothing to summarize yet.",
    nothingToUndo: "There's nothing to undo.",
    nothingToRetry: "There's nothing to retry.",
    cannotRetry: "I can't retry that, because it has since been summarized. Please send it again.",
    undone: "Undone. I've dropped your last message and everything after it.",
    undoneOf: (person: string) =>
      `Undone. I've dropped ${person}'s last message and everything after it.`,
    staysDone: (tools: string) => `This can't be undone: ${tools}.`,
    messageKept:
      "I'm a bit busy right now. Your message is saved and I'll answer as soon as I can.",
    /** @param limit how many turns may run at the same time. */
    waitsForPlace: (limit: number) =>
      `I'm already working on ${counted(limit, { one: "answer", other: "answers" })}, the limit. Yours is next; no need to resend.`,
    /** No model can be reached. @param when e.g. `in about 1 minute`. */
    kept: (when: string, errorId: string) =>
      `Sorry, my AI model isn't answering right now. Your message is saved: I'll ask again ${when} and a few more times over the next hour and a half, so no need to resend. (error ${errorId})`,
    orderKept: (command: string) =>
      `I'm a bit busy right now. Your /${command} is saved, and I'll get to it as soon as I can.`,
  },

  /** Said to whoever changes the arguments of a call that waits. */
  edits: {
    refused: (why: string) => `I can't make that change: ${why} Here is the original again.`,
    refusedAndGone: (why: string) =>
      `I can't make that change: ${why} The original isn't possible any more either, so I won't do it.`,
    notJson: 'That isn\'t JSON. It should look like {"name": "value"}.',
    unknownName: (name: string, known: string) => `There's no argument ${name} here. Use ${known}.`,
    expected: (path: string, what: string) => `${path} must be ${what}.`,
    isMissing: (path: string) => `${path} is missing.`,
    isHidden: (path: string) => `${path} is hidden. Type the whole value, or leave it unchanged.`,
    keptHidden: (path: string) =>
      `${path} is hidden. Only the person who asked, or an admin, can change the rest and keep it.`,
    same: "Nothing changed: those are the current values.",
    tooLong: (count: number) =>
      `That's too long. The limit is ${counted(count, { one: "character", other: "characters" })}.`,
    how: (id: string) =>
      `To change it: /edit {id:${id}} {change:name=value}, or JSON with all arguments.`,
    whichOne: "Which action do you want to change?",
    nothingToChange: "These actions have no arguments to change.",
    change: "name=value",
    newValue: (name: string) => `Reply to this message with the new value of ${name}.`,
    newValues: (names: string) =>
      `Reply to this message with what should change, each as name=value on its own line. You can change: ${names}.`,
    title: "Change the arguments",
    asJson: "All arguments, as JSON",
    noForm:
      "This is too big for a form. Reply to the card with name=value, or with JSON that has all arguments.",
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

  /** Of the permission mode: `/settings permissions`. */
  permissions: {
    auto: (until: string, by: string) => `auto until ${until}, set by ${by}`,
    status: (mode: string) => `Permissions: ${mode}`,
    isAuto: (until: string) =>
      `Until ${until} I won't ask where a rule allows that. /settings permissions {value:ask} ends it.`,
    onlyYours: "You're an admin of this group only, so it covers what you ask for yourself.",
    isAsk: "OK, I'll ask before I act.",
    expected: "Use ask, auto, or auto with a time such as auto 30m",
    noRule: "No rule allows auto here, so I keep asking.",
    full: "This chat has too many permissions already. /grants lists and removes them.",
    inGrants: "auto: everything that a rule allows without asking",
    ranByAuto: "done without asking (auto)",
  },

  /** Of standing permissions. */
  grants: {
    none: "I always ask first in this chat.",
    heading: "What I can do here without asking:",
    exactly: (given: string) => `with exactly ${given}`,
    alike: (given: string) => `with any arguments like ${given}`,
    lasts: (span: string) => `for another ${span}`,
    allowedBy: (name: string) => `allowed by ${name}`,
    onlyFor: (name: string) => `only when ${name} asks`,
    howTo: "To remove one: /grants revoke <number>.",
    ownFacts: (name: string) =>
      `Only ${name} can allow this for longer: what I remember for people needs their own consent.`,
    revoked: (tool: string) => `Done. I'll ask before using ${tool} again.`,
    noSuch: (number: string) => `There's no number ${number} here. See /grants.`,
    notYours: "Only an admin, or the person who allowed it, can remove that.",
    given: (span: string) =>
      `Approved. For ${span} I'll do exactly this again without asking. /grants removes that.`,
    givenAny: (span: string, tool: string) =>
      `Approved. For ${span} I'll use ${tool} with any arguments like these without asking. /grants removes that.`,
    off: "This one always needs approval.",
    atMost: (span: string) => `The longest allowed is ${span}.`,
    noSpan: (typed: string) => `I don't understand ${typed}. Try 30m or 2h.`,
    adminsAny: "Only admins can allow other arguments.",
    full: "Approved, but this chat has too many permissions already for me to remember this one. /grants lists and removes them.",
    one: "Which action? /approve <id>.<number> always allows one of them.",
  },

  /** Of the kill switch. */
  pause: {
    kept: "I'm paused at the moment. Your message is saved; I'll answer when I'm back.",
    halted: "An admin paused me, so I stopped here. Please ask again later.",
    scopes: {
      all: "everywhere",
      telegram: "in Telegram",
      discord: "in Discord",
      console: "in the terminal",
    },
    begun: (what: string) =>
      `Paused ${what}. Running answers will finish; new messages wait. /resume to continue.`,
    begunNow: (what: string) =>
      `Paused ${what}. Running answers are stopped; new messages wait. /resume to continue.`,
    ended: (what: string) => `I'm back ${what}. Waiting messages will be answered in a moment.`,
    notPaused: (what: string) => `I'm not paused ${what}.`,
    stillAll: "I'm still paused everywhere. /resume all ends that.",
    unknown: (typed: string) =>
      `I don't understand ${typed}. Use all, telegram, discord, console or now.`,
    since: (moment: string) => `Paused since ${moment}.`,
    sinceOf: (what: string, moment: string) => `Paused ${what} since ${moment}.`,
  },

  audit: {
    itself: "Parley itself",
    heading: "Audit log (newest first, UTC):",
    none: "Nothing found in the audit log.",
    part: "I only looked at the newest 20,000 lines. /audit export has everything.",
    unknown: (typed: string, kinds: string) =>
      `I don't understand ${typed}. Use a number, a person or a kind: ${kinds}.`,
    exported: (count: number) =>
      `I'll send you the audit log (${counted(count, { one: "line", other: "lines" })}) as a file in our private chat.`,
    actions: {
      "approval-decided": "decided on",
      "approval-edited": "changed the arguments of",
      "values-shown": "viewed hidden values of",
      "contents-shown": "read what was said in",
      "grant-given": "allowed without asking",
      "grant-revoked": "ended a permission for",
      "limit-set": "set a limit for",
      "limit-reset": "reset a limit for",
      "role-set": "changed the role of",
      "pairing-decided": "decided on access for",
      paused: "paused",
      resumed: "resumed",
      "setting-changed": "changed the setting",
      "turn-stopped": "stopped the answers",
      "schedule-changed": "changed the schedule",
      "skill-decided": "decided on the skill",
      broadcast: "sent a message to all chats",
      "page-login": "logged in to the dashboard with",
      "page-session-ended": "logged out of the dashboard",
      "erasure-asked": "asked to delete",
      "dead-letter-settled": "dealt with an undelivered message",
      "attempt-denied": "was denied",
      "tool-executed": "ran",
    },
    /** How it ended, by the words that the log has. */
    outcomes: {
      approved: "approved",
      denied: "denied",
      expired: "expired",
      "approved 1 of 2": "approved, 1 of 2",
      "not entitled": "not entitled to",
      "another chat": "in another chat",
      allowed: "allowed",
      allow: "everyone has access",
      ban: "the bot stays quiet",
      none: "none",
      done: "done",
      cancelled: "cancelled",
      "outcome-unknown": "outcome unknown",
      unknown: "outcome unknown",
      failed: "failed",
      "tool-error": "failed",
      timeout: "timed out",
      "invalid-arguments": "invalid arguments",
      "unknown-tool": "unknown tool",
      "policy-denied": "forbidden by a rule",
      "confirmation-denied": "approval denied",
      "confirmation-expired": "approval expired",
      superseded: "replaced by a newer message",
      "limit-reached": "limit reached",
      deadline: "the answer ran out of time",
      "asked-again": "asked again",
      refused: "refused",
      "not-asked": "not asked",
      "not-allowed": "not allowed",
      replayed: "sent again",
      dropped: "dropped",
      yes: "yes",
      same: "the same arguments",
      like: "similar arguments",
      shell: "the shell",
      off: "off",
    },
    /** Names of facts; what is not named here is for the export. */
    facts: {
      requester: "asked for by",
      first: "first approved by",
      persona: "persona",
      scope: "for",
      until: "until",
      before: "before",
      now: "now",
      reason: "reason",
      value: "value",
      characters: "characters",
      role: "role",
      asked: "asked for",
      changed: "changed",
      from: "from",
      name: "name",
      version: "version",
    },
  },

  /** Of skills, and of what admins read before they approve one. */
  skills: {
    none: "I don't have any skills yet.",
    heading: "Skills in this chat:",
    howTo: "To use one: /skill <name> <task>",
    inUse: (names: string) => `Skills on in this chat: ${names}. /skills shows them all.`,
    waiting: (names: string) =>
      `Waiting for review: ${names}. Admins can look with /skills review.`,
    noneWaits: "No skill is waiting for review.",
    alsoWait: (names: string) => `Also waiting: ${names}.`,
    unknown: (typed: string) => `I don't know the skill ${typed}.`,
    which: "Which skill? For example: /skills off {skill:pdf}",
    isOn: (name: string) => `The skill ${name} is now on in this chat.`,
    isOff: (name: string) => `The skill ${name} is now off in this chat.`,
    offHere: (name: string, command: string) =>
      `The skill ${name} is off in this chat. To switch it on: ${command}`,
    notOfPersona: (name: string, persona: string) =>
      `The persona ${persona} doesn't use the skill ${name}. /persona shows who else can answer.`,
    personaUses: (persona: string, names: string) => `${persona} uses only: ${names}.`,
    personaUsesNone: (persona: string) => `${persona} uses none of them.`,
    begun: (name: string) => `On it, with the skill ${name}.`,
    noTask: "What should I do with it? For example: /skill {name:pdf} {task:fill in this form}",
    news: (names: string) =>
      `Skills are waiting for your review: ${names}. Look at them with /skills review.`,
    isNew: (name: string) => `New skill: ${name}`,
    hasChanged: (name: string) => `Changed skill: ${name}`,
    wants: (tools: string) => `It asks for these tools, which changes nothing: ${tools}`,
    mentions: (tools: string) => `It mentions these tools: ${tools}`,
    hidden: (count: number) =>
      `Careful: ${counted(count, { one: "hidden character", other: "hidden characters" })}, shown as codes such as \\u200b.`,
    leftOut: (count: number) =>
      `${counted(count, { one: "file is left out because it isn't text or is", other: "files are left out because they aren't text or are" })} too long. I never read such files.`,
    cut: (command: string) =>
      `This is only the beginning. To read everything and then approve it: ${command}`,
    toDeny: (command: string) => `To deny it: ${command}`,
    readFirst: (command: string) => `There's more to read before this can be approved: ${command}`,
    toDecide: (approve: string, deny: string) => `To decide: ${approve} or ${deny}`,
    files: {
      added: "New file",
      changed: "Changed file",
      removed: "Removed file",
      same: "Unchanged file",
    },
    approved: (name: string, admin: string) => `${admin} approved the skill ${name}.`,
    denied: (name: string, admin: string) => `${admin} denied the skill ${name}.`,
    noSuchVersion: "This version of the skill is gone. Look again with /skills review.",
    privately: "Please do this in a private chat with me.",
    sent: (name: string) => `I'll send you the skill ${name} as a file.`,
  },

  dashboard: {
    off: "The dashboard is off. To enable it, set PARLEY_PAGE_PORT where I run.",
    directOnly: "I only send the link in a direct chat. Please send me /dashboard there.",
    link: (url: string) =>
      `This link logs you in to the dashboard. It works once, within 10 minutes, so please don't share it:\n${url}`,
    isOpenIn: (browsers: string) => `Logged in now: ${browsers}.`,
    /** A button's label. */
    end: (browser: string) => `Log out ${browser}`,
    ended: (browser: string) => `${browser} is logged out.`,
    endedBefore: "That browser isn't logged in any more.",
    allEnded: "All your browsers are logged out, and links you haven't used no longer work.",
    someBrowser: "a browser",
    newBrowser: (browser: string, when: string) =>
      `Someone logged in to the dashboard as you: ${browser}, ${when}. If that wasn't you, log it out; /dashboard off logs out all your browsers.`,
    notMe: "That wasn't me",
  },

  imports: {
    none: "There's nothing to import. Run “npm run init -- --from openclaw” (or hermes) first.",
    directOnly: "This works only in a direct chat. Please send me /import there.",
    facts: "What I'd remember about you:",
    schedules: "Schedules for this chat, paused until you resume them:",
    question: "I won't save anything until you agree.",
    take: "Import all",
    hasChanged: "The list has changed. Please look at it again:",
    done: (facts: number, schedules: number) =>
      `Imported. Facts: ${n(facts)}, paused schedules: ${n(schedules)}. See /memory and /schedule.`,
    full: (count: number) =>
      `There was no room for ${n(count)} of them. Delete something with /memory or /schedule, then send /import again.`,
  },

  doctor: {
    fine: (count: number) =>
      `Everything is fine (${counted(count, { one: "check", other: "checks" })}).`,
    found: (broken: number, warnings: number) => `Broken: ${n(broken)}, warnings: ${n(warnings)}`,
    fix: (how: string) => `Fix: ${how}`,
    rest: (count: number) => `Fine: ${n(count)}`,
    modelFails: (what: string, fix: string) =>
      `I can't answer anyone until this is fixed.\n${what}\n${fix}`,
    oneModelFails: (what: string, fix: string) =>
      `One of my models doesn't answer; another one takes its place.\n${what}\n${fix}`,
  },
  stats: {
    chats: (today: number, thisMonth: number) =>
      `Active chats: about ${n(today)} today, ${n(thisMonth)} this month`,
    today: (spent: string) => `Today: ${spent}`,
    thisMonth: (spent: string) => `This month: ${spent}`,
    turns: (active: number, waiting: number) =>
      `Answers: ${n(active)} in progress, ${n(waiting)} waiting`,
    deliveries: (waiting: number) => `Messages to send: ${n(waiting)}`,
    deadLetters: (count: number) => `Failed deliveries: ${n(count)}`,
    running: (version: string, span: string) => `Parley ${version}, up for ${span}`,
  },

  broadcast: {
    asks: (count: number) => `This goes to ${counted(count, { one: "chat", other: "chats" })}:`,
    asksMore: (count: number) =>
      `This goes to more than ${counted(count, { one: "chat", other: "chats" })}:`,
    yes: "Send it",
    confirm: (command: string) => `To confirm, send ${command} within 5 minutes.`,
    begun: "Sending. I'll tell you when it's done.",
    done: (count: number) =>
      `Your message went to ${counted(count, { one: "chat", other: "chats" })}.`,
    nobody: "There are no chats to send it to yet.",
    tooLong: (length: number, limit: number) =>
      `That's too long (${n(length)} characters; the limit is ${n(limit)}).`,
    expired: "That confirmation is wrong or has expired. Start again with /broadcast.",
  },
  /** Reminders and schedules. */
  schedules: {
    /** What people type; see `WhenWords`. */
    when: englishWhen,
    /** Likely time zones of its speakers. */
    zones:
      "America/New_York America/Chicago America/Denver America/Los_Angeles Europe/London Asia/Kolkata Australia/Sydney",
    howTo:
      "Tell me when and what. For example: /remind {when:in 20m} {text:tea}, or: /remind {when:tomorrow 9:00} {text:dentist}",
    noText: "What should I remind you of? For example: /remind {when:in 20m} {text:tea}",
    tooLong: (length: number, limit: number) =>
      `That's too long (${n(length)} characters; the limit is ${n(limit)}).`,
    forModel: (text: string) => `Set a reminder: ${text}`,
    begun: "Let me see when that would be.",
    willRemind: (when: string) => `OK, I'll remind you: ${when}.`,
    problems: {
      impossible: "That date or time doesn't exist. Try 2027-01-05 09:00, or tomorrow 9:00.",
      past: "That time has already passed. Pick one that's still to come.",
      soon: "That's too soon. Give me at least 5 seconds.",
      far: "That's too far away. Pick a time within the next ten years.",
      never: "That rule would never come up. Try every monday 9:00, or 0 9 * * 1.",
      often: "That's too often. Leave at least 5 minutes in between.",
    },
    tooMany: (limit: number) =>
      `You already have ${n(limit)} reminders and schedules in all chats together, which is the limit. Delete one first: /schedule`,
    none: "You have no reminders or schedules here. To make one: /remind {when:in 20m} {text:tea}",
    heading: "Reminders and schedules in this chat:",
    more: "More",
    buttons: "▶ runs one now, ⏸ pauses it, ⏵ resumes it, ✕ deletes it.",
    next: (when: string) => `next: ${when}`,
    over: "over",
    paused: {
      person: "paused",
      failures: "paused after three failures",
      rights: "paused, because its author may no longer use it",
      dead: "paused, because I can't write in that chat",
    },
    /** The author of schedules hears it in private, before the schedules' names, or an owner does. */
    dead: {
      /** For `place`, where its name is unknown. */
      someGroup: "one of our groups",
      inGroup: (place: string) =>
        `I can't write in ${place} any more, so I've paused what you had planned there:`,
      inPrivate: (platform: string) =>
        `I can't write in one of our private chats on ${platform} any more, so I've paused what you had planned there:`,
      goesOn:
        "It goes on by itself as soon as I can write there again. If you'd rather have it here, plan it again in this chat, for example with /remind.",
      ofPerson: (name: string, ids: string) =>
        `I can't write to ${name} any more, so I've paused what they had planned in our private chat (${ids}). It goes on by itself as soon as I can write there again.`,
      ofGroup: (name: string, place: string, ids: string) =>
        `I can't write in ${place} any more, and I couldn't reach ${name} in private. I've paused what they had planned there (${ids}). It goes on by itself as soon as I can write there again.`,
      lost: (name: string, id: string, why: string) =>
        `I couldn't deliver what ${name} had planned (${id}), and I couldn't reach them elsewhere. ${why}`,
    },
    last: (outcomes: string) => `last: ${outcomes}`,
    outcomes: {
      sent: "sent",
      asked: "answered",
      unchanged: "no change",
      late: "missed",
      refused: "refused",
      failed: "failed",
    },
    run: "Run now",
    pause: "Pause",
    resume: "Resume",
    delete: "Delete",
    which: "Which one? /schedule shows their IDs.",
    unknown: (typed: string) => `I don't know ${typed}. /schedule shows what you have here.`,
    badAction: (typed: string) =>
      `I don't know ${typed}. Use /schedule list, run, pause, resume, delete or zone.`,
    notYours: "Only an admin, or the person who made it, can change it.",
    justChanged: "It has changed in the meantime. Have a look at /schedule and try again.",
    isDeleted: (what: string) => `Deleted: ${what}`,
    isPaused: (what: string) => `Paused: ${what}`,
    isResumed: (what: string, when: string) => `Resumed: ${what} (next: ${when})`,
    isRunning: (what: string) => `Running it now: ${what}`,
    isOver: "Its time has passed. Make a new one with /remind.",
    zone: {
      is: (zone: string) =>
        `Your time zone is ${zone}. To change it: /schedule zone {city:Europe/Berlin}`,
      isUnknown: "I don't know your time zone yet, so I use UTC.",
      ask: "I don't know your time zone, so this is in UTC. Where are you?",
      how: "If it's not among them: /schedule zone {city:Europe/Berlin}",
      unknown: (typed: string) =>
        `I don't know the time zone ${typed}. Name a big city in your time zone, for example: /schedule zone {city:Berlin}`,
      near: (typed: string, zones: string) =>
        `I don't know the time zone ${typed}. Did you mean ${zones}? If not, name a big city in your time zone, for example: /schedule zone {city:Berlin}`,
      isNow: (zone: string) => `Your time zone is now ${zone}.`,
      others: "These are still in another time zone. To move one, choose it:",
      moved: (when: string) => `I've moved it: ${when}.`,
      notAnonymously: "Anonymous senders are not allowed to have a time zone of their own.",
    },
    rules: {
      every: (span: string) => `every ${span}`,
      daily: (time: string) => `every day at ${time}`,
      workdays: (time: string) => `Monday to Friday at ${time}`,
      weekly: (weekday: string, time: string) => `every ${weekday} at ${time}`,
      cron: (rule: string) => `by the rule ${rule}`,
    },
    card: {
      /** The schedule that would be changed or deleted. */
      existing: (what: string) => `Currently: ${what}`,
      next: (times: string) => `Next: ${times}`,
      cost: (amount: string) => `About ${amount} a month, going by what answers cost in this chat.`,
      costUnknown: "What it will cost a month is unknown.",
      costNothing: "It costs nothing: no AI model is asked.",
    },
    /** A reminder that is due; in a group it says whose. */
    reminder: (text: string) => `⏰ ${text}`,
    reminderFor: (name: string, text: string) => `⏰ ${name}: ${text}`,
    wasDue: (when: string) => `This was due ${when}.`,
    /** News of a schedule, by the beginning of its text. */
    noRights: (text: string) =>
      `I paused the schedule “${text}” because you may no longer have schedules here.`,
    /** Follows a limit's sentence. */
    notRun: (text: string) => `So the schedule “${text}” didn't run this time.`,
    failed: (text: string) =>
      `I paused the schedule “${text}” because it failed three times in a row. You can resume it with /schedule.`,
  },
  findings: findingsEn,
  page: pageEn,
  number: n,
  money,
  exactMoney,
};
