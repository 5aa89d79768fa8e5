import { countedIn, groupedIn, type NounForms } from "./counted.ts";
import type { Locale } from "./locale.ts";

const counted = countedIn("ru");
const grouped = groupedIn("ru");

/** After a number in the nominative: 1 ход, 2 хода, 5 ходов; a fraction takes the form of 2. */
const forms = (one: string, few: string, many: string): NounForms => ({
  one,
  few,
  many,
  other: few,
});
/** After a number in the genitive: 1 хода, 2 ходов. */
const genitive = (one: string, many: string): NounForms => ({
  one,
  other: many,
});

const turns = (count: number): string => counted(count, forms("ход", "хода", "ходов"));
const ofTurns = (count: number): string => counted(count, genitive("хода", "ходов"));
const waitingMessages = (count: number): string =>
  counted(count, forms("ожидавшее сообщение", "ожидавших сообщения", "ожидавших сообщений"));
const entriesOf = (count: number): string => counted(count, forms("запись", "записи", "записей"));
const minutesOf = (count: number): string => counted(count, forms("минуту", "минуты", "минут"));

export const ru: Locale = {
  ingress: {
    notAllowed: "Вам нельзя пользоваться этим ботом.",
    adminsOnly: (command) => `Вам нельзя использовать /${command}: это только для администраторов.`,
    membersOnly: (command) =>
      `Вам нельзя использовать /${command}: это для участников, а вы гость.`,
    ownersOnly: (command) => `Тебе нельзя использовать /${command}: это только для владельцев.`,
    noCommand: (command) => `Команды /${command} нет. /help покажет все команды.`,
    wroteNothing: "Вы ничего не написали. Чем могу помочь?",
    tooLong: (length, limit) =>
      `Символов в сообщении: ${length}, а я принимаю не больше ${limit}. Отправьте его по частям.`,
    full: "В этом чате ждёт слишком много сообщений. Это не сохранено, как и следующие, пока нет места: отправьте их, пожалуйста, позже ещё раз.",
    notKept: (errorId) =>
      `Извините, моё хранилище заполнено. Ваше сообщение не сохранено: отправьте его, пожалуйста, позже ещё раз. (${errorId})`,
    notDone: (errorId) =>
      `Извините, моё хранилище заполнено: сейчас я не могу этого сделать. Попробуйте, пожалуйста, позже. (${errorId})`,
    tapTooOld: "Эта кнопка не моя или слишком старая.",
    tapTooLate: "Нажатие пришло слишком поздно. Нажмите, пожалуйста, ещё раз.",
  },

  files: {
    noVoice:
      "Здесь я не могу слушать голосовые сообщения. Напишите, пожалуйста, текстом: сообщение не сохранено.",
    noImage: (name) =>
      `${name}: такое изображение я прочитать не могу. Я принимаю PNG, JPEG, GIF и WebP.`,
    noText: (name) =>
      `${name}: файлы такого вида я читать не умею. Я принимаю изображения (PNG, JPEG, GIF, WebP), PDF и текстовые файлы.`,
    reading: (name) => `читаю ${name} …`,
    nameless: {
      image: "Изображение",
      document: "Документ",
      voice: "Голосовое сообщение",
    },
    tooMany: (count, limit) => `Файлов в сообщении: ${count}, а я принимаю не больше ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name}: слишком большой размер, ${megabytes} МБ. Я принимаю файлы до ${limit} МБ.`,
    chatIsFull: (count, megabytes) =>
      `В этом чате уже столько файлов, сколько я храню для одного: ${count} или ${megabytes} МБ в сутки. Отправьте его позже ещё раз.`,
    empty: (name) => `${name}: внутри пусто.`,
  },

  inPrivate: {
    askThere: "Это личное: напишите мне напрямую и спросите там.",
    full: "Извините, вам в личный чат и так ждёт отправки слишком много. Попробуйте, пожалуйста, позже.",
    answered: "Я ответил вам в личном чате.",
    writeFirst: "Если ничего не пришло, напишите мне один раз напрямую и спросите снова.",
    askedIn: (group) => `Вы спросили в группе ${group}; «этот чат» — это та группа:`,
    topic: (thread) => `тема ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} просит доступ к этому боту.`,
    code: (code) => `Код: ${code}`,
    allow: "Разрешить",
    deny: "Отклонить",
    yourCode: (code) =>
      `Вам пока нельзя пользоваться этим ботом. Администратор может вас впустить: ваш код — ${code}.`,
    unknownCode: "Этот код неизвестен, истёк или по нему уже решено.",
    isAdmin: (who) => `${who} уже администратор.`,
    allowed: (who, admin) => `${who}: доступ разрешён, решение: ${admin}.`,
    denied: (who, admin) => `${who}: в доступе отказано, решение: ${admin}.`,
    youMay: "Теперь вам можно пользоваться этим ботом. Пишите мне что угодно.",
    mayUse: (who) => `${who}: теперь есть доступ к этому боту.`,
    neither: (typed) =>
      `${typed} — не код из 8 букв и цифр, не имя вида @sam и не идентификатор вида telegram:12345.`,
    adminsDecide: "Вам нельзя решать это: может администратор.",
  },

  start: {
    youAreOwner: "Теперь этот бот ваш. /help покажет, что вы можете.",
    hello: (place) => `Я отвечаю на вопросы ${place}: просто напишите мне.`,
    places: {
      telegram: "здесь, в Telegram",
      discord: "здесь, в Discord",
      console: "в этом терминале",
    },
    tools: (count) =>
      `Я могу пользоваться инструментами, их ${count} (см. /tools). То, что требует одобрения, я делаю только после нажатия «Одобрить».`,
    noTools: "То, что требует одобрения, я делаю только после нажатия «Одобрить».",
    direct: "Здесь я отвечаю на всё; в группе упомяните меня или ответьте на моё сообщение.",
    mention:
      "В этой группе я отвечаю тем, кто упоминает меня, отвечает мне или отправляет команду.",
    always: "В этой группе я отвечаю на каждое сообщение.",
    privacy: (model) =>
      `То, что вы пишете, сохраняется, и его читает модель ${model}. /export выдаст всё, /forget сотрёт, /help покажет остальное.`,
    question: "Который час в Токио?",
    showTools: "Показать инструменты",
    showSettings: "Показать настройки",
  },

  help: {
    groups: {
      talk: "Разговор",
      choose: "Как я работаю",
      look: "Что происходит",
      data: "Ваши данные",
      admin: "Для администраторов",
    },
    more: "/help <команда> расскажет о ней подробнее.",
    alias: (names) => `Также: ${names}.`,
  },

  contact: {
    noOwner:
      "Здравствуйте! Это закрытый бот, и у него пока нет владельца. Если вы его запустили, откройте ссылку из терминала.",
    wrongCode: "Код не подходит. Откройте ссылку из терминала ещё раз.",
    waiting: "Эти люди просят доступ к боту:",
    more: (count) => `… и ещё ${count}.`,
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
      poisoned: "Воркер трижды упал на этом шаге. Найдите код ошибки в журнале.",
    },
    heading: (id) => `Ошибка ${id}`,
    latest: "Последние ошибки (UTC):",
    when: (time) => `Когда: ${time} UTC`,
    model: (model) => `Модель: ${model}`,
    trace: (chat) => `Подробнее в консоли: npm run trace -- ${chat}`,
    none: "В последнее время ошибок не было.",
    unknown: (typed, days) =>
      `Ошибка ${typed} мне не известна. Последние я помню ${days} дней; в журнале может быть больше.`,
  },

  menu: {
    pending: { description: "Кто просит доступ к боту" },
    error: {
      description: "Что известно об ошибке",
      id: "Код в скобках под ошибкой; без него — последние ошибки",
    },
    pause: {
      pause: "Не начинать новых ходов, везде или на одной платформе",
      resume: "Продолжить после /pause",
      platform: "Где; если не сказано, везде",
      now: "Остановить и то, что уже идёт",
    },
    audit: {
      description: "Кто что сделал, сначала новое",
      count: "Сколько строк",
      who: "Только то, что касается кого-то: @имя или id",
      what: "Только один вид, или export: всё файлом",
    },
    stats: { description: "Как дела у этой установки" },
    broadcast: {
      description: "Отправить сообщение во все чаты",
      text: "Сообщение",
    },
    start: {
      description: "Что делает этот бот",
      code: "Код, который сделает вас первым администратором",
    },
    help: {
      description: "Все команды",
      command: "Какая; если не указать — все",
    },
    new: { description: "Начать новый разговор" },
    stop: { description: "Остановить то, что я делаю" },
    retry: { description: "Ответить на ваше последнее сообщение заново" },
    undo: { description: "Забыть ваше последнее сообщение и мой ответ" },
    compact: {
      description: "Кратко изложить сказанное, чтобы освободить место",
    },
    auto: {
      description: "Самостоятельно идти к цели, несколько ходов подряд",
      goal: "Чего нужно достичь; до 2000 символов",
      turns: (limit, usual) =>
        `Сколько ходов самое большее: от 1 до ${limit}, если не указать — ${usual}`,
    },
    tier: {
      description: "Насколько сильная модель отвечает: fast, smart, deep …",
      tier: "Какой уровень; default отменяет выбор",
    },
    model: {
      description: "Какую модель спрашивать первой",
      model: "Имя модели или его часть; default отменяет выбор",
    },
    for: "me или chat: для всех здесь; если не указать — me",
    settings: {
      description: "Как я веду себя в этом чате и сколько может стоить ход",
      name: "Какая; если не указать — все",
      value: "Новое значение; default отменяет его",
    },
    activation: {
      description: "На какие сообщения этой группы я отвечаю",
      when: "mention: где меня упомянули или мне ответили; always: на все",
    },
    language: {
      description: "Язык, на котором я с вами говорю",
      language: "Какой; auto: как в вашем приложении",
    },
    status: { description: "Что я делаю в этом чате" },
    approvals: {
      description: "Что в этом чате ждёт одобрения",
      id: "Один вызов: показать скрытые значения только вам",
    },
    approve: {
      description: "Одобрить то, о чём я попросил",
      id: "ID и номер, если вызовов несколько (см. /approvals)",
      always: "Сколько времени то же самое можно без вопроса, напр. 1h; админы могут добавить any",
    },
    deny: {
      description: "Отклонить то, о чём я попросил",
      id: "ID и номер, если вызовов несколько (см. /approvals)",
      reason: "Почему; мне это сообщат",
    },
    edit: {
      description: "Изменить то, о чём я прошу, до одобрения",
      id: "Какой; /approvals покажет их",
      change: "имя=значение, можно несколько, или JSON со всеми аргументами",
    },
    grants: {
      description: "Что мне можно делать в этом чате без нового вопроса",
      revoke: "revoke и номер забирают разрешение обратно",
    },
    tools: {
      description: "Чем я могу пользоваться и о чём сначала спрашиваю",
    },
    todos: { description: "Показать список дел этого чата" },
    limits: {
      description: "Лимиты сообщений, токенов и стоимости и сколько израсходовано",
      set: "Задать лимит человеку, чату, роли, платформе или всем",
      reset: "Вернуться к лимиту из файла оператора",
      scope:
        "person, @name, идентификатор вроде telegram:1, chat, role:member, platform или global",
      metric: "Что ограничивается",
      value: "Сколько: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Сколько потратил этот чат, по моделям, и во что это обошлось",
    },
    export: {
      description: "Всё, что мы сказали, файлом",
      format: "json для машин; если не указать — markdown, для людей",
    },
    forget: {
      description: "Стереть этот чат или всё, что я о вас храню",
      what: "chat: весь этот чат; me: всё ваше, везде",
      confirmation: "То, что я попрошу ввести, например yes-1234",
    },
    whoami: { description: "Кто вы для меня" },
    role: {
      description: "Ваша роль и что она позволяет",
      give: "Дать кому-нибудь роль",
      person: "Чья; без этого вы видите свою",
      role: "Новая роль",
    },
    allow: {
      description: "Впустить кого-нибудь или всех в этом чате",
      person: "Кого",
      code: "Код, который выдал бот, идентификатор вида telegram:12345, here или server",
    },
    ban: {
      description: "Закрыть кому-нибудь доступ или молчать в этом чате",
      person: "Кого",
      reason: "Почему; это останется в журнале аудита",
      place: "Вместо человека: этот чат или весь сервер",
    },
    unban: {
      description: "Снять запрет или то, что задано для этого чата",
      person: "Кого",
      place: "Вместо человека: этот чат или весь сервер",
    },
    admins: { description: "Кто управляет этим ботом" },
  },

  control: {
    full: "В этом чате ждёт слишком много сообщений: есть предел. Попробуйте, пожалуйста, позже.",
    begun: "Минутку.",
    dropped: (count) => `Отброшено: ${waitingMessages(count)}.`,
    onlyTheirs: {
      stop: (name) => `Остановить этот ответ может только ${name} или администратор.`,
      undo: (name) => `Отменить это сообщение может только ${name} или администратор.`,
      retry: (name) =>
        `Запросить новый ответ на это сообщение может только ${name} или администратор.`,
    },
    nothingToStop: "Останавливать нечего.",
    stopped: "Остановлено.",
    stoppedAndDropped: (count) => `Остановлено, и отброшено: ${waitingMessages(count)}.`,
    newAfterAnswer: "Закончу текущий ответ и начну новый разговор.",
    newConversation: "Новый разговор: я больше не вижу того, что мы говорили раньше.",
  },

  auto: {
    running: (step, of) =>
      `/auto уже над чем-то работает, ход ${step} из ${of}. /stop завершит это.`,
    begun: (of) =>
      of === 1
        ? `Я работаю над этим сам, ${turns(of)}. /stop завершит это.`
        : `Я работаю над этим сам, до ${ofTurns(of)}. /stop завершит это.`,
    noGoal: "Какова цель? Напишите /auto <цель> [ходы].",
    badTurns: (limit, typed) => `/auto принимает от 1 до ${ofTurns(limit)}, а не ${typed}.`,
    numberHint: "Если число — часть цели, напишите число ходов после него.",
    goalTooLong: (length, limit) => `Символов в цели: ${length}; предел — ${limit}.`,
    ended: (step) => `/auto заканчивает здесь, после ${ofTurns(step)}.`,
    done: (step) => `/auto завершил работу, после ${ofTurns(step)}.`,
    atLimit: (of) =>
      `/auto достиг своего предела: ${turns(of)}. Отправьте /auto ещё раз, чтобы продолжить.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Ваш уровень — ${value}: ${reason}.`,
      chats: (value) => `Уровень этого чата — ${value}.`,
      yoursIsNow: (value) => `Теперь ваш уровень — ${value}.`,
      chatsIsNow: (value) => `Теперь уровень этого чата — ${value}.`,
      yoursIsDefault: "Теперь для вас снова действует обычный уровень.",
      chatsIsDefault: "Теперь для этого чата снова действует обычный уровень.",
      notForChat: "Вам нельзя выбирать уровень этого чата: может администратор.",
      notAnonymously: "Вы пишете анонимно, поэтому свой уровень не разрешён.",
      noneOfYours: "Уровень не выбран: действует balanced или другой, если он нужен сообщению.",
      noneOfChats:
        "Для этого чата уровень не задан: действует balanced или другой, если он нужен сообщению.",
    },
    model: {
      yours: (value, reason) => `Ваша модель — ${value}: ${reason}.`,
      chats: (value) => `Модель этого чата — ${value}.`,
      yoursIsNow: (value) => `Теперь ваша модель — ${value}.`,
      chatsIsNow: (value) => `Теперь модель этого чата — ${value}.`,
      yoursIsDefault: "Теперь для вас снова действует обычная модель.",
      chatsIsDefault: "Теперь для этого чата снова действует обычная модель.",
      notForChat: "Вам нельзя выбирать модель этого чата: может администратор.",
      notAnonymously: "Вы пишете анонимно, поэтому своя модель не разрешена.",
      noneOfYours: "Модель не выбрана: решает уровень.",
      noneOfChats: "Для этого чата модель не задана: решает уровень.",
    },
    byYou: "ваш выбор",
    byChat: "задано для этого чата",
    gone: (value) => `Раньше было выбрано ${value}, этого больше нет.`,
    hidden: (count, command) => `Не показано ещё: ${count}. /${command} найдёт их по части имени.`,
    how: (command) =>
      `/${command} <имя> выбирает для вас, /${command} <имя> chat — для всех здесь, /${command} default отменяет выбор.`,
    notHere: "Вам нельзя менять это здесь.",
    adminsHere: "Вам нельзя менять это здесь: может администратор.",
    replacesYours: (model) => `Это заменяет вашу собственную модель, ${model}.`,
    replacesChats: (model) => `Это заменяет модель чата, ${model}.`,
    yoursFirst: (value) => `Для вас по-прежнему важнее ваш собственный выбор, ${value}.`,
    noTier: (typed, tiers) => `Уровня ${typed} нет. Есть: ${tiers} и default.`,
    noModel: (typed) => `Модели ${typed} нет.`,
    several: (typed, models) => `${typed} может означать несколько моделей: ${models}.`,
    thereAre: (names) => `Есть: ${names}.`,
    didYouMean: (name) => `Вы имели в виду ${name}?`,
    andMore: (names, count) => `${names} и ещё ${count}`,
    order: (models) => `Спрашиваю в таком порядке: ${models}.`,
    sameAs: (tier, same) => `${tier}: здесь то же, что ${same}`,
  },

  settings: {
    heading: "В этом чате:",
    how: "/settings <имя> <значение> меняет настройку, /settings <имя> default возвращает обычную.",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <значение> меняет это.`
        : `/settings ${name} <значение> меняет это: ${expected}.`,
    isDefaultAgain: (name, value) => `${name} снова как обычно: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} не может быть ${typed}: ${expected}.`,
    isNow: (name, value) => `Теперь в этом чате ${name} — ${value}.`,
    noneChosen: (kind) => `${kind}: не выбрано (см. /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (ваш выбор; см. /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (задано для этого чата; см. /${kind})`,
    default: (name, value) => `${name}: ${value} (обычное)`,
    own: (name, value, fallback) =>
      `${name}: ${value} (задано для этого чата; обычное: ${fallback})`,
    adminsOnly: (name) => `Вам нельзя менять ${name}: может администратор.`,
    adminsInGroups: (name) => `Вам нельзя менять ${name} в группе: может администратор.`,
    which: "Какая настройка?",
    unknown: (typed) => `Настройки ${typed} нет.`,
    expectedCount: (min, max) => `ожидается целое число от ${min} до ${max}`,
    expectedDuration: "ожидается длительность, например 15m или 24h",
    expectedUsd: "ожидается сумма в долларах США, например 5usd",
    orOff: (expected) => `${expected} или off`,
    expectedOther: "ожидается что-то другое",
    expectedWords: (words) => `ожидается ${words} или default`,
  },

  activation: {
    direct: "Здесь мне пишете только вы: я отвечаю на всё.",
    mention: "Я отвечаю тем, кто упоминает меня, отвечает мне или отправляет команду.",
    always: "Я отвечаю на каждое сообщение этой группы.",
    how: "/activation mention или /activation always меняет это.",
    telegramHint:
      "Для этого я должен видеть все сообщения: сделайте меня администратором группы или отключите у @BotFather мой режим приватности.",
    discordHint:
      "Для этого я должен видеть все сообщения: тот, кто меня запускает, включает discord.messageContent.",
    unknown: (typed) => `/activation принимает mention или always, а не ${typed}.`,
  },

  language: {
    name: "Русский",
    isNow: "Теперь я говорю с вами по-русски.",
    isAuto: "Я говорю с вами на языке вашего приложения: по-русски.",
    is: "Я говорю с вами по-русски, потому что вы так выбрали.",
    how: (codes) => `/language <${codes}> меняет язык, /language auto следует вашему приложению.`,
    unknown: (typed, codes) => `Языка ${typed} у меня нет. Есть: ${codes} и auto.`,
    notAnonymously: "Вы пишете анонимно, поэтому свой язык не разрешён.",
  },

  status: {
    idle: "Сейчас ничего не выполняется.",
    queued: "Жду свободного обработчика.",
    running: "Я работаю.",
    waiting: "Жду, пока кто-нибудь одобрит или отклонит.",
    auto: (step, of) => `/auto: ход ${step} из ${of}. /stop завершит это.`,
    queue: (count) => `Сообщений в ожидании: ${count}.`,
    model: (models) => `Модель: ${models}.`,
    tier: (tier) => `Уровень: ${tier}.`,
    noTier: "Уровень: balanced или другой, если он нужен сообщению.",
    remembered: (count) => `Записей в этом разговоре: ${count}.`,
  },

  approvals: {
    none: "В этом чате ничто не ждёт одобрения.",
    heading: (count) => `Ждут одобрения (${count}):`,
    askedFor: (person) => `для ${person}`,
    expiresIn: (time) => `истекает через ${time}`,
    more: (count) => `И ещё ${count}.`,
    hiddenValues: (tool) => `Скрытые значения ${tool}:`,
    nothingHidden: "Там ничего не скрыто.",
  },

  decisions: {
    otherChat: "Эта кнопка не из этого чата или слишком старая.",
    otherMessage: "Эта кнопка не от этого сообщения.",
    notAllowed: (who) => `Вам нельзя решать это: может ${who}.`,
    anAdmin: "администратор",
    orAnAdmin: (name) => `${name} или администратор`,
    anOwner: "владелец",
    aMember: "любой участник",
    both: (one, other) => `${one} и ${other}`,
    counted: "Засчитано: 1 из 2. Одобрить должен ещё один человек.",
    countedBefore: "Вы это уже одобрили. Одобрить должен ещё один человек.",
    approved: "Одобрено.",
    denied: "Отклонено.",
    approvedOf: (done, of) => `Одобрено: ${done} из ${of}.`,
    deniedOf: (done, of) => `Отклонено: ${done} из ${of}.`,
    approvedBy: (name) => `Одобрено, решение: ${name}.`,
    deniedBy: (name) => `Отклонено, решение: ${name}.`,
    deniedBecause: (name, reason) => `Отклонено, решение: ${name}. ${reason}`,
    undecided: "Истекло: вовремя никто не решил, поэтому отклонено.",
    expired: "Срок истёк.",
    tooLate: "Это заняло слишком много времени и не засчитано. Нажмите, пожалуйста, ещё раз.",
    tooOld: "Эта кнопка слишком старая.",
    already: {
      pending: "Это ещё не решено.",
      approved: "Это уже одобрено.",
      denied: "Это уже отклонено.",
      expired: "Срок истёк.",
      superseded: "Это уже заменено.",
      cancelled: "Это уже отменено.",
      changed: "Это уже изменено: об этом спрашивает новая карточка ниже.",
    },
    changed: "Изменено. Вызов будет показан снова, чтобы его одобрили в новом виде.",
    changedBy: (name) => `Изменено (${name}): вопрос задан снова ниже.`,
    alreadyChangedBy: (name) =>
      `Это уже изменено (${name}): об этом спрашивает новая карточка ниже.`,
    alreadyApprovedBy: (name) => `Это уже одобрено, решение: ${name}.`,
    alreadyDeniedBy: (name) => `Это уже отклонено, решение: ${name}.`,
    superseded: "Не выполнено: заменено более новым сообщением.",
    stopped: "Не выполнено: остановлено.",
    unknownId: (id) => `Здесь нет запроса ${id}, ждущего одобрения. /approvals покажет, что ждёт.`,
    whichCard:
      "Не понимаю, к чему относится этот ответ. Ответьте на карточку, нажмите на ней кнопку или отправьте /approve <id> или /deny <id>. /approvals покажет ID.",
    noCall: (typed, command) =>
      `На этой карточке нет вызова ${typed}. Укажите один вызов по номеру: /${command} <id> 1. /approvals покажет, что ждёт.`,
    which: (command) =>
      `Здесь ждёт несколько запросов: /approvals покажет их, /${command} <id> выберет один.`,
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
    characters: (count) => grouped(count, forms("символ", "символа", "символов")),
    needed: (tool) => `Нужно одобрение: ${tool}`,
    neededFor: (count) =>
      `Нужно одобрение на ${counted(count, forms("вызов", "вызова", "вызовов"))}:`,
    calls: (count) => `${counted(count, forms("вызов", "вызова", "вызовов"))}:`,
    about: (sentence) => `«${sentence}»`,
    noArguments: "Без аргументов.",
    secretsHidden: (id) =>
      `Секреты частично скрыты (••••). \`/approvals ${id}\` покажет их вам в личном чате.`,
    showHidden: "Показать скрытое",
    lookalikes: (words) => `Осторожно: слова с буквами, похожими на другие: ${words}.`,
    details: (call) => `Всё, что получит ${call}:`,
    decides: (who) => `Решает: ${who}.`,
    twoDecide: (who) => `Одобрить должны два разных человека: ${who}.`,
    firstOfTwo: (name) => `1 из 2: одобрил(а) ${name}; нужен ещё один человек.`,
    expiresAt: (moment) => `Истекает: ${moment}.`,
    expiresIn: (duration) => `Истекает через ${duration}.`,
    typed: (id) => `Текстом: \`/approve ${id}\` или \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Текстом: \`/approve ${id}\` для всех, \`/approve ${id}.1\` для первого, так же и \`/deny\`.`,
    approved: (number) => `✓ ${number} одобрено`,
    approvedBy: (number, name) => `✓ ${number} одобрено, решение: ${name}`,
    approvedFirst: (number, name) => `… ${number} одобрил(а) ${name}; нужен ещё один человек`,
    denied: (number) => `✗ ${number} отклонено`,
    deniedBy: (number, name) => `✗ ${number} отклонено, решение: ${name}`,
    expired: (number) => `✗ ${number} истекло: вовремя никто не решил`,
    superseded: (number) => `✗ ${number} не выполнено: заменено более новым сообщением`,
    stopped: (number) => `✗ ${number} не выполнено: остановлено`,
    edit: "Изменить",
    allowFor: (span) => `Разрешить на ${span}`,
    changedNote: (name) => `Аргументы изменены: ${name}.`,
    changedNoteOfNobody: "Аргументы были изменены.",
    howToChange: (id) => `Сначала изменить: \`/edit ${id} имя=значение\`.`,
    changed: (number) => `✎ ${number} изменено`,
    changedBy: (number, name) => `✎ ${number} изменено: ${name}`,
    erased: "Стёрто.",
  },

  delivery: {
    nothingToShow: "(В ответе нет ничего, что можно показать.)",
    fileGone: "Файл больше недоступен.",
    fileRefused: "Извините, файл не удалось сюда отправить.",
    goesOn: (fileName) => `Продолжение ответа в файле ${fileName}: там он целиком.`,
    sentAgain: "отправлено повторно: возможно, это уже приходило",
  },

  platform: {
    notAllowed: "Вам это нельзя.",
    tryAgain: "Извините, не получилось. Попробуйте, пожалуйста, ещё раз чуть позже.",
    notTaken: (errorId) => `Извините, я не смог принять это сообщение. (${errorId})`,
    whatAboutThis: "Что вы можете сказать об этом?",
  },

  telegram: {
    buttonIsGone: "Эта кнопка больше не работает.",
    fileIsGone: "Извините, Telegram не отдаёт мне этот файл. Отправьте его, пожалуйста, ещё раз.",
    fileOutOfReach:
      "Извините, я не смог получить этот файл от Telegram. Отправьте его, пожалуйста, позже ещё раз.",
    fileTooLarge: (megabytes) => `Этот файл слишком большой: я принимаю файлы до ${megabytes} МБ.`,
    cannot: {
      animation: "Извините, я не могу смотреть GIF. Отправьте вместо этого картинку.",
      video:
        "Извините, я не могу смотреть видео. Отправьте картинку или звук голосовым сообщением.",
      sticker: "Извините, я не вижу стикеры. Отправьте картинку или напишите словами.",
      paid_media: "Извините, я не могу открыть платные материалы. Расскажите словами, о чём речь.",
      story: "Извините, я не могу открыть истории. Расскажите словами, о чём речь.",
      contact: "Извините, я не могу прочитать контакты. Напишите, что мне нужно знать.",
      venue: "Извините, я не могу прочитать места. Напишите адрес.",
      location: "Извините, я не могу прочитать геопозицию. Напишите место.",
      poll: "Извините, я не могу прочитать опросы. Напишите сам вопрос.",
      checklist: "Извините, я не могу прочитать чек-листы. Напишите его списком.",
      dice: "Извините, я не умею играть в кости. Напишите мне.",
      game: "Извините, я не умею играть в игры. Напишите мне.",
      rich_message:
        "Извините, я не могу прочитать оформленные сообщения. Отправьте обычным текстом.",
    },
    thisFile: "этот файл",
    cannotReadPicture: (name) =>
      `Извините, я не могу прочитать картинку ${name}. Отправьте её как фото или в JPEG, PNG, WebP или GIF.`,
    cannotReadFile: (name) =>
      `Извините, я не могу прочитать ${name}. Я читаю текст, код, CSV, JSON, PDF, картинки и голос.`,
  },

  discord: {
    admin: "Для администраторов этого бота",
    unknownCommand: "Этой команды больше нет.",
    unknownAction: "С этим я ничего не могу сделать.",
    elsewhere: "Я могу отвечать только в личной переписке со мной или на сервере, где я есть.",
    onlyUserInstall:
      "Здесь меня нет, и сделать это я не могу: воспользуйтесь этим в личных сообщениях со мной.",
    mayNotWrite: "Мне нельзя писать в этом канале, поэтому я не могу здесь ответить.",
    mayNotAttach: "Мне нельзя отправлять файлы в этот канал, поэтому здесь это не получится.",
    delayed: "Извините, сейчас я не могу это принять. Я продолжаю пробовать и отвечу здесь.",
    unreadable: "Я не смог это прочитать. Попробуйте, пожалуйста, ещё раз.",
    done: "Готово.",
    doneBefore: "Я это сделал, но мой ответ потерялся. Спросите ещё раз, если он нужен.",
    tooLate:
      "Извините, мой ответ пришёл слишком поздно, чтобы показать его только вам. Спросите, пожалуйста, ещё раз.",
    askAboutThis: "Спросить об этом",
    yourQuestion: "Ваш вопрос",
    forgotten: "Извините, я забыл, о каком сообщении шла речь. Выберите его, пожалуйста, ещё раз.",
    about: (link) => `о ${link}`,
    ask: "Задать мне вопрос",
    askQuestion: "Что вы хотите узнать или поручить",
    askFile: "Картинка, текст, PDF или звуковой файл",
    video: (name) =>
      `Я не могу смотреть видео (${name}). Я принимаю картинки, тексты, PDF и звуковые файлы.`,
    archive: (name) => `Я не могу открывать архивы (${name}). Отправьте файлы из него по одному.`,
    picture: (name) =>
      `Картинки такого вида я не вижу (${name}). Отправьте PNG, JPEG, GIF или WebP.`,
    otherFile: (name) =>
      `Файлы такого вида я читать не умею (${name}). Я принимаю картинки, тексты, PDF и звуковые файлы.`,
    sticker: "Я не вижу стикеры. Скажите, пожалуйста, словами.",
    poll: "Я не могу прочитать опросы. Напишите, пожалуйста, вопрос сообщением.",
    fileIsGone: (name) => `Извините, у Discord больше нет ${name}. Отправьте, пожалуйста, ещё раз.`,
    fileFailed: (name) =>
      `Извините, я не смог получить ${name} от Discord. Отправьте, пожалуйста, ещё раз.`,
    fileTooLarge: (name, megabytes) =>
      `${name}: слишком большой размер. Я принимаю файлы до ${megabytes} МБ.`,
  },

  tools: {
    none: "Сейчас я не могу пользоваться инструментами.",
    free: "Этим я пользуюсь сам:",
    asking: "Для этого я сначала прошу одобрения:",
    sometimes: "Для этого я прошу одобрения, когда это важно:",
    more: (count) => `И ещё ${count}.`,
  },

  todos: {
    none: "Список дел пуст. Попросите меня о чём-нибудь из нескольких шагов, и я буду отмечать их здесь.",
    heading: (done, total) => `Список дел: выполнено ${done} из ${total}`,
  },

  usage: {
    heading: "Этот чат израсходовал:",
    turns: (count) => `ходов: ${count}`,
    modelCalls: (count) => `вызовов модели: ${count}`,
    inputTokens: (count) => `входных токенов: ${count}`,
    outputTokens: (count) => `выходных токенов: ${count}`,
    about: (amount) => `около ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, forms("запрос", "запроса", "запросов"))}, токенов: входных ${input}, выходных ${output}`,
    costUnknown: "стоимость неизвестна",
    cost: (amount) => `стоимость: ${amount}`,
    unknown: "неизвестна",
    andUnpriced: (amount) => `${amount}, и то, цена чего неизвестна`,
  },

  limits: {
    whose: {
      you: "для вас",
      thisChat: "для этого чата",
      everybody: "для всех вместе",
    },
    role: (role) => `для вас с ролью ${role}`,
    platform: (platform) => `для всех в ${platform}`,
    ofPerson: (person) => `для ${person}`,
    ofChat: (chat) => `для чата ${chat}`,
    hit: (limit, whose, used) => `Достигнут лимит: ${limit} (${whose}). Израсходовано: ${used}.`,
    needs: (amount) => `Ответ может потребовать до ${amount}: больше, чем осталось.`,
    resets: (when) => `Он обнулится ${when}.`,
    notKept: "Это сообщение не сохранено.",
    nearly: (percent, limit, whose, used) =>
      `Израсходовано ${percent} % лимита: ${limit} (${whose}). Израсходовано: ${used}.`,
    slowDown: (limit) => `Слишком много команд: лимит ${limit}. Он обнулится в течение минуты.`,
    heading: "В этом чате для вас действуют лимиты:",
    none: "В этом чате для вас нет лимитов.",
    used: (used, when) => `израсходовано: ${used}, обнулится ${when}`,
    running: (count) => `выполняется сейчас: ${count}`,
    setHeading: "Задано из чатов:",
    more: (count) => `… и ещё ${count}`,
    ofTurn: "одного хода",
    how: "/limits set <область> <величина> <значение> задаёт лимит, /limits reset <область> [величина] возвращает то, что записано в файле оператора.\nОбласти: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Значения: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Вам нельзя менять лимиты: это только для администраторов.",
    adminsOfAll: "Вам нельзя менять этот лимит: вы можете задавать лимиты этого чата.",
    badAction: (typed) => `/limits не умеет ${typed}: ожидается set, reset или ничего.`,
    badScope: (typed) =>
      `${typed} не область лимита: ожидается person, @name, идентификатор вроде telegram:1, chat, chats, role:member, platform:telegram или global.`,
    badMetric: (typed, metrics) => `${typed} нельзя ограничить: ожидается ${metrics}.`,
    badValue: (typed, metric, example, per) =>
      `${typed} не лимит для ${metric}: ожидается, например, ${example}, за ${per}, или off.`,
    isNow: (scope, limit, before) =>
      `Лимит для ${scope} теперь ${limit}. Раньше: ${before}. Он действует со следующего сообщения.`,
    isReset: (scope, limit, before) =>
      `Лимит для ${scope} снова как в файле оператора: ${limit}. Раньше: ${before}.`,
    notSet: "нет",
    nothingSet: (scope) => `Из чата для ${scope} ничего не задано: сбрасывать нечего.`,
    yoursToday: (used) => `Вы, сегодня: ${used}.`,
    yoursThisMonth: (used) => `Вы, в этом месяце: ${used}.`,
    allToday: (used) => `Все, сегодня: ${used}.`,
    allThisMonth: (used) => `Все, в этом месяце: ${used}.`,
    amounts: (messages, tokens, cost) =>
      `сообщения: ${messages}, токены: ${tokens}, стоимость: ${cost}`,
  },

  whoami: {
    name: (name) => `Имя: ${name}`,
    id: (id) => `Идентификатор: ${id}`,
    role: (role) => `Роль: ${role}`,
    chat: (chat) => `Чат: ${chat}`,
    anonymous: "Вы пишете анонимно: здесь вы ничего не можете решать.",
    place: (place) => `В списках мест: ${place}`,
    adminHere:
      "Вы управляете этой группой: для её настроек, подтверждений и лимитов вы здесь считаетесь администратором.",
    may: {
      owner: "Это ваш бот: вам можно всё, и никто не изменит этого из чата.",
      admin:
        "Вам можно всё: говорить со мной, решать то, о чём я прошу, менять настройки и впускать людей.",
      member:
        "Вам можно говорить со мной, решать то, о чём я прошу вас, и менять то, что касается только вас.",
      guest: "Здесь вам можно говорить со мной; решают то, о чём я прошу, участники.",
      stranger: "Вам пока нельзя говорить со мной.",
      banned: "Вам нельзя говорить со мной.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Я не знаю никого по имени ${typed}. Того, кто мне никогда не писал, нужно назвать идентификатором вида telegram:12345.`,
    whom: (command) =>
      `О ком речь? Ответьте на сообщение этого человека командой /${command} или назовите его: /${command} @name или идентификатор вида telegram:12345.`,
    anonymous: (who) => `${who} пишет анонимно, возможно, за многих: роль этому дать нельзя.`,
    adminsOnly: "Вам нельзя менять роли: может администратор.",
    ownersOnly: "Вам это нельзя: только владельцы назначают и снимают администраторов.",
    ownerStays: (who) =>
      `Вам нельзя это менять: владелец этого бота — ${who}, и ни один чат этого не изменит.`,
    fileBans: (who) => `${who}: доступ закрыт в настройках оператора, менять нужно там.`,
    fileAllows: (who) => `${who}: доступ открыт в настройках оператора, менять нужно там.`,
    isNow: (who, role) => `${who}: теперь роль ${role}.`,
    isAlready: (who, role) => `${who}: роль уже ${role}.`,
    banned: (who) => `${who}: доступ к этому боту закрыт.`,
    unbanned: (who) => `${who}: запрет снят.`,
    notBanned: (who) => `${who}: запрета нет.`,
    noRole: (typed) => `${typed} — не роль, которую можно дать: ожидалось admin, member или guest.`,
    whichRole: "Какая роль? Есть admin, member и guest.",
    placeAllowed: (place) =>
      `Все в ${place} теперь могут говорить со мной. У кого нет своей роли, тот там гость.`,
    placeBanned: (place) => `Теперь я молчу в ${place}. Администраторов я по-прежнему слышу.`,
    placeCleared: (place) => `Для ${place} больше ничего не задано.`,
    placeNotSet: (place) => `Для ${place} из чата ничего не было задано.`,
    noPlace: "Это чат на двоих: назовите лучше человека.",
    noServer: "Здесь нет сервера Discord.",
    owners: "Владельцы:",
    admins: "Администраторы:",
    noneNamed: "Никто не назван.",
    terminal: "Кто сидит за терминалом, где я работаю, тот тоже мой владелец.",
  },

  export: {
    adminsOnly: "Вам нельзя выгружать сказанное в группе: может только администратор.",
    badFormat: (typed) => `${typed} — не формат для /export: ожидается json, markdown или ничего.`,
    full: "Извините, в этом чате слишком многое ждёт отправки. Попробуйте, пожалуйста, позже.",
    nothing: "Выгружать нечего: мы ещё ничего не сказали.",
    done: (entries) => `Всё, что мы сказали, — в файле: ${entriesOf(entries)}.`,
    doneIn: (entries, files) =>
      `Всё, что мы сказали, — в файлах: ${entriesOf(entries)}, ${counted(files, forms("файл", "файла", "файлов"))}.`,
    shown: "Это видят все, кто здесь есть.",
  },

  forget: {
    notAnonymously: "Вам нельзя ничего стирать от имени группы или канала.",
    inPrivateOnly: "Здесь это не разрешено: напишите мне /forget me в нашем личном чате.",
    adminsOnly:
      "Вам нельзя стереть этот чат: в группе это могут администраторы. /forget me в нашем личном чате сотрёт то, что вы здесь написали.",
    badScope: (typed) =>
      `Я могу стереть chat (весь этот чат) или me (всё, что я о вас храню), а не ${typed}.`,
    badCode: (typed) =>
      `${typed} ничего не подтверждает: ожидается yes- и четыре цифры, как я их вам дал.`,
    yes: { chat: "Да, стереть этот чат", me: "Да, стереть всё" },
    confirm: (confirmation) =>
      `Чтобы подтвердить, нажмите кнопку или отправьте ${confirmation} в течение 5 минут.`,
    explained: {
      chat: "Это навсегда сотрёт всё, что я храню об этом чате: сказанное, заметки, задачи, настройки, расход, файлы и архивы. То, что я здесь делаю, прекратится.\nСообщения в самом приложении останутся: удалить их там можете только вы.",
      me: "Это навсегда сотрёт: все ваши личные чаты со мной, ваш профиль с вашим выбором и ролью (возможно, вас придётся впустить снова), а в группах — то, что вы написали и что я вам ответил, ваши причины и правки там, где вы решали за других, и места, где я повторял ваши слова. То, что я для вас делаю, прекратится.\nЗаметки и задачи групп останутся, ведь никто не знает, кто их написал; останется и то, что другие написали о вас, и сообщения в самом приложении. Блокировка останется, без вашего имени, а до конца месяца и то, сколько вы израсходовали.",
    },
    expired: (scope) =>
      `Это ничего не подтверждает или истекло: подтвердить может только тот, кто просил, здесь и в течение 5 минут. Попросите заново: /forget ${scope}.`,
    begun: "Минутку. Я сообщу, когда всё будет стёрто.",
    chatDone: "Готово: всё, что я хранил об этом чате, стёрто.",
    meDone: "Готово: ваши личные чаты со мной и ваш профиль стёрты.",
    meDoneWith: (groups) =>
      `Готово: ваши личные чаты со мной и ваш профиль стёрты, и то, что вы написали в группах (${groups}), тоже.`,
    but: (count) =>
      `Но кое-что, что может к этому относиться, я не смог прочитать или удалить (${count}): тот, кто меня запускает, найдёт подробности в моём журнале.`,
  },

  end: {
    modelCalls: (limit) =>
      `Я остановился: этот ход достиг предела в ${counted(limit, forms("вызов модели", "вызова модели", "вызовов модели"))}.`,
    toolExecutions: (limit) =>
      `Я остановился: этот ход достиг предела в ${counted(limit, forms("запуск инструментов", "запуска инструментов", "запусков инструментов"))}.`,
    tokens: (limit) =>
      `Я остановился: этот ход достиг предела в ${counted(limit, forms("токен", "токена", "токенов"))}.`,
    cost: (limitUsd) => `Я остановился: этот ход достиг предела стоимости в $${limitUsd}.`,
    deadline: (limitSeconds) =>
      `Я остановился: этот ход достиг предела в ${counted(limitSeconds, forms("секунду", "секунды", "секунд"))} работы.`,
    loop: "Я остановился, потому что делал одно и то же и не продвигался.",
    denied: "Я остановился, потому что то, что я хотел сделать, не одобрили.",
    notAllowed: "Я остановился, потому что то, что я хотел сделать, не разрешено.",
    toolFailed: "Я остановился, потому что инструмент не сработал.",
    cut: "Я остановился: ответ достиг предела длины. Напишите «дальше», чтобы получить продолжение.",
    cutEmpty:
      "Я остановился: предел длины достигнут раньше, чем я успел ответить. Напишите «дальше», и я попробую ещё раз.",
    downgraded: (tier) => `Бюджет почти исчерпан, поэтому ответила модель подешевле (${tier}).`,
    poisoned: (errorId) =>
      `Извините, мне пришлось оставить это сообщение: работа над ним трижды не удалась. Попробуйте, пожалуйста, иначе. (${errorId})`,
    stopped: "(остановлено)",
    interrupted: "(прервано)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Извините, у сервиса модели сейчас слишком много запросов. (${errorId})`,
    overloaded: (errorId) => `Извините, сервис модели перегружен. (${errorId})`,
    timeout: (errorId) => `Извините, модель отвечала слишком долго. (${errorId})`,
    network: (errorId) => `Извините, с моделью не удалось связаться. (${errorId})`,
    "context-overflow": (errorId) =>
      `Извините, этот разговор слишком длинный для модели; /new начнёт новый. (${errorId})`,
    "setup-too-long": (errorId) =>
      `Извините, уже мои инструкции и инструменты слишком длинные для модели. Администратор может сократить промпт или инструменты либо выбрать модель с большим контекстным окном. (${errorId})`,
    "turn-too-long": (errorId) =>
      `Извините, этот запрос слишком длинный для модели. Сократите его или разбейте на части. (${errorId})`,
    auth: (errorId) => `Извините, сервис модели не принял наш ключ. (${errorId})`,
    "invalid-request": (errorId) => `Извините, сервис модели отклонил запрос. (${errorId})`,
    refused: (errorId) => `Извините, модель отказалась отвечать. (${errorId})`,
    empty: (errorId) => `Извините, модель дала пустой ответ. (${errorId})`,
  },

  unreadable: {
    locked: "Файл защищён паролем.",
    damaged: "Файл повреждён или это не PDF, который я могу прочитать.",
    "too-complicated": "Файл слишком сложный, прочитать его не удалось.",
    failed:
      "При чтении что-то пошло не так. Автоматически повторять попытку не буду: пришлите файл ещё раз или используйте /retry.",
    pictures: "В нём нет текста: вероятно, его страницы — изображения.",
    empty: "В нём нет текста.",
    unknown: "Файлы такого вида я читать не умею.",
    "no-transcription": "Здесь я не могу слушать голосовые сообщения.",
    "not-transcribed": "К сожалению, голосовое сообщение не удалось расшифровать.",
    silent: "В нём никого не слышно.",
    gone: "Он больше не хранится: файлы хранятся сутки.",
    refused: "Поставщик модели не принимает это изображение.",
  },

  exported: {
    title: "Разговор",
    asOf: (chat, time) => `Чат ${chat}, по состоянию на ${time}.`,
    edited: (who, time) => `${who}: сообщение изменено, ${time}`,
    reading: "Текст вложения",
    result: (number, tool) => `Результат вызова ${number}, ${tool}`,
    failed: (kind) => `ошибка: ${kind}`,
    ended: (reason) => `Ход завершён: ${reason}`,
    reset: (time) => `Новый разговор, ${time}`,
    sawNothing: "С этого места модель не видела ничего из того, что выше.",
    auto: (step, of) => `Ход ${step}, всего не больше ${of}, цель:`,
    inAnswerTo: "В ответ на:",
    said: "Сказано:",
    attached: (name, bytes) => `Вложение: ${name}, байт: ${bytes}`,
    cutOff: "прервано",
    noted: "Добавлено ниже платформой:",
    thinking: "Размышления:",
    answer: "Ответ:",
    call: (number, tool) => `Вызов ${number}: ${tool}`,
    compaction: (strategy) => `Краткое изложение: ${strategy}`,
    by: (model) => `составила модель ${model}`,
    inPlaceOf: (from, to) =>
      `С этого места модель видела это вместо записей с ${from} по ${to}, которые стоят выше без изменений:`,
    shortened: (entries) => `Эти результаты она видела сокращёнными: ${entries}.`,
    undone: (time) => `Отменено, ${time}`,
    sawNothingOf: (from, to) => `С этого места модель не видела записей с ${from} по ${to}.`,
    notUndone: "То, что сделали эти вызовы, не отменено:",
  },

  console: {
    greeting: "Это Parley. Напишите что-нибудь; /help покажет все команды, /quit завершает.",
    notHandedOver: "Это пока не удалось передать; сообщение сохранено, попытка повторится.",
    questionIsOpen: "Вопрос из прошлого сеанса ещё открыт: ваше следующее сообщение заменит его.",
    questionReplaced: "Ваше сообщение заменяет открытый вопрос.",
    interruptAgain: "Нажмите Ctrl-C ещё раз, чтобы выйти",
    file: (path) => `Файл: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Жду одобрения или отказа, решает ${person}. Потом займусь вашим сообщением, самое позднее через ${minutesOf(minutes)}.`,
    awaitsAdmin: (minutes) =>
      `Жду, пока администратор что-то одобрит или отклонит. Потом займусь вашим сообщением, самое позднее через ${minutesOf(minutes)}.`,
    awaitsDecision: (minutes) =>
      `Жду, пока здесь что-то одобрят или отклонят. Потом займусь вашим сообщением, самое позднее через ${minutesOf(minutes)}.`,
    brokeOff: (model) => `${model}: ответ оборвался, спрашиваю снова …`,
    shortening: "сокращаю наш разговор …",
    shortened: (before, after) =>
      `Наш прежний разговор сокращён: примерно ${before} → ${after} токенов. Ничего не удалено; в /export есть каждое слово.`,
    nothingToShorten: "Сокращать пока нечего.",
    nothingToUndo: "Отменять нечего.",
    nothingToRetry: "Повторять нечего.",
    cannotRetry:
      "Повторить не получится: ваше сообщение уже вошло в краткое изложение. Отправьте его, пожалуйста, ещё раз.",
    undone: "Отменено: я больше не вижу вашего последнего сообщения и того, что было после.",
    undoneOf: (person) =>
      `Отменено: я больше не вижу последнего сообщения (${person}) и того, что было после.`,
    staysDone: (tools) => `Но что сделано, то сделано: ${tools}.`,
    messageKept:
      "Сейчас все обработчики заняты или не работают. Ваше сообщение сохранено, ответ будет.",
    waitsForPlace: (limit) =>
      `Ваше сообщение ждёт: сейчас готовится столько ответов, сколько позволяет лимит (${limit}). Я вернусь к нему сам.`,
    orderKept: (command) =>
      `Сейчас все обработчики заняты или не работают. Ваша команда /${command} сохранена и будет выполнена.`,
  },

  edits: {
    refused: (why) =>
      `О таком изменении нельзя спросить: ${why} Вызов снова показан таким, каким был.`,
    refusedAndGone: (why) =>
      `О таком изменении нельзя спросить: ${why} О вызове в прежнем виде тоже больше нельзя: он не выполняется.`,
    notJson: 'Это не JSON: нужен объект, например {"имя": "значение"}.',
    unknownName: (name, known) => `Аргумента ${name} здесь нет. Ожидается: ${known}.`,
    expected: (path, what) => `${path}: ожидается ${what}.`,
    isMissing: (path) => `Не хватает ${path}.`,
    isHidden: (path) => `${path} здесь скрыт: напишите его целиком заново или оставьте как есть.`,
    keptHidden: (path) =>
      `${path} здесь скрыт: изменить остальное, сохранив его, может только тот, кто спросил, или администратор.`,
    same: "Это ничего не меняет: именно об этих аргументах я и спрашиваю.",
    tooLong: (count) => `Слишком длинно: не больше ${count} символов.`,
    how: "Что изменить? /edit <id> имя=значение, или JSON со всеми аргументами. Этим же можно ответить на карточку.",
    which: "Какой вызов? Начните с его номера: 2 имя=значение.",
    title: "Изменить аргументы",
    asJson: "Все аргументы, как JSON",
    noForm:
      "Эти аргументы не помещаются в форму. Ответьте на карточку: имя=значение или JSON со всеми аргументами.",
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
    none: "В этом чате ничего не выполняется без вопроса: никто этого не разрешал.",
    heading: "Что в этом чате выполняется без вопроса:",
    exactly: (given) => `ровно ${given}`,
    alike: (given) => `любые аргументы вида ${given}`,
    lasts: (span) => `ещё ${span}`,
    allowedBy: (name) => `разрешение: ${name}`,
    onlyFor: (name) => `только когда спрашивает ${name}`,
    howTo: "/grants revoke <номер> забирает разрешение обратно.",
    revoked: (tool) => `Разрешение снято: перед таким использованием ${tool} я снова спрошу.`,
    noSuch: (number) => `Номера ${number} здесь нет. /grants покажет, что есть.`,
    notYours: "Снять это может только админ или тот, кто разрешил.",
    given: (span) =>
      `Одобрено. Ещё ${span} тот же вызов выполняется без вопроса; /grants это отменяет.`,
    givenAny: (span, tool) =>
      `Одобрено. Ещё ${span} ${tool} выполняется без вопроса с любыми подобными аргументами; /grants это отменяет.`,
    off: "Оператор хочет, чтобы об этом спрашивали каждый раз.",
    atMost: (span) => `Не больше ${span}: дольше оператор не разрешает.`,
    noSpan: (typed) => `${typed} — не время. Ожидается: 30m, 2h.`,
    adminsAny: "Другие аргументы могут разрешать только админы.",
    full: "Одобрено. Больше в этом чате разрешить нельзя: /grants покажет, что разрешено, и отменит.",
    one: "Какой вызов? /approve <id>.<номер> always разрешает один из них.",
  },

  pause: {
    kept: "Этот бот на паузе. Твоё сообщение сохранено, и я отвечу, когда работа продолжится.",
    halted:
      "Мне пришлось остановиться: админ поставил этого бота на паузу. Спроси ещё раз, когда работа продолжится.",
    scopes: {
      all: "всё",
      telegram: "чаты в Telegram",
      discord: "чаты в Discord",
      console: "терминал",
    },
    begun: (what) =>
      `На паузе: ${what}. Новые ходы не начинаются, а начатые доходят до конца. /resume снимает паузу.`,
    begunNow: (what) =>
      `На паузе: ${what}. Новые ходы не начинаются, а начатые остановлены. /resume снимает паузу.`,
    ended: (what) =>
      `Работа продолжается: ${what}. На то, что ждёт, я отвечу через несколько секунд.`,
    notPaused: (what) => `Не на паузе: ${what}.`,
    stillAll: "Всё ещё на паузе: /resume all снимает её.",
    unknown: (typed) => `${typed}: такого нет. Есть all, telegram, discord, console, now.`,
    since: (moment) => `На паузе с ${moment}.`,
    sinceOf: (what, moment) => `На паузе с ${moment}: ${what}.`,
  },

  audit: {
    itself: "Сам Parley",
    heading: (count) =>
      `Самое новое в журнале, ${counted(count, forms("строка", "строки", "строк"))}, время по UTC:`,
    none: "Ничего такого в журнале нет.",
    part: "Я смотрел только 20 000 самых новых строк; /audit export даёт все.",
    unknown: (typed, kinds) => `${typed}: не число, не человек и не вид. Виды: ${kinds}.`,
    exported: (count) =>
      `Журнал, ${grouped(count, forms("строка", "строки", "строк"))}, придёт файлом в наш личный чат.`,
    actions: {
      "approval-decided": "решение об одобрении",
      "approval-edited": "изменение аргументов одобрения",
      "values-shown": "просмотр скрытых значений одобрения",
      "grant-given": "постоянное разрешение дано",
      "grant-revoked": "постоянное разрешение отозвано",
      "limit-set": "лимит задан",
      "limit-reset": "лимит сброшен",
      "role-set": "роль назначена",
      "pairing-decided": "решение о доступе",
      paused: "пауза",
      resumed: "пауза снята",
      "setting-changed": "настройка изменена",
      broadcast: "рассылка во все чаты",
      "erasure-asked": "просьба об удалении",
      "attempt-denied": "отказ",
      "tool-executed": "запуск инструмента",
    },
  },

  stats: {
    spent: (messages, tokens, cost) =>
      `${grouped(messages, forms("сообщение", "сообщения", "сообщений"))}, ${grouped(tokens, forms("токен", "токена", "токенов"))}, ${cost}`,
    chats: (today, thisMonth) =>
      `Чаты, где писали: около ${today} сегодня, ${thisMonth} в этом месяце`,
    today: (spent) => `Сегодня: ${spent}`,
    thisMonth: (spent) => `В этом месяце: ${spent}`,
    turns: (active, waiting) => `Ходы: ${active} в работе, ${waiting} ждут`,
    deliveries: (waiting) => `Доставка: ${waiting} ждут`,
    deadLetters: (count) => `Недоставленные сообщения: ${count}`,
    running: (version, span) => `Parley ${version}, работает ${span}`,
  },

  broadcast: {
    asks: (count) => `Это уйдёт в ${counted(count, forms("чат", "чата", "чатов"))}:`,
    asksMore: (count) => `Это уйдёт больше чем в ${counted(count, forms("чат", "чата", "чатов"))}:`,
    yes: "Отправить",
    confirm: (command) => `Нажми кнопку или отправь ${command} в течение 5 минут.`,
    begun: "Рассылка началась. Скажу, когда она дойдёт до всех чатов.",
    done: (count) => `Твоё сообщение ушло в ${counted(count, forms("чат", "чата", "чатов"))}.`,
    nobody: "Пока нет ни одного чата, куда это могло бы уйти.",
    tooLong: (length, limit) => `Здесь символов: ${length}; я принимаю не больше ${limit}.`,
    expired: "Это ничего не подтверждает или устарело: попроси ещё раз через /broadcast.",
  },
};
