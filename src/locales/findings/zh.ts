import { numberIn } from "../counted.ts";
import type { findingsEn } from "./en.ts";

const n = numberIn("zh");

export const findingsZh: typeof findingsEn = {
  checks: {
    machine: "本机",
    httpPort: "HTTP 端口",
    page: "控制台",
    processes: "进程列表",
    work: "等待处理的工作",
    schedules: "定时任务列表",
    owners: "所有者列表",
    groups: "被拒绝的群组列表",
    backup: "最近一次备份的时间",
    personas: "角色文件夹",
    tools: "工具规则",
    skills: "技能列表",
    model: (id) => `模型 ${id}`,
    embeddings: (model) => `嵌入模型 ${model}`,
    search: (provider) => `网页搜索（${provider}）`,
    mcp: (name) => `MCP 服务器“${name}”`,
  },
  late: {
    what: (check, seconds) => `${check}：${n(seconds)} 秒内没有响应。`,
    why: "这里卡住的，用户那边也会卡住。",
    fix: "请查看它的日志以及本机与它之间的网络，然后重新运行 doctor。",
  },
  unexamined: {
    what: (check, cause) => `${check}：无法检查（${cause}）`,
    why: "不清楚它是否正常；这里有问题，用户那边也可能有问题。",
    fix: "请先解决提示中的问题，再重新运行 doctor。如果提示与你的部署无关，请作为缺陷反馈。",
  },
  machine: {
    oldNode: {
      what: (version) => `Node ${version} 太旧了。`,
      why: (oldest) => `Parley 需要 Node ${oldest} 或更高版本。`,
      fix: "npm ci（会一并安装 Node 24）",
    },
    settings: (file) => `设置可以使用（${file}）。`,
    noFile: "没有 parley.yaml",
  },
  files: {
    closed: (path) => `只有文件所有者可以读取 ${path}。`,
    open: (path, mode) => `本机的其他用户可以读取 ${path}（权限 ${mode}）。`,
    holdsSecrets: "里面有令牌和密钥。",
    mayBeShared: "只要里面没有密钥就没关系。",
    noFolder: {
      what: (folder) => `${folder} 还不存在。`,
      why: "Parley 会在首次启动时创建它；可以用 PARLEY_DATA 指定其他位置。",
    },
    folderClosed: (folder) => `其他用户无法读取 ${folder} 中的数据。`,
    folderOpen: {
      what: (folder, mode) => `本机的其他用户可以打开 ${folder}（权限 ${mode}）。`,
      why: "里面存有对话。",
    },
    canWrite: (folder, freeMb) => `${folder} 可以写入（剩余 ${n(freeMb)} MB）。`,
    cannotWrite: {
      what: (folder, cause, freeMb) => `无法写入 ${folder}：${cause}（剩余 ${n(freeMb)} MB）。`,
      why: "这时 Parley 自带的 Redis 会拒绝消息，也不会有日志。",
    },
    scarce: {
      what: (folder, freeMb) => `${folder} 所在的磁盘快满了：剩余 ${n(freeMb)} MB。`,
      why: "磁盘满了以后，新内容无法保存，也无法回答任何人。",
    },
    freeSpace: (folder) => `请释放空间：df -h ${folder}；或将 PARLEY_DATA 设为其他磁盘上的文件夹。`,
  },
  port: {
    free: (port) => `端口 ${port} 空闲；Parley 运行时会监听它。`,
    ready: (url) => `Parley 正在运行，已在 ${url} 就绪。`,
    notReady: {
      what: (url, answer) => `Parley 在 ${url} 运行，但尚未就绪：${answer}`,
      why: "在此之前它不会回答任何人。",
      fix: "请修复其他故障；日志中也有同样的说明。",
    },
    taken: {
      what: (port, host) => `${host} 的端口 ${port} 被其他程序占用。`,
      why: (variable) => `${variable} 的端口被占用时，Parley 无法启动。`,
      fix: (port, variable) =>
        `请结束那个程序（ss -ltnp 'sport = :${port}'），或把 ${variable} 改为其他端口。`,
    },
  },
  page: {
    free: (port) => `端口 ${port} 空闲；Parley 运行时控制台就在那里。`,
    isAt: (url) => `控制台位于 ${url}。`,
    reached: (url) => `可以通过 ${url} 打开控制台。`,
    notOfRole: {
      what: (role) => `已设置 PARLEY_PAGE_PORT，但 ${role} 角色的进程不提供控制台。`,
      why: "控制台只在 bots 和 all 角色的进程中运行。",
      fix: "请在 PARLEY_ROLE 为 bots 或 all 的进程上设置。",
    },
    otherHost: {
      what: (url) => `${url} 的代理转发的 Host 不是它自己的。`,
      why: "/dashboard 的链接指向那里。",
      fix: "请让它转发 Host 请求头；nginx 的写法：proxy_set_header Host $host;",
    },
    unreached: {
      what: (url, answer) => `从本机无法通过 ${url} 打开控制台（${answer}）。`,
      why: "/dashboard 的链接指向那里。",
      fix: "请更正 PARLEY_PAGE_URL 或代理（docs/page.md）。如果只需要从别处的浏览器打开，可以忽略。",
    },
  },
  redis: {
    unknown: "未知",
    answers: (name, version) => `${name} 有响应（版本 ${version}）。`,
    tooOld: {
      what: (name, version) => `${name} 的版本是 ${version}。`,
      why: "Parley 需要 Redis 6.2 的命令。",
      fix: "请安装 Redis 6.2 或更高版本（或 Valkey），或去掉 REDIS_URL，让 Parley 使用自带的 Redis。",
    },
    replica: {
      what: (name) => `${name} 是副本。`,
      why: "无法写入副本。",
      fix: "请让 REDIS_URL 指向主服务器。",
    },
    alsoInFile: (command) => `${command}（redis.conf 中也要这样设置）`,
    evictsNothing: (name) => `${name} 不会淘汰数据。`,
    mayEvict: {
      what: (name) => `${name} 没有给出 maxmemory-policy。`,
      why: "只要不是 noeviction，内存满时就会丢失消息。",
    },
    evicts: {
      what: (name, policy) => `${name} 在内存满时会淘汰键（maxmemory-policy ${policy}）。`,
      why: "消息和审批会丢失；Parley 拒绝在这样的 Redis 上启动。",
    },
    writesAtOnce: (name) => `${name} 会立即把每条消息写入磁盘。`,
    noFile: {
      what: (name) => `${name} 没有 append-only 文件。`,
      why: "它停止时，已接收的内容可能丢失。",
    },
    writesLater: {
      what: (name, value) => `${name} 的 appendfsync 是 ${value}。`,
      why: "断电时，最近接收的内容可能丢失。",
    },
    cannotWrite: {
      what: (name) => `${name} 无法写入磁盘。`,
      why: "恢复之前它拒绝一切写入：消息无法保存，也无法回答任何人。",
      fix: "请释放 Redis 所在磁盘的空间（df -h），或更正其文件夹的权限；之后会自动恢复。",
    },
    uses: (name, usedMb, limitMb) => `${name} 已用 ${n(usedMb)} MB，共 ${n(limitMb)} MB。`,
    usesOfUnknown: (name, usedMb) => `${name} 已用 ${n(usedMb)} MB，上限未知。`,
    full: (name, usedMb, limitMb) =>
      `${name} 已用 ${n(usedMb)} MB，共 ${n(limitMb)} MB：内存已满。`,
    memory: {
      why: "内存满时，新消息会被拒绝。",
      fix: "请调大 maxmemory（redis-cli config set maxmemory 2gb），或缩短 parley.yaml 中的 retention.history 和 retention.traces。",
    },
  },
  clock: {
    agrees: (redis) => `本机时钟与 ${redis} 的时钟一致。`,
    here: {
      ahead: (seconds, redis) => `本机时钟比 ${redis} 的时钟快 ${n(seconds)} 秒。`,
      behind: (seconds, redis) => `本机时钟比 ${redis} 的时钟慢 ${n(seconds)} 秒。`,
      why: "Parley 以 Redis 的时钟为准，但日志、TLS 和令牌以本机时钟为准。",
      fix: "timedatectl set-ntp true（在时钟不准的机器上运行；date 可查看时间）",
    },
    elsewhere: {
      ahead: (host, process, seconds) =>
        `${host}（进程 ${process}）的时钟比 Redis 的时钟快 ${n(seconds)} 秒。`,
      behind: (host, process, seconds) =>
        `${host}（进程 ${process}）的时钟比 Redis 的时钟慢 ${n(seconds)} 秒。`,
      why: "Parley 以 Redis 的时钟为准，但那台机器的日志、TLS 和令牌以它自己的时钟为准。",
      fix: (host) => `timedatectl set-ntp true（在 ${host} 上运行）`,
    },
  },
  processes: {
    none: {
      what: "没有 Parley 在这个 Redis 上运行。",
      why: "在此期间无法回答任何人。",
    },
    runs: (version, processes) => `Parley ${version} 正在运行：${processes}。`,
    one: (role, process, host) => `${role}（${host} 上的进程 ${process}）`,
    versions: {
      what: (versions) => `正在运行的进程版本不同：${versions}。`,
      why: "这只适合升级时的几分钟。",
      fix: "请按 docs/guides/upgrade.md 中的顺序重启旧版本的进程。",
    },
    noneAnswers: {
      what: (role) => `没有 ${role} 角色的进程在运行。`,
      why: "消息会保存，但无法回答任何人。",
    },
  },
  work: {
    nothingOverdue: "没有逾期的工作。",
    overdue: {
      what: (count) => `有 ${n(count)} 个聊天或审批在 30 多秒前就该处理了。`,
      why: "没有运行中的进程处理它们，用户在等待。",
      fix: "npm start（或重启卡住的进程）",
    },
    noneWaits: "没有消息长时间等待。",
    waits: {
      what: (chat, span) => `${chat} 中有一条消息已等待 ${span}。`,
      why: "负责回答的进程卡住了、没有运行，或者部署已暂停。",
      fix: (chat) =>
        `npm run trace -- ${chat}；npm run admin -- resume（已暂停时）；否则请重启进程。`,
    },
    delivered: "所有回答都已送达。",
    undelivered: {
      what: (count) => `有 ${n(count)} 条消息未能送达。`,
      why: "有人没有收到回答。",
      reasons: (listed) => `原因：${listed}`,
      reasonsOfSome: (count, listed) => `其中 ${n(count)} 条的原因：${listed}`,
      fix: "npm run admin -- dead-letters（显示原因；然后运行 dead-letters replay --all）",
    },
  },
  schedules: {
    nothingOverdue: "没有逾期的定时任务。",
    overdue: {
      what: (count) => `有 ${n(count)} 个定时任务在两分多钟前就该触发了。`,
      why: "没有运行中的进程触发它们，或者它们的聊天中等待的消息太多。",
      fix: "npm start（或重启卡住的进程）",
    },
    noneFailed: "没有因失败而暂停的定时任务。",
    failed: {
      what: (count) => `有 ${n(count)} 个定时任务因连续失败三次而暂停。`,
      why: "创建它们的人已经知道；原因可能是它们共用的模型或工具。",
      fix: "请在日志中查找它们的错误，然后在各自的聊天中用 /schedule 恢复。",
    },
    noneDead: "没有因机器人无法在聊天中发消息而暂停的定时任务。",
    dead: {
      what: (count) => `有 ${n(count)} 个定时任务因机器人无法再在其聊天中发消息而暂停。`,
      why: "机器人已被移出，或该处已被删除，或对方已屏蔽机器人。创建它们的人已收到通知。",
      fix: "重新添加机器人后，它们会自动恢复；也可以在网页上删除它们。",
    },
  },
  people: {
    owners: (owners) => `所有者：${owners}。`,
    noOwner: {
      what: "机器人没有所有者。",
      why: "没有人能批准新用户、决定管理员的事项或查看故障。",
      fix: "请在 .env 中设置 PARLEY_ADMINS=telegram:<你的 ID>（或 discord:<你的 ID>）。",
      fixByCode:
        "npm start 会显示一个代码：请以 /start {code:CODE} 的形式私信发给机器人。或者设置 PARLEY_ADMINS=telegram:<你的 ID>。",
    },
    refusedGroup: {
      what: (group) => `最近十分钟内有人在群组 ${group} 中被拒绝。`,
      why: "这个群组和这个人都没有获得许可。",
      fix: (command, place) =>
        `请以管理员身份在群组中发送 ${command}，或把 ${place} 加入 parley.yaml 的 access.allow。`,
    },
  },
  backup: {
    age: (span) => `最近一次备份是 ${span}前。`,
    nothingYet: "还没有需要备份的内容。",
    old: {
      never: "没有备份记录。",
      why: "对话、角色和审批只存在 Redis 中。",
      fix: "请备份 Redis（docs/guides/backup.md），然后运行：npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username) => `Telegram 认识这个机器人：${username}。`,
    refused: {
      what: "Telegram 不接受 TELEGRAM_BOT_TOKEN。",
      why: "用它无法启动 Parley。",
      fix: "请打开 @BotFather，发送 /token，选择机器人，把令牌复制到 .env，然后重新启动 Parley。",
    },
    unreachable: {
      what: (host, cause) => `无法连接 Telegram（${host}）：${cause}`,
      why: "无法接收或发送任何内容。",
      fix: (address) => `请检查本机能否连接到它：curl -I ${address}`,
    },
    hasCommands: "Telegram 显示机器人的命令。",
    noCommands: {
      what: "Telegram 没有显示机器人当前的命令。",
      why: "菜单中看不到它们，但仍然可以使用。",
    },
    readsGroups: "机器人可以读取群组中的所有消息（隐私模式已关闭）。",
    privacy: {
      what: "隐私模式已开启：在群组中，Telegram 只把命令、提及和对机器人的回复发给它。",
      why: "除非有群组设置了 /activation always，否则这样就好。",
      fix: "@BotFather：/setprivacy，选择机器人，Disable；然后把机器人移出群组再重新添加。",
    },
    deaf: {
      what: (groups) => `隐私模式已开启，但 ${groups} 设置了 /activation always。`,
      why: "在那里，Telegram 只把命令、提及和对机器人的回复发给它，其他消息它都收不到。",
      fix: "把机器人设为群组管理员。或者 @BotFather：/setprivacy，选择机器人，Disable；然后把机器人移出群组再重新添加。",
    },
    maybeDeaf: {
      what: (groups) =>
        `隐私模式已开启，${groups} 设置了 /activation always，但无法确认机器人在那里是不是管理员。`,
      why: "如果不是，Telegram 在那里只把命令、提及和对机器人的回复发给它，其他消息它都收不到。",
    },
    otherPoller: {
      what: "另一个程序正在用这个令牌拉取消息，而本部署没有进程在拉取。",
      why: "Telegram 只服务其中一个：消息会随机到达其中之一。",
      fix: "请停止另一个程序，或在 @BotFather 为本部署申请单独的令牌（/newbot）。",
    },
    polls: "Parley 正在从 Telegram 拉取消息，没有 webhook 妨碍它。",
    canPoll: "没有设置 webhook，Parley 运行时可以从 Telegram 拉取消息。",
    strayWebhook: {
      what: (host) => `这个令牌设置了 webhook（${host}），但 Parley 是主动拉取消息的。`,
      why: "Telegram 会把消息发到那里，在此期间 Parley 收不到消息。",
      fix: "npm run doctor -- --fix（删除 webhook；Parley 下次启动时也会删除）",
    },
    posts: (host) => `Telegram 会把消息发到 ${host}。`,
    lostWebhook: {
      unset: "telegram.mode 是 webhook，但没有设置 webhook。",
      elsewhere: (host) => `webhook 指向 ${host}，而不是 telegram.webhook.url。`,
      why: "Telegram 的消息到不了 Parley。",
      fix: "npm start（会设置它）",
    },
    failingWebhook: {
      what: (host, waiting, cause) =>
        `Telegram 无法发送到 ${host}（等待中的更新：${n(waiting)}）：${cause}`,
      why: "恢复之前，消息会留在 Telegram。",
      fix: "请确认 telegram.webhook.url 指向 Parley 的 HTTP 端口，并使用 Telegram 信任的证书。",
    },
  },
  discord: {
    knows: (username, servers) =>
      `Discord 认识这个机器人：${username}，加入了 ${n(servers)} 个服务器。`,
    refused: {
      what: "Discord 不接受 DISCORD_TOKEN。",
      why: "用它无法启动 Parley。",
      fix: "请打开 https://discord.com/developers/applications，进入 Bot 页面，点击 Reset Token，并复制到 .env。",
    },
    unreachable: {
      what: (cause) => `无法连接 Discord：${cause}`,
      why: "无法接收或发送任何内容。",
      fix: "请检查本机能否连接到它：curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "机器人没有加入任何服务器。",
      why: "用户找不到它。",
      fix: (link) => `请打开 ${link}`,
    },
    lacks: {
      what: (server, permissions) => `机器人在服务器“${server}”中缺少权限：${permissions}。`,
      why: "它在那里无法正常回答。",
      fix: (link) => `请把这些权限授予机器人的角色，或重新邀请它：${link}`,
    },
    noIntent: {
      what: "discord.messageContent 是 true，但 Discord 开发者门户中的 intent 已关闭。",
      why: "Discord 会拒绝连接。",
      fix: (link) => `请开启 Message Content Intent：${link}`,
    },
    hasCommands: (count) => `Discord 显示 ${n(count)} 个命令。`,
    noCommands: {
      what: "Discord 没有显示机器人的命令。",
      why: "它们会在 Parley 启动时注册。",
    },
  },
  model: {
    demo: {
      what: "现在由内置的演示模型回答：没有设置模型。",
      why: "它只会复述和计数。",
      fix: "请在 .env 中设置 OLLAMA_MODEL，或 OPENAI_API_KEY 和 OPENAI_MODEL。",
    },
    answers: (id, can) => `${id} 可以回答：${can}。`,
    can: {
      tools: "支持工具",
      noTools: "不支持工具",
      pictures: "支持图片",
      noPictures: "不支持图片",
      window: (tokens) => `上下文窗口 ${n(tokens)} 个 token`,
      price: (input, output) => `每百万 token ${input} / ${output}`,
    },
    noPrice: {
      what: (id) => `${id} 的价格未知。`,
      why: "/usage 和控制台中没有它的费用。",
      whyLimits: "费用上限不会计入它的用量，因此永远不会限制它。",
      fix: "请在 parley.yaml 的 models 下为它设置 usdPerMillionTokens: { input: …, output: … }；如果免费，两者都设为 0。",
    },
    noTools: {
      what: (id) => `${id} 无法使用工具。`,
      why: "它不能查询、计算或记住任何内容。",
      fix: "请选择支持工具的模型，或在 parley.yaml 的 models 下为它设置 tools: true。",
    },
    brokenCalls: {
      what: (id, times) => `在过去 24 小时内，${id} 有 ${n(times)} 次未能正确使用工具。`,
      why: "用户得到的是道歉，而不是回答。通常是模型或其服务器把请求写成了普通文本。",
      fix: "请在其服务器上启用工具解析器（vLLM：--enable-auto-tool-choice --tool-call-parser），更新聊天模板，或换一个模型。",
    },
    smallWindow: {
      what: (taken, window, id) =>
        `提示词和工具约占 ${id} 的 ${n(window)} 个 token 中的 ${n(taken)} 个。`,
      why: "留给对话的空间很少，很快就会被压缩和遗忘。",
      fix: "请在 parley.yaml 的 models 下为它调大 contextWindow，或减少工具。",
    },
    failing: {
      why: "用户得到的是道歉，而不是回答。",
      demo: "演示模型",
      server: (host) => `模型服务器（${host}）`,
      unknownHost: "地址无法识别",
      unreachable: (server, id, cause) => `${server}没有响应，因此 ${id} 无法回答：${cause}`,
      refusesKey: (server, id, cause) => `${server}拒绝了 ${id} 的密钥：${cause}`,
      noCredit: (server, id, cause) => `${server}接受 ${id} 的密钥，但账户余额不足：${cause}`,
      notPulled: (model) => `Ollama 中没有 ${model}。`,
      notServed: (server, model, cause) => `${server}不提供 ${model}：${cause}`,
      busy: (server, id, cause) => `${server}繁忙或配额已用完，因此 ${id} 没有响应：${cause}`,
      refused: (server, id, cause) => `${server}拒绝了对 ${id} 的请求：${cause}`,
    },
    fix: {
      startOllama: "请启动它（ollama serve），或更正 OLLAMA_HOST。",
      start: "请启动它，或更正其地址（OPENAI_BASE_URL，或 parley.yaml 中的 providers）。",
      key: "请更正 OPENAI_API_KEY（或 parley.yaml 中服务商的 apiKey）。",
      login:
        "请更正 OLLAMA_HOST 中的用户名和密码（http://user:password@host），或询问管理该服务器的人。",
      credit: "请在服务商的账单页面充值，或提高该密钥的消费上限。",
      pull: (model) => `请运行：ollama pull ${model}`,
      name: "请把 OPENAI_MODEL（或 parley.yaml 中的 tiers）改为它提供的模型。",
      second: "请稍后再试，或在 parley.yaml 的 tiers 中添加第二个模型。",
      seeLog: "请查看它的日志。",
    },
  },
  memory: {
    made: (model, dimensions) => `${model} 可以生成嵌入（${n(dimensions)} 维）。`,
    failing: {
      what: (model, cause) => `${model} 无法生成嵌入：${cause}`,
      why: "以前说过的话只能按关键词查找。",
      fix: "请查看服务器的日志，以及 parley.yaml 中的 memory.embeddings。",
      fixModel: "请把 parley.yaml 中的 memory.embeddings 改为可以生成嵌入的模型。",
    },
    vectorsOf: (model, dimensions) => `${model}（${n(dimensions)} 维）`,
    inChats: (vectors, chats) => `${vectors}，${n(chats)} 个聊天`,
    stored: (vectors) => `已存储的向量来自 ${vectors}。`,
    otherStored: {
      what: (vectors, others) => `并非所有聊天的向量都来自 ${vectors}。其他：${others}。`,
      why: "在重新生成之前，这些聊天只能按关键词搜索。",
      fix: "如果是有意更改 memory.embeddings，则无需处理：每个聊天会在下一次回答后重新生成向量。",
    },
  },
  search: {
    works: (provider) => `网页搜索（${provider}）可以找到网页。`,
    fails: (cause) => `网页搜索失败：${cause}`,
    findsNothing: "网页搜索找不到任何内容。",
    why: "模型无法查询任何内容。",
    fix: {
      again: "请一分钟后再试；如果仍然失败，请查看服务商的状态。",
      engines: "请查看 SearXNG 的 …/stats 页面：它所用的搜索引擎可能拒绝了它。",
      start: "请启动 SearXNG，或更正 webSearch.url。",
      address: "请更正 parley.yaml 中的 webSearch.url：那里响应的是别的程序。",
      json: "请在 SearXNG 的 settings.yml 中把 json 加入 search.formats（参见 deploy/searxng）。",
      login: "请把 webSearch.url 设为无需登录的地址。",
      account: (url) => `请在 ${url} 检查密钥及其套餐。`,
    },
  },
  mcp: {
    offers: (name, tools) => `MCP 服务器“${name}”提供 ${n(tools)} 个工具。`,
    partly: {
      what: (name, tools, more, problem) =>
        `MCP 服务器“${name}”提供 ${n(tools)} 个工具；另有 ${n(more)} 个无法使用：${problem}`,
      why: "模型看不到无法使用的工具。",
      fix: "请修复或更新该服务器。",
    },
    failing: {
      what: (name, cause) => `MCP 服务器“${name}”无法使用：${cause}`,
      why: "模型无法使用它的任何工具。",
      fixCommand: (setting, command) =>
        `请手动运行它的命令，并更正 parley.yaml 中的 ${setting}：${command}`,
      fixUrl: (setting) => `请启动它，或更正 parley.yaml 中的 ${setting}。`,
      fixHeaders: (setting) =>
        `请更正 parley.yaml 中 ${setting} 里的令牌或密钥，或为它开通该服务器的权限。`,
      fixBusy: "请等几分钟：该服务器限制了请求频率。",
      fixServer: "请查看服务器自己的日志，或联系它的运营者。",
    },
  },
  personas: {
    usable: (count) => `有 ${n(count)} 个角色可以使用。`,
    folder: {
      what: (cause) => `角色文件夹无法使用：${cause}`,
      why: "没有它，Parley 无法启动。",
      fix: "请更改 parley.yaml 中的 personas.folder，或读取权限。",
    },
    leftOut: {
      what: (problem) => `有一个角色被忽略：${problem}`,
      why: "用户无法选择它。",
      fix: (folder) => `请修改 ${folder} 中的文件；Parley 会自动发现改动。`,
    },
    noDefault: {
      what: (name, folder) => `personas.default 指定了“${name}”，但 ${folder} 中没有这个角色。`,
      why: "没有它，Parley 无法启动。",
      fix: (file) => `请在那里创建 ${file}，或更改 parley.yaml 中的 personas.default。`,
    },
  },
  skills: {
    usable: (count) => `有 ${n(count)} 个技能可以使用。`,
    files: {
      what: (problems) => `技能文件有问题：${problems}`,
      why: "被忽略的文件不会使用，其余部分也可能不是作者的本意。",
      fix: "请更正这些文件，或将其删除。",
    },
    waiting: {
      what: (names) => `这些技能等待审核：${names}。`,
      why: "审核之前，任何模型都看不到它们。",
      fix: "请向机器人发送 /skills review。",
    },
  },
  tools: {
    every: "所有工具",
    auto: {
      what: (match, tools) => `${match} 的规则允许对以下工具使用 auto：${tools}。`,
      why: "使用 /settings permissions auto 之后，它们会不经询问直接运行，而且所做的操作无法撤销。",
      fix: "在 parley.yaml 的 tools.rules 中，请只允许可以无人值守运行的工具使用 auto。",
    },
  },
};
