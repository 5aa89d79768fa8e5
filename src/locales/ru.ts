import { countedIn, numberIn, type NounForms } from "./counted.ts";
import type { Locale } from "./locale.ts";

const counted = countedIn("ru");
const n = numberIn("ru");

/** After a number in the nominative: 1 ход, 2 хода, 5 ходов; a fraction takes the form of 2. */
const forms = (one: string, few: string, many: string): NounForms => ({
  one,
  few,
  many,
  other: few,
});
export const ru: Locale = {
  ingress: {
    notAllowed: "Извините, я доступен только одобренным пользователям.",
    adminsOnly: (command) => `Команда /${command} доступна только администраторам.`,
    membersOnly: (command) =>
      `Команда /${command} доступна только участникам, а вы гость. Попросите администратора сделать вас участником.`,
    ownersOnly: (command) => `Команда /${command} доступна только владельцам.`,
    noCommand: (command) => `Команды /${command} я не знаю. /help покажет все команды.`,
    wroteNothing: "Да? Чем могу помочь?",
    tooLong: (length, limit) =>
      `Сообщение слишком длинное (${n(length)} симв., можно не больше ${n(limit)}). Отправьте его, пожалуйста, по частям.`,
    full: "Я не успеваю отвечать в этом чате и не смог принять ваше последнее сообщение. Отправьте его ещё раз через несколько минут.",
    notKept: (errorId) =>
      `Извините, у меня закончилось место и сообщение не сохранилось. Отправьте его, пожалуйста, позже. (ошибка ${errorId})`,
    notDone: (errorId) =>
      `Извините, у меня закончилось место, сейчас это сделать не получится. Попробуйте, пожалуйста, позже. (ошибка ${errorId})`,
    tapTooOld: "Эта кнопка больше не работает.",
    tapTooLate: "Это заняло слишком много времени. Нажмите, пожалуйста, ещё раз.",
    notAllowedInGroup:
      "Извините, я доступен только одобренным пользователям. Администратор может включить меня в этой группе: /allow here.",
  },

  files: {
    noVoice: "Здесь я не могу прослушивать голосовые сообщения. Напишите, пожалуйста, текстом.",
    noImage: (name) => `Не удалось открыть ${name}. Я умею читать PNG, JPEG, GIF и WebP.`,
    noText: (name) =>
      `Не удалось прочитать ${name}. Я умею читать изображения (PNG, JPEG, GIF, WebP), PDF и текстовые файлы.`,
    reading: (name) => `читаю: ${name} …`,
    nameless: {
      image: "это изображение",
      document: "этот документ",
      voice: "это голосовое сообщение",
    },
    tooMany: (count, limit) =>
      `Слишком много файлов (${count}). Отправляйте, пожалуйста, не больше ${limit} за раз.`,
    tooLarge: (name, megabytes, limit) =>
      `Извините, ${name} весит ${megabytes} МБ. Предел — ${limit} МБ.`,
    chatIsFull: (count, megabytes) =>
      `В этом чате исчерпан дневной лимит файлов (${count} шт. или ${megabytes} МБ). Попробуйте, пожалуйста, завтра.`,
    empty: (name) => `В файле пусто: ${name}.`,
  },

  inPrivate: {
    askThere: "Давайте обсудим это в личном чате. Напишите мне напрямую.",
    full: "Извините, для вас в очереди уже слишком много личных сообщений. Попробуйте, пожалуйста, позже.",
    answered: "Я отправил ответ вам в личный чат.",
    writeFirst: "Ничего не пришло? Сначала напишите мне напрямую, а потом спросите ещё раз.",
    askedIn: (group) => `Для группы ${group}:`,
    topic: (thread) => `тема ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} просит доступ к боту.`,
    code: (code) => `Код: ${code}`,
    allow: "Разрешить",
    deny: "Отклонить",
    yourCode: (code) =>
      `Здравствуйте! Это закрытый бот. Я попросил администратора открыть вам доступ. Ваш код, если его спросят: ${code}`,
    unknownCode: "Такого кода нет. Возможно, он истёк или решение уже принято.",
    isAdmin: (who) => `${who} уже администратор.`,
    allowed: (who, admin) => `Доступ открыт: ${who}. Решение: ${admin}.`,
    denied: (who, admin) => `В доступе отказано: ${who}. Решение: ${admin}.`,
    youMay: "Доступ открыт! Спрашивайте о чём угодно.",
    mayUse: (who) => `Доступ к боту открыт: ${who}.`,
    neither: (typed) =>
      `Не понимаю, что такое ${typed}. Нужен код из 8 символов, имя вида @sam или ID вида telegram:12345.`,
    adminsDecide: "Это может решить только администратор.",
  },

  start: {
    youAreOwner: "Теперь вы владелец этого бота. Поздоровайтесь или загляните в /help.",
    hello: "Здравствуйте, я Parley. Спрашивайте о чём угодно.",

    tools: (count) =>
      `У меня ${counted(count, forms("инструмент", "инструмента", "инструментов"))} (/tools).`,

    direct: "В группах упомяните меня или ответьте на моё сообщение.",
    mention: "В этой группе упомяните меня или ответьте мне.",
    always: "В этой группе я отвечаю на каждое сообщение.",
    privacy: (model) =>
      `Ваши сообщения сохраняются и отправляются ИИ-модели ${model}. /export скачает их, /forget удалит, /help покажет остальное.`,
    question: "Который час в Токио?",
    showTools: "Показать инструменты",
    showSettings: "Показать настройки",
    wrongCode: "Код не подходит. Скопируйте строку /start из терминала ещё раз.",
    asksFirst: "Прежде чем что-то изменить, я спрошу вас.",
    directOnDiscord: "На сервере упомяните меня или ответьте на моё сообщение.",
  },

  help: {
    groups: {
      talk: "Разговор",
      choose: "Как я работаю",
      look: "Что происходит",
      data: "Ваши данные",
      admin: "Для администраторов",
    },
    more: "/help <команда> расскажет о команде подробнее.",
    alias: (names) => `Также: ${names}.`,
    all: "/help all покажет все команды.",
    terminal: "В терминале",
    quit: "Выйти из Parley",
  },

  contact: {
    noOwner:
      "Здравствуйте! Это закрытый бот, и у него пока нет владельца. Если вы его запустили, откройте ссылку из терминала.",
    waiting: "Эти люди просят доступ к боту:",
    more: (count) => `… и ещё ${n(count)}.`,
    nobodyWaits: "Никто не ждёт доступа.",
    howToAllow: "/allow и код — открыть доступ.",
    greeting: "Здравствуйте, я Parley. Упомяните меня или ответьте мне, и я отвечу.",
    seeHelp: "/help покажет, что я умею.",
    askedOwner: "Эта группа мне ещё не знакома. Я попросил владельца открыть ей доступ.",
    letIn: (place) => `Открыть доступ: ${place}?`,
    addedBy: (who) => `Кто добавил: ${who}.`,
    leave: "Выйти",
    placeAllowed: (place, admin) => `Доступ открыт: ${place}. Решение: ${admin}.`,
    placeLeft: (place, admin) => `Я вышел из ${place}. Решение: ${admin}.`,
    stillAtLimit: "Этот лимит всё ещё исчерпан.",
    silent: "Это занимает время: модель пока ничего не ответила. /stop отменит запрос.",
  },

  errors: {
    cause: (cause) => `Причина: ${cause}`,
    fix: {
      "rate-limited":
        "Подождите минуту или добавьте в parley.yaml вторую модель для уровня: она ответит вместо первой.",
      overloaded:
        "Попробуйте позже или добавьте в parley.yaml вторую модель для уровня: она ответит вместо первой.",
      timeout:
        "Сервер модели слишком медленный. Возьмите модель поменьше или проверьте, не перегружен ли сервер.",
      network:
        "Запустите сервер модели (для Ollama: ollama serve) или исправьте его адрес (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow":
        "Возьмите модель с большим окном контекста или уменьшите число инструментов.",
      auth: "Проверьте API-ключ (OPENAI_API_KEY или apiKey в parley.yaml) и баланс аккаунта.",
      "invalid-request":
        "Проверьте имя модели (OPENAI_MODEL, OLLAMA_MODEL или tiers в parley.yaml). Для Ollama: ollama pull <модель>",
      refused: "Провайдер отклонил этот запрос. Попробуйте другую модель: /model.",
      empty: "Модель ничего не ответила. Попробуйте другую модель: /model.",
      poisoned: "Процесс трижды упал на этом шаге. Найдите код ошибки в журнале.",
    },
    heading: (id) => `Ошибка ${id}`,
    latest: "Последние ошибки (UTC):",
    when: (time) => `Когда: ${time} UTC`,
    model: (model) => `Модель: ${model}`,
    trace: (chat) => `Подробнее в консоли: npm run trace -- ${chat}`,
    none: "В последнее время ошибок не было.",
    unknown: (typed, days) =>
      `Ошибка ${typed} мне не известна. Последние я помню ${n(days)} дней; в журнале может быть больше.`,
  },

  menu: {
    pending: { description: "Кто просит доступ к боту" },
    error: {
      description: "Что известно об ошибке",
      id: "Код в скобках под ошибкой; без него — последние ошибки",
    },
    pause: {
      pause: "Перестать отвечать, везде или на одной платформе",
      resume: "Продолжить после /pause",
      platform: "Где (пусто — везде)",
      now: "Остановить и текущие ответы",
    },
    audit: {
      description: "Журнал действий, сначала новые",
      count: "Сколько строк",
      who: "Только этот человек, по @имени или ID",
      what: "Только этот тип, или «export» — всё файлом",
    },
    stats: { description: "Статистика бота" },
    doctor: { description: "Проверить эту установку и сказать, что исправить" },
    broadcast: {
      description: "Отправить сообщение во все чаты",
      text: "Сообщение",
    },
    start: {
      description: "Что я умею",
      code: "Код владельца, показанный при запуске",
    },
    help: {
      description: "Что можно сделать и список команд",
      command: "Команда или «all» — все",
    },
    new: { description: "Начать новый разговор" },
    stop: { description: "Остановить текущий ответ" },
    retry: { description: "Ещё раз ответить на ваше последнее сообщение" },
    undo: { description: "Отменить ваше последнее сообщение и мой ответ" },
    compact: {
      description: "Сжать разговор, чтобы освободить место",
    },
    auto: {
      description: "Поручить мне самостоятельно идти к цели",
      goal: "Цель, до 2000 символов",
      turns: (limit, usual) =>
        `Сколько шагов самое большее, от 1 до ${limit} (по умолчанию ${usual})`,
    },
    tier: {
      description: "Быстрее или глубже: fast, smart, deep …",
      tier: "Уровень или «default» для сброса",
    },
    model: {
      description: "Выбрать модель",
      model: "Часть имени модели или «default» для сброса",
    },
    for: "«me» (по умолчанию) или «chat» — для всех здесь",
    settings: {
      description: "Настройки этого чата",
      name: "Какая настройка (пусто — все)",
      value: "Новое значение или «default» для сброса",
    },
    activation: {
      description: "Когда я отвечаю в этой группе",
      when: "mention — при упоминании или ответе; always — на каждое сообщение",
    },
    language: {
      description: "Мой язык",
      language: "Язык или «auto» — как в приложении",
    },
    status: { description: "Чем я сейчас занят" },
    approvals: {
      description: "Действия, которые ждут одобрения",
      id: "ID: скрытые значения увидите только вы",
    },
    approve: {
      description: "Одобрить действие",
      id: "ID и номер, если действий несколько (см. /approvals)",
      always: "Разрешить на время без вопросов, напр. 1h (администраторы могут добавить any)",
    },
    deny: {
      description: "Отклонить действие",
      id: "ID и номер, если действий несколько (см. /approvals)",
      reason: "Причина (я её увижу)",
    },
    edit: {
      description: "Изменить действие перед одобрением",
      id: "ID (см. /approvals)",
      change: "Одно или несколько имя=значение, или JSON со всеми аргументами",
    },
    grants: {
      description: "Что мне можно делать здесь без вопросов",
      revoke: "«revoke» и номер удаляют разрешение",
    },
    tools: {
      description: "Мои инструменты и какие требуют одобрения",
    },
    todos: { description: "Показать список дел этого чата" },
    limits: {
      description: "Ваши лимиты и сколько израсходовано",
      set: "Задать лимит человеку, чату, роли, платформе или всем",
      reset: "Вернуть лимит из настроек",
      scope: "person, @name, ID вида telegram:1, chat, role:member, platform или global",
      metric: "Что ограничивается",
      value: "Сколько: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Токены и стоимость в этом чате",
    },
    export: {
      description: "Скачать этот разговор",
      format: "markdown (по умолчанию) или json",
    },
    forget: {
      description: "Удалить этот чат или все ваши данные",
      what: "chat — этот чат; me — всё о вас, везде",
      confirmation: "Код подтверждения, который я дал",
    },
    whoami: { description: "Ваш ID и роль" },
    role: {
      description: "Ваша роль и что она позволяет",
      give: "Изменить чью-то роль",
      person: "Кто (пусто — вы сами)",
      role: "Новая роль",
    },
    allow: {
      description: "Открыть доступ кому-то или всем в этом чате",
      person: "Кто",
      code: "Код или ID человека, либо «here» / «server»",
    },
    ban: {
      description: "Заблокировать кого-то или заглушить меня в этом чате",
      person: "Кто",
      reason: "Причина (сохраняется в журнале)",
      place: "Вместо человека: этот чат или весь сервер",
    },
    unban: {
      description: "Разблокировать кого-то или убрать правило этого чата",
      person: "Кто",
      place: "Вместо человека: этот чат или весь сервер",
    },
    admins: { description: "Владельцы и администраторы" },
  },

  control: {
    full: "В этом чате ждёт слишком много сообщений, лимит исчерпан. Попробуйте, пожалуйста, позже.",
    begun: "Минутку.",
    dropped: (count) => `Сообщений удалено из очереди: ${n(count)}.`,
    onlyTheirs: {
      stop: (name) => `Остановить этот ответ может только ${name} или администратор.`,
      undo: (name) => `Отменить это сообщение может только ${name} или администратор.`,
      retry: (name) => `Повторить ответ на это сообщение может только ${name} или администратор.`,
    },
    nothingToStop: "Сейчас ничего не выполняется.",
    stopped: "Остановлено.",
    stoppedAndDropped: (count) => `Остановлено. Сообщений удалено из очереди: ${n(count)}.`,
    newAfterAnswer: "Закончу текущий ответ и начну новый разговор.",
    newConversation: "Новый разговор. Прежнего я больше не вижу; он остаётся в /export.",
  },

  auto: {
    running: (step, of) => `Я уже работаю над целью, шаг ${step} из ${of}. /stop остановит.`,
    begun: (of) => `Приступаю. Шагов будет не больше ${n(of)}; /stop остановит раньше.`,
    noGoal: "Какая цель? Например: /auto спланируй поездку в Лиссабон 5",
    badTurns: (limit, typed) => `Число шагов — от 1 до ${limit}, а не ${typed}.`,
    numberHint: "Если число — часть цели, добавьте шаги в конце: /auto … 10",
    goalTooLong: (length, limit) =>
      `Цель слишком длинная (${n(length)} симв., предел ${n(limit)}).`,
    ended: (step) => `Работа над целью прервана, шагов: ${n(step)}.`,
    done: (step) => `Цель достигнута, шагов: ${n(step)}.`,
    atLimit: (of) => `Достигнут лимит шагов: ${n(of)}. Отправьте /auto ещё раз, чтобы продолжить.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Ваш уровень: ${value} (${reason}).`,
      chats: (value) => `Уровень этого чата: ${value}.`,
      yoursIsNow: (value) => `Теперь ваш уровень — ${value}.`,
      chatsIsNow: (value) => `Теперь уровень этого чата — ${value}.`,
      yoursIsDefault: "Для вас снова действует уровень по умолчанию.",
      chatsIsDefault: "Для этого чата снова действует уровень по умолчанию.",
      notForChat: "Уровень этого чата может выбрать только администратор.",
      notAnonymously: "Анонимным авторам нельзя задать свой уровень.",
      noneOfYours: "Уровень: автоматически (обычно balanced).",
      noneOfChats: "Уровень этого чата: автоматически (обычно balanced).",
    },
    model: {
      yours: (value, reason) => `Ваша модель: ${value} (${reason}).`,
      chats: (value) => `Модель этого чата: ${value}.`,
      yoursIsNow: (value) => `Теперь ваша модель — ${value}.`,
      chatsIsNow: (value) => `Теперь модель этого чата — ${value}.`,
      yoursIsDefault: "Для вас снова действует модель по умолчанию.",
      chatsIsDefault: "Для этого чата снова действует модель по умолчанию.",
      notForChat: "Модель этого чата может выбрать только администратор.",
      notAnonymously: "Анонимным авторам нельзя задать свою модель.",
      noneOfYours: "Модель: автоматически.",
      noneOfChats: "Модель этого чата: автоматически.",
    },
    byYou: "ваш выбор",
    byChat: "задано для этого чата",
    gone: (value) => `Раньше было выбрано ${value}, но этого больше нет.`,
    hidden: (count, command) => `… и ещё ${n(count)}. Напишите /${command} и часть имени.`,
    how: (command) =>
      `/${command} <имя> для вас · /${command} <имя> chat для всех здесь · /${command} default для сброса`,
    notHere: "Анонимные авторы не могут это менять.",
    adminsHere: "Здесь это может изменить только администратор.",
    replacesYours: (model) => `Это заменяет вашу собственную модель, ${model}.`,
    replacesChats: (model) => `Это заменяет модель этого чата, ${model}.`,
    yoursFirst: (value) => `Для вас по-прежнему действует ваш выбор: ${value}.`,
    noTier: (typed, tiers) => `Уровня ${typed} нет. Доступны: ${tiers}, default.`,
    noModel: (typed) => `Модели ${typed} нет.`,
    several: (typed, models) => `${typed} подходит к нескольким моделям: ${models}.`,
    thereAre: (names) => `Доступны: ${names}.`,
    didYouMean: (name) => `Вы имели в виду ${name}?`,
    andMore: (names, count) => `${names} и ещё ${count}`,
    order: (models) => `Я обращаюсь к ним в таком порядке: ${models}.`,
    sameAs: (tier, same) => `${tier} здесь — то же, что ${same}`,
  },

  settings: {
    heading: "Настройки этого чата:",
    how: "Изменить: /settings <имя> <значение>, «default» сбросит настройку.",
    changes: (name, expected) => `Изменить: /settings ${name} <значение>. ${expected}.`,
    isDefaultAgain: (name, value) => `${name} снова по умолчанию: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} не может быть ${typed}. ${expected}.`,
    isNow: (name, value) => `Теперь в этом чате ${name}: ${value}.`,
    noneChosen: (kind) => `${kind}: автоматически (см. /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (ваш выбор; см. /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (задано для этого чата; см. /${kind})`,
    default: (name, value) => `${name}: ${value}`,
    own: (name, value, fallback) => `${name}: ${value} (по умолчанию: ${fallback})`,
    adminsOnly: (name) => `Изменить ${name} может только администратор.`,
    adminsInGroups: (name) => `В группе изменить ${name} может только администратор.`,
    which: "Какая настройка?",
    unknown: (typed) => `Настройки ${typed} нет.`,
    expectedCount: (min, max) => `Нужно целое число от ${n(min)} до ${n(max)}`,
    expectedDuration: "Нужна длительность, например 15m или 24h",
    expectedUsd: "Нужна сумма в долларах, например 5usd",
    orOff: (expected) => `${expected} или off`,

    expectedWords: (words) => `Варианты: ${words} или default`,
    about: {
      whileBusy: "если вы пишете, пока я ещё отвечаю",
      tools: "насколько видна моя работа с инструментами",
      activation: "когда я отвечаю в группе",
      thinking: "показывать мои рассуждения",
      maxModelCalls: "сколько запросов к модели на один ответ",
      maxToolExecutions: "сколько раз использовать инструменты за ответ",
      deadline: "сколько времени на один ответ",
      maxTokens: "сколько токенов на один ответ",
      maxCost: "сколько денег на один ответ",
      toolFailure: "останавливаться, если инструмент не сработал",
      confirmationDenied: "останавливаться, если кто-то отказал",
      policyDenied: "останавливаться, если запрещает правило",
      loopSameCall: "сколько повторов одного действия считать зацикливанием",
      loopSameTool: "сколько раз подряд один инструмент считать зацикливанием",
      loopHints: "сколько подсказок дать до остановки",
    },
    values: {
      followup: "отвечу следующим",
      steer: "учту сразу",
      interrupt: "прервусь и отвечу на новое",
      collect: "отвечу на всё вместе",
      off: "ничего не показывать",
      names: "показывать названия инструментов",
      full: "показывать названия и подробности",
      mention: "только при упоминании или ответе",
      always: "на каждое сообщение",
    },
  },

  activation: {
    direct: "Это личный чат, поэтому я отвечаю на каждое сообщение.",
    mention: "В этой группе я отвечаю, когда меня упоминают, отвечают мне или отправляют команду.",
    always: "Я отвечаю на каждое сообщение в этой группе.",
    how: "Изменить: /activation mention или /activation always.",
    telegramHint:
      "Чтобы видеть все сообщения, я должен быть администратором группы или работать без режима приватности (@BotFather → Bot Settings → Group Privacy).",
    discordHint:
      "Чтобы видеть все сообщения, мне нужно discord.messageContent: true в настройках. Обратитесь к тому, кто меня запускает.",
    unknown: (typed) =>
      `Не понимаю ${typed}. Варианты: /activation mention или /activation always.`,
  },

  language: {
    name: "Русский",
    isNow: "Хорошо, буду говорить по-русски.",
    isAuto: "Я следую языку вашего приложения: русский.",
    is: "Я говорю по-русски, как вы выбрали.",
    how: (codes) => `Изменить: /language <${codes}>, или /language auto — как в приложении.`,
    unknown: (typed, codes) => `Языка ${typed} я не знаю. Доступны: ${codes}, auto.`,
    notAnonymously: "Анонимным авторам нельзя задать свой язык.",
  },

  status: {
    idle: "Сейчас ничего не выполняется.",
    queued: "В очереди.",
    running: "Готовлю ответ.",
    waiting: "Жду, пока кто-нибудь одобрит или отклонит действие.",
    auto: (step, of) => `/auto: шаг ${step} из ${of}. /stop остановит.`,
    queue: (count) => `Сообщений в очереди: ${n(count)}`,
    model: (models) => `Модель: ${models}`,
    tier: (tier) => `Уровень: ${tier}`,
    noTier: "Уровень: автоматически",
    remembered: (count) =>
      `В этом разговоре: ${counted(count, forms("элемент", "элемента", "элементов"))} (сообщения и действия)`,
  },

  approvals: {
    none: "Ничего не ждёт одобрения.",
    heading: (count) =>
      `Ждут одобрения: ${counted(count, forms("действие", "действия", "действий"))}`,
    askedFor: (person) => `для ${person}`,
    expiresIn: (time) => `истекает через ${time}`,
    more: (count) => `И ещё ${n(count)}.`,
    hiddenValues: (tool) => `Скрытые значения ${tool}:`,
    nothingHidden: "Там ничего не скрыто.",
  },

  decisions: {
    otherChat: "Эта кнопка из другого чата или слишком старая.",
    otherMessage: "Эта кнопка от другого сообщения.",
    notAllowed: (who) => `Это может решить только ${who}.`,
    anAdmin: "администратор",
    orAnAdmin: (name) => `${name} или администратор`,
    anOwner: "владелец",
    aMember: "любой участник",
    both: (one, other) => `${one} и ${other}`,
    counted: "Принято: 1 из 2 одобрений. Нужен ещё один человек.",
    countedBefore: "Вы это уже одобрили. Нужен ещё один человек.",
    approved: "Одобрено.",
    denied: "Отклонено.",
    approvedOf: (done, of) => `Одобрено: ${done} из ${of}.`,
    deniedOf: (done, of) => `Отклонено: ${done} из ${of}.`,
    approvedBy: (name) => `Одобрено, решение: ${name}.`,
    deniedBy: (name) => `Отклонено, решение: ${name}.`,
    deniedBecause: (name, reason) => `Отклонено, решение: ${name}. ${reason}`,
    undecided: "Срок истёк. Никто не успел решить, поэтому я этого не сделал.",
    expired: "Срок истёк.",
    tooLate: "Это заняло слишком много времени и не засчиталось. Нажмите, пожалуйста, ещё раз.",
    tooOld: "Эта кнопка больше не работает.",
    already: {
      pending: "Это ещё не решено.",
      approved: "Это уже одобрено.",
      denied: "Это уже отклонено.",
      expired: "Срок истёк.",
      superseded: "Это уже заменено новым сообщением.",
      cancelled: "Это уже отменено.",
      changed: "Это уже изменено, смотрите новую карточку ниже.",
    },
    changed: "Изменено. Проверьте и одобрите ниже.",
    changedBy: (name) => `Изменено (${name}), смотрите новую карточку ниже.`,
    alreadyChangedBy: (name) => `Это уже изменено (${name}), смотрите новую карточку ниже.`,
    alreadyApprovedBy: (name) => `Это уже одобрено, решение: ${name}.`,
    alreadyDeniedBy: (name) => `Это уже отклонено, решение: ${name}.`,
    superseded: "Отменено из-за нового сообщения.",
    stopped: "Отменено.",
    unknownId: (id) => `Здесь нет запроса ${id}, ожидающего одобрения. Смотрите /approvals.`,
    whichCard:
      "Не понимаю, к чему относится этот ответ. Ответьте на карточку, нажмите на ней кнопку или отправьте /approve <id> или /deny <id>. /approvals покажет ID.",
    noCall: (typed, command) =>
      `На этой карточке нет действия ${typed}. Укажите действие по номеру: /${command} <id> 1. /approvals покажет, что ждёт.`,
    which: (command) =>
      `Ждёт несколько действий. /approvals покажет их, /${command} <id> выберет одно.`,
  },

  cards: {
    approve: "Одобрить",
    deny: "Отклонить",
    approveAll: "Одобрить все",
    denyAll: "Отклонить все",
    because: (outcome, reason) => `${outcome}. Причина: ${reason}`,
    lasts: {
      seconds: (count) => `${count} с`,
      minutes: (count) => `${count} мин`,
      hours: (count) => `${count} ч`,
      days: (count) => counted(count, forms("день", "дня", "дней")),
    },
    characters: (count) => counted(count, forms("символ", "символа", "символов")),
    needed: (title) => `${title}?`,
    neededFor: (count) => `Нужно одобрение, действий: ${n(count)}`,
    calls: (count) => `${counted(count, forms("действие", "действия", "действий"))}:`,
    about: (sentence) => `«${sentence}»`,
    noArguments: "Без аргументов.",
    secretsHidden: (id) =>
      `Секреты частично показаны как ••••. \`/approvals ${id}\` покажет их вам в личном чате.`,
    secretsMasked: "Секреты частично показаны как ••••.",
    showHidden: "Показать скрытое",
    lookalikes: (words) => `Осторожно: в этих словах есть буквы, похожие на другие: ${words}.`,
    details: (call) => `Полные данные для ${call}:`,
    decides: (who) => `Решить может ${who}.`,
    twoDecide: (who) => `Нужны два одобрения: ${who}.`,
    firstOfTwo: (name) => `1 из 2: одобрено, решение: ${name}. Нужно ещё одно.`,
    expiresAt: (moment) => `Истекает: ${moment}.`,
    expiresIn: (duration) => `Истекает через ${duration}.`,
    id: (id) => `ID: \`${id}\``,
    approved: (what) => `✓ ${what} одобрено`,
    approvedBy: (what, name) => `✓ ${what} одобрено, решение: ${name}`,
    approvedFirst: (what, name) => `… ${what} одобрено, решение: ${name}. Нужно ещё одно`,
    denied: (what) => `✗ ${what} отклонено`,
    deniedBy: (what, name) => `✗ ${what} отклонено, решение: ${name}`,
    expired: (what) => `✗ ${what} срок истёк, никто не успел решить`,
    superseded: (what) => `✗ ${what} отменено из-за нового сообщения`,
    stopped: (what) => `✗ ${what} отменено`,
    edit: "Изменить",
    allowFor: (span) => `Разрешить на ${span}`,
    changedNote: (name) => `Аргументы изменены: ${name}.`,
    changedNoteOfNobody: "Аргументы были изменены.",
    changed: (what) => `✎ ${what} изменено`,
    changedBy: (what, name) => `✎ ${what} изменено: ${name}`,
    erased: "Удалено.",
  },

  toolTitles: {
    current_time: "Узнать время",
    calculate: "Посчитать",
    fetch_url: "Открыть веб-страницу",
    read_notes: "Прочитать заметки",
    write_note: "Записать заметку",
    read_more: "Прочитать результат дальше",
    todo_list: "Показать список дел",
    todo_write: "Изменить список дел",
  },

  delivery: {
    nothingToShow: "(пустой ответ)",
    fileGone: "Файл больше недоступен.",
    fileRefused: "Извините, отправить файл сюда не удалось.",
    goesOn: (fileName) => `Полный ответ — в файле ${fileName}.`,
    sentAgain: "отправлено повторно; возможно, вы увидите это дважды",
  },

  platform: {
    notAllowed: "У вас нет доступа к этому.",
    tryAgain: "Извините, не получилось. Попробуйте, пожалуйста, ещё раз чуть позже.",
    notTaken: (errorId) => `Извините, я не смог принять это сообщение. (ошибка ${errorId})`,
    whatAboutThis: "Что вы можете сказать об этом?",
  },

  telegram: {
    buttonIsGone: "Эта кнопка больше не работает.",
    fileIsGone: "Извините, у Telegram больше нет этого файла. Отправьте его, пожалуйста, ещё раз.",
    fileOutOfReach:
      "Извините, не удалось скачать этот файл из Telegram. Отправьте его, пожалуйста, позже.",
    fileTooLarge: (megabytes) => `Этот файл слишком большой. Предел — ${megabytes} МБ.`,
    cannot: {
      animation: "Извините, я не могу смотреть GIF. Отправьте, пожалуйста, скриншот.",
      video: "Извините, я не могу смотреть видео. Отправьте, пожалуйста, скриншот.",
      sticker: "Извините, я не вижу стикеры. Напишите, пожалуйста, словами.",
      paid_media:
        "Извините, я не могу открыть платные материалы. Расскажите, пожалуйста, о чём там.",
      story: "Извините, я не могу открыть истории. Расскажите, пожалуйста, о чём там.",
      contact: "Извините, я не могу прочитать контакты. Напишите, пожалуйста, данные текстом.",
      venue: "Извините, я не могу прочитать места. Напишите, пожалуйста, адрес.",
      location: "Извините, я не могу прочитать геопозицию. Напишите, пожалуйста, место.",
      poll: "Извините, я не могу прочитать опросы. Напишите, пожалуйста, сам вопрос.",
      checklist: "Извините, я не могу прочитать чек-листы. Напишите, пожалуйста, списком.",
      dice: "Извините, я не умею играть в кости.",
      game: "Извините, я не умею играть в игры.",
      rich_message:
        "Извините, я не могу прочитать оформленные сообщения. Отправьте, пожалуйста, обычным текстом.",
    },
    thisFile: "этот файл",
    cannotReadPicture: (name) =>
      `Извините, картинку ${name} прочитать не удалось. Отправьте её как фото или в JPEG, PNG, WebP или GIF.`,
    cannotReadFile: (name) =>
      `Извините, прочитать ${name} не удалось. Я читаю текст, код, CSV, JSON и PDF.`,
  },

  discord: {
    admin: "Для администраторов этого бота",
    unknownCommand: "Эта команда больше недоступна.",
    unknownAction: "Извините, я не знаю, что с этим делать.",
    elsewhere: "Я могу отвечать только в личных сообщениях или на сервере, где я состою.",
    onlyUserInstall:
      "Меня нет на этом сервере. Воспользуйтесь этим, пожалуйста, в личных сообщениях.",
    mayNotWrite: "Мне нельзя писать в этом канале, поэтому ответить здесь я не могу.",
    mayNotAttach: "Мне нельзя отправлять файлы в этот канал, поэтому здесь это не получится.",
    delayed: "Извините, сейчас не получается. Я продолжу попытки и отвечу здесь.",
    unreadable: "Прочитать не удалось. Попробуйте, пожалуйста, ещё раз.",
    done: "Готово.",
    doneBefore: "Готово, но мой ответ потерялся. Спросите ещё раз, если он нужен.",
    tooLate: "Извините, ответить только вам не успел. Спросите, пожалуйста, ещё раз.",
    askAboutThis: "Спросить об этом",
    yourQuestion: "Ваш вопрос",
    forgotten: "Извините, я потерял это сообщение. Выберите его, пожалуйста, ещё раз.",
    about: (link) => `о ${link}`,
    ask: "Задать мне вопрос",
    askQuestion: "Ваш вопрос или просьба",
    askFile: "Файл: картинка, текст или PDF",
    video: (name) => `Я не могу смотреть видео (${name}). Отправьте, пожалуйста, скриншот.`,
    archive: (name) =>
      `Я не могу открыть архивы (${name}). Отправьте, пожалуйста, файлы по одному.`,
    picture: (name) =>
      `Такие картинки я открыть не могу (${name}). Отправьте, пожалуйста, PNG, JPEG, GIF или WebP.`,
    otherFile: (name) =>
      `Такие файлы я прочитать не могу (${name}). Я читаю изображения, текстовые файлы и PDF.`,
    sticker: "Я не вижу стикеры. Напишите, пожалуйста, словами.",
    poll: "Я не могу прочитать опросы. Напишите, пожалуйста, сам вопрос.",
    fileIsGone: (name) => `Извините, у Discord больше нет ${name}. Отправьте, пожалуйста, ещё раз.`,
    fileFailed: (name) =>
      `Извините, не удалось скачать ${name} из Discord. Отправьте, пожалуйста, ещё раз.`,
    fileTooLarge: (name, megabytes) => `${name}: файл слишком большой. Предел — ${megabytes} МБ.`,
  },

  tools: {
    none: "Сейчас у меня нет инструментов.",
    free: "Этим я пользуюсь без вопросов:",
    asking: "Прежде чем использовать это, я спрошу:",
    sometimes: "Прежде чем использовать это, я иногда спрошу:",
    more: (count) => `И ещё ${n(count)}.`,
  },

  todos: {
    none: "Список дел пуст. Попросите меня о чём-нибудь из нескольких шагов, и я буду отмечать их здесь.",
    heading: (done, total) => `Список дел: выполнено ${done} из ${total}`,
  },

  usage: {
    heading: "Этот чат на сегодня:",
    turns: (count) => `Ответов: ${n(count)}`,
    modelCalls: (count) => `Запросов к модели: ${n(count)}`,
    inputTokens: (count) => `Входных токенов: ${n(count)}`,
    outputTokens: (count) => `Выходных токенов: ${n(count)}`,
    about: (amount) => `около ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, forms("запрос", "запроса", "запросов"))}, токенов: ${input} входных и ${output} выходных`,
    costUnknown: "стоимость неизвестна",
    cost: (amount) => `Стоимость: ${amount}`,
    unknown: "неизвестна",
    andUnpriced: (amount) => `${amount}, плюс модели без известной цены`,
    spent: (messages, tokens) =>
      `${counted(messages, forms("сообщение", "сообщения", "сообщений"))}, ${counted(tokens, forms("токен", "токена", "токенов"))}`,
  },

  limits: {
    whose: {
      you: "для вас",
      thisChat: "для этого чата",
      everybody: "для всех вместе",
    },
    role: (role) => `для вас, роль ${role}`,
    platform: (platform) => `для всех в ${platform}`,
    ofPerson: (person) => `для ${person}`,
    ofChat: (chat) => `для чата ${chat}`,
    hit: (limit, whose) => `Лимит исчерпан: ${limit} (${whose}).`,
    needs: (amount, used, limit, whose) =>
      `На ответ (до ${amount}) уже не хватает: израсходовано ${used} из лимита ${limit} (${whose}).`,
    resets: (when) => `Лимит обновится ${when}.`,
    notKept: "Отправьте это, пожалуйста, ещё раз тогда.",
    nearly: (percent, limit, whose, used) =>
      `Израсходовано ${percent} % лимита ${limit} (${whose}): ${used}.`,
    slowDown: (limit) => `Чуть помедленнее: лимит — ${limit}. Он обновится через минуту.`,
    heading: "Ваши лимиты в этом чате:",
    none: "В этом чате у вас нет лимитов.",
    used: (used, when) => `израсходовано: ${used}, обновится ${when}`,
    running: (count) => `выполняется: ${n(count)}`,
    setHeading: "Заданы администраторами в чатах:",
    more: (count) => `… и ещё ${n(count)}`,

    how: "Задать: /limits set <область> <величина> <значение>. Вернуть лимит из настроек: /limits reset <область> [величина].\nОбласти: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Значения: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Лимиты могут менять только администраторы.",
    adminsOfAll:
      "Этот лимит могут менять только администраторы бота. Вы можете задать лимиты этого чата.",
    badAction: (typed) => `Не понимаю ${typed}. После /limits идёт set, reset или ничего.`,
    badScope: (typed) =>
      `Не понимаю, кто это: ${typed}. Варианты: person, @name, ID вида telegram:1, chat, chats, role:member, platform:telegram или global.`,
    badMetric: (typed, metrics) => `Ограничить ${typed} нельзя. Варианты: ${metrics}.`,
    badValue: (typed, metric, example, per) =>
      `Не понимаю ${typed}. Для ${metric} подойдёт лимит вида ${example}, за ${per}, или off.`,
    isNow: (scope, limit, before) =>
      `Лимит для ${scope} теперь ${limit} (раньше: ${before}). Он действует со следующего сообщения.`,
    isReset: (scope, limit, before) =>
      `Лимит для ${scope} снова из настроек: ${limit} (раньше: ${before}).`,
    notSet: "нет",
    nothingSet: (scope) => `Для ${scope} в чатах лимит не задавали, сбрасывать нечего.`,
    yoursToday: (used) => `Вы, сегодня: ${used}`,
    yoursThisMonth: (used) => `Вы, в этом месяце: ${used}`,
    allToday: (used) => `Все, сегодня: ${used}`,
    allThisMonth: (used) => `Все, в этом месяце: ${used}`,

    amount: {
      messages: (count) => counted(count, forms("сообщение", "сообщения", "сообщений")),
      tokens: (count) => counted(count, forms("токен", "токена", "токенов")),
      turns: (count) => counted(count, forms("ответ", "ответа", "ответов")),
      "model-calls": (count) =>
        counted(count, forms("запрос к модели", "запроса к модели", "запросов к модели")),
      "tool-executions": (count) =>
        counted(
          count,
          forms("запуск инструмента", "запуска инструментов", "запусков инструментов"),
        ),
    },
    per: {
      minute: (amount) => `${amount} в минуту`,
      hour: (amount) => `${amount} в час`,
      day: (amount) => `${amount} в день`,
      month: (amount) => `${amount} в месяц`,
      turn: (amount) => `${amount} на ответ`,
      "at-once": (amount) => `${amount} одновременно`,
    },
    hitYours: (limit) => `Вы достигли своего лимита: ${limit}.`,
    nearlyYours: (percent, limit, used) =>
      `Вы израсходовали ${percent} % своего лимита ${limit} (${used}).`,
  },

  whoami: {
    name: (name) => `Имя: ${name}`,
    id: (id) => `ID: ${id}`,
    role: (role) => `Роль: ${role}`,
    chat: (chat) => `Чат: ${chat}`,
    anonymous: "Вы пишете анонимно, поэтому ничего решать здесь не можете.",
    place: (place) => `ID места: ${place}`,
    adminHere:
      "Вы администратор этой группы: можете менять её настройки и лимиты и решать по одобрениям.",
    may: {
      owner: "Это ваш бот. Вы можете всё.",
      admin:
        "Вы можете всё: общаться со мной, одобрять действия, менять настройки и открывать доступ другим.",
      member:
        "Вы можете общаться со мной, одобрять то, что я делаю для вас, и менять свои настройки.",
      guest: "Вы можете общаться со мной здесь. Действия одобряют участники.",
      stranger: "У вас пока нет доступа.",
      banned: "Ваш доступ закрыт.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Я не знаю никого с именем ${typed}. Если человек мне ещё не писал, укажите ID вида telegram:12345.`,
    whom: (command) =>
      `Кто? Ответьте на сообщение этого человека командой /${command} или укажите @name или ID: /${command} telegram:12345`,
    anonymous: (who) =>
      `${who} пишет анонимно, возможно за нескольких людей, поэтому роль дать нельзя.`,
    adminsOnly: "Роли может менять только администратор.",
    ownersOnly: "Назначать и снимать администраторов могут только владельцы.",
    ownerStays: (who) => `${who} — владелец бота. Изменить это можно только в настройках бота.`,
    fileBans: (who) => `${who}: доступ закрыт в настройках бота. Измените это там.`,
    fileAllows: (who) => `${who}: доступ открыт в настройках бота. Измените это там.`,
    isNow: (who, role) => `${who}: теперь роль ${role}.`,
    isAlready: (who, role) => `${who}: роль уже ${role}.`,
    banned: (who) => `Доступ закрыт: ${who}.`,
    unbanned: (who) => `Доступ больше не закрыт: ${who}.`,
    notBanned: (who) => `Доступ не закрыт: ${who}.`,
    noRole: (typed) => `Роли ${typed} нет. Варианты: admin, member или guest.`,
    whichRole: "Какая роль? Варианты: admin, member или guest.",
    placeAllowed: (place) => `Теперь все в ${place} могут общаться со мной (как гости).`,
    placeBanned: (place) => `В ${place} я буду молчать, кроме ответов администраторам.`,
    placeCleared: (place) => `Правило для ${place} убрано.`,
    placeNotSet: (place) => `Для ${place} правила нет.`,
    noPlace: "Это личный чат. Укажите человека.",
    noServer: "Это не сервер Discord.",
    owners: "Владельцы:",
    admins: "Администраторы:",
    noneNamed: "Никого.",
    terminal: "Любой за моим терминалом — тоже владелец.",
    thisChat: "этом чате",
    thisServer: "этом сервере",
  },

  export: {
    adminsOnly: "Экспортировать разговор группы может только администратор.",
    badFormat: (typed) =>
      `Экспорт в ${typed} невозможен. Варианты: /export json или /export markdown.`,
    full: "Извините, в этом чате слишком много сообщений ждёт отправки. Попробуйте, пожалуйста, позже.",
    nothing: "Экспортировать пока нечего.",
    done: (entries) =>
      `Вот разговор целиком: ${counted(entries, forms("элемент", "элемента", "элементов"))}.`,
    doneIn: (entries, files) =>
      `Вот разговор целиком: ${counted(entries, forms("элемент", "элемента", "элементов"))}, файлов: ${n(files)}.`,
    shown: "Это видят все здесь.",
  },

  forget: {
    notAnonymously: "Удалять что-либо от имени группы или канала нельзя.",
    inPrivateOnly: "Это работает только в нашем личном чате. Отправьте там /forget me.",
    adminsOnly:
      "В группе удалить чат могут только администраторы. Чтобы удалить то, что писали вы, отправьте /forget me в личном чате.",
    badScope: (typed) =>
      `Можно удалить «chat» (этот чат) или «me» (все ваши данные), а ${typed} я не знаю.`,
    badCode: (typed) => `Код не подходит: ${typed}. Он выглядит как yes-1234.`,
    yes: { chat: "Да, удалить этот чат", me: "Да, удалить всё" },
    confirm: (confirmation) => `Чтобы подтвердить, отправьте ${confirmation} в течение 5 минут.`,
    explained: {
      chat: "Это навсегда удалит всё, что я храню об этом чате: сообщения, заметки, дела, настройки, расход, файлы и архивы. Всё, что я здесь делаю, остановится.\nСообщения в самом приложении останутся. Удалить их там можете только вы.",
      me: "Это навсегда удалит ваши данные и остановит всё, что я для вас делаю.\nБудет удалено:\n• ваши личные чаты со мной\n• ваш профиль с выбором и ролью (возможно, доступ придётся открыть снова)\n• в группах: то, что вы писали, мои ответы вам и места, где я повторял ваши слова\n• ваши причины и изменения там, где вы решали за других\nОстанется:\n• заметки и дела групп\n• то, что о вас писали другие\n• расход за этот месяц\n• блокировка, если она есть (без вашего имени)\n• сообщения в самом приложении",
    },
    expired: (scope) =>
      `Подтверждение неверно или истекло. Подтвердить может только тот, кто просил, здесь и в течение 5 минут. Начните заново: /forget ${scope}.`,
    begun: "Минутку. Я сообщу, когда всё будет удалено.",
    chatDone: "Готово. Всё в этом чате удалено.",
    meDone: "Готово. Ваши личные чаты со мной и профиль удалены.",
    meDoneWith: (groups) =>
      `Готово. Ваши личные чаты со мной, профиль и то, что вы писали в группах (${n(groups)}), удалены.`,
    but: (count) =>
      `Не удалось прочитать или удалить часть данных, которая может сюда относиться (${n(count)}). Подробности — в моём журнале, у того, кто меня запускает.`,
  },

  end: {
    modelCalls: (limit) =>
      `Я остановился, потому что достиг лимита шагов: ${n(limit)}. Напишите «дальше», чтобы продолжить.`,
    toolExecutions: (limit) =>
      `Я остановился, потому что достиг лимита использования инструментов: ${n(limit)}. Напишите «дальше», чтобы продолжить.`,
    tokens: (limit) =>
      `Я остановился, потому что достиг лимита токенов на один ответ: ${n(limit)}.`,
    cost: (limitUsd) =>
      `Я остановился, потому что достиг лимита расходов на один ответ: $${n(limitUsd)}.`,
    deadline: (limitSeconds) =>
      `Я остановился, потому что достиг лимита времени на один ответ: ${counted(limitSeconds, forms("секунда", "секунды", "секунд"))}.`,
    loop: "Я начал ходить по кругу и остановился. Можете сформулировать иначе?",
    denied: "Хорошо, делать этого не буду. Я остановился.",
    notAllowed: "Я остановился, потому что это не разрешено.",
    toolFailed: "Я остановился, потому что инструмент не сработал.",
    cut: "Я остановился: достигнут предел длины. Напишите «дальше», чтобы получить остальное.",
    cutEmpty:
      "Я остановился на пределе длины, не успев ответить. Напишите «дальше», и я попробую ещё раз.",
    downgraded: (tier) => `Бюджет почти исчерпан, поэтому ответила модель подешевле (${tier}).`,
    poisoned: (errorId) =>
      `Извините, я попробовал три раза, и ничего не вышло. Попробуйте, пожалуйста, иначе. (ошибка ${errorId})`,
    stopped: "(остановлено)",
    interrupted: "(прервано)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Извините, сервис ИИ сейчас перегружен. Попробуйте, пожалуйста, через минуту. (ошибка ${errorId})`,
    overloaded: (errorId) =>
      `Извините, у сервиса ИИ неполадки. Попробуйте, пожалуйста, позже. (ошибка ${errorId})`,
    timeout: (errorId) =>
      `Извините, ИИ-модель отвечала слишком долго. Попробуйте, пожалуйста, ещё раз. (ошибка ${errorId})`,
    network: (errorId) =>
      `Извините, сейчас не получается связаться с ИИ-моделью. Попробуйте, пожалуйста, позже. (ошибка ${errorId})`,
    "context-overflow": (errorId) =>
      `Извините, этот разговор слишком длинный для модели. /new начнёт новый. (ошибка ${errorId})`,
    "setup-too-long": (errorId) =>
      `Извините, одни только мои инструкции и инструменты слишком длинные для модели. Администратор может сократить промпт или набор инструментов либо выбрать модель с большим контекстным окном. (ошибка ${errorId})`,
    "turn-too-long": (errorId) =>
      `Извините, этот запрос слишком длинный для модели. Сократите его или разбейте на части. (ошибка ${errorId})`,
    auth: (errorId) =>
      `Извините, мой ключ API отклонён. Сообщите, пожалуйста, тому, кто меня запускает. (ошибка ${errorId})`,
    "invalid-request": (errorId) =>
      `Извините, сервис ИИ отклонил мой запрос. Сообщите, пожалуйста, тому, кто меня запускает. (ошибка ${errorId})`,
    refused: (errorId) => `Извините, ИИ-модель отказалась отвечать. (ошибка ${errorId})`,
    empty: (errorId) =>
      `Извините, ответа не пришло. Попробуйте, пожалуйста, ещё раз. (ошибка ${errorId})`,
  },

  unreadable: {
    locked: "Файл защищён паролем.",
    damaged: "Файл повреждён или это не читаемый PDF.",
    "too-complicated": "Файл слишком сложный для чтения.",
    failed: "При чтении что-то пошло не так. Отправьте файл ещё раз или используйте /retry.",
    pictures: "В нём нет текста. Страницы, вероятно, — изображения.",
    empty: "В нём нет текста.",
    unknown: "Файлы такого типа я читать не умею.",
    "no-transcription": "Здесь я не могу прослушивать голосовые сообщения.",
    "not-transcribed": "Извините, расшифровать голосовое сообщение не удалось.",
    silent: "Речи там не слышно.",
    gone: "Файл больше не хранится. Файлы удаляются через сутки.",
    refused: "Сервис ИИ не принимает это изображение.",
  },

  exported: {
    title: "Разговор",
    asOf: (chat, time) => `Чат ${chat} на ${time}.`,
    edited: (who, time) => `${who}: сообщение изменено, ${time}`,
    reading: "Текст вложения",
    result: (number, tool) => `Результат действия ${number}, ${tool}`,
    failed: (kind) => `ошибка: ${kind}`,
    ended: (reason) => `Ответ завершён: ${reason}`,
    reset: (time) => `Новый разговор, ${time}`,
    sawNothing: "Отсюда модель больше не видела ничего из написанного выше.",
    auto: (step, of) => `Шаг ${step} из не более ${of}, цель:`,
    inAnswerTo: "В ответ на:",
    said: "Сообщение:",
    attached: (name, bytes) => `Вложение: ${name}, ${n(bytes)} байт`,
    cutOff: "прервано",
    noted: "Добавлено платформой:",
    thinking: "Размышления:",
    answer: "Ответ:",
    call: (number, tool) => `Действие ${number}: ${tool}`,
    compaction: (strategy) => `Краткое изложение: ${strategy}`,
    by: (model) => `составила модель ${model}`,
    inPlaceOf: (from, to) => `Отсюда модель видела это вместо элементов ${from}–${to} выше:`,
    shortened: (entries) => `Эти результаты она видела сокращёнными: ${entries}.`,
    undone: (time) => `Отменено, ${time}`,
    sawNothingOf: (from, to) => `Отсюда модель больше не видела элементы ${from}–${to}.`,
    notUndone: "То, что сделали эти действия, не отменено:",
  },

  console: {
    demoModel: "демо-модель",
    hints: "Напишите сообщение. /help покажет команды, /quit — выход.",
    earlier: "Ранее:",
    working: (seconds) => `${seconds} с · Ctrl-C — остановить`,
    outcomes: {
      approved: "одобрено",
      denied: "отклонено",
      expired: "срок истёк: никто не принял решение вовремя",
      superseded: "не выполнено: вы написали новое сообщение",
      cancelled: "остановлено",
      changed: "изменено, новый вопрос ниже",
    },
    notHandedOver: "Пока не удалось это принять. Сообщение сохранено, я попробую ещё раз.",
    questionIsOpen: "Это ждёт с прошлого раза. Ответьте y или n; любой другой ввод отменит вопрос.",
    questionReplaced: "Ожидавшее действие отменено.",
    interruptAgain: "Нажмите Ctrl-C ещё раз, чтобы выйти",
    file: (path) => `Файл: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Жду одобрения (${person}). После этого займусь вашим сообщением, не позже чем через ${counted(minutes, forms("минуту", "минуты", "минут"))}.`,
    awaitsAdmin: (minutes) =>
      `Жду одобрения администратора. После этого займусь вашим сообщением, не позже чем через ${counted(minutes, forms("минуту", "минуты", "минут"))}.`,
    awaitsDecision: (minutes) =>
      `Здесь ещё ждёт одобрения одно действие. После этого займусь вашим сообщением, не позже чем через ${counted(minutes, forms("минуту", "минуты", "минут"))}.`,
    brokeOff: (model) => `${model} прервалась на полпути. Пробую ещё раз …`,
    shortening: "сжимаю наш разговор …",
    shortened: (before, after) =>
      `Я сжал начало нашего разговора, чтобы освободить место (примерно ${before} → ${after} токенов). Ничего не потеряно: в /export есть каждое слово.`,
    nothingToShorten: "Сжимать пока нечего.",
    nothingToUndo: "Отменять нечего.",
    nothingToRetry: "Повторять нечего.",
    cannotRetry:
      "Повторить не получится: сообщение уже вошло в краткое изложение. Отправьте его, пожалуйста, ещё раз.",
    undone: "Отменено. Ваше последнее сообщение и всё после него я больше не учитываю.",
    undoneOf: (person) =>
      `Отменено. Последнее сообщение (${person}) и всё после него я больше не учитываю.`,
    staysDone: (tools) => `Это отменить нельзя: ${tools}.`,
    messageKept: "Я сейчас немного занят. Ваше сообщение сохранено, отвечу, как только смогу.",
    waitsForPlace: (limit) =>
      `Я уже готовлю ${counted(limit, forms("ответ", "ответа", "ответов"))}, это предел. Ваш — следующий, отправлять снова не нужно.`,
    orderKept: (command) =>
      `Я сейчас немного занят. Команда /${command} сохранена, выполню её, как только смогу.`,
  },

  edits: {
    refused: (why) => `Такое изменение невозможно: ${why} Вот снова исходный вариант.`,
    refusedAndGone: (why) =>
      `Такое изменение невозможно: ${why} Исходный вариант тоже больше невозможен, поэтому делать этого не буду.`,
    notJson: 'Это не JSON. Он должен выглядеть как {"name": "значение"}.',
    unknownName: (name, known) => `Аргумента ${name} здесь нет. Есть: ${known}.`,
    expected: (path, what) => `${path}: нужно ${what}.`,
    isMissing: (path) => `Не хватает ${path}.`,
    isHidden: (path) => `${path} скрыто. Введите значение целиком или оставьте без изменений.`,
    keptHidden: (path) =>
      `${path} скрыто. Изменить остальное, сохранив его, может только тот, кто просил, или администратор.`,
    same: "Ничего не изменилось: это и есть текущие значения.",
    tooLong: (count) =>
      `Слишком длинно. Предел — ${counted(count, forms("символ", "символа", "символов"))}.`,
    how: "Изменить: /edit <id> имя=значение или JSON со всеми аргументами.",
    newValue: (name) => `Ответьте на это сообщение новым значением для ${name}.`,
    newValues: (names) =>
      `Ответьте на это сообщение и напишите, что изменить: каждое изменение на своей строке в виде имя=значение. Можно изменить: ${names}.`,
    which: "Какое действие? Начните с его номера: 2 имя=значение.",
    title: "Изменить аргументы",
    asJson: "Все аргументы, как JSON",
    noForm:
      "Для формы это слишком много. Ответьте на карточку: имя=значение или JSON со всеми аргументами.",
    types: {
      string: "текст",
      number: "число",
      integer: "целое число",
      boolean: "true или false",
      object: "объект JSON",
      array: "список JSON",
      null: "null",
    },
    oneOf: (choices) => `одно из ${choices}`,
  },

  grants: {
    none: "В этом чате я всегда спрашиваю.",
    heading: "Что мне можно делать здесь без вопросов:",
    exactly: (given) => `ровно ${given}`,
    alike: (given) => `любые аргументы вида ${given}`,
    lasts: (span) => `ещё ${span}`,
    allowedBy: (name) => `разрешение: ${name}`,
    onlyFor: (name) => `только когда спрашивает ${name}`,
    howTo: "Удалить: /grants revoke <номер>.",
    revoked: (tool) => `Готово. Прежде чем снова использовать ${tool}, я спрошу.`,
    noSuch: (number) => `Номера ${number} здесь нет. Смотрите /grants.`,
    notYours: "Удалить это может только администратор или тот, кто разрешил.",
    given: (span) =>
      `Одобрено. В течение ${span} я буду делать ровно это без вопросов. /grants отменит разрешение.`,
    givenAny: (span, tool) =>
      `Одобрено. В течение ${span} я буду использовать ${tool} с любыми подобными аргументами без вопросов. /grants отменит разрешение.`,
    off: "Это всегда требует одобрения.",
    atMost: (span) => `Самое большее — ${span}.`,
    noSpan: (typed) => `Не понимаю ${typed}. Попробуйте 30m или 2h.`,
    adminsAny: "Разрешить другие аргументы могут только администраторы.",
    full: "Одобрено, но разрешений в этом чате уже слишком много, это я не запомню. /grants покажет и удалит их.",
    one: "Какое действие? /approve <id>.<номер> always разрешит одно из них.",
  },

  pause: {
    kept: "Я сейчас на паузе. Ваше сообщение сохранено, отвечу, когда вернусь.",
    halted:
      "Администратор поставил меня на паузу, поэтому я остановился. Спросите, пожалуйста, позже.",
    scopes: {
      all: "везде",
      telegram: "в Telegram",
      discord: "в Discord",
      console: "в терминале",
    },
    begun: (what) =>
      `Пауза ${what}. Текущие ответы завершатся, новые сообщения подождут. /resume — продолжить.`,
    begunNow: (what) =>
      `Пауза ${what}. Текущие ответы остановлены, новые сообщения подождут. /resume — продолжить.`,
    ended: (what) => `Снова работаю ${what}. На ожидающие сообщения отвечу через мгновение.`,
    notPaused: (what) => `Паузы ${what} нет.`,
    stillAll: "Пауза всё ещё везде. /resume all её завершит.",
    unknown: (typed) => `Не понимаю ${typed}. Варианты: all, telegram, discord, console или now.`,
    since: (moment) => `Пауза с ${moment}.`,
    sinceOf: (what, moment) => `Пауза ${what} с ${moment}.`,
  },

  audit: {
    itself: "Сам Parley",
    heading: "Журнал действий (сначала новые, UTC):",
    none: "В журнале ничего не найдено.",
    part: "Я просмотрел только последние 20 000 строк. В /audit export есть всё.",
    unknown: (typed, kinds) => `Не понимаю ${typed}. Укажите число, человека или тип: ${kinds}.`,
    exported: (count) =>
      `Отправлю журнал (${counted(count, forms("строка", "строки", "строк"))}) файлом в наш личный чат.`,
    actions: {
      "approval-decided": "решение по действию",
      "approval-edited": "изменены аргументы",
      "values-shown": "показаны скрытые значения",
      "grant-given": "разрешено без вопросов",
      "grant-revoked": "отозвано разрешение",
      "limit-set": "задан лимит",
      "limit-reset": "сброшен лимит",
      "role-set": "изменена роль",
      "pairing-decided": "решение о доступе",
      paused: "пауза",
      resumed: "работа продолжена",
      "setting-changed": "изменена настройка",
      broadcast: "сообщение во все чаты",
      "erasure-asked": "запрошено удаление",
      "attempt-denied": "отказано",
      "tool-executed": "выполнено",
    },
  },

  doctor: {
    fine: (count: number) => `Всё в порядке (проверок: ${count}).`,
    found: (broken: number, warnings: number) =>
      `Неисправностей: ${broken}, предупреждений: ${warnings}`,
    fix: (how: string) => `Как исправить: ${how}`,
    rest: (count: number) => `В порядке: ${count}`,
    modelFails: (what: string, fix: string) =>
      `Пока это не исправлено, я никому не могу ответить.\n${what}\n${fix}`,
    oneModelFails: (what: string, fix: string) =>
      `Одна из моих моделей не отвечает, её заменяет другая.\n${what}\n${fix}`,
  },
  stats: {
    chats: (today, thisMonth) =>
      `Активные чаты: примерно ${n(today)} сегодня, ${n(thisMonth)} в этом месяце`,
    today: (spent) => `Сегодня: ${spent}`,
    thisMonth: (spent) => `В этом месяце: ${spent}`,
    turns: (active, waiting) => `Ответы: ${n(active)} в работе, ${n(waiting)} в очереди`,
    deliveries: (waiting) => `Сообщений к отправке: ${n(waiting)}`,
    deadLetters: (count) => `Не доставлено: ${n(count)}`,
    running: (version, span) => `Parley ${version}, работает ${span}`,
  },

  broadcast: {
    asks: (count) => `Это получат чаты (${n(count)}):`,
    asksMore: (count) => `Это получат чаты (больше ${n(count)}):`,
    yes: "Отправить",
    confirm: (command) => `Чтобы подтвердить, отправьте ${command} в течение 5 минут.`,
    begun: "Отправляю. Сообщу, когда закончу.",
    done: (count) => `Ваше сообщение отправлено. Чатов: ${n(count)}.`,
    nobody: "Пока нет чатов, куда это отправить.",
    tooLong: (length, limit) => `Слишком длинно (${n(length)} симв., предел ${n(limit)}).`,
    expired: "Подтверждение неверно или истекло. Начните заново: /broadcast.",
  },
  number: n,
};
