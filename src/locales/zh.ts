import type { Locale } from "./locale.ts";

export const zh: Locale = {
  ingress: {
    notAllowed: "你没有权限使用这个机器人。",
    adminsOnly: (command) => `你没有权限使用 /${command}：它仅限管理员使用。`,
    membersOnly: (command) =>
      `你没有权限使用 /${command}：它供成员使用，而你是访客。`,
    ownersOnly: (command) => `你没有权限使用 /${command}：它仅限所有者使用。`,
    noCommand: (command) => `没有 /${command} 这个命令。/help 会列出所有命令。`,
    wroteNothing: "你什么也没写。我能帮你做什么？",
    tooLong: (length, limit) =>
      `这条消息有 ${length} 个字符，我最多接受 ${limit} 个。请分几次发送。`,
    full: "这个聊天里等待的消息太多了。这一条没有保存，在有空位之前发来的也不会保存：请稍后再发一次。",
    notKept: (errorId) =>
      `抱歉，我的存储空间已满。你的消息没有保存：请稍后再发一次。（${errorId}）`,
    notDone: (errorId) =>
      `抱歉，我的存储空间已满：现在做不到。请稍后再试。（${errorId}）`,
    tapTooOld: "这个按钮不是我的，或者太旧了。",
    tapTooLate: "来得太晚了。请再点一次。",
  },

  files: {
    noVoice: "我在这里听不了语音。请改为文字：这条没有保存。",
    noImage: (name) =>
      `${name}不是我能读取的图片：我接受 PNG、JPEG、GIF 和 WebP。`,
    noText: (name) =>
      `${name}的类型我读不了。我接受图片（PNG、JPEG、GIF、WebP）、PDF 和文本文件。`,
    reading: (name) => `正在读取 ${name} …`,
    nameless: { image: "这张图片", document: "这个文档", voice: "这条语音" },
    tooMany: (count, limit) =>
      `这条消息有 ${count} 个文件，我最多接受 ${limit} 个。`,
    tooLarge: (name, megabytes, limit) =>
      `${name}太大了：${megabytes} MB。我接受不超过 ${limit} MB 的文件。`,
    chatIsFull: (count, megabytes) =>
      `本聊天的文件已达到我能保留的上限：每天 ${count} 个或 ${megabytes} MB。请稍后再发送。`,
    empty: (name) => `${name}是空的。`,
  },

  inPrivate: {
    askThere: "这是私人信息：请直接给我发消息，在那里问我。",
    full: "抱歉，要私下发给你的内容已经太多了。请稍后再试。",
    answered: "我已私下回复你。",
    writeFirst: "如果没有收到，请先直接给我发一条消息，然后再问一次。",
    askedIn: (group) =>
      `你是在群组 ${group} 里问的；“这个聊天”指的就是那个群组：`,
    topic: (thread) => `话题 ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} 请求使用这个机器人。`,
    code: (code) => `代码：${code}`,
    allow: "允许",
    deny: "拒绝",
    yourCode: (code) =>
      `你还没有权限使用这个机器人。管理员可以让你加入：你的代码是 ${code}。`,
    unknownCode: "这个代码不存在、已过期或已处理过。",
    isAdmin: (who) => `${who} 已经是管理员。`,
    allowed: (who, admin) => `${who}：已由 ${admin} 允许。`,
    denied: (who, admin) => `${who}：已由 ${admin} 拒绝。`,
    youMay: "你现在可以使用这个机器人了。随便写点什么给我吧。",
    mayUse: (who) => `${who} 现在可以使用这个机器人了。`,
    neither: (typed) =>
      `${typed} 既不是 8 位字母和数字的代码，也不是像 @sam 这样的名字或像 telegram:12345 这样的 ID。`,
    adminsDecide: "你没有权限决定这件事：管理员可以。",
  },

  start: {
    youAreOwner: "这个机器人现在归你所有。/help 会告诉你能做什么。",
    hello: (place) => `我${place}回答问题：直接给我发消息就行。`,
    places: {
      telegram: "在 Telegram 上",
      discord: "在 Discord 上",
      console: "在这个终端里",
    },
    tools: (count) =>
      `我可以使用 ${count} 个工具（见 /tools）。需要批准的事，我只在你点了“批准”之后才做。`,
    noTools: "需要批准的事，我只在你点了“批准”之后才做。",
    direct: "在这里我什么都回答；在群组里，请提到我或回复我。",
    mention: "在这个群组里，谁提到我、回复我或发送命令，我就回答谁。",
    always: "在这个群组里，我回答每一条消息。",
    privacy: (model) =>
      `你写的内容会被保存，并由模型 ${model} 读取。/export 给你全部内容，/forget 将其删除，/help 列出其他命令。`,
    question: "现在东京几点？",
    showTools: "显示你的工具",
    showSettings: "显示设置",
  },

  help: {
    groups: {
      talk: "对话",
      choose: "我的工作方式",
      look: "当前情况",
      data: "你的数据",
      admin: "管理员专用",
    },
    more: "/help <命令> 会说明某个命令的用法。",
    alias: (names) => `也可以用：${names}。`,
  },

  menu: {
    pause: {
      pause: "不再开始新的回合，可限定某个平台",
      resume: "在 /pause 之后继续",
      platform: "哪里；省略则为全部",
      now: "同时停止正在进行的回合",
    },
    audit: {
      description: "谁做了什么，最新的在前",
      count: "多少行",
      who: "只看与某人有关的，用 @名字 或 id",
      what: "只看一类，或用 export 把全部导出为文件",
    },
    stats: { description: "本部署的运行情况" },
    broadcast: {
      description: "向所有聊天发送一条消息",
      text: "消息内容",
    },
    start: {
      description: "这个机器人能做什么",
      code: "让你成为第一位管理员的代码",
    },
    help: { description: "所有命令", command: "哪一个；不填则为全部" },
    new: { description: "开始新的对话" },
    stop: { description: "停止我正在做的事" },
    retry: { description: "重新回答你的上一条消息" },
    undo: { description: "忘掉你的上一条消息和我的回答" },
    compact: { description: "总结说过的内容，腾出空间" },
    auto: {
      description: "自己朝着一个目标工作，持续多轮",
      goal: "要达到什么；最多 2000 个字符",
      turns: (limit, usual) => `最多多少轮：1 到 ${limit}，不填则为 ${usual}`,
    },
    tier: {
      description: "用多强的模型回答：fast、smart、deep …",
      tier: "哪个档位；default 取消选择",
    },
    model: {
      description: "先询问哪个模型",
      model: "模型的名称或其中一部分；default 取消选择",
    },
    for: "me，或 chat：对这里的所有人；不填则为 me",
    settings: {
      description: "我在这个聊天里的行为，以及一轮可以花费多少",
      name: "哪一项；不填则为全部",
      value: "新的值；default 恢复默认",
    },
    activation: {
      description: "我回答这个群组里的哪些消息",
      when: "mention：提到我或回复我的；always：每一条",
    },
    language: {
      description: "我和你说话用的语言",
      language: "哪种语言；auto：跟随你的应用",
    },
    status: { description: "我在这个聊天里正在做什么" },
    approvals: {
      description: "这个聊天里有什么在等待批准",
      id: "某个调用的 ID：只向你显示其中隐藏的值",
    },
    approve: {
      description: "批准我所请求的事",
      id: "ID，多个调用时再加编号（见 /approvals）",
      always: "多长时间内同样的调用无需询问，例如 1h；管理员可加 any",
    },
    deny: {
      description: "拒绝我所请求的事",
      id: "ID，多个调用时再加编号（见 /approvals）",
      reason: "原因；我会知道",
    },
    edit: {
      description: "在批准之前修改我所请求的内容",
      id: "哪一个；/approvals 会列出",
      change: "名称=值，可以有多个，或包含全部参数的 JSON",
    },
    grants: {
      description: "我在本聊天中可以不再询问就做的事",
      revoke: "revoke 加编号可收回一项许可",
    },
    tools: { description: "我能用什么，其中哪些会先询问" },
    todos: { description: "查看此聊天的待办清单" },
    limits: {
      description: "消息、token 和费用的上限，以及已使用多少",
      set: "为某人、聊天、角色、平台或所有人设置上限",
      reset: "恢复为运营者文件中的上限",
      scope:
        "person、@name、telegram:1 这样的标识、chat、role:member、platform 或 global",
      metric: "限制什么",
      value: "多少：20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: { description: "这个聊天用了多少，按模型列出，以及费用" },
    export: {
      description: "我们说过的一切，以文件形式",
      format: "json 供机器读取；不填则为 markdown，供人阅读",
    },
    forget: {
      description: "删除这个聊天，或我保存的关于你的一切",
      what: "chat：这个聊天的全部；me：你在各处的全部",
      confirmation: "我让你输入的内容，例如 yes-1234",
    },
    whoami: { description: "我眼中的你是谁" },
    role: {
      description: "你的角色，以及它允许你做什么",
      give: "给某人一个角色",
      person: "谁的；不填就显示你自己的",
      role: "新的角色",
    },
    allow: {
      description: "让某人加入，或让这个聊天里的所有人加入",
      person: "谁",
      code: "机器人给对方的代码、像 telegram:12345 这样的 ID、here 或 server",
    },
    ban: {
      description: "禁止某人使用，或在这个聊天里保持沉默",
      person: "谁",
      reason: "原因；会留在审计日志里",
      place: "不针对某个人：这个聊天，或整个服务器",
    },
    unban: {
      description: "解除禁止，或清除对这个聊天的设定",
      person: "谁",
      place: "不针对某个人：这个聊天，或整个服务器",
    },
    admins: { description: "谁在管理这个机器人" },
  },

  control: {
    full: "这个聊天里等待的消息太多了，已达上限。请稍后再试。",
    begun: "请稍等。",
    dropped: (count) => `已丢弃 ${count} 条等待中的消息。`,
    onlyTheirs: {
      stop: (name) => `只有 ${name} 或管理员可以停止这个回答。`,
      undo: (name) => `只有 ${name} 或管理员可以撤销那条消息。`,
      retry: (name) => `只有 ${name} 或管理员可以让我重新回答那条消息。`,
    },
    nothingToStop: "没有什么可以停止的。",
    stopped: "已停止。",
    stoppedAndDropped: (count) => `已停止，并丢弃了 ${count} 条等待中的消息。`,
    newAfterAnswer: "我先完成当前的回答，然后开始新的对话。",
    newConversation: "新的对话：我不再看得到我们之前说过的内容。",
  },

  auto: {
    running: (step, of) =>
      `/auto 已经在处理一件事，第 ${step} 轮，共 ${of} 轮。/stop 可结束它。`,
    begun: (of) =>
      of === 1
        ? `我自己来做，进行 ${of} 轮。/stop 可结束它。`
        : `我自己来做，最多 ${of} 轮。/stop 可结束它。`,
    noGoal: "目标是什么？请写 /auto <目标> [轮数]。",
    badTurns: (limit, typed) =>
      `/auto 接受 1 到 ${limit} 轮，而不是 ${typed}。`,
    numberHint: "如果数字是目标的一部分，请把轮数写在它后面。",
    goalTooLong: (length, limit) =>
      `目标有 ${length} 个字符；上限是 ${limit} 个。`,
    ended: (step) => `/auto 到此结束，进行了 ${step} 轮。`,
    done: (step) => `/auto 已完成，进行了 ${step} 轮。`,
    atLimit: (of) => `/auto 已达到 ${of} 轮的上限。再发一次 /auto 可继续。`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `你的档位是 ${value}：${reason}。`,
      chats: (value) => `这个聊天的档位是 ${value}。`,
      yoursIsNow: (value) => `你的档位现在是 ${value}。`,
      chatsIsNow: (value) => `这个聊天的档位现在是 ${value}。`,
      yoursIsDefault: "你的档位现在恢复为默认。",
      chatsIsDefault: "这个聊天的档位现在恢复为默认。",
      notForChat: "你没有权限选择这个聊天的档位：管理员可以。",
      notAnonymously: "你以匿名身份发言，因此不允许有自己的档位。",
      noneOfYours: "没有选择档位：使用 balanced，或在消息需要时使用其他档位。",
      noneOfChats:
        "这个聊天没有设置档位：使用 balanced，或在消息需要时使用其他档位。",
    },
    model: {
      yours: (value, reason) => `你的模型是 ${value}：${reason}。`,
      chats: (value) => `这个聊天的模型是 ${value}。`,
      yoursIsNow: (value) => `你的模型现在是 ${value}。`,
      chatsIsNow: (value) => `这个聊天的模型现在是 ${value}。`,
      yoursIsDefault: "你的模型现在恢复为默认。",
      chatsIsDefault: "这个聊天的模型现在恢复为默认。",
      notForChat: "你没有权限选择这个聊天的模型：管理员可以。",
      notAnonymously: "你以匿名身份发言，因此不允许有自己的模型。",
      noneOfYours: "没有选择模型：由档位决定。",
      noneOfChats: "这个聊天没有设置模型：由档位决定。",
    },
    byYou: "这是你选的",
    byChat: "这是为这个聊天设置的",
    gone: (value) => `之前选择的是 ${value}，它已经不存在了。`,
    hidden: (count, command) =>
      `还有 ${count} 个没有显示：/${command} 可以按名称的一部分找到它们。`,
    how: (command) =>
      `/${command} <名称> 为你选择，/${command} <名称> chat 为这里的所有人选择，/${command} default 取消选择。`,
    notHere: "你没有权限在这里更改。",
    adminsHere: "你没有权限在这里更改：管理员可以。",
    replacesYours: (model) => `它取代了你自己的模型 ${model}。`,
    replacesChats: (model) => `它取代了这个聊天的模型 ${model}。`,
    yoursFirst: (value) => `对你来说，你自己的选择 ${value} 仍然优先。`,
    noTier: (typed, tiers) =>
      `没有 ${typed} 这个档位。可选：${tiers} 和 default。`,
    noModel: (typed) => `没有 ${typed} 这个模型。`,
    several: (typed, models) => `${typed} 可能指多个模型：${models}。`,
    thereAre: (names) => `可选：${names}。`,
    didYouMean: (name) => `你是指 ${name} 吗？`,
    andMore: (names, count) => `${names}，还有 ${count} 个`,
    order: (models) => `按以下顺序询问：${models}。`,
    sameAs: (tier, same) => `${tier}：在这里与 ${same} 相同`,
  },

  settings: {
    heading: "在这个聊天里：",
    how: "/settings <名称> <值> 更改一项，/settings <名称> default 恢复默认。",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <值> 可更改它。`
        : `/settings ${name} <值> 可更改它：${expected}。`,
    isDefaultAgain: (name, value) => `${name} 已恢复默认：${value}。`,
    cannotBe: (name, typed, expected) =>
      `${name} 不能是 ${typed}：${expected}。`,
    isNow: (name, value) => `在这个聊天里，${name} 现在是 ${value}。`,
    noneChosen: (kind) => `${kind}：未选择（见 /${kind}）`,
    yourChoice: (kind, value) =>
      `${kind}：${value}（你自己的选择；见 /${kind}）`,
    chatsChoice: (kind, value) =>
      `${kind}：${value}（为这个聊天设置；见 /${kind}）`,
    default: (name, value) => `${name}：${value}（默认）`,
    own: (name, value, fallback) =>
      `${name}：${value}（为这个聊天设置；默认：${fallback}）`,
    adminsOnly: (name) => `你没有权限更改 ${name}：管理员可以。`,
    adminsInGroups: (name) => `你没有权限在群组里更改 ${name}：管理员可以。`,
    which: "哪一项设置？",
    unknown: (typed) => `没有 ${typed} 这项设置。`,
    expectedCount: (min, max) => `应为 ${min} 到 ${max} 的整数`,
    expectedDuration: "应为时长，例如 15m 或 24h",
    expectedUsd: "应为美元金额，例如 5usd",
    orOff: (expected) => `${expected}，或 off`,
    expectedOther: "应为其他值",
    expectedWords: (words) => `应为 ${words} 或 default`,
  },

  activation: {
    direct: "这里只有你给我发消息：我什么都回答。",
    mention: "谁提到我、回复我或发送命令，我就回答谁。",
    always: "我回答这个群组里的每一条消息。",
    how: "/activation mention 或 /activation always 可更改。",
    telegramHint:
      "为此我必须能看到每一条消息：请把我设为这个群组的管理员，或在 @BotFather 那里关闭我的隐私模式。",
    discordHint:
      "为此我必须能看到每一条消息：请运行我的人设置 discord.messageContent。",
    unknown: (typed) => `/activation 接受 mention 或 always，而不是 ${typed}。`,
  },

  language: {
    name: "中文",
    isNow: "我现在用中文和你说话。",
    isAuto: "我跟随你的应用：用中文和你说话。",
    is: "我用中文和你说话，因为你这样选择了。",
    how: (codes) =>
      `/language <${codes}> 可更改，/language auto 跟随你的应用。`,
    unknown: (typed, codes) =>
      `我不会 ${typed} 这种语言。可选：${codes} 和 auto。`,
    notAnonymously: "你以匿名身份发言，因此不允许有自己的语言。",
  },

  status: {
    idle: "没有正在进行的事。",
    queued: "正在等待空闲的工作进程。",
    running: "我正在工作。",
    waiting: "我在等人批准或拒绝。",
    auto: (step, of) => `/auto：第 ${step} 轮，共 ${of} 轮。/stop 可结束它。`,
    queue: (count) => `等待中的消息：${count}。`,
    model: (models) => `模型：${models}。`,
    tier: (tier) => `档位：${tier}。`,
    noTier: "档位：balanced，或在消息需要时使用其他档位。",
    remembered: (count) => `这次对话中的条目：${count}。`,
  },

  approvals: {
    none: "这个聊天里没有什么在等待批准。",
    heading: (count) => `有 ${count} 个调用在等待批准：`,
    askedFor: (person) => `为 ${person} 请求`,
    expiresIn: (time) => `${time} 后过期`,
    more: (count) => `还有 ${count} 个。`,
    hiddenValues: (tool) => `${tool} 中隐藏的值：`,
    nothingHidden: "那里没有隐藏的内容。",
  },

  decisions: {
    otherChat: "这个按钮不属于这个聊天，或者太旧了。",
    otherMessage: "这个按钮不属于这条消息。",
    notAllowed: (who) => `你没有权限决定这件事：${who}可以。`,
    anAdmin: "管理员",
    orAnAdmin: (name) => `${name} 或管理员`,
    anOwner: "所有者",
    aMember: "任何成员",
    both: (one, other) => `${one} 和 ${other}`,
    counted: "已计入：1/2。还需要另一个人批准。",
    countedBefore: "你已经批准过了。还需要另一个人批准。",
    approved: "已批准。",
    denied: "已拒绝。",
    approvedOf: (done, of) => `已批准 ${of} 个中的 ${done} 个。`,
    deniedOf: (done, of) => `已拒绝 ${of} 个中的 ${done} 个。`,
    approvedBy: (name) => `已由 ${name} 批准。`,
    deniedBy: (name) => `已由 ${name} 拒绝。`,
    deniedBecause: (name, reason) => `已由 ${name} 拒绝：${reason}`,
    undecided: "已过期：没有人及时决定，因此被拒绝。",
    expired: "这已经过期了。",
    tooLate: "用时太长，不算数。请再点一次。",
    tooOld: "这个按钮太旧了。",
    already: {
      pending: "这还没有决定。",
      approved: "这已经批准了。",
      denied: "这已经拒绝了。",
      expired: "这已经过期了。",
      superseded: "这已经被取代了。",
      cancelled: "这已经取消了。",
      changed: "这已经修改过：下方较新的卡片会询问。",
    },
    changed: "已修改。该调用会再次显示，以便按修改后的内容批准。",
    changedBy: (name) => `已由 ${name} 修改：下方会重新询问。`,
    alreadyChangedBy: (name) => `这已由 ${name} 修改：下方较新的卡片会询问。`,
    alreadyApprovedBy: (name) => `这已经由 ${name} 批准了。`,
    alreadyDeniedBy: (name) => `这已经由 ${name} 拒绝了。`,
    superseded: "未执行：被更新的消息取代。",
    stopped: "未执行：已停止。",
    unknownId: (id) =>
      `这里没有等待批准的 ${id}。/approvals 会列出等待中的请求。`,
    whichCard:
      "我不确定你回答的是哪一个。请回复那张卡片、点击卡片上的按钮，或发送 /approve <id> 或 /deny <id>。/approvals 会列出 ID。",
    noCall: (typed, command) =>
      `该卡片上没有调用 ${typed}。请用编号指定其中一个：/${command} <id> 1。/approvals 会列出等待中的请求。`,
    which: (command) =>
      `这里有多个请求在等待批准：/approvals 会列出它们，/${command} <id> 选择其中一个。`,
  },

  cards: {
    approve: "批准",
    deny: "拒绝",
    approveAll: "全部批准",
    denyAll: "全部拒绝",
    because: (outcome, reason) => `${outcome}：${reason}`,
    lasts: {
      seconds: (count) => `${count} 秒`,
      minutes: (count) => `${count} 分钟`,
      hours: (count) => `${count} 小时`,
      days: (count) => `${count} 天`,
    },
    characters: (count) => `${count.toLocaleString("zh")} 个字符`,
    needed: (tool) => `需要批准：${tool}`,
    neededFor: (count) => `有 ${count} 个调用需要批准：`,
    calls: (count) => `${count} 个调用：`,
    about: (sentence) => `“${sentence}”`,
    noArguments: "没有参数。",
    secretsHidden: (id) =>
      `机密内容已部分隐藏（••••）。发送 \`/approvals ${id}\` 可私下查看。`,
    showHidden: "显示隐藏的值",
    lookalikes: (words) => `当心：有些词里的字母看起来像别的字母：${words}。`,
    details: (call) => `${call} 将得到的全部内容：`,
    decides: (who) => `由 ${who} 决定。`,
    twoDecide: (who) => `需要两个不同的人批准：${who}。`,
    firstOfTwo: (name) => `1/2：${name} 已批准，还需要一个人。`,
    expiresAt: (moment) => `过期时间：${moment}。`,
    expiresIn: (duration) => `${duration} 后过期。`,
    typed: (id) => `文字方式：\`/approve ${id}\` 或 \`/deny ${id}\`。`,
    typedForEach: (id) =>
      `文字方式：\`/approve ${id}\` 批准全部，\`/approve ${id}.1\` 批准第一个，\`/deny\` 同理。`,
    approved: (number) => `✓ ${number} 已批准`,
    approvedBy: (number, name) => `✓ ${number} 已由 ${name} 批准`,
    approvedFirst: (number, name) =>
      `… ${number} 已由 ${name} 批准，还需要一个人`,
    denied: (number) => `✗ ${number} 已拒绝`,
    deniedBy: (number, name) => `✗ ${number} 已由 ${name} 拒绝`,
    expired: (number) => `✗ ${number} 已过期：没有人及时决定`,
    superseded: (number) => `✗ ${number} 未执行：被更新的消息取代`,
    stopped: (number) => `✗ ${number} 未执行：已停止`,
    edit: "修改",
    allowFor: (span) => `允许 ${span}`,
    changedNote: (name) => `${name} 修改了参数。`,
    changedNoteOfNobody: "有人修改了参数。",
    howToChange: (id) => `先修改：\`/edit ${id} 名称=值\`。`,
    changed: (number) => `✎ ${number} 已修改`,
    changedBy: (number, name) => `✎ ${number} 已由 ${name} 修改`,
    erased: "已删除。",
  },

  delivery: {
    nothingToShow: "（回答里没有可以显示的内容。）",
    fileGone: "文件已不可用。",
    fileRefused: "抱歉，文件无法发送到这里。",
    goesOn: (fileName) => `回答的其余部分在文件 ${fileName} 里，其中有全文。`,
    sentAgain: "再次发送：之前可能已经送达",
  },

  platform: {
    notAllowed: "你没有权限这样做。",
    tryAgain: "抱歉，没有成功。请稍后再试。",
    notTaken: (errorId) => `抱歉，我无法接收这条消息。（${errorId}）`,
    whatAboutThis: "关于这个，你能告诉我什么？",
  },

  telegram: {
    buttonIsGone: "这个按钮已失效。",
    fileIsGone: "抱歉，Telegram 没有给我这个文件。请重新发送。",
    fileOutOfReach: "抱歉，我无法从 Telegram 取得这个文件。请稍后重新发送。",
    fileTooLarge: (megabytes) =>
      `这个文件太大了：我接受不超过 ${megabytes} MB 的文件。`,
    cannot: {
      animation: "抱歉，我看不了 GIF。请改发一张图片。",
      video: "抱歉，我看不了视频。请发一张截图，或把声音作为语音消息发来。",
      sticker: "抱歉，我看不到贴纸。请发图片，或用文字写出来。",
      paid_media: "抱歉，我打不开付费内容。请用文字告诉我是关于什么的。",
      story: "抱歉，我打不开快拍。请用文字告诉我是关于什么的。",
      contact: "抱歉，我读不了分享的联系人。请写下我需要知道的内容。",
      venue: "抱歉，我读不了分享的地点。请改为写出地址。",
      location: "抱歉，我读不了分享的位置。请改为写出地点。",
      poll: "抱歉，我读不了投票。请改为写出问题。",
      checklist: "抱歉，我读不了清单。请改用列表写出来。",
      dice: "抱歉，我不会掷骰子。请给我写消息。",
      game: "抱歉，我不会玩游戏。请给我写消息。",
      rich_message: "抱歉，我读不了富文本消息。请以纯文本发送。",
    },
    thisFile: "这个文件",
    cannotReadPicture: (name) =>
      `抱歉，我读不了图片 ${name}。请以照片发送，或用 JPEG、PNG、WebP 或 GIF。`,
    cannotReadFile: (name) =>
      `抱歉，我读不了 ${name}。我能读文本、代码、CSV、JSON、PDF、图片和语音。`,
  },

  discord: {
    admin: "供这个机器人的管理员使用",
    unknownCommand: "这个命令已不可用。",
    unknownAction: "我无法处理这个。",
    elsewhere: "我只能在与我的私信中，或在我已加入的服务器上回答。",
    onlyUserInstall: "我没有加入这里，做不了这个：请在与我的私信中使用。",
    mayNotWrite: "我没有权限在这个频道发言，所以无法在这里回答。",
    mayNotAttach: "我没有权限向这个频道发送文件，所以无法在这里这样做。",
    delayed: "抱歉，我现在无法接收。我会继续尝试，并在这里回答。",
    unreadable: "我读不了这个。请再试一次。",
    done: "完成。",
    doneBefore: "我已经做了，但我的回答丢失了。如有需要，请再问一次。",
    tooLate: "抱歉，我的回答来得太晚，无法只显示给你。请再问一次。",
    askAboutThis: "就此提问",
    yourQuestion: "你的问题",
    forgotten: "抱歉，我忘了是哪条消息。请重新选择。",
    about: (link) => `关于 ${link}`,
    ask: "向我提问",
    askQuestion: "你想知道或想让我做的事",
    askFile: "图片、文本、PDF 或音频文件",
    video: (name) =>
      `我看不了视频（${name}）。我接受图片、文本、PDF 和音频文件。`,
    archive: (name) => `我打不开压缩包（${name}）。请逐个发送里面的文件。`,
    picture: (name) =>
      `我看不了这种图片（${name}）。请发送 PNG、JPEG、GIF 或 WebP。`,
    otherFile: (name) =>
      `我读不了这种文件（${name}）。我接受图片、文本、PDF 和音频文件。`,
    sticker: "我看不到贴纸。请用文字说。",
    poll: "我读不了投票。请把问题写成消息。",
    fileIsGone: (name) => `抱歉，Discord 已经没有 ${name} 了。请重新发送。`,
    fileFailed: (name) => `抱歉，我无法从 Discord 取得 ${name}。请重新发送。`,
    fileTooLarge: (name, megabytes) =>
      `${name} 太大了。我接受不超过 ${megabytes} MB 的文件。`,
  },

  tools: {
    none: "我现在没有可用的工具。",
    free: "这些我会自己使用：",
    asking: "使用这些之前我会先请求批准：",
    sometimes: "使用这些时，必要时我会请求批准：",
    more: (count) => `还有 ${count} 个。`,
  },

  todos: {
    none: "待办清单是空的。给我一项需要多个步骤的任务，我会在这里记录进度。",
    heading: (done, total) => `待办清单：已完成 ${done}/${total}`,
  },

  usage: {
    heading: "这个聊天已使用：",
    turns: (count) => `轮数：${count}`,
    modelCalls: (count) => `模型调用：${count}`,
    inputTokens: (count) => `输入 token：${count}`,
    outputTokens: (count) => `输出 token：${count}`,
    about: (amount) => `约 ${amount}`,
    model: (requests, input, output) =>
      `${requests} 次请求，输入 ${input} 个 token，输出 ${output} 个 token`,
    costUnknown: "费用未知",
    cost: (amount) => `费用：${amount}`,
    unknown: "未知",
    andUnpriced: (amount) => `${amount}，另有价格未知的部分`,
  },

  limits: {
    whose: { you: "对你", thisChat: "对这个聊天", everybody: "对所有人合计" },
    role: (role) => `对你，角色为 ${role}`,
    platform: (platform) => `对 ${platform} 上的所有人`,
    ofPerson: (person) => `对 ${person}`,
    ofChat: (chat) => `对聊天 ${chat}`,
    hit: (limit, whose, used) =>
      `已达到上限：${limit}（${whose}）。已使用：${used}。`,
    needs: (amount) => `一次回答最多可能需要 ${amount}，超过了剩余的额度。`,
    resets: (when) => `${when}重新开始计算。`,
    notKept: "这条消息没有保存。",
    nearly: (percent, limit, whose, used) =>
      `上限已用 ${percent}%：${limit}（${whose}）。已使用：${used}。`,
    slowDown: (limit) => `命令太多：上限是 ${limit}。一分钟内会重新开始计算。`,
    heading: "在这个聊天里对你有效的上限：",
    none: "在这个聊天里对你没有设置上限。",
    used: (used, when) => `已使用：${used}，${when}重新计算`,
    running: (count) => `正在运行：${count}`,
    setHeading: "从聊天中设置的：",
    more: (count) => `……还有 ${count} 项`,
    ofTurn: "每一轮",
    how: "/limits set <范围> <指标> <值> 设置上限，/limits reset <范围> [指标] 恢复为运营者文件中的值。\n范围：person, @name, telegram:1, chat, chats, role:member, platform:telegram, global。值：20/min, 200k tokens/day, 5usd/month, 15m, off。",
    adminsOnly: "你没有权限更改上限：这仅限管理员。",
    adminsOfAll: "你没有权限更改这个上限：你可以设置这个聊天的上限。",
    badAction: (typed) => `/limits 不能 ${typed}：应为 set、reset 或留空。`,
    badScope: (typed) =>
      `${typed} 不是上限的范围：应为 person、@name、telegram:1 这样的标识、chat、chats、role:member、platform:telegram 或 global。`,
    badMetric: (typed, metrics) => `${typed} 不能限制：应为 ${metrics}。`,
    badValue: (typed, metric, example, per) =>
      `${typed} 不是 ${metric} 的上限：应类似 ${example}，按 ${per} 计算，或 off。`,
    isNow: (scope, limit, before) =>
      `${scope} 的上限现在是 ${limit}。之前：${before}。从下一条消息起生效。`,
    isReset: (scope, limit, before) =>
      `${scope} 的上限恢复为运营者文件中的值：${limit}。之前：${before}。`,
    notSet: "无",
    nothingSet: (scope) => `没有从聊天里为 ${scope} 设置过什么：无需重置。`,
    yoursToday: (used) => `你，今天：${used}。`,
    yoursThisMonth: (used) => `你，本月：${used}。`,
    allToday: (used) => `所有人，今天：${used}。`,
    allThisMonth: (used) => `所有人，本月：${used}。`,
    amounts: (messages, tokens, cost) =>
      `消息：${messages}，token：${tokens}，费用：${cost}`,
  },

  whoami: {
    name: (name) => `名字：${name}`,
    id: (id) => `ID:${id}`,
    role: (role) => `角色：${role}`,
    chat: (chat) => `聊天：${chat}`,
    anonymous: "你以匿名身份发言：在这里不能做任何决定。",
    place: (place) => `在地点列表中：${place}`,
    adminHere: "你管理这个群组：对它的设置、审批和限额，你在这里算作管理员。",
    may: {
      owner: "这个机器人由你管理：你什么都可以做，没有人能在聊天中更改这一点。",
      admin: "你什么都可以做：和我说话、决定我请求的事、更改设置、让别人加入。",
      member: "你可以和我说话、决定我向你请求的事，以及更改只与你有关的设置。",
      guest: "你可以在这里和我说话；我请求的事由成员决定。",
      stranger: "你还没有权限和我说话。",
      banned: "你没有权限和我说话。",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `我不认识叫 ${typed} 的人。从未给我写过消息的人，要用像 telegram:12345 这样的 ID 来指明。`,
    whom: (command) =>
      `你指的是谁？用 /${command} 回复对方的一条消息，或写出名字：/${command} @name，或像 telegram:12345 这样的 ID。`,
    anonymous: (who) => `${who} 以匿名身份发言，可能代表许多人：不能给它角色。`,
    adminsOnly: "你没有权限更改角色：管理员可以。",
    ownersOnly: "你没有权限这样做：只有所有者才能任命或撤销管理员。",
    ownerStays: (who) =>
      `你没有权限更改：这个机器人归 ${who} 所有，任何聊天都不能改变。`,
    fileBans: (who) => `运营者的设置禁止了 ${who}：需要在那里更改。`,
    fileAllows: (who) => `运营者的设置允许了 ${who}：需要在那里更改。`,
    isNow: (who, role) => `${who} 现在的角色是 ${role}。`,
    isAlready: (who, role) => `${who} 的角色已经是 ${role}。`,
    banned: (who) => `${who} 不能再使用这个机器人了。`,
    unbanned: (who) => `${who} 不再被禁止。`,
    notBanned: (who) => `${who} 没有被禁止。`,
    noRole: (typed) =>
      `${typed} 不是可以给予的角色：应为 admin、member 或 guest。`,
    whichRole: "哪个角色？有 admin、member 和 guest。",
    placeAllowed: (place) =>
      `${place} 里的所有人现在都可以和我说话。没有自己角色的人在那里是访客。`,
    placeBanned: (place) =>
      `我现在在 ${place} 里保持沉默。管理员说的话我仍然听得到。`,
    placeCleared: (place) => `对 ${place} 不再有任何设定。`,
    placeNotSet: (place) => `没有从聊天中对 ${place} 做过设定。`,
    noPlace: "这是两个人的聊天：请直接写出那个人。",
    noServer: "这里没有 Discord 服务器。",
    owners: "所有者：",
    admins: "管理员：",
    noneNamed: "没有指定任何人。",
    terminal: "坐在我运行的终端前的人也是我的所有者。",
  },

  export: {
    adminsOnly: "你没有权限导出群组里说过的内容：只有管理员可以。",
    badFormat: (typed) =>
      `${typed} 不是 /export 的格式：应为 json、markdown 或不填。`,
    full: "抱歉，这个聊天里等待发送的内容太多了。请稍后再试。",
    nothing: "没有可导出的内容：我们还什么都没说。",
    done: (entries) => `我们说过的一切，共 ${entries} 条，都在文件里。`,
    doneIn: (entries, files) =>
      `我们说过的一切，共 ${entries} 条，都在 ${files} 个文件里。`,
    shown: "这里的所有人都能看到。",
  },

  forget: {
    notAnonymously: "你没有权限以群组或频道的名义删除任何内容。",
    inPrivateOnly: "这里不允许这样做：请在我们的私聊中给我发 /forget me。",
    adminsOnly:
      "你没有权限删除这个聊天：在群组里管理员可以。在我们的私聊中发 /forget me 会删除你在这里写的内容。",
    badScope: (typed) =>
      `我可以删除 chat（这个聊天的全部）或 me（我保存的关于你的一切），而不是 ${typed}。`,
    badCode: (typed) =>
      `${typed} 不能确认任何事：应为 yes- 加四位数字，就像我给你的那样。`,
    yes: { chat: "是，删除这个聊天", me: "是，全部删除" },
    confirm: (confirmation) =>
      `要确认，请在 5 分钟内点按钮或发送 ${confirmation}。`,
    explained: {
      chat: "这会永久删除我保存的这个聊天的一切：说过的内容、笔记、待办、设置、用量、文件和存档。我在这里正在做的事都会结束。\n应用里的消息会保留：只有你能在那里删除它们。",
      me: "这会永久删除：你和我的所有私聊、你的个人资料以及其中的选择和角色（可能需要重新让你加入），还有你在群组里写的内容、我给你的回答、你替别人做决定时给出的理由和修改，以及我复述你原话的地方。我正在为你做的事都会结束。\n群组的笔记和待办会保留，因为没人知道是谁写的；别人写的关于你的内容以及应用里的消息也会保留。封禁会保留，但不带你的名字；你的用量会保留到月底。",
    },
    expired: (scope) =>
      `这不能确认任何事，或已过期：只有提出请求的人才能确认，而且要在这里、5 分钟之内。请用 /forget ${scope} 重新请求。`,
    begun: "请稍等。全部删除后我会告诉你。",
    chatDone: "完成：我保存的这个聊天的一切都已删除。",
    meDone: "完成：你和我的私聊以及你的个人资料都已删除。",
    meDoneWith: (groups) =>
      `完成：你和我的私聊以及你的个人资料都已删除，你在 ${groups} 个群组里写的内容也已删除。`,
    but: (count) =>
      `但有 ${count} 项可能与此有关的内容我无法读取或删除：运行我的人可以在我的日志里找到详情。`,
  },

  end: {
    modelCalls: (limit) =>
      `我在这里停下了：这一轮已达到 ${limit} 次模型调用的上限。`,
    toolExecutions: (limit) =>
      `我在这里停下了：这一轮已达到 ${limit} 次工具执行的上限。`,
    tokens: (limit) =>
      `我在这里停下了：这一轮已达到 ${limit} 个 token 的上限。`,
    cost: (limitUsd) =>
      `我在这里停下了：这一轮已达到 $${limitUsd} 的费用上限。`,
    deadline: (limitSeconds) =>
      `我在这里停下了：这一轮已达到工作 ${limitSeconds} 秒的时间上限。`,
    loop: "我在这里停下了，因为我一直在重复同样的事而没有进展。",
    denied: "我在这里停下了，因为我想做的事没有得到批准。",
    notAllowed: "我在这里停下了，因为我想做的事不被允许。",
    toolFailed: "我在这里停下了，因为一个工具失败了。",
    cut: "我在这里停下了：回答已达到长度上限。发送“继续”即可看到后面的内容。",
    cutEmpty:
      "我在这里停下了：还没来得及回答就达到了长度上限。发送“继续”，我会再试一次。",
    downgraded: (tier) =>
      `预算快用完了，所以这次由更便宜的模型回答（${tier}）。`,
    poisoned: (errorId) =>
      `抱歉，我不得不放弃这条消息：处理它失败了三次。请换一种方式试试。（${errorId}）`,
    stopped: "（已停止）",
    interrupted: "（已中断）",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `抱歉，模型服务现在的请求太多了。（${errorId}）`,
    overloaded: (errorId) => `抱歉，模型服务过载了。（${errorId}）`,
    timeout: (errorId) => `抱歉，模型用时太长了。（${errorId}）`,
    network: (errorId) => `抱歉，无法连接到模型。（${errorId}）`,
    "context-overflow": (errorId) =>
      `抱歉，这次对话对模型来说太长了；/new 可开始新的对话。（${errorId}）`,
    "setup-too-long": (errorId) =>
      `抱歉，仅我的指令和工具就超出了模型的长度限制。管理员可以精简提示词或工具，或者换用上下文窗口更大的模型。（${errorId}）`,
    "turn-too-long": (errorId) =>
      `抱歉，这个请求对模型来说太长了。请缩短它，或拆分成几部分发送。（${errorId}）`,
    auth: (errorId) => `抱歉，模型服务拒绝了我们的密钥。（${errorId}）`,
    "invalid-request": (errorId) =>
      `抱歉，模型服务拒绝了这个请求。（${errorId}）`,
    refused: (errorId) => `抱歉，模型拒绝回答。（${errorId}）`,
    empty: (errorId) => `抱歉，模型给出了空的回答。（${errorId}）`,
  },

  unreadable: {
    locked: "它有密码保护。",
    damaged: "文件已损坏，或者不是我能读取的 PDF。",
    "too-complicated": "文件太复杂，无法读取。",
    failed: "读取时出了问题，不会自动重试：请重新发送，或使用 /retry。",
    pictures: "里面没有文字：页面可能都是图片。",
    empty: "里面没有文字。",
    unknown: "它的类型我读不了。",
    "no-transcription": "我在这里听不了语音。",
    "not-transcribed": "抱歉，这条语音无法转成文字。",
    silent: "里面听不到有人说话。",
    gone: "它已不再保存：文件只保存一天。",
    refused: "模型的提供方不接受这张图片。",
  },

  exported: {
    title: "对话",
    asOf: (chat, time) => `聊天 ${chat}，截至 ${time}。`,
    edited: (who, time) => `${who} 修改了一条消息，${time}`,
    reading: "附件的文字",
    result: (number, tool) => `调用 ${number} 的结果，${tool}`,
    failed: (kind) => `失败：${kind}`,
    ended: (reason) => `这一轮结束：${reason}`,
    reset: (time) => `新的对话，${time}`,
    sawNothing: "从这里起，模型看不到上面的任何内容。",
    auto: (step, of) => `第 ${step} 轮，最多 ${of} 轮，目标：`,
    inAnswerTo: "回复：",
    said: "说的是：",
    attached: (name, bytes) => `附件：${name}，${bytes} 字节`,
    cutOff: "已中断",
    noted: "平台在下方补充：",
    thinking: "思考：",
    answer: "回答：",
    call: (number, tool) => `调用 ${number}：${tool}`,
    compaction: (strategy) => `摘要：${strategy}`,
    by: (model) => `由 ${model} 生成`,
    inPlaceOf: (from, to) =>
      `从这里起，模型看到的是以下内容，代替第 ${from} 到 ${to} 条；那些内容原样保留在上面：`,
    shortened: (entries) => `它看到的这些结果是缩短过的：${entries}。`,
    undone: (time) => `已撤销，${time}`,
    sawNothingOf: (from, to) =>
      `从这里起，模型看不到第 ${from} 到 ${to} 条的任何内容。`,
    notUndone: "这些调用做过的事没有撤销：",
  },

  console: {
    greeting: "这里是 Parley。写点什么吧；/help 显示所有命令，/quit 退出。",
    notHandedOver: "这条暂时没能交出去；已保留，会再次尝试。",
    questionIsOpen: "之前会话中的一个问题仍未回答：你的下一条消息会取代它。",
    questionReplaced: "你的消息取代了未回答的问题。",
    interruptAgain: "再按一次 Ctrl-C 退出",
    file: (path) => `文件：${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `我在等 ${person} 批准或拒绝一件事。之后我会处理你的消息，最晚在 ${minutes} 分钟后。`,
    awaitsAdmin: (minutes) =>
      `我在等管理员批准或拒绝一件事。之后我会处理你的消息，最晚在 ${minutes} 分钟后。`,
    awaitsDecision: (minutes) =>
      `我在等这里的一件事被批准或拒绝。之后我会处理你的消息，最晚在 ${minutes} 分钟后。`,
    brokeOff: (model) => `${model} 中断了，正在重新询问 …`,
    shortening: "正在缩短我们的对话 …",
    shortened: (before, after) =>
      `已缩短我们之前的对话：约 ${before} → ${after} 个 token。没有删除任何内容；/export 里有每一个字。`,
    nothingToShorten: "还没有什么可以缩短的。",
    nothingToUndo: "没有什么可以撤销的。",
    nothingToRetry: "没有什么可以重试的。",
    cannotRetry: "我无法重试：你的消息已经被总结了。请再发一次。",
    undone: "已撤销：我不再看得到你的上一条消息和它之后的内容。",
    undoneOf: (person) =>
      `已撤销：我不再看得到 ${person} 的上一条消息和它之后的内容。`,
    staysDone: (tools) => `不过，已经做了的事无法撤回：${tools}。`,
    messageKept: "现在所有工作进程都在忙或已停止。你的消息已保存，会得到回答。",
    waitsForPlace: (limit) =>
      `你的消息正在等待：正在处理的回答已达到上限（${limit} 个）。之后我会自动处理它。`,
    orderKept: (command) =>
      `现在所有工作进程都在忙或已停止。你的 /${command} 已保存，会被执行。`,
  },

  edits: {
    refused: (why) => `无法就该修改进行询问：${why} 该调用会按原样再次询问。`,
    refusedAndGone: (why) =>
      `无法就该修改进行询问：${why} 原来的调用也无法再询问，因此不会执行。`,
    notJson: '这不是 JSON：应为对象，例如 {"名称": "值"}。',
    unknownName: (name, known) => `这里没有参数 ${name}。可用：${known}。`,
    expected: (path, what) => `${path}：应为${what}。`,
    isMissing: (path) => `缺少 ${path}。`,
    isHidden: (path) => `${path} 在这里是隐藏的：请完整重写，或保持原样。`,
    keptHidden: (path) =>
      `${path} 在这里是隐藏的：只有提问者或管理员可以保留它并修改其余内容。`,
    same: "没有任何变化：这就是我所请求的参数。",
    tooLong: (count) => `太长了：最多 ${count} 个字符。`,
    how: "要改什么？/edit <id> 名称=值，或包含全部参数的 JSON。也可以这样回复卡片。",
    which: "哪一个调用？请以编号开头：2 名称=值。",
    title: "修改参数",
    asJson: "全部参数（JSON）",
    noForm: "这些参数放不进表单。请用 名称=值 或包含全部参数的 JSON 回复卡片。",
    types: {
      string: "文本",
      number: "数字",
      integer: "整数",
      boolean: "true 或 false",
      object: "JSON 对象",
      array: "JSON 列表",
      null: "null",
    },
    oneOf: (choices) => `${choices} 之一`,
  },

  grants: {
    none: "本聊天中没有任何事可以不询问就执行：没有人这样允许过。",
    heading: "本聊天中无需询问即可执行的事：",
    exactly: (given) => `仅限 ${given}`,
    alike: (given) => `任何类似 ${given} 的参数`,
    lasts: (span) => `还有 ${span}`,
    allowedBy: (name) => `由 ${name} 允许`,
    onlyFor: (name) => `仅当 ${name} 提问时`,
    howTo: "/grants revoke <编号> 可收回一项。",
    revoked: (tool) => `已收回：再次这样使用 ${tool} 之前我会询问。`,
    noSuch: (number) => `这里没有编号 ${number}。/grants 会列出。`,
    notYours: "只有管理员或当初允许的人可以收回。",
    given: (span) =>
      `已批准。在 ${span} 内同样的调用无需询问；/grants 可收回。`,
    givenAny: (span, tool) =>
      `已批准。在 ${span} 内 ${tool} 以任何类似参数执行都无需询问；/grants 可收回。`,
    off: "运营者要求每次都询问。",
    atMost: (span) => `最多 ${span}：运营者不允许更久。`,
    noSpan: (typed) => `${typed} 不是时间。应为：30m、2h。`,
    adminsAny: "只有管理员可以允许与此不同的参数。",
    full: "已批准。本聊天中不能再允许更多：/grants 会列出并可收回。",
    one: "哪一个调用？/approve <id>.<编号> always 可允许其中一个。",
  },

  pause: {
    kept: "这个机器人已暂停。你的消息已保存，恢复后会得到回答。",
    halted: "我不得不停下：管理员已暂停这个机器人。恢复后请再问一次。",
    scopes: {
      all: "全部",
      telegram: "Telegram 的聊天",
      discord: "Discord 的聊天",
      console: "终端",
    },
    begun: (what) =>
      `已暂停：${what}。不再开始新的回合，正在进行的会完成。用 /resume 恢复。`,
    begunNow: (what) =>
      `已暂停：${what}。不再开始新的回合，正在进行的已停止。用 /resume 恢复。`,
    ended: (what) => `已恢复：${what}。等待中的内容会在几秒内得到回答。`,
    notPaused: (what) => `没有暂停：${what}。`,
    stillAll: "全部仍处于暂停中：用 /resume all 恢复。",
    unknown: (typed) =>
      `${typed} 不是以下任何一个：all、telegram、discord、console、now。`,
    since: (moment) => `自 ${moment} 起暂停。`,
    sinceOf: (what, moment) => `自 ${moment} 起暂停：${what}。`,
  },

  audit: {
    itself: "Parley 自身",
    heading: (count) => `审计日志最新的 ${count} 行，时间为 UTC：`,
    none: "审计日志里没有这样的内容。",
    part: "我只查看了最新的 20,000 行；/audit export 包含全部。",
    unknown: (typed, kinds) => `${typed} 不是数字、人或类别。类别：${kinds}。`,
    exported: (count) => `审计日志共 ${count} 行，会以文件形式发到我们的私聊。`,
    actions: {
      "approval-decided": "决定了一项批准",
      "approval-edited": "修改了批准的参数",
      "values-shown": "查看了批准中隐藏的值",
      "grant-given": "给予了长期许可",
      "grant-revoked": "收回了长期许可",
      "limit-set": "设置了限额",
      "limit-reset": "重置了限额",
      "role-set": "授予了角色",
      "pairing-decided": "决定了一项准入",
      paused: "暂停",
      resumed: "恢复",
      "setting-changed": "更改了设置",
      broadcast: "向所有聊天发了消息",
      "erasure-asked": "请求删除数据",
      "attempt-denied": "被拒绝",
      "tool-executed": "运行了工具",
    },
  },

  stats: {
    spent: (messages, tokens, cost) =>
      `${messages} 条消息，${tokens} 个 token，${cost}`,
    chats: (today, thisMonth) =>
      `有消息的聊天：今天约 ${today} 个，本月约 ${thisMonth} 个`,
    today: (spent) => `今天：${spent}`,
    thisMonth: (spent) => `本月：${spent}`,
    turns: (active, waiting) => `回合：${active} 个进行中，${waiting} 个等待`,
    deliveries: (waiting) => `投递：${waiting} 个等待`,
    deadLetters: (count) => `已放弃的消息：${count}`,
    running: (version, span) => `Parley ${version}，已运行 ${span}`,
  },

  broadcast: {
    asks: (count) => `这条消息会发到 ${count} 个聊天：`,
    asksMore: (count) => `这条消息会发到超过 ${count} 个聊天：`,
    yes: "发送",
    confirm: (command) => `请在 5 分钟内点按钮或发送 ${command}。`,
    begun: "正在发送。全部发完后我会告诉你。",
    done: (count) => `你的消息已发到 ${count} 个聊天。`,
    nobody: "还没有可以发送的聊天。",
    tooLong: (length, limit) =>
      `这有 ${length} 个字符，我最多接受 ${limit} 个。`,
    expired: "这不能确认任何事，或已过期：请用 /broadcast 重新请求。",
  },
};
