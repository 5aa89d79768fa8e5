import { countedIn, moneyIn, numberIn, type NounForms } from "./counted.ts";
import type { Locale } from "./locale.ts";
import { findingsRu } from "./findings/ru.ts";
import { pageRu } from "./page/ru.ts";

const counted = countedIn("ru");
const n = numberIn("ru");
const { money, exactMoney } = moneyIn("ru");

/** After a number in the nominative: 1 ответ, 2 ответа, 5 ответов; a fraction takes the form of 2. */
const forms = (one: string, few: string, many: string): NounForms => ({
  one,
  few,
  many,
  other: few,
});
export const ru: Locale = {
  ingress: {
    notAllowed: "Извините, я отвечаю только тем, кому открыт доступ.",
    adminsOnly: (command) => `Команда /${command} доступна только администраторам.`,
    membersOnly: (command) =>
      `Команда /${command} доступна только участникам, а вы гость. Попросите администратора сделать вас участником.`,
    ownersOnly: (command) => `Команда /${command} доступна только владельцам.`,
    noCommand: (command) => `Команды /${command} я не знаю. /help all покажет все команды.`,
    wroteNothing: "Да? Чем могу помочь?",
    tooLong: (length, limit) =>
      `Сообщение слишком длинное (${counted(length, forms("символ", "символа", "символов"))}, предел — ${n(limit)}). Отправьте его, пожалуйста, по частям.`,
    full: "Я не успеваю отвечать в этом чате и не смог принять ваше последнее сообщение. Отправьте его ещё раз через несколько минут.",
    notKept: (errorId) =>
      `Извините, у меня закончилось место и сообщение не сохранилось. Отправьте его, пожалуйста, позже. (ошибка ${errorId})`,
    notDone: (errorId) =>
      `Извините, у меня закончилось место, сейчас это сделать не получится. Попробуйте, пожалуйста, позже. (ошибка ${errorId})`,
    tapTooOld: "Эта кнопка больше не работает.",
    tapTooLate: "Это заняло слишком много времени. Нажмите, пожалуйста, ещё раз.",
    notAllowedInGroup:
      "Извините, я отвечаю только тем, кому открыт доступ. Администратор может включить меня в этой группе: /allow here.",
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
    empty: (name) => `Файл пуст: ${name}.`,
  },

  inPrivate: {
    askThere: "Давайте обсудим это в личном чате. Напишите мне напрямую.",
    full: "Извините, для вас в очереди уже слишком много личных сообщений. Попробуйте, пожалуйста, позже.",
    answered: "Я ответил вам в личном чате.",
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
    noOwnerOnDiscord:
      "Здравствуйте! Это закрытый бот, и у него пока нет владельца. Если вы его запустили, пришлите мне в личном сообщении код /start из терминала.",
    waiting: "Эти люди просят доступ к боту:",
    more: (count) => `… и ещё ${n(count)}.`,
    nobodyWaits: "Никто не ждёт доступа.",
    howToAllow: "/allow и код — открыть доступ.",
    groupsWait: "Эти группы просят доступ к боту:",
    hello: "Здравствуйте, я Parley.",
    greeting: "Здравствуйте, я Parley. Упомяните меня или ответьте мне, и я отвечу.",
    seeHelp: "/help покажет, что я умею.",
    askedOwner: "Эта группа мне ещё не знакома. Я попросил владельца открыть ей доступ.",
    letIn: (place) => `Открыть доступ: ${place}?`,
    addedBy: (who) => `Меня добавил пользователь ${who}.`,
    leave: "Выйти",
    stayQuiet: "Молчать",
    placeAllowed: (place, admin) => `Доступ открыт: ${place}. Решение: ${admin}.`,
    placeLeft: (place, admin) => `Я вышел из ${place}. Решение: ${admin}.`,
    placeQuiet: (place, admin) => `Я больше не пишу в ${place}. Решение: ${admin}.`,
    alreadyDecided: (outcome) => `Это уже решено. ${outcome}`,
    stillAtLimit: "Этот лимит всё ещё исчерпан.",
    silent: "Это занимает время: модель пока ничего не ответила. /stop отменит запрос.",
  },

  errors: {
    tellOperator: "Сообщите, пожалуйста, тому, кто меня запускает.",
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
        "Провайдер отклонил запрос, причина указана выше. Если имя модели неверное, исправьте его (OPENAI_MODEL, OLLAMA_MODEL или tiers в parley.yaml).",
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
      `Ошибка ${typed} мне не известна. Последние я помню ${counted(days, forms("день", "дня", "дней"))}; в журнале может быть больше.`,
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
      now: "Остановить также текущие ответы",
    },
    audit: {
      description: "Журнал действий, сначала новые",
      count: "Сколько строк",
      who: "Только этот человек, по @имени или ID",
      what: "Только этот тип, или «export» — всё файлом",
    },
    stats: { description: "Статистика бота" },
    doctor: { description: "Проверить эту установку и сказать, что исправить" },
    dashboard: {
      description: "Открыть панель управления в браузере",
      action: "off завершает вход во всех ваших браузерах",
    },
    import: {
      description: "Перенести факты и расписания из другого бота",
      code: "Код, который я показал",
    },
    broadcast: {
      description: "Отправить сообщение во все чаты",
      text: "Сообщение",
    },
    start: {
      description: "Что я умею",
      code: "Код владельца, показанный при запуске",
    },
    help: {
      description: "Что можно сделать",
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
      turns: (limit, usual) => `Максимум шагов, от 1 до ${limit} (по умолчанию ${usual})`,
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
    persona: {
      description: "Выбрать, кто отвечает, или создать персону",
      pick: "Выбрать, кто здесь отвечает",
      new: "Создать персону, ответив на четыре вопроса",
      edit: "Изменить персону",
      show: "Показать промпт, инструменты и модель персоны",
      delete: "Удалить персону",
      history: "Прежние версии персоны",
      name: "Персона или new, edit, show, delete, history",
      persona: "Её имя или «default», чтобы сбросить",
      for: "me (по умолчанию), chat — для всех здесь, place — для всей группы или сервера",
      newName: "Её имя; оставьте пустым, и я подберу сам",
    },
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
      id: "ID и номер, чтобы выбрать одно из нескольких действий (см. /approvals)",
      always: "Разрешить на время без вопросов, напр. 1h (администраторы могут добавить any)",
    },
    deny: {
      description: "Отклонить действие",
      id: "ID и номер, чтобы выбрать одно из нескольких действий (см. /approvals)",
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
    skills: {
      description: "Показать навыки, включить или выключить их здесь",
      action: "Что сделать: on или off; для администраторов review, show, approve или deny",
      skill: "Имя навыка",
    },
    skill: {
      description: "Выполнить задачу с помощью навыка",
      name: "Имя навыка",
      task: "Что нужно сделать",
    },
    remind: {
      description: "Напомнить вам о чём-нибудь",
      when: "через 20м, завтра 9:00, 2027-01-05 09:00, каждый понедельник 9:00",
      text: "О чём напомнить",
    },
    schedule: {
      description: "Напоминания и расписания этого чата",
      action: "Что сделать: list, run, pause, resume, delete или zone",
      list: "Показать напоминания и расписания",
      run: "Выполнить сейчас",
      pause: "Приостановить",
      resume: "Возобновить",
      delete: "Удалить",
      zone: "Показать или выбрать часовой пояс",
      id: "ID из списка",
      city: "Например, Europe/Moscow",
      page: "Какая часть длинного списка",
    },
    memory: {
      description: "Что я помню о вас и об этом чате",
      action: "Что сделать: list, delete, edit или export",
      list: "Показать, что я помню",
      delete: "Удалить что-то из этого",
      edit: "Изменить что-то из этого",
      export: "Получить всё файлом",
      id: "ID из списка",
      text: "Новый текст",
    },
    recall: {
      description: "Искать в том, что говорилось в этом чате",
      words: "Слова для поиска",
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

  /** Of `/persona`. */
  personas: {
    owners: {
      person: "ваша",
      chat: "этого чата",
      everyone: "для всех",
      file: "от оператора",
    },
    answers: (name, why) => `Здесь вам отвечает ${name} (${why}).`,
    why: {
      person: "ваш выбор",
      chat: "выбрано для этого чата",
      place: "выбрано для этой группы или сервера",
      default: "по умолчанию",
    },
    noneAnswers: "Здесь я отвечаю как обычно, без персоны.",
    listed: "Персоны:",
    noneYet: "Персон пока нет.",
    more: (count) => `… и ещё ${n(count)}.`,
    how: "/persona <имя> переключает, /persona default возвращает обратно.",
    howNew: "/persona new создаёт новую.",
    make: "Новая персона",
    notAnonymously: "У анонимных отправителей не может быть своей персоны.",
    notForChat: "Выбрать персону для этого чата может только администратор.",
    notForPlace: "Выбрать персону для всей группы или сервера может только администратор.",
    noPlace: "Здесь нет группы или сервера. Уберите это слово или напишите chat.",
    badScope: (typed) => `${typed} не подходит. Можно me, chat или place.`,
    doesNotFit: (name) =>
      `Персону ${name} нельзя выбрать для других: можно только персону этого чата, персону для всех или от оператора.`,
    chosen: {
      person: (name) => `Со следующего вашего сообщения здесь отвечает ${name}.`,
      chat: (name) => `Со следующего сообщения в этом чате отвечает ${name}.`,
      place: (name) => `Со следующего сообщения во всей группе или на сервере отвечает ${name}.`,
    },
    cleared: {
      person: "Ваш выбор отменён.",
      chat: "Выбор для этого чата отменён.",
      place: "Выбор для этой группы или сервера отменён.",
    },
    yoursFirst: (name) => `Для вас по-прежнему действует ваш выбор: ${name}.`,
    starters: "Можно начать так:",
    noPersona: (typed) => `Я не знаю персоны ${typed}.`,
    seeAll: "/persona показывает все.",
    gone: "Этой персоны больше нет.",
    tools: (what) => `Инструменты: ${what}`,
    allTools: "всё, что доступно мне здесь",
    noTools: "никаких",
    model: (what) => `Модель: ${what}`,
    automatic: "автоматически",
    skills: (what) => `Навыки: ${what}`,
    temperature: (value) => `Температура: ${n(value)}`,
    modelCalls: (count) => `Запросов к модели на ответ: не больше ${n(count)}`,
    noMemory: "Не видит заметок, фактов и прошлых разговоров.",
    saved: (when, number, by) =>
      `Версия ${n(number)}, ${when}${by === undefined ? "" : `, автор: ${by}`}`,
    fromFile: (name) =>
      `Она взята из файла оператора personas/${name}.md, и изменить её можно только там.`,
    prompt: "Промпт:",
    about: (text) => `Описание: ${text}`,
    ask: {
      purpose: "Для чего она? Можно начать с имени, например: «повар: планирует мои ужины».",
      style: "Как она должна говорить? Например: коротко и дружелюбно, как хороший коллега.",
      tools:
        "Чем она может пользоваться? Выберите или пришлите названия инструментов (их показывает /tools). У неё никогда не будет больше, чем есть у меня здесь, и я по-прежнему спрашиваю там, где спрашиваю сейчас.",
      model:
        "Какая модель должна отвечать? Выберите или пришлите название модели (их показывает /model).",
      name: "Как её назвать?",
      description: "Что это за персона, одной строкой?",
      prompt: "Пришлите новый промпт.",
    },
    begin:
      "Давайте создадим персону. Я задам четыре вопроса и покажу результат, прежде чем его сохранить.",
    howToStop: "Любая команда прекращает это, например /persona cancel.",
    replyToAnswer: "Ответьте на это сообщение.",
    none: "Без инструментов",
    all: "Всё",
    auto: "Автоматически",
    cancel: "Отмена",
    cancelled: "Хорошо, отменено. Ничего не сохранено.",
    left: "Персона, которую вы создавали, отброшена. /persona new начинает заново.",
    wroteNothing: "Пожалуйста, ответьте текстом.",
    tooLong: (length, limit) =>
      `Слишком длинно (символов: ${n(length)}, можно не больше ${n(limit)}). Пришлите, пожалуйста, текст покороче.`,
    badName: (typed, limit) =>
      `${typed} не может быть именем. Возьмите буквы и цифры, не больше ${n(limit)}, с дефисами между словами.`,
    reservedName: (name) => `«${name}» — слово этой команды. Выберите, пожалуйста, другое имя.`,
    lookalikeName: (name) =>
      `В этом имени есть буквы, которые только похожи на другие: ${name}. Выберите, пожалуйста, другое имя.`,
    taken: (name) => `Персона ${name} уже есть. Выберите, пожалуйста, другое имя.`,
    noTool: (typed) => `У меня нет инструмента ${typed}.`,
    seeTools: "Их показывает /tools.",
    preview: (name) => `Ваша новая персона: ${name}`,
    previewOfChange: (name) => `Изменено: ${name}`,
    nothingChanged: "Ничего не изменится.",
    before: "− было, + стало:",
    sampleFollows: (question) => `Сейчас придёт пример ответа на вопрос «${question}»`,
    sample: "Кто вы и как помогаете? Приведите короткий пример.",
    noSample: (why) => `Сейчас я не могу показать пример ответа. ${why}`,
    busy: "В этом чате ждёт слишком много сообщений.",
    notSavedYet: "Пока вы не одобрите, ничего не сохраняется.",
    approve: "Одобрить",
    approveChat: "Одобрить для этого чата",
    approveEveryone: "Одобрить для всех",
    change: "Изменить",
    whatToChange: "Что вы хотите изменить?",
    fields: {
      name: "Имя",
      purpose: "Для чего она",
      style: "Как говорит",
      tools: "Чем пользуется",
      model: "Модель",
      description: "Описание",
      prompt: "Промпт",
    },
    back: "Назад",
    formTitle: "Новая персона",
    formTitleOfChange: (name) => `Изменить ${name}`,
    isSaved: (name, owner) => `Персона ${name} сохранена (${owner}).`,
    alreadySaved: (name) => `Персона ${name} уже сохранена.`,
    use: "Включить здесь",
    howToUse: (name) => `/persona ${name} переключает на неё.`,
    noDraft: "Здесь больше нечего одобрять или менять. /persona new начинает заново.",
    outdated: "Этот предпросмотр устарел. Возьмите, пожалуйста, последний.",
    notYetDone: "Остался ещё один вопрос.",
    changedSince: (name) =>
      `Тем временем персону ${name} изменил кто-то другой. /persona edit ${name} начинает заново.`,
    mayNotMake: "Создавать персоны могут только участники, а вы гость. Но выбрать персону можно.",
    mayNotSave: {
      chat: "Создать персону для этого чата может только администратор.",
      everyone: "Создать персону для всех может только администратор.",
    },
    mayNotChange: (name, owner) =>
      `Изменить персону ${name} (${owner}) может только администратор.`,
    tooMany: (limit) =>
      `Достигнут предел, персон не может быть больше ${n(limit)}. Сначала удалите одну: /persona delete <имя>.`,
    tooLongToEdit: (name, limit) =>
      `Промпт персоны ${name} слишком длинный: в чате можно менять не больше ${n(limit)} символов.`,
    which: (action) => `Какую? /persona ${action} <имя>`,
    delete: "Удалить",
    sureToDelete: (name, owner) => `Удалить персону ${name} (${owner}) со всеми версиями?`,
    deleted: (name) => `Персона ${name} удалена.`,
    history: (name) => `Версии персоны ${name}:`,
    current: "текущая",
    rollBack: (number) => `Вернуть ${n(number)}`,
    rolledBack: (name, number) => `Персона ${name} снова в версии ${n(number)}.`,
    noVersion: (name, typed) => `У персоны ${name} больше нет версии ${typed}.`,
    badTarget: (typed) => `${typed} не подходит. Можно me, chat или everyone.`,
    badAction: (typed) => `Я не знаю /persona ${typed}.`,
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
      `Цель слишком длинная (${counted(length, forms("символ", "символа", "символов"))}, предел — ${n(limit)}).`,
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
    byPersona: "задано персоной",
    gone: (value) => `Раньше было выбрано ${value}, но теперь это недоступно.`,
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
    andMore: (names, count) => `${names} и ещё ${n(count)}`,
    order: (models) => `Я обращаюсь к ним в таком порядке: ${models}.`,
    sameAs: (tiers, same) => `Здесь то же, что ${same}: ${tiers}`,
  },

  settings: {
    heading: "Настройки этого чата:",
    how: "Изменить: /settings <имя> <значение>, «default» сбросит настройку.",
    changes: (name, expected) => `Изменить: /settings ${name} <значение>. ${expected}.`,
    isDefaultAgain: (name, value) => `${name} снова по умолчанию: ${value}.`,
    cannotBe: (name, typed, expected) => `${name}: значение ${typed} не подходит. ${expected}.`,
    isNow: (name, value) => `Теперь в этом чате ${name}: ${value}.`,
    groups: {
      answers: "Ответы",
      actions: "Инструменты и разрешения",
      limits: "Лимиты",
      memory: "Память разговора",
      model: "Модель",
    },
    modelsOwn: "как у модели",
    noneChosen: (kind) => `${kind}: автоматически (см. /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (ваш выбор; см. /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (задано для этого чата; см. /${kind})`,
    personasChoice: (kind, value) => `${kind}: ${value} (задано персоной; см. /persona)`,
    withPersona: (persona, value) => `с персоной ${persona}: ${value}`,
    default: (name, value) => `${name}: ${value}`,
    own: (name, value, fallback) => `${name}: ${value} (по умолчанию: ${fallback})`,
    adminsOnly: (name) => `Изменить ${name} может только администратор.`,
    adminsInGroups: (name) => `В группе изменить ${name} может только администратор.`,
    which: "Какая настройка?",
    unknown: (typed) => `Настройки ${typed} нет.`,
    expectedCount: (min, max) => `Нужно целое число от ${n(min)} до ${n(max)}`,
    expectedDecimal: (min, max) => `Нужно число от ${n(min)} до ${n(max)}`,
    expectedDuration: "Нужна длительность, например 15m или 24h",
    expectedUsd: "Нужна сумма в долларах, например 5usd",
    orOff: (expected) => `${expected} или off`,

    expectedWords: (words) => `Варианты: ${words} или default`,
    about: {
      whileBusy: "если вы пишете, пока я ещё отвечаю",
      tools: "насколько видна моя работа с инструментами",
      activation: "когда я отвечаю в группе",
      thinking: "показывать мои рассуждения",
      maxModelCalls: "максимум запросов к модели на один ответ",
      maxToolExecutions: "максимум запусков инструментов на один ответ",
      deadline: "максимум времени на один ответ",
      maxTokens: "максимум токенов на один ответ",
      maxCost: "максимум денег на один ответ",
      toolFailure: "останавливаться, если инструмент не сработал",
      confirmationDenied: "останавливаться, если кто-то отказал",
      policyDenied: "останавливаться, если запрещает правило",
      loopSameCall: "сколько повторов одного действия считать зацикливанием",
      loopSameTool: "сколько запусков одного инструмента подряд считать зацикливанием",
      loopHints: "сколько подсказок о зацикливании дать до остановки",
      permissions: "спрашивать ли перед действием",
      compactAt: "насколько заполнится память до сжатия, от 0 до 1",
      keepTurns: "для скольких ответов хранить результаты инструментов целиком",
      strategy: "как сокращать длинный разговор",
      temperature: "разнообразие формулировок, 0 — минимум",
      maxOutputTokens: "максимум токенов в ответе модели",
      repeatPenalty: "насколько избегать повторов, 1 — выключено",
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
      ask: "спрашивать перед каждым действием, требующим одобрения",
      auto: "не спрашивать, где это разрешает правило, например auto 30m",
      summarise: "кратко пересказать старую часть",
      agent: "помощник прочитает её и запишет главное",
      truncate: "отбросить старую часть",
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
    isAuto: "Я говорю на языке вашего приложения: русский.",
    is: "Я говорю по-русски, как вы выбрали.",
    how: (codes) => `Изменить: /language <${codes}>, или /language auto — как в приложении.`,
    unknown: (typed, codes) => `Языка ${typed} я не знаю. Доступны: ${codes}, auto.`,
    notAnonymously: "Анонимным авторам нельзя задать свой язык.",
  },

  status: {
    memory: {
      auto: "Память: сам ищу в прошлых сообщениях (по ключевым словам)",
      tool: "Память: ищу в прошлых сообщениях по необходимости (по ключевым словам)",
      off: "Память: в прошлых сообщениях не ищу",
      autoMeaning: "Память: сам ищу в прошлых сообщениях (по словам и смыслу)",
      toolMeaning: "Память: ищу в прошлых сообщениях по необходимости (по словам и смыслу)",
      keywordsOnly: "Память: поиск по смыслу сейчас недоступен, только по ключевым словам",
    },
    idle: "Сейчас ничего не выполняется.",
    queued: "В очереди.",
    running: "Готовлю ответ.",
    waiting: "Жду, пока кто-нибудь одобрит или отклонит действие.",
    auto: (step, of) => `/auto: шаг ${step} из ${of}. /stop остановит.`,
    queue: (count) => `Сообщений в очереди: ${n(count)}`,
    model: (models) => `Модель: ${models}`,
    tier: (tier) => `Уровень: ${tier}`,
    persona: (name: string) => `Персона: ${name}.`,
    noTier: "Уровень: автоматически",
    remembered: (count) =>
      `В этом разговоре: ${counted(count, forms("элемент", "элемента", "элементов"))} (сообщения и действия)`,
  },

  approvals: {
    none: "Ничего не ждёт одобрения.",
    heading: (count) =>
      `${counted(count, forms("действие ждёт", "действия ждут", "действий ждут"))} одобрения:`,
    askedFor: (person) => `пользователь ${person}`,
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
    aMember: "участник",
    both: (one, other) => `${one} и ${other}`,
    counted: "Принято: 1 из 2 одобрений. Нужен ещё один человек.",
    countedBefore: "Вы это уже одобрили. Нужен ещё один человек.",
    approved: "Одобрено.",
    denied: "Отклонено.",
    kept: "Сохранено.",
    notKept: "Не сохранено.",
    approvedOf: (done, of) => `Одобрено: ${done} из ${of}.`,
    deniedOf: (done, of) => `Отклонено: ${done} из ${of}.`,
    approvedBy: (name) => `Одобрено (${name}).`,
    deniedBy: (name) => `Отклонено (${name}).`,
    deniedBecause: (name, reason) => `Отклонено (${name}): ${reason}`,
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
    alreadyApprovedBy: (name) => `Это уже одобрено (${name}).`,
    alreadyDeniedBy: (name) => `Это уже отклонено (${name}).`,
    superseded: "Отменено из-за нового сообщения.",
    stopped: "Отменено.",
    unknownId: (id) => `Здесь нет запроса ${id}, ожидающего одобрения. Смотрите /approvals.`,
    whichCard:
      "Не понимаю, к чему относится этот ответ. Ответьте на карточку, нажмите на ней кнопку или отправьте /approve <id> или /deny <id>. /approvals покажет ID.",
    noCall: (typed, command) =>
      `На этой карточке нет действия ${typed}. Укажите действие по номеру: /${command} <id> 1. /approvals покажет, что ждёт.`,
    which: (command) =>
      `Ждут несколько действий. /approvals покажет их, /${command} <id> выберет одно.`,
  },

  cards: {
    approve: "Одобрить",
    deny: "Отклонить",
    keep: "Запомнить",
    dontKeep: "Не надо",
    factOfYours: "О вас. Я использую это только в ваших личных чатах со мной.",
    factOf: (name) => `О человеке: ${name}. Я использую это только в его личных чатах со мной.`,
    factOfChat: "Об этом чате. Это видят все участники.",
    factReplaces: (id) => `Заменяет ${id}.`,
    approveAll: "Одобрить все",
    denyAll: "Отклонить все",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} с`,
      minutes: (count) => `${count} мин`,
      hours: (count) => `${count} ч`,
      days: (count) => counted(count, forms("день", "дня", "дней")),
    },
    characters: (count) => counted(count, forms("символ", "символа", "символов")),
    needed: (title) => `${title}?`,
    neededFor: (count) =>
      `Нужно одобрение для ${counted(count, { one: "действия", few: "действий", many: "действий", other: "действия" })}:`,
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
    youDecide: "Решать вам.",
    twoDecide: (who) => `Нужны два одобрения: ${who}.`,
    firstOfTwo: (name) => `1 из 2: одобрено (${name}). Нужно ещё одно одобрение.`,
    expiresAt: (moment) => `Истекает: ${moment}.`,
    expiresIn: (duration) => `Истекает через ${duration}.`,
    id: (id) => `ID: \`${id}\``,
    approved: (what) => `✓ ${what} одобрено`,
    approvedBy: (what, name) => `✓ ${what} одобрено (${name})`,
    approvedFirst: (what, name) => `… ${what} одобрено (${name}). Нужно ещё одно одобрение`,
    denied: (what) => `✗ ${what} отклонено`,
    deniedBy: (what, name) => `✗ ${what} отклонено (${name})`,
    kept: (what) => `✓ ${what} сохранено`,
    keptBy: (what, name) => `✓ ${what} сохранено (${name})`,
    notKept: (what) => `✗ ${what} не сохранено`,
    expired: (what) => `✗ ${what} срок истёк, никто не успел решить`,
    superseded: (what) => `✗ ${what} отменено из-за нового сообщения`,
    stopped: (what) => `✗ ${what} отменено`,
    edit: "Изменить",
    allowFor: (span) => `Разрешить на ${span}`,
    changedNote: (name) => `Аргументы изменены (${name}).`,
    changedNoteOfYours: "Вы изменили аргументы.",
    changedNoteOfNobody: "Аргументы были изменены.",
    changed: (what) => `✎ ${what} изменено`,
    changedBy: (what, name) => `✎ ${what} изменено (${name})`,
    erased: "Удалено.",
  },

  toolTitles: {
    current_time: "Узнать время",
    calculate: "Посчитать",
    fetch_url: "Открыть веб-страницу",
    web_search: "Искать в интернете",
    read_notes: "Прочитать заметки",
    write_note: "Записать заметку",
    remember: "Запомнить",
    recall: "Искать в этом чате",
    read_more: "Прочитать результат дальше",
    todo_list: "Показать список дел",
    todo_write: "Изменить список дел",
    find_tools: "Найти инструменты",
    schedule: "Создать напоминание или расписание",
    activate_skill: "Прочитать навык",
    read_skill_file: "Прочитать файл навыка",
  },

  toolDescriptions: {
    current_time: "Дата и время в любой точке мира",
    calculate: "Точные вычисления, в том числе с единицами и датами",
    fetch_url: "Читает страницу, адрес которой вы мне дали",
    web_search: "Находит страницы и показывает краткие выдержки",
    read_notes: "Читает заметки этого чата",
    write_note: "Добавляет заметку в этот чат",
    remember: "Запоминает факт о вас или об этом чате",
    recall: "Находит сказанное раньше в этом чате",
    read_more: "Читает дальше длинный результат",
    todo_list: "Показывает список дел этого чата",
    todo_write: "Добавляет дела и отмечает выполненные",
    find_tools: "Находит нужный инструмент среди многих",
    schedule: "Создаёт, меняет и удаляет напоминания и расписания",
    activate_skill: "Читает инструкцию навыка",
    read_skill_file: "Читает файл, который относится к навыку",
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
      `Извините, изображение ${name} прочитать не удалось. Отправьте его как фото или в JPEG, PNG, WebP или GIF.`,
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
    tooLate:
      "Извините, это заняло слишком много времени, и ответить лично вам не вышло. Спросите, пожалуйста, ещё раз.",
    askAboutThis: "Спросить об этом",
    yourQuestion: "Ваш вопрос",
    forgotten: "Извините, я потерял это сообщение. Выберите его, пожалуйста, ещё раз.",
    about: (link) => `о ${link}`,
    ask: "Задать мне вопрос",
    askQuestion: "Ваш вопрос или просьба",
    askFile: "Файл: изображение, текст или PDF",
    video: (name) => `Я не могу смотреть видео (${name}). Отправьте, пожалуйста, скриншот.`,
    archive: (name) =>
      `Я не могу открыть архивы (${name}). Отправьте, пожалуйста, файлы по одному.`,
    picture: (name) =>
      `Такие изображения я открыть не могу (${name}). Отправьте, пожалуйста, PNG, JPEG, GIF или WebP.`,
    otherFile: (name) =>
      `Такие файлы я прочитать не могу (${name}). Я читаю изображения, текстовые файлы и PDF.`,
    sticker: "Я не вижу стикеры. Напишите, пожалуйста, словами.",
    poll: "Я не могу прочитать опросы. Напишите, пожалуйста, сам вопрос.",
    fileIsGone: (name) =>
      `Извините, у Discord больше нет файла ${name}. Отправьте, пожалуйста, ещё раз.`,
    fileFailed: (name) =>
      `Извините, не удалось скачать файл ${name} из Discord. Отправьте, пожалуйста, ещё раз.`,
    fileTooLarge: (name, megabytes) => `${name}: файл слишком большой. Предел — ${megabytes} МБ.`,
  },

  tools: {
    none: "Сейчас у меня нет инструментов.",
    free: "Этим я пользуюсь без вопросов:",
    asking: "Прежде чем использовать эти инструменты, я спрашиваю:",
    sometimes: "Прежде чем использовать эти инструменты, я иногда спрашиваю:",
    more: (count) => `И ещё ${n(count)}.`,
    noSearch:
      "Искать в интернете я пока не могу. Администратор может это настроить командой npm run init или в разделе webSearch файла parley.yaml.",
  },

  memory: {
    none: "Я здесь ничего не запоминал. Скажите «запомни, что…», и я спрошу, прежде чем сохранить.",
    aboutYou: "О вас (видно только в ваших личных чатах):",
    aboutChat: "Об этом чате:",
    note: "заметка",
    more: "Ещё",
    howTo:
      "Чтобы удалить что-то, нажмите кнопку или отправьте /memory delete <ID>. Чтобы изменить: /memory edit <ID> <текст>. /memory export пришлёт всё файлом.",
    which: "Что именно? ID показывает /memory.",
    unknown: (typed) => `Я не знаю ${typed}. /memory показывает, что я здесь помню.`,
    badAction: (typed) =>
      `Я не знаю ${typed}. После /memory можно указать list, delete, edit или export.`,
    badText: (limit) => `Напишите новый текст после ID, не длиннее ${n(limit)} знаков.`,
    notYours: "Изменить это может только тот, кто это сказал, или администратор.",
    full: "Места больше нет. Сначала удалите что-нибудь: /memory",
    isDeleted: (text) => `Забыто: ${text}`,
    isChanged: (text) => `Изменено. Теперь я помню: ${text}`,
    isExported: "Вот всё, что я помню, в файле.",
    title: "Что помнит Parley",
    summaries: "Сводки прошлых разговоров",
    supersedes: (id) => `(вместо ${id})`,
  },

  recall: {
    none: "В этом чате я ничего об этом не нашёл.",
    bot: "Я",
    indexing: "Я ещё индексирую этот чат. Попробуйте снова через минуту.",
    tooLong: "Этот чат слишком длинный, чтобы искать по всему: я искал в самой новой части.",
    off: "Поиск здесь выключен.",
  },

  todos: {
    none: "Список дел пуст. Попросите меня о чём-нибудь из нескольких шагов, и я буду отмечать их здесь.",
    heading: (done, total) => `Список дел: выполнено ${done} из ${total}`,
  },

  usage: {
    heading: "Этот чат за всё время:",
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
      eachPerson: "для каждого человека",
      eachChat: "для каждого чата",
    },
    role: (role) => `для вас (${role})`,
    platform: (platform) => `для всех в ${platform}`,
    ofPerson: (person) => `пользователь ${person}`,
    ofChat: (chat) => `для чата ${chat}`,
    hit: (limit, whose) => `Лимит исчерпан: ${limit} (${whose}).`,
    needs: (amount, used, limit, whose) =>
      `На ответ (до ${amount}) уже не хватает: израсходовано ${used}, лимит — ${limit} (${whose}).`,
    resets: (when) => `Лимит обновится ${when}.`,
    notKept: "После этого отправьте сообщение, пожалуйста, ещё раз.",
    nearly: (percent, limit, whose, used) =>
      `Израсходовано ${percent} % лимита (${limit}, ${whose}): ${used}.`,
    slowDown: (limit) => `Чуть помедленнее: лимит — ${limit}. Он обновится в течение минуты.`,
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
    badAmount: (typed, example) => `Не понимаю ${typed}. Подойдёт лимит вида ${example} или off.`,
    badValue: (typed, metric, example, per) =>
      `Не понимаю ${typed}. Для ${metric} подойдёт лимит вида ${example}, за ${per}, или off.`,
    isNow: (whose, limit, before) =>
      `Новый лимит (${whose}): ${limit} (раньше: ${before}). Он действует со следующего сообщения.`,
    isReset: (whose, limit, before) =>
      `Лимит (${whose}) снова из настроек: ${limit} (раньше: ${before}).`,
    unlimited: "без ограничений",
    ofEach: (role) => `для роли «${role}»`,
    notSet: "нет",
    nothingSet: (whose) => `Такой лимит (${whose}) в чатах не задавали, сбрасывать нечего.`,
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
      `Вы израсходовали ${percent} % своего лимита (${limit}): ${used}.`,
  },

  whoami: {
    name: (name) => `Имя: ${name}`,
    id: (id) => `ID: ${id}`,
    role: (role) => `Роль: ${role}`,
    chat: (chat) => `Чат: ${chat}`,
    anonymous: "Вы пишете анонимно, поэтому ничего решать здесь не можете.",
    place: (place) => `ID места: ${place}`,
    adminHere:
      "Вы администратор этой группы: можете менять её настройки и лимиты и решать, что одобрить.",
    roles: {
      owner: "владелец",
      admin: "администратор",
      member: "участник",
      guest: "гость",
      stranger: "пока нет",
      banned: "заблокирован",
    },
    may: {
      owner: "Это ваш бот. Вы можете всё.",
      admin:
        "Вы можете всё: общаться со мной, одобрять действия, менять настройки и открывать доступ другим.",
      member:
        "Вы можете общаться со мной, одобрять то, что я делаю для вас, и менять свои настройки.",
      guest: "Вы можете общаться со мной здесь. Действия одобряют участники.",
      stranger: "У вас пока нет доступа.",
      banned: "Ваш доступ заблокирован.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Я не знаю никого с именем ${typed}. Если человек мне ещё не писал, укажите ID вида telegram:12345.`,
    whom: (command) =>
      `Кто? Ответьте на сообщение этого человека командой /${command} или укажите @name или ID: /${command} telegram:12345`,
    anonymous: (who) =>
      `${who} пишет анонимно, возможно, от имени нескольких людей, поэтому роль дать нельзя.`,
    adminsOnly: "Роли может менять только администратор.",
    ownersOnly: "Назначать и снимать администраторов могут только владельцы.",
    ownerStays: (who) => `${who} — владелец бота. Изменить это можно только в настройках бота.`,
    fileBans: (who) => `${who}: доступ заблокирован в настройках бота. Измените это там.`,
    fileAllows: (who) => `${who}: доступ открыт в настройках бота. Измените это там.`,
    aRole: {
      owner: "владелец",
      admin: "администратор",
      member: "участник",
      guest: "гость",
      banned: "заблокирован",
    },
    isNow: (who, role) => `Теперь ${who} — ${role}.`,
    isAlready: (who, role) => `${who} — уже ${role}.`,
    banned: (who) => `Доступ заблокирован: ${who}.`,
    unbanned: (who) => `Доступ разблокирован: ${who}.`,
    notBanned: (who) => `Доступ не заблокирован: ${who}.`,
    noRole: (typed) => `Роли ${typed} нет. Варианты: admin, member или guest.`,
    whichRole: "Какая роль? Варианты: admin, member или guest.",
    placeAllowed: (place) => `Теперь со мной могут общаться все (как гости): ${place}.`,
    placeBanned: (place) => `Теперь я отвечаю только администраторам: ${place}.`,
    placeCleared: (place) => `Правило убрано: ${place}.`,
    placeNotSet: (place) => `Правила нет: ${place}.`,
    noPlace: "Это личный чат. Укажите человека.",
    noServer: "Это не сервер Discord.",
    owners: "Владельцы:",
    admins: "Администраторы:",
    noneNamed: "Нет.",
    terminal: "Тот, кто работает за моим терминалом, тоже владелец.",
    thisChat: "этот чат",
    thisServer: "этот сервер",
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
      me: "Это навсегда удалит ваши данные и остановит всё, что я для вас делаю.\nБудет удалено:\n• ваши личные чаты со мной\n• ваш профиль с предпочтениями и ролью (возможно, доступ придётся открыть снова)\n• в группах: то, что вы писали, мои ответы вам и места, где я повторял ваши слова\n• ваши причины и изменения там, где вы решали за других\nОстанется:\n• заметки и дела групп\n• то, что о вас писали другие\n• расход за этот месяц\n• блокировка, если она есть (без вашего имени)\n• сообщения в самом приложении",
    },
    expired: (scope) =>
      `Подтверждение неверно или истекло. Подтвердить может только тот, кто просил, здесь и в течение 5 минут. Начните заново: /forget ${scope}.`,
    begun: "Минутку. Я сообщу, когда всё будет удалено.",
    chatDone: "Готово. Всё в этом чате удалено.",
    meDone: "Готово. Ваши личные чаты со мной и профиль удалены.",
    meDoneWith: (groups) =>
      `Готово. Ваши личные чаты со мной, профиль и то, что вы писали в ${counted(groups, { one: "группе", few: "группах", many: "группах", other: "группы" })}, удалены.`,
    but: (count) =>
      `Не удалось прочитать или удалить часть данных, которая может сюда относиться (${n(count)}). Подробности — в моём журнале, у того, кто меня запускает.`,
  },

  end: {
    modelCalls: (limit) =>
      `Я остановился, потому что достиг лимита шагов: ${n(limit)}. Напишите «дальше», чтобы продолжить.`,
    toolExecutions: (limit) =>
      `Я остановился, потому что достиг лимита запусков инструментов: ${n(limit)}. Напишите «дальше», чтобы продолжить.`,
    tokens: (limit) =>
      `Я остановился, потому что достиг лимита токенов на один ответ: ${n(limit)}.`,
    cost: (limitUsd) =>
      `Я остановился, потому что достиг лимита расходов на один ответ: ${exactMoney(limitUsd)}.`,
    deadline: (limitSeconds) =>
      `Я остановился, потому что достиг лимита времени на один ответ: ${counted(limitSeconds, forms("секунда", "секунды", "секунд"))}.`,
    loop: "Я начал ходить по кругу и остановился. Можете сформулировать иначе?",
    denied: "Я остановился, потому что это не одобрили.",
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
    auth: (errorId) => `Извините, мой ключ API отклонён. (ошибка ${errorId})`,
    "invalid-request": (errorId) => `Извините, сервис ИИ отклонил мой запрос. (ошибка ${errorId})`,
    refused: (errorId) => `Извините, ИИ-модель отказалась отвечать. (ошибка ${errorId})`,
    empty: (errorId) =>
      `Извините, ответа не пришло. Попробуйте, пожалуйста, ещё раз. (ошибка ${errorId})`,
  },

  unreadable: {
    locked: "Файл защищён паролем.",
    damaged: "Файл повреждён или не является читаемым PDF.",
    "too-complicated": "Файл слишком сложный для чтения.",
    failed: "При чтении что-то пошло не так. Отправьте файл ещё раз или используйте /retry.",
    pictures: "В нём нет текста. Вероятно, его страницы — изображения.",
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
    sample: (persona, who) => `Пример для персоны ${persona}: ${who}`,
    asPersona: (model, persona) => `${model} в роли ${persona}`,
    edited: (who, time) => `${who}: сообщение изменено, ${time}`,
    reading: "Текст вложения",
    result: (number, tool) => `Результат действия ${number}, ${tool}`,
    failed: (kind) => `ошибка: ${kind}`,
    ended: (reason) => `Ответ завершён: ${reason}`,
    reset: (time) => `Новый разговор, ${time}`,
    sawNothing: "Отсюда модель больше не видела ничего из написанного выше.",
    auto: (step, of) => `Шаг ${step} из ${of} (максимум), цель:`,
    inAnswerTo: "В ответ на:",
    said: "Сообщение:",
    attached: (name, bytes) =>
      `Вложение: ${name}, ${counted(bytes, forms("байт", "байта", "байт"))}`,
    cutOff: "прервано",
    noted: "Добавлено платформой:",
    thinking: "Рассуждения:",
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
      expired: "срок истёк: никто не успел решить",
      superseded: "не выполнено: вы написали новое сообщение",
      cancelled: "остановлено",
      changed: "изменено, новый вопрос ниже",
    },
    notHandedOver: "Пока не удалось это принять. Сообщение сохранено, я попробую ещё раз.",
    questionIsOpen: "Это ждёт с прошлого раза. Ответьте y или n; любой другой ввод отменит вопрос.",
    questionReplaced: "Ожидавшее действие отменено.",
    formGone: "Этот вопрос уже закрыт. Ваше изменение отброшено.",
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
    brokeOff: (model) => `Модель ${model} прервалась на полпути. Пробую ещё раз …`,
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
    expected: (path, what) => `${path}: требуется ${what}.`,
    isMissing: (path) => `Не хватает ${path}.`,
    isHidden: (path) => `${path} скрыто. Введите значение целиком или оставьте без изменений.`,
    keptHidden: (path) =>
      `${path} скрыто. Изменить остальное, сохранив это значение, может только тот, кто просил, или администратор.`,
    same: "Ничего не изменилось: это и есть текущие значения.",
    tooLong: (count) =>
      `Слишком длинно. Предел — ${counted(count, forms("символ", "символа", "символов"))}.`,
    how: (id) => `Изменить: /edit ${id} имя=значение или JSON со всеми аргументами.`,
    whichOne: "Какое действие вы хотите изменить?",
    nothingToChange: "У этих действий нет аргументов, которые можно изменить.",
    change: "имя=значение",
    newValue: (name) => `Ответьте на это сообщение новым значением для ${name}.`,
    newValues: (names) =>
      `Ответьте на это сообщение и напишите, что изменить: каждое изменение на своей строке в виде имя=значение. Можно изменить: ${names}.`,
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

  permissions: {
    auto: (until, by) => `auto до ${until}, включено: ${by}`,
    status: (mode) => `Разрешения: ${mode}`,
    isAuto: (until) =>
      `До ${until} не буду спрашивать там, где это разрешает правило. /settings permissions ask отменит.`,
    onlyYours:
      "Вы администратор только этой группы, поэтому это касается лишь ваших собственных просьб.",
    isAsk: "Хорошо, перед действием буду спрашивать.",
    expected: "Варианты: ask, auto или auto с длительностью, например auto 30m",
    noRule: "Ни одно правило не разрешает здесь auto, поэтому я продолжу спрашивать.",
    full: "В этом чате уже слишком много разрешений. /grants покажет и удалит их.",
    inGrants: "auto: всё, что правило разрешает без вопросов",
    ranByAuto: "выполнено без вопросов (auto)",
  },

  grants: {
    none: "В этом чате я всегда спрашиваю.",
    heading: "Что мне можно делать здесь без вопросов:",
    exactly: (given) => `только с аргументами ${given}`,
    alike: (given) => `с любыми аргументами вида ${given}`,
    lasts: (span) => `ещё ${span}`,
    allowedBy: (name) => `разрешение: ${name}`,
    onlyFor: (name) => `только когда просит ${name}`,
    howTo: "Удалить: /grants revoke <номер>.",
    ownFacts: (name) =>
      `Разрешить это на время может только ${name}: чтобы что-то запомнить, нужно согласие самого человека.`,
    revoked: (tool) => `Готово. Прежде чем снова использовать ${tool}, я спрошу.`,
    noSuch: (number) => `Номера ${number} здесь нет. Смотрите /grants.`,
    notYours: "Удалить это может только администратор или тот, кто разрешил.",
    given: (span) =>
      `Одобрено на ${span}: буду делать ровно это без вопросов. /grants отменит разрешение.`,
    givenAny: (span, tool) =>
      `Одобрено на ${span}: буду использовать ${tool} с любыми подобными аргументами без вопросов. /grants отменит разрешение.`,
    off: "Это всегда требует одобрения.",
    atMost: (span) => `Можно не больше чем на ${span}.`,
    noSpan: (typed) => `Не понимаю ${typed}. Попробуйте 30m или 2h.`,
    adminsAny: "Разрешить другие аргументы могут только администраторы.",
    full: "Одобрено, но разрешений в этом чате уже слишком много, это разрешение я не запомню. /grants покажет и удалит их.",
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
    notPaused: (what) => `Я не на паузе ${what}.`,
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
      "contents-shown": "прочитана переписка в",
      "grant-given": "разрешено без вопросов",
      "grant-revoked": "отозвано разрешение",
      "limit-set": "задан лимит",
      "limit-reset": "сброшен лимит",
      "role-set": "изменена роль",
      "pairing-decided": "решение о доступе",
      paused: "пауза",
      resumed: "работа продолжена",
      "setting-changed": "изменена настройка",
      "turn-stopped": "остановлены ответы",
      "schedule-changed": "изменено расписание",
      "skill-decided": "принял решение о навыке",
      broadcast: "сообщение во все чаты",
      "page-login": "вошёл в панель через",
      "page-session-ended": "завершил вход в панель",
      "erasure-asked": "запрошено удаление",
      "dead-letter-settled": "решение по недоставленному сообщению",
      "attempt-denied": "отказано",
      "tool-executed": "выполнено",
    },
    outcomes: {
      approved: "одобрено",
      denied: "отклонено",
      expired: "срок истёк",
      "approved 1 of 2": "одобрено, 1 из 2",
      "not entitled": "нет права",
      "another chat": "в другом чате",
      allowed: "доступ открыт",
      allow: "доступ у всех",
      ban: "бот молчит",
      none: "нет",
      done: "выполнено",
      cancelled: "отменено",
      "outcome-unknown": "результат неизвестен",
      unknown: "результат неизвестен",
      failed: "не удалось",
      "tool-error": "не удалось",
      timeout: "превышено время ожидания",
      "invalid-arguments": "недопустимые аргументы",
      "unknown-tool": "неизвестный инструмент",
      "policy-denied": "запрещено правилом",
      "confirmation-denied": "в одобрении отказано",
      "confirmation-expired": "срок одобрения истёк",
      superseded: "заменено новым сообщением",
      "limit-reached": "достигнут лимит",
      deadline: "время на ответ вышло",
      "asked-again": "запрошено снова",
      refused: "отклонено",
      "not-asked": "не запрошено",
      "not-allowed": "не разрешено",
      replayed: "отправлено снова",
      dropped: "удалено",
      yes: "да",
      same: "те же аргументы",
      like: "похожие аргументы",
      shell: "консоль",
      off: "выключено",
    },
    facts: {
      requester: "по запросу",
      first: "сначала одобрено",
      persona: "персона",
      scope: "для",
      until: "до",
      before: "раньше",
      now: "теперь",
      reason: "причина",
      value: "значение",
      characters: "символов",
      role: "роль",
      asked: "запрошено",
      changed: "изменено",
      from: "откуда",
      name: "имя",
      version: "версия",
    },
  },

  skills: {
    none: "У меня пока нет навыков.",
    heading: "Навыки в этом чате:",
    howTo: "Чтобы использовать навык: /skill <name> <task>",
    inUse: (names) => `Включённые навыки в этом чате: ${names}. Все навыки: /skills.`,
    waiting: (names) =>
      `Ждут проверки: ${names}. Администраторы могут посмотреть их командой /skills review.`,
    noneWaits: "Нет навыков, которые ждут проверки.",
    alsoWait: (names) => `Также ждут: ${names}.`,
    unknown: (typed) => `Я не знаю навыка ${typed}.`,
    which: "Какой навык? Например: /skills off pdf",
    isOn: (name) => `Навык ${name} теперь включён в этом чате.`,
    isOff: (name) => `Навык ${name} теперь выключен в этом чате.`,
    offHere: (name, command) => `Навык ${name} выключен в этом чате. Чтобы включить: ${command}`,
    notOfPersona: (name, persona) =>
      `Персона ${persona} не использует навык ${name}. Кто ещё может отвечать — /persona.`,
    personaUses: (persona, names) => `${persona} использует только: ${names}.`,
    personaUsesNone: (persona) => `${persona} не использует ни одного из них.`,
    begun: (name) => `Приступаю, с навыком ${name}.`,
    noTask: "Что с ним сделать? Например: /skill pdf заполни эту форму",
    news: (names) => `Навыки ждут вашей проверки: ${names}. Посмотрите их командой /skills review.`,
    isNew: (name) => `Новый навык: ${name}`,
    hasChanged: (name) => `Изменённый навык: ${name}`,
    wants: (tools) => `Он просит эти инструменты, но это ничего не меняет: ${tools}`,
    mentions: (tools) => `В нём упоминаются инструменты: ${tools}`,
    hidden: (count) =>
      `Осторожно: ${counted(count, { one: "скрытый символ", few: "скрытых символа", many: "скрытых символов", other: "скрытого символа" })}, показано кодами, например \\u200b.`,
    leftOut: (count) =>
      `Пропущено: ${counted(count, { one: "файл", few: "файла", many: "файлов", other: "файла" })} (не текст или слишком длинно). Такие файлы я никогда не читаю.`,
    cut: (command) => `Это только начало. Чтобы прочитать всё и затем одобрить: ${command}`,
    toDeny: (command) => `Чтобы отклонить: ${command}`,
    readFirst: (command) => `Перед одобрением нужно прочитать остальное: ${command}`,
    toDecide: (approve, deny) => `Чтобы решить: ${approve} или ${deny}`,
    files: {
      added: "Новый файл",
      changed: "Изменённый файл",
      removed: "Удалённый файл",
      same: "Файл без изменений",
    },
    approved: (name, admin) => `${admin}: навык ${name} одобрен.`,
    denied: (name, admin) => `${admin}: навык ${name} отклонён.`,
    noSuchVersion: "Этой версии навыка больше нет. Проверьте снова командой /skills review.",
    privately: "Пожалуйста, сделайте это в личном чате со мной.",
    sent: (name) => `Отправлю вам навык ${name} файлом.`,
  },

  dashboard: {
    off: "Панель отключена. Чтобы включить её, задайте PARLEY_PAGE_PORT там, где я работаю.",
    directOnly: "Ссылку я присылаю только в личном чате. Отправьте мне там /dashboard.",
    link: (url) =>
      `По этой ссылке вы войдёте в панель. Она действует один раз в течение 10 минут, не передавайте её никому:\n${url}`,
    isOpenIn: (browsers) => `Сейчас вход выполнен: ${browsers}.`,
    end: (browser) => `Завершить вход: ${browser}`,
    ended: (browser) => `Вход завершён: ${browser}.`,
    endedBefore: "В этом браузере вход уже завершён.",
    allEnded:
      "Вход завершён во всех ваших браузерах, а неиспользованные ссылки больше не действуют.",
    someBrowser: "браузер",
    newBrowser: (browser, when) =>
      `Кто-то вошёл в панель под вашим именем: ${browser}, ${when}. Если это были не вы, завершите этот вход; /dashboard off завершает вход во всех ваших браузерах.`,
    notMe: "Это был не я",
  },

  imports: {
    none: "Переносить нечего. Сначала выполните «npm run init -- --from openclaw» (или hermes).",
    directOnly: "Это работает только в личном чате. Отправьте мне там /import.",
    facts: "Что я запомню о вас:",
    schedules: "Расписания для этого чата, на паузе, пока вы их не возобновите:",
    question: "Без вашего согласия ничего не сохранится.",
    take: "Перенести всё",
    hasChanged: "Список изменился. Посмотрите его ещё раз:",
    done: (facts: number, schedules: number) =>
      `Перенесено. Фактов: ${n(facts)}, расписаний на паузе: ${n(schedules)}. См. /memory и /schedule.`,
    full: (count: number) =>
      `Не хватило места: ${n(count)}. Удалите что-нибудь через /memory или /schedule и отправьте /import ещё раз.`,
  },

  doctor: {
    fine: (count: number) => `Всё в порядке (проверок: ${n(count)}).`,
    found: (broken: number, warnings: number) =>
      `Неисправностей: ${n(broken)}, предупреждений: ${n(warnings)}`,
    fix: (how: string) => `Как исправить: ${how}`,
    rest: (count: number) => `В порядке: ${n(count)}`,
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
    asks: (count) => `Это будет отправлено в ${counted(count, forms("чат", "чата", "чатов"))}:`,
    asksMore: (count) =>
      `Это будет отправлено больше чем в ${counted(count, forms("чат", "чата", "чатов"))}:`,
    yes: "Отправить",
    confirm: (command) => `Чтобы подтвердить, отправьте ${command} в течение 5 минут.`,
    begun: "Отправляю. Сообщу, когда закончу.",
    done: (count) =>
      `Ваше сообщение отправлено в ${counted(count, forms("чат", "чата", "чатов"))}.`,
    nobody: "Пока нет чатов, куда это отправить.",
    tooLong: (length, limit) =>
      `Слишком длинно (${counted(length, forms("символ", "символа", "символов"))}, предел — ${n(limit)}).`,
    expired: "Подтверждение неверно или истекло. Начните заново: /broadcast.",
  },
  schedules: {
    when: {
      today: "сегодня",
      tomorrow: "завтра",
      in: "через",
      later: "спустя",
      every: "каждый|каждую|каждое|каждые|по",
      day: "день|дня|дней",
      workday: "будний день|рабочий день|будням",
      at: "в|во",
      oclock: "ровно",
      dayParts: "утра|дня|вечера|ночи|утром|днём|днем|вечером|ночью",
      and: "и|или|в|во|с|со|до|по|этот|эту|это|следующий|следующую|следующее|ближайший|ближайшую|ближайшее",
      weekdays:
        "понедельник|понедельникам|пн вторник|вторникам|вт среда|среду|средам|ср четверг|четвергам|чт пятница|пятницу|пятницам|пт суббота|субботу|субботам|сб воскресенье|воскресеньям|вс",
      units:
        "с|сек|секунда|секунду|секунды|секунд м|мин|минута|минуту|минуты|минут ч|час|часа|часов д|дн|день|дня|дней нед|неделя|неделю|недели|недель",
    },
    zones:
      "Europe/Moscow Europe/Samara Asia/Yekaterinburg Asia/Omsk Asia/Novosibirsk Asia/Vladivostok Europe/Minsk Asia/Almaty",
    howTo:
      "Напишите, когда и о чём. Например: /remind через 20м чай, или так: /remind завтра 9:00 позвонить врачу",
    noText: "О чём напомнить? Например: /remind через 20м чай",
    tooLong: (length, limit) =>
      `Это слишком длинно (${counted(length, forms("символ", "символа", "символов"))}, предел — ${n(limit)}).`,
    forModel: (text) => `Поставь напоминание: ${text}`,
    begun: "Смотрю, когда это будет.",
    willRemind: (when) => `Хорошо, напомню: ${when}.`,
    problems: {
      impossible: "Такой даты или такого времени нет. Попробуйте 2027-01-05 09:00 или завтра 9:00.",
      past: "Это время уже прошло. Выберите то, что ещё впереди.",
      soon: "Это слишком скоро. Дайте мне хотя бы 5 секунд.",
      far: "Это слишком далеко. Выберите время в ближайшие десять лет.",
      never:
        "По такому правилу время не наступит никогда. Попробуйте каждый понедельник 9:00 или 0 9 * * 1.",
      often: "Это слишком часто. Оставьте хотя бы 5 минут между повторами.",
    },
    tooMany: (limit) =>
      `У вас уже предельное число напоминаний и расписаний во всех чатах вместе (${n(limit)}). Сначала удалите одно: /schedule`,
    none: "Здесь у вас нет напоминаний и расписаний. Создать: /remind через 20м чай",
    heading: "Напоминания и расписания в этом чате:",
    more: "Ещё",
    buttons: "▶ выполняет сейчас, ⏸ приостанавливает, ⏵ возобновляет, ✕ удаляет.",
    next: (when) => `в следующий раз: ${when}`,
    over: "завершено",
    paused: {
      person: "на паузе",
      failures: "на паузе после трёх ошибок",
      rights: "на паузе: у автора больше нет доступа",
    },
    last: (outcomes) => `последние разы: ${outcomes}`,
    outcomes: {
      sent: "отправлено",
      asked: "есть ответ",
      unchanged: "без изменений",
      late: "пропущено",
      refused: "отказано",
      failed: "ошибка",
    },
    run: "Выполнить сейчас",
    pause: "Приостановить",
    resume: "Возобновить",
    delete: "Удалить",
    which: "Какое именно? /schedule показывает ID.",
    unknown: (typed) => `Я не знаю ${typed}. /schedule показывает, что у вас здесь есть.`,
    badAction: (typed) =>
      `Я не знаю ${typed}. После /schedule пишите list, run, pause, resume, delete или zone.`,
    notYours: "Изменить это может только администратор или тот, кто это создал.",
    justChanged: "Тем временем это изменилось. Посмотрите /schedule и попробуйте ещё раз.",
    isDeleted: (what) => `Удалено: ${what}`,
    isPaused: (what) => `На паузе: ${what}`,
    isResumed: (what, when) => `Возобновлено: ${what} (в следующий раз: ${when})`,
    isRunning: (what) => `Выполняю: ${what}`,
    isOver: "Это время уже прошло. Создайте новое: /remind",
    zone: {
      is: (zone) => `Ваш часовой пояс: ${zone}. Изменить: /schedule zone Europe/Moscow`,
      isUnknown: "Я ещё не знаю ваш часовой пояс, поэтому считаю в UTC.",
      ask: "Я не знаю ваш часовой пояс, поэтому это время в UTC. Где вы?",
      how: "Если вашего здесь нет: /schedule zone Europe/Moscow",
      unknown: (typed) =>
        `Я не знаю часового пояса ${typed}. Назовите по-английски крупный город в вашем поясе, например: /schedule zone Moscow`,
      near: (typed, zones) =>
        `Я не знаю часового пояса ${typed}. Возможно, вы имели в виду ${zones}? Если нет, назовите по-английски крупный город в вашем поясе, например: /schedule zone Moscow`,
      isNow: (zone) => `Теперь ваш часовой пояс: ${zone}.`,
      others:
        "Эти напоминания пока в другом часовом поясе. Нажмите на то, которое нужно перенести:",
      moved: (when) => `Перенесено: ${when}.`,
      notAnonymously: "У анонимных отправителей не может быть своего часового пояса.",
    },
    rules: {
      every: (span) => `каждые ${span}`,
      daily: (time) => `каждый день в ${time}`,
      workdays: (time) => `с понедельника по пятницу в ${time}`,
      weekly: (weekday, time) => `каждую неделю, ${weekday}, в ${time}`,
      cron: (rule) => `по правилу ${rule}`,
    },
    card: {
      existing: (what) => `Сейчас: ${what}`,
      next: (times) => `Ближайшие: ${times}`,
      cost: (amount) => `Примерно ${amount} в месяц, судя по стоимости ответов в этом чате.`,
      costUnknown: "Сколько это будет стоить в месяц, неизвестно.",
      costNothing: "Это ничего не стоит: модель ИИ не используется.",
    },
    reminder: (text) => `⏰ ${text}`,
    reminderFor: (name, text) => `⏰ ${name}: ${text}`,
    wasDue: (when) => `Это было запланировано на ${when}.`,
    noRights: (text) =>
      `Я приостановил задание «${text}»: вам здесь больше нельзя создавать задания.`,
    notRun: (text) => `Поэтому задание «${text}» в этот раз не выполнено.`,
    failed: (text) =>
      `Я приостановил задание «${text}»: оно трижды подряд завершилось ошибкой. Возобновить его можно командой /schedule.`,
  },
  findings: findingsRu,
  page: pageRu,
  number: n,
  money,
  exactMoney,
};
