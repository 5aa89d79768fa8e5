import { countedIn, numberIn, type NounForms } from "../counted.ts";
import type { findingsEn } from "./en.ts";

const counted = countedIn("ru");
const n = numberIn("ru");

const forms = (one: string, few: string, many: string): NounForms => ({
  one,
  few,
  many,
  other: few,
});
const dimensions = forms("измерение", "измерения", "измерений");

export const findingsRu: typeof findingsEn = {
  checks: {
    machine: "Эта машина",
    httpPort: "HTTP-порт",
    page: "Панель",
    processes: "Список процессов",
    work: "Очередь работы",
    schedules: "Список расписаний",
    owners: "Список владельцев",
    groups: "Список групп с отказом",
    backup: "Время последней резервной копии",
    personas: "Папка персон",
    tools: "Список правил для инструментов",
    skills: "Список навыков",
    model: (id) => `Модель ${id}`,
    embeddings: (model) => `Модель эмбеддингов ${model}`,
    search: (provider) => `Поиск в интернете (${provider})`,
    mcp: (name) => `MCP-сервер «${name}»`,
  },
  late: {
    what: (check, seconds) => `${check}: нет ответа за ${n(seconds)} с.`,
    why: "Что зависает здесь, зависает и для тех, кто пишет боту.",
    fix: "Посмотрите журнал и сеть между этой машиной и сервисом, затем запустите doctor ещё раз.",
  },
  unexamined: {
    what: (check, cause) => `${check}: проверить не удалось. ${cause}`,
    why: "Работает ли это, неизвестно; что не так здесь, может быть не так и для людей.",
    fix: "Исправьте то, на что указывает сообщение, и запустите doctor ещё раз. Если оно не указывает ни на что ваше, сообщите об ошибке.",
  },
  machine: {
    oldNode: {
      what: (version) => `Node ${version} слишком старый.`,
      why: (oldest) => `Parley нужен Node ${oldest} или новее.`,
      fix: "npm ci (установит и Node 24)",
    },
    settings: (file) => `Настройки в порядке (${file}).`,
    noFile: "без parley.yaml",
  },
  files: {
    closed: (path) => `Читать ${path} может только владелец файла.`,
    open: (path, mode) => `Другие пользователи этой машины могут читать ${path} (права ${mode}).`,
    holdsSecrets: "Там лежат токены и ключи.",
    mayBeShared: "Это не страшно, пока внутри нет ключей.",
    noFolder: {
      what: (folder) => `Папки ${folder} ещё нет.`,
      why: "Parley создаст её при первом запуске; другое место задаёт PARLEY_DATA.",
    },
    folderClosed: (folder) => `Другие пользователи не могут читать данные в ${folder}.`,
    folderOpen: {
      what: (folder, mode) =>
        `Другие пользователи этой машины могут открыть ${folder} (права ${mode}).`,
      why: "Там лежат разговоры.",
    },
    canWrite: (folder, freeMb) => `В ${folder} можно писать (свободно ${n(freeMb)} МБ).`,
    cannotWrite: {
      what: (folder, cause, freeMb) =>
        `В ${folder} нельзя ничего сохранить: ${cause} (свободно ${n(freeMb)} МБ).`,
      why: "Тогда собственный Redis Parley отклоняет сообщения, а журнала нет.",
    },
    scarce: {
      what: (folder, freeMb) => `Диск с ${folder} почти заполнен: свободно ${n(freeMb)} МБ.`,
      why: "Когда место кончится, ничего нового не сохранится и никто не получит ответа.",
    },
    freeSpace: (folder) =>
      `Освободите место: df -h ${folder} ; или укажите в PARLEY_DATA папку на другом диске.`,
  },
  port: {
    free: (port) => `Порт ${port} свободен; Parley слушает его, когда работает.`,
    ready: (url) => `Parley работает и готов по адресу ${url}.`,
    notReady: {
      what: (url, answer) => `Parley работает по адресу ${url}, но не готов: ${answer}`,
      why: "До тех пор он никому не отвечает.",
      fix: "Исправьте остальные неисправности; в журнале написано то же самое.",
    },
    taken: {
      what: (port, host) => `Порт ${port} на ${host} занят другой программой.`,
      why: (variable) => `Parley не запустится, пока порт из ${variable} занят.`,
      fix: (port, variable) =>
        `Завершите эту программу (ss -ltnp 'sport = :${port}') или укажите в ${variable} другой порт.`,
    },
  },
  page: {
    free: (port) => `Порт ${port} свободен; панель появляется там, когда Parley работает.`,
    isAt: (url) => `Панель находится по адресу ${url}.`,
    reached: (url) => `Панель доступна по адресу ${url}.`,
    notOfRole: {
      what: (role) => `PARLEY_PAGE_PORT задан, но в роли ${role} панели нет.`,
      why: "Панель работает в ролях bots и all.",
      fix: "Задайте его там, где PARLEY_ROLE равен bots или all.",
    },
    otherHost: {
      what: (url) => `Прокси по адресу ${url} передаёт чужой Host вместо своего.`,
      why: "Туда ведут ссылки из /dashboard.",
      fix: "Пусть он передаёт заголовок Host; для nginx: proxy_set_header Host $host;",
    },
    unreached: {
      what: (url, answer) => `С этой машины панель недоступна по адресу ${url} (${answer}).`,
      why: "Туда ведут ссылки из /dashboard.",
      fix: "Исправьте PARLEY_PAGE_URL или прокси (docs/page.md). Не обращайте внимания, если панель открывают только с других машин.",
    },
  },
  redis: {
    unknown: "неизвестно",
    answers: (name, version) => `${name} отвечает (версия ${version}).`,
    tooOld: {
      what: (name, version) => `Версия ${name}: ${version}.`,
      why: "Parley нужны команды Redis 6.2.",
      fix: "Установите Redis 6.2 или новее (или Valkey) либо уберите REDIS_URL: тогда Parley запустит свой.",
    },
    replica: {
      what: (name) => `${name} — реплика.`,
      why: "Сохранить в неё ничего нельзя.",
      fix: "Укажите в REDIS_URL основной сервер.",
    },
    alsoInFile: (command) => `${command} (и то же самое в redis.conf)`,
    evictsNothing: (name) => `${name} ничего не вытесняет.`,
    mayEvict: {
      what: (name) => `${name} не сообщает свою maxmemory-policy.`,
      why: "При любой, кроме noeviction, сообщения теряются, когда память заполнена.",
    },
    evicts: {
      what: (name, policy) =>
        `${name} вытесняет ключи, когда память заполнена (maxmemory-policy ${policy}).`,
      why: "Сообщения и подтверждения пропадали бы; с таким Redis Parley не запускается.",
    },
    writesAtOnce: (name) => `${name} сразу сохраняет каждое сообщение на диск.`,
    noFile: {
      what: (name) => `У ${name} нет append-only файла.`,
      why: "Уже принятое может пропасть, когда Redis завершится.",
    },
    writesLater: {
      what: (name, value) => `У ${name} задано appendfsync ${value}.`,
      why: "При отключении питания может пропасть то, что принято последним.",
    },
    cannotWrite: {
      what: (name) => `${name} не может писать на диск.`,
      why: "До тех пор он всё отклоняет: сообщения не сохраняются, никто не получает ответа.",
      fix: "Освободите место на диске Redis (df -h) или исправьте права на его папку; дальше всё продолжится само.",
    },
    uses: (name, usedMb, limitMb) => `${name} занимает ${n(usedMb)} МБ из ${n(limitMb)} МБ.`,
    usesOfUnknown: (name, usedMb) => `${name} занимает ${n(usedMb)} МБ, предел неизвестен.`,
    full: (name, usedMb, limitMb) =>
      `${name} занимает ${n(usedMb)} МБ из ${n(limitMb)} МБ: память заполнена.`,
    memory: {
      why: "Когда память заполнена, новые сообщения отклоняются.",
      fix: "Увеличьте maxmemory (redis-cli config set maxmemory 2gb) или сократите retention.history и retention.traces в parley.yaml.",
    },
  },
  clock: {
    agrees: (redis) => `Часы этой машины совпадают с часами ${redis}.`,
    here: {
      ahead: (seconds, redis) =>
        `Часы этой машины спешат на ${n(seconds)} с относительно часов ${redis}.`,
      behind: (seconds, redis) => `Часы этой машины отстают на ${n(seconds)} с от часов ${redis}.`,
      why: "Parley сверяется с часами Redis, а журнал, TLS и токены — с часами этой машины.",
      fix: "timedatectl set-ntp true (на машине с неверным временем; его показывает date)",
    },
    elsewhere: {
      ahead: (host, process, seconds) =>
        `Часы ${host} (процесс ${process}) спешат на ${n(seconds)} с относительно часов Redis.`,
      behind: (host, process, seconds) =>
        `Часы ${host} (процесс ${process}) отстают на ${n(seconds)} с от часов Redis.`,
      why: "Parley сверяется с часами Redis, а журнал, TLS и токены той машины — с её собственными.",
      fix: (host) => `timedatectl set-ntp true (на ${host})`,
    },
  },
  processes: {
    none: {
      what: "На этом Redis Parley не работает.",
      why: "До тех пор никто не получает ответа.",
    },
    runs: (version, processes) => `Parley ${version} работает: ${processes}.`,
    one: (role, process, host) => `${role} (процесс ${process} на ${host})`,
    versions: {
      what: (versions) => `Работают процессы разных версий: ${versions}.`,
      why: "Это допустимо только на несколько минут обновления.",
      fix: "Перезапустите старые в порядке, описанном в docs/guides/upgrade.md.",
    },
    noneAnswers: {
      what: (role) => `Нет ни одного процесса с ролью ${role}.`,
      why: "Сообщения сохраняются, но никто не получает ответа.",
    },
  },
  work: {
    nothingOverdue: "Ничего не просрочено.",
    overdue: {
      what: (count) =>
        `Чатов и подтверждений, до которых очередь должна была дойти больше 30 с назад: ${n(count)}.`,
      why: "Ими не занимается ни один процесс, и люди ждут.",
      fix: "npm start (или перезапустите зависшие процессы)",
    },
    noneWaits: "Ни одно сообщение долго не ждёт.",
    waits: {
      what: (chat, span) => `Сообщение в ${chat} ждёт уже ${span}.`,
      why: "Процесс, который должен ответить, завис, ни один не работает, или всё на паузе.",
      fix: (chat) =>
        `npm run trace -- ${chat} ; npm run admin -- resume (если на паузе); иначе перезапустите процессы.`,
    },
    delivered: "Все ответы доставлены.",
    undelivered: {
      what: (count) =>
        `Не удалось доставить ${counted(count, forms("сообщение", "сообщения", "сообщений"))}.`,
      why: "Кто-то остался без ответа.",
      reasons: (listed) => `Причины: ${listed}`,
      reasonsOfSome: (count, listed) => `Причины для ${n(count)} из них: ${listed}`,
      fix: "npm run admin -- dead-letters (покажет причину; затем dead-letters replay --all)",
    },
  },
  schedules: {
    nothingOverdue: "Просроченных расписаний нет.",
    overdue: {
      what: (count) =>
        `Расписаний, которые должны были сработать больше двух минут назад: ${n(count)}.`,
      why: "Их не запускает ни один процесс, или в их чатах ждёт слишком много сообщений.",
      fix: "npm start (или перезапустите зависшие процессы)",
    },
    noneFailed: "Расписаний, приостановленных из-за ошибок, нет.",
    failed: {
      what: (count) => `Расписаний, приостановленных после трёх ошибок подряд: ${n(count)}.`,
      why: "Те, кто их создал, об этом знают; причиной может быть модель или инструмент, общие для всех.",
      fix: "Найдите их ошибки в журнале, затем возобновите их в чатах командой /schedule.",
    },
    noneDead: "Расписаний, приостановленных из-за того, что бот не может писать в их чат, нет.",
    dead: {
      what: (count) =>
        `Расписаний, приостановленных из-за того, что бот больше не может писать в их чат: ${n(count)}.`,
      why: "Бота оттуда удалили, само место удалили, или человек заблокировал бота. Те, кто их создал, об этом уже знают.",
      fix: "Добавьте бота снова, и они продолжатся сами; или удалите их на странице.",
    },
  },
  people: {
    owners: (owners) => `Владельцы: ${owners}.`,
    noOwner: {
      what: "У бота нет владельца.",
      why: "Некому пускать людей, решать вопросы администраторов и читать о неисправностях.",
      fix: "Укажите PARLEY_ADMINS=telegram:<ваш ID> (или discord:<ваш ID>) в .env.",
      fixByCode:
        "npm start показывает код: отправьте его боту личным сообщением в виде /start {code:CODE}. Или укажите PARLEY_ADMINS=telegram:<ваш ID>.",
    },
    refusedGroup: {
      what: (group) => `За последние десять минут кому-то отказано в группе ${group}.`,
      why: "Доступа нет ни у группы, ни у этого человека.",
      fix: (command, place) =>
        `Напишите в группе ${command} как администратор или добавьте ${place} в access.allow в parley.yaml.`,
    },
  },
  backup: {
    age: (span) => `Возраст последней резервной копии: ${span}.`,
    nothingYet: "Сохранять в резервную копию пока нечего.",
    old: {
      never: "Отметок о резервных копиях нет.",
      why: "Разговоры, роли и подтверждения хранятся только в Redis.",
      fix: "Сделайте резервную копию Redis (docs/guides/backup.md), затем: npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username) => `Telegram знает бота: ${username}.`,
    refused: {
      what: "Telegram не принимает TELEGRAM_BOT_TOKEN.",
      why: "С ним Parley не запустится.",
      fix: "Откройте @BotFather, пошлите /token, выберите бота, скопируйте его токен в .env и запустите Parley заново.",
    },
    unreachable: {
      what: (host, cause) => `Telegram недоступен по адресу ${host}: ${cause}`,
      why: "Ничего не принимается и не отправляется.",
      fix: (address) => `Проверьте, доступен ли он с этой машины: curl -I ${address}`,
    },
    hasCommands: "Telegram показывает команды бота.",
    noCommands: {
      what: "Telegram показывает не те команды бота, что есть сейчас.",
      why: "В меню их не видно, но работают они всё равно.",
    },
    readsGroups: "В группах бот может читать все сообщения (режим приватности выключен).",
    privacy: {
      what: "Режим приватности включён: в группах Telegram передаёт боту только команды, упоминания и ответы ему.",
      why: "Так и надо, если ни в одной группе нет /activation always.",
      fix: "@BotFather: /setprivacy, выберите бота, Disable; затем удалите бота из группы и добавьте снова.",
    },
    deaf: {
      what: (groups) => `Режим приватности включён, но /activation always задано в ${groups}.`,
      why: "Там Telegram передаёт боту только команды, упоминания и ответы ему, а остальные сообщения до него не доходят.",
      fix: "Назначьте бота администратором группы. Или @BotFather: /setprivacy, выберите бота, Disable; затем удалите бота из группы и добавьте снова.",
    },
    maybeDeaf: {
      what: (groups) =>
        `Режим приватности включён, и /activation always задано в ${groups}, но проверить, администратор ли там бот, не удалось.`,
      why: "Если нет, Telegram передаёт там боту только команды, упоминания и ответы ему, а остальные сообщения до него не доходят.",
    },
    otherPoller: {
      what: "С этим токеном сообщения забирает другая программа, а процессы этой установки — нет.",
      why: "Telegram обслуживает только одну: сообщения попадали бы то туда, то сюда.",
      fix: "Остановите другую программу или получите для этой отдельный токен у @BotFather (/newbot).",
    },
    polls: "Parley опрашивает Telegram, и вебхук ему не мешает.",
    canPoll: "Вебхука нет, так что Parley сможет опрашивать Telegram, когда заработает.",
    strayWebhook: {
      what: (host) => `Для этого токена установлен вебхук (${host}), хотя Parley опрашивает сам.`,
      why: "Telegram шлёт сообщения туда, и Parley пока не получает ни одного.",
      fix: "npm run doctor -- --fix (удалит вебхук; это сделает и следующий запуск Parley)",
    },
    posts: (host) => `Telegram шлёт сообщения на ${host}.`,
    lostWebhook: {
      unset: "Вебхука нет, хотя telegram.mode равен webhook.",
      elsewhere: (host) => `Вебхук ведёт на ${host}, а не на telegram.webhook.url.`,
      why: "Сообщения Telegram не доходят до Parley.",
      fix: "npm start (установит его)",
    },
    failingWebhook: {
      what: (host, waiting, cause) =>
        `Telegram не смог доставить обновления на ${host} (ждут: ${n(waiting)}): ${cause}`,
      why: "До тех пор сообщения ждут в Telegram.",
      fix: "Проверьте, что telegram.webhook.url ведёт на HTTP-порт Parley и что Telegram доверяет сертификату.",
    },
  },
  discord: {
    knows: (username, servers) => `Discord знает бота: ${username}, серверов: ${n(servers)}.`,
    refused: {
      what: "Discord не принимает DISCORD_TOKEN.",
      why: "С ним Parley не запустится.",
      fix: "Откройте https://discord.com/developers/applications, страница Bot, Reset Token, и скопируйте токен в .env.",
    },
    unreachable: {
      what: (cause) => `Discord недоступен: ${cause}`,
      why: "Ничего не принимается и не отправляется.",
      fix: "Проверьте, доступен ли он с этой машины: curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "Бота нет ни на одном сервере.",
      why: "Люди не могут его найти.",
      fix: (link) => `Откройте ${link}`,
    },
    lacks: {
      what: (server, permissions) => `На сервере «${server}» боту не хватает прав: ${permissions}.`,
      why: "Там он может отвечать не на всё.",
      fix: (link) => `Дайте эти права роли бота или пригласите его снова: ${link}`,
    },
    noIntent: {
      what: "discord.messageContent равен true, но intent выключен на портале Discord.",
      why: "Discord отказывает в соединении.",
      fix: (link) => `Включите Message Content Intent: ${link}`,
    },
    hasCommands: (count) => `Команд, которые показывает Discord: ${n(count)}.`,
    noCommands: {
      what: "Discord не показывает команд бота.",
      why: "Они регистрируются при запуске Parley.",
    },
  },
  model: {
    demo: {
      what: "Отвечает встроенная демомодель: модель не задана.",
      why: "Она только повторяет и считает.",
      fix: "Укажите OLLAMA_MODEL или OPENAI_API_KEY и OPENAI_MODEL в .env.",
    },
    answers: (id, can) => `${id} отвечает: ${can}.`,
    can: {
      tools: "инструменты",
      noTools: "без инструментов",
      pictures: "картинки",
      noPictures: "без картинок",
      window: (tokens) => `окно в токенах: ${n(tokens)}`,
      price: (input, output) => `${input} / ${output} за миллион токенов`,
    },
    noPrice: {
      what: (id) => `Цена ${id} неизвестна.`,
      why: "Её стоимость не видна ни в /usage, ни в панели.",
      whyLimits: "Лимиты стоимости не учитывают её расход и поэтому никогда её не остановят.",
      fix: "Укажите для неё usdPerMillionTokens: { input: …, output: … } в разделе models файла parley.yaml; оба равны 0, если она бесплатна.",
    },
    noTools: {
      what: (id) => `${id} не умеет пользоваться инструментами.`,
      why: "Она ничего не может найти, посчитать или запомнить.",
      fix: "Выберите модель с инструментами или укажите для неё tools: true в разделе models файла parley.yaml.",
    },
    brokenCalls: {
      what: (id, times) =>
        `${id}: ошибок при использовании инструментов за последние 24 часа: ${n(times)}.`,
      why: "Вместо ответа люди получили извинение. Обычно модель или её сервер пишет запрос обычным текстом.",
      fix: "Включите парсер инструментов на её сервере (для vLLM: --enable-auto-tool-choice --tool-call-parser), обновите шаблон чата или выберите другую модель.",
    },
    smallWindow: {
      what: (taken, window, id) =>
        `Промпт и инструменты занимают около ${n(taken)} из ${n(window)} токенов ${id}.`,
      why: "На разговор остаётся мало: он рано сжимается и быстрее забывается.",
      fix: "Увеличьте для неё contextWindow в разделе models файла parley.yaml или уменьшите число инструментов.",
    },
    failing: {
      why: "Вместо ответа люди получают извинение.",
      demo: "Демомодель",
      server: (host) => `Сервер модели ${host}`,
      unknownHost: "по заданному адресу",
      unreachable: (server, id, cause) => `${server} не отвечает, поэтому и ${id} тоже: ${cause}`,
      refusesKey: (server, id, cause) => `${server} не принимает ключ для ${id}: ${cause}`,
      noCredit: (server, id, cause) =>
        `${server} принимает ключ для ${id}, но на счёте нет средств: ${cause}`,
      notPulled: (model) => `В Ollama нет ${model}.`,
      notServed: (server, model, cause) => `${server} не предлагает ${model}: ${cause}`,
      busy: (server, id, cause) =>
        `${server} не справляется или исчерпал квоту, поэтому ${id} не отвечает: ${cause}`,
      refused: (server, id, cause) => `${server} отклонил запрос к ${id}: ${cause}`,
    },
    fix: {
      startOllama: "Запустите Ollama (ollama serve) или исправьте OLLAMA_HOST.",
      start:
        "Запустите сервер или исправьте его адрес (OPENAI_BASE_URL или providers в parley.yaml).",
      key: "Исправьте OPENAI_API_KEY (или apiKey провайдера в parley.yaml).",
      login:
        "Исправьте логин и пароль в OLLAMA_HOST (http://user:password@host) или спросите того, кто управляет сервером.",
      credit: "Пополните счёт на странице оплаты у провайдера или увеличьте лимит расходов ключа.",
      pull: (model) => `Выполните: ollama pull ${model}`,
      name: "Укажите в OPENAI_MODEL (или в tiers файла parley.yaml) модель, которая там есть.",
      second: "Попробуйте позже или добавьте вторую модель в tiers файла parley.yaml.",
      seeLog: "Посмотрите его журнал.",
    },
  },
  memory: {
    made: (model, count) => `${model} создаёт эмбеддинги (${counted(count, dimensions)}).`,
    failing: {
      what: (model, cause) => `${model} не создаёт эмбеддинги: ${cause}`,
      why: "Сказанное ищется только по ключевым словам.",
      fix: "Посмотрите журнал сервера и memory.embeddings в parley.yaml.",
      fixModel: "Укажите в memory.embeddings файла parley.yaml модель, которая создаёт эмбеддинги.",
    },
    vectorsOf: (model, count) => `${model} (${counted(count, dimensions)})`,
    inChats: (vectors, chats) => `${vectors}, чатов: ${n(chats)}`,
    stored: (vectors) => `Сохранённые векторы созданы моделью ${vectors}.`,
    otherStored: {
      what: (vectors, others) => `Не у всех чатов векторы модели ${vectors}. Другие: ${others}.`,
      why: "Пока векторы не созданы заново, в этих чатах поиск идёт только по ключевым словам.",
      fix: "Ничего, если memory.embeddings меняли намеренно: векторы чата создаются заново после следующего ответа в нём.",
    },
  },
  search: {
    works: (provider) => `Поиск в интернете (${provider}) находит страницы.`,
    fails: (cause) => `Поиск в интернете не работает: ${cause}`,
    findsNothing: "Поиск в интернете ничего не находит.",
    why: "Модель ничего не может найти в интернете.",
    fix: {
      again: "Повторите через минуту; если не поможет, посмотрите состояние сервиса у провайдера.",
      engines: "Посмотрите страницу …/stats в SearXNG: возможно, поисковые системы отказывают ему.",
      start: "Запустите SearXNG или исправьте webSearch.url.",
      address: "Исправьте webSearch.url в parley.yaml: там отвечает что-то другое.",
      json: "Добавьте json в search.formats в файле settings.yml SearXNG (как в deploy/searxng).",
      login: "Укажите в webSearch.url адрес, где не нужен логин.",
      account: (url) => `Проверьте ключ и его тариф: ${url}.`,
    },
  },
  mcp: {
    offers: (name, tools) => `MCP-сервер «${name}», инструментов: ${n(tools)}.`,
    partly: {
      what: (name, tools, more, problem) =>
        `MCP-сервер «${name}», инструментов: ${n(tools)}; ещё непригодных: ${n(more)}. ${problem}`,
      why: "Непригодные инструменты модель не видит.",
      fix: "Исправьте или обновите сервер.",
    },
    failing: {
      what: (name, cause) => `MCP-сервер «${name}» не работает: ${cause}`,
      why: "У модели нет ни одного его инструмента.",
      fixCommand: (setting, command) =>
        `Запустите его команду вручную и исправьте ${setting} в parley.yaml: ${command}`,
      fixUrl: (setting) => `Запустите его или исправьте ${setting} в parley.yaml.`,
      fixHeaders: (setting) =>
        `Исправьте токен или ключ в ${setting} в parley.yaml либо откройте ему доступ к серверу.`,
      fixBusy: "Подождите несколько минут: сервер ограничивает частоту запросов.",
      fixServer: "Посмотрите журнал самого сервера или спросите того, кто его обслуживает.",
    },
  },
  personas: {
    usable: (count) => `Персон, готовых к работе: ${n(count)}.`,
    folder: {
      what: (cause) => `Папку персон нельзя использовать: ${cause}`,
      why: "Без неё Parley не запускается.",
      fix: "Измените personas.folder в parley.yaml или права на чтение.",
    },
    leftOut: {
      what: (problem) => `Персона пропущена: ${problem}`,
      why: "Выбрать её нельзя.",
      fix: (folder) => `Исправьте файл в ${folder}; Parley заметит это сам.`,
    },
    noDefault: {
      what: (name, folder) =>
        `В personas.default указана «${name}», но в ${folder} такой персоны нет.`,
      why: "Без неё Parley не запускается.",
      fix: (file) => `Создайте там ${file} или измените personas.default в parley.yaml.`,
    },
  },
  skills: {
    usable: (count) => `Навыков, готовых к работе: ${n(count)}.`,
    files: {
      what: (problems) => `В файлах навыков есть проблемы: ${problems}`,
      why: "Пропущенные файлы не используются, а остальное может быть не тем, что задумал автор.",
      fix: "Исправьте эти файлы или удалите их.",
    },
    waiting: {
      what: (names) => `Эти навыки ждут проверки: ${names}.`,
      why: "До неё их не видит ни одна модель.",
      fix: "Пошлите боту /skills review.",
    },
  },
  tools: {
    every: "всех инструментов",
    auto: {
      what: (match, tools) => `Правило для ${match} разрешает auto для: ${tools}.`,
      why: "После /settings permissions auto они выполняются без вопросов, а сделанное ими нельзя отменить.",
      fix: "Разрешайте auto в tools.rules файла parley.yaml только инструментам, которые могут работать без присмотра.",
    },
  },
};
