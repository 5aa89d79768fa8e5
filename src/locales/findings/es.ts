import { countedIn, numberIn } from "../counted.ts";
import type { findingsEn } from "./en.ts";

const counted = countedIn("es");
const n = numberIn("es");

const dimensiones = { one: "dimensión", other: "dimensiones" };
const herramientas = { one: "herramienta", other: "herramientas" };

export const findingsEs: typeof findingsEn = {
  checks: {
    machine: "Esta máquina",
    httpPort: "El puerto HTTP",
    page: "El panel",
    processes: "La lista de procesos",
    work: "El trabajo pendiente",
    schedules: "La lista de tareas programadas",
    owners: "La lista de propietarios",
    groups: "La lista de grupos rechazados",
    backup: "La fecha de la última copia de seguridad",
    personas: "La carpeta de personajes",
    tools: "La lista de reglas de herramientas",
    skills: "La lista de habilidades",
    model: (id) => `El modelo ${id}`,
    embeddings: (model) => `El modelo de embeddings ${model}`,
    search: (provider) => `La búsqueda web (${provider})`,
    mcp: (name) => `El servidor MCP «${name}»`,
  },
  late: {
    what: (check, seconds) => `${check}: sin respuesta en ${n(seconds)} s.`,
    why: "Lo que se atasca aquí también se atasca para quien escribe al bot.",
    fix: "Mira su registro y la red entre esta máquina y ese servicio, y vuelve a ejecutar doctor.",
  },
  unexamined: {
    what: (check, cause) => `${check} no se ha podido comprobar: ${cause}`,
    why: "No se sabe si funciona; lo que falla aquí puede fallar también para los demás.",
    fix: "Arregla lo que indica el mensaje y vuelve a ejecutar doctor. Si no señala nada tuyo, comunícalo como error.",
  },
  machine: {
    oldNode: {
      what: (version) => `Node ${version} es demasiado antiguo.`,
      why: (oldest) => `Parley necesita Node ${oldest} o posterior.`,
      fix: "npm ci (trae consigo Node 24)",
    },
    settings: (file) => `Los ajustes son correctos (${file}).`,
    noFile: "sin parley.yaml",
  },
  files: {
    closed: (path) => `Solo su dueño puede leer ${path}.`,
    open: (path, mode) => `Otros usuarios de esta máquina pueden leer ${path} (permisos ${mode}).`,
    holdsSecrets: "Contiene tokens y claves.",
    mayBeShared: "No pasa nada mientras no contenga ninguna clave.",
    noFolder: {
      what: (folder) => `${folder} todavía no existe.`,
      why: "Parley la crea al arrancar por primera vez; PARLEY_DATA indica otro lugar.",
    },
    folderClosed: (folder) => `Otros usuarios no pueden leer los datos de ${folder}.`,
    folderOpen: {
      what: (folder, mode) =>
        `Otros usuarios de esta máquina pueden abrir ${folder} (permisos ${mode}).`,
      why: "Contiene conversaciones.",
    },
    canWrite: (folder, freeMb) => `Se puede escribir en ${folder} (${n(freeMb)} MB libres).`,
    cannotWrite: {
      what: (folder, cause, freeMb) =>
        `No se puede escribir en ${folder}: ${cause} (${n(freeMb)} MB libres).`,
      why: "El Redis propio de Parley rechaza entonces los mensajes, y no hay registro.",
    },
    scarce: {
      what: (folder, freeMb) => `El disco de ${folder} está casi lleno: ${n(freeMb)} MB libres.`,
      why: "Cuando se llene, no se guardará nada nuevo y nadie recibirá respuesta.",
    },
    freeSpace: (folder) =>
      `Libera espacio: df -h ${folder} ; o indica en PARLEY_DATA una carpeta de otro disco.`,
  },
  port: {
    free: (port) => `El puerto ${port} está libre; Parley lo usa cuando está en marcha.`,
    ready: (url) => `Parley está en marcha y listo en ${url}.`,
    notReady: {
      what: (url, answer) => `Parley está en marcha en ${url}, pero no está listo: ${answer}`,
      why: "Hasta entonces no responde a nadie.",
      fix: "Arregla lo demás que falla; el registro dice lo mismo.",
    },
    taken: {
      what: (port, host) => `Otro programa usa el puerto ${port} de ${host}.`,
      why: (variable) => `Parley no puede arrancar mientras el puerto de ${variable} esté ocupado.`,
      fix: (port, variable) =>
        `Cierra ese programa (ss -ltnp 'sport = :${port}'), o indica otro puerto en ${variable}.`,
    },
  },
  page: {
    free: (port) =>
      `El puerto ${port} está libre; el panel aparece ahí cuando Parley está en marcha.`,
    isAt: (url) => `El panel está en ${url}.`,
    reached: (url) => `Se llega al panel en ${url}.`,
    notOfRole: {
      what: (role) => `PARLEY_PAGE_PORT está definido, pero el rol ${role} no tiene panel.`,
      why: "El panel funciona en los roles bots y all.",
      fix: "Defínelo donde PARLEY_ROLE sea bots o all.",
    },
    otherHost: {
      what: (url) => `El proxy de ${url} transmite un Host distinto del suyo.`,
      why: "Los enlaces de /dashboard llevan ahí.",
      fix: "Haz que transmita la cabecera Host; en nginx: proxy_set_header Host $host;",
    },
    unreached: {
      what: (url, answer) => `Desde esta máquina no se llega al panel en ${url} (${answer}).`,
      why: "Los enlaces de /dashboard llevan ahí.",
      fix: "Corrige PARLEY_PAGE_URL o el proxy (docs/page.md). Ignóralo si solo se accede con navegadores desde otro lugar.",
    },
  },
  redis: {
    unknown: "desconocido",
    answers: (name, version) => `${name} responde (versión ${version}).`,
    tooOld: {
      what: (name, version) => `La versión de ${name} es ${version}.`,
      why: "Parley necesita comandos de Redis 6.2.",
      fix: "Instala Redis 6.2 o posterior (o Valkey), o quita REDIS_URL: entonces Parley usa el suyo.",
    },
    replica: {
      what: (name) => `${name} es una réplica.`,
      why: "No se puede escribir en ella.",
      fix: "Apunta REDIS_URL a su servidor primario.",
    },
    alsoInFile: (command) => `${command} (y lo mismo en redis.conf)`,
    evictsNothing: (name) => `${name} no descarta nada.`,
    mayEvict: {
      what: (name) => `${name} no indica su maxmemory-policy.`,
      why: "Con cualquiera que no sea noeviction se pierden mensajes cuando la memoria se llena.",
    },
    evicts: {
      what: (name, policy) =>
        `${name} descarta claves cuando la memoria se llena (maxmemory-policy ${policy}).`,
      why: "Se perderían mensajes y aprobaciones; Parley se niega a arrancar así.",
    },
    writesAtOnce: (name) => `${name} escribe cada mensaje en disco al momento.`,
    noFile: {
      what: (name) => `${name} no tiene archivo append-only.`,
      why: "Lo que ya ha recibido puede perderse cuando termine.",
    },
    writesLater: {
      what: (name, value) => `${name} tiene appendfsync ${value}.`,
      why: "Un corte de luz puede hacer que se pierda lo último recibido.",
    },
    cannotWrite: {
      what: (name) => `${name} no puede escribir en su disco.`,
      why: "Hasta entonces rechaza todo: no se guarda ningún mensaje y nadie recibe respuesta.",
      fix: "Libera espacio en el disco de Redis (df -h), o corrige los permisos de su carpeta; después continúa solo.",
    },
    uses: (name, usedMb, limitMb) => `${name} usa ${n(usedMb)} MB de ${n(limitMb)} MB.`,
    usesOfUnknown: (name, usedMb) => `${name} usa ${n(usedMb)} MB; el límite es desconocido.`,
    full: (name, usedMb, limitMb) =>
      `${name} usa ${n(usedMb)} MB de ${n(limitMb)} MB: su memoria está llena.`,
    memory: {
      why: "Cuando la memoria se llena, se rechazan los mensajes nuevos.",
      fix: "Aumenta maxmemory (redis-cli config set maxmemory 2gb), o acorta retention.history y retention.traces en parley.yaml.",
    },
  },
  clock: {
    agrees: (redis) => `El reloj de esta máquina coincide con el de ${redis}.`,
    here: {
      ahead: (seconds, redis) =>
        `El reloj de esta máquina va ${n(seconds)} s adelantado respecto al de ${redis}.`,
      behind: (seconds, redis) =>
        `El reloj de esta máquina va ${n(seconds)} s atrasado respecto al de ${redis}.`,
      why: "Parley se guía por el reloj de Redis, pero el registro, TLS y los tokens se guían por este.",
      fix: "timedatectl set-ntp true (en la máquina con la hora equivocada; date la muestra)",
    },
    elsewhere: {
      ahead: (host, process, seconds) =>
        `El reloj de ${host} (proceso ${process}) va ${n(seconds)} s adelantado respecto al de Redis.`,
      behind: (host, process, seconds) =>
        `El reloj de ${host} (proceso ${process}) va ${n(seconds)} s atrasado respecto al de Redis.`,
      why: "Parley se guía por el reloj de Redis, pero el registro, TLS y los tokens de esa máquina se guían por el suyo.",
      fix: (host) => `timedatectl set-ntp true (en ${host})`,
    },
  },
  processes: {
    none: {
      what: "Parley no está en marcha en este Redis.",
      why: "Mientras tanto nadie recibe respuesta.",
    },
    runs: (version, processes) => `Parley ${version} está en marcha: ${processes}.`,
    one: (role, process, host) => `${role} (proceso ${process} en ${host})`,
    versions: {
      what: (versions) => `Hay procesos de varias versiones en marcha: ${versions}.`,
      why: "Eso solo está pensado para los minutos de una actualización.",
      fix: "Reinicia los más antiguos, en el orden de docs/guides/upgrade.md.",
    },
    noneAnswers: {
      what: (role) => `No hay ningún proceso con el rol ${role} en marcha.`,
      why: "Los mensajes se guardan, pero nadie recibe respuesta.",
    },
  },
  work: {
    nothingOverdue: "No hay nada atrasado.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "chat o aprobación debería", other: "chats o aprobaciones deberían" })} haberse atendido hace más de 30 s.`,
      why: "Ningún proceso en marcha se ocupa de ello, y hay gente esperando.",
      fix: "npm start (o reinicia los procesos atascados)",
    },
    noneWaits: "Ningún mensaje lleva mucho tiempo esperando.",
    waits: {
      what: (chat, span) => `Un mensaje de ${chat} lleva ${span} esperando.`,
      why: "El proceso que debería responder está atascado, no hay ninguno, o todo está en pausa.",
      fix: (chat) =>
        `npm run trace -- ${chat} ; npm run admin -- resume (si está en pausa); si no, reinicia los procesos.`,
    },
    delivered: "Se han podido entregar todas las respuestas.",
    undelivered: {
      what: (count) =>
        `${counted(count, { one: "mensaje no se ha podido entregar", other: "mensajes no se han podido entregar" })}.`,
      why: "A alguien le falta una respuesta.",
      reasons: (listed) => `Motivos: ${listed}`,
      reasonsOfSome: (count, listed) => `Motivos de ${n(count)} de ellos: ${listed}`,
      fix: "npm run admin -- dead-letters (muestra por qué; después, dead-letters replay --all)",
    },
  },
  schedules: {
    nothingOverdue: "Ninguna tarea programada está atrasada.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "tarea programada debería", other: "tareas programadas deberían" })} haberse lanzado hace más de dos minutos.`,
      why: "Ningún proceso en marcha las lanza, o esperan demasiados mensajes en sus chats.",
      fix: "npm start (o reinicia los procesos atascados)",
    },
    noneFailed: "Ninguna tarea programada está en pausa por fallos.",
    failed: {
      what: (count) =>
        `En pausa tras fallar tres veces seguidas: ${counted(count, { one: "tarea programada", other: "tareas programadas" })}.`,
      why: "Quienes las crearon lo saben; la causa puede ser un modelo o una herramienta que usan todas.",
      fix: "Busca sus errores en el registro y reanúdalas en sus chats con /schedule.",
    },
    noneDead: "Ninguna tarea programada está en pausa porque el bot no pueda escribir en su chat.",
    dead: {
      what: (count) =>
        `En pausa porque el bot ya no puede escribir en su chat: ${counted(count, { one: "tarea programada", other: "tareas programadas" })}.`,
      why: "Se ha quitado al bot de allí, el lugar se ha eliminado o la persona ha bloqueado al bot. Quienes las crearon ya están avisados.",
      fix: "Vuelve a añadir el bot y se reanudarán por sí solas, o elimínalas en la página.",
    },
  },
  people: {
    owners: (owners) => `Propietarios: ${owners}.`,
    noOwner: {
      what: "El bot no tiene propietario.",
      why: "Nadie puede dejar entrar a otros, decidir lo que toca a los administradores ni ver qué está roto.",
      fix: "Define PARLEY_ADMINS=telegram:<tu ID> (o discord:<tu ID>) en .env.",
      fixByCode:
        "npm start muestra un código: envíaselo al bot en un mensaje directo como /start {code:CODE}. O define PARLEY_ADMINS=telegram:<tu ID>.",
    },
    refusedGroup: {
      what: (group) =>
        `Se ha rechazado a alguien en el grupo ${group} en los últimos diez minutos.`,
      why: "Ni el grupo ni esa persona tienen acceso.",
      fix: (command, place) =>
        `Escribe ${command} en el grupo como administrador, o añade ${place} a access.allow en parley.yaml.`,
    },
  },
  backup: {
    age: (span) => `La última copia de seguridad es de hace ${span}.`,
    nothingYet: "Todavía no hay nada de lo que hacer copia.",
    old: {
      never: "No consta ninguna copia de seguridad.",
      why: "Las conversaciones, los roles y las aprobaciones solo están en Redis.",
      fix: "Haz una copia de Redis (docs/guides/backup.md) y después: npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username) => `Telegram conoce al bot: ${username}.`,
    refused: {
      what: "Telegram no acepta TELEGRAM_BOT_TOKEN.",
      why: "Parley no puede arrancar con él.",
      fix: "Abre @BotFather, envía /token, elige el bot, copia su token en .env y vuelve a arrancar Parley.",
    },
    unreachable: {
      what: (host, cause) => `No se puede conectar con Telegram en ${host}: ${cause}`,
      why: "No se recibe ni se envía nada.",
      fix: (address) => `Comprueba si esta máquina llega hasta ahí: curl -I ${address}`,
    },
    hasCommands: "Telegram muestra los comandos del bot.",
    noCommands: {
      what: "Telegram no muestra los comandos actuales del bot.",
      why: "No aparecen en el menú, aunque funcionan igualmente.",
    },
    readsGroups:
      "En los grupos el bot puede leer todos los mensajes (modo de privacidad desactivado).",
    privacy: {
      what: "El modo de privacidad está activado: en los grupos Telegram solo pasa al bot comandos, menciones y respuestas dirigidas a él.",
      why: "Está bien así, salvo que algún grupo tenga /activation always.",
      fix: "@BotFather: /setprivacy, elige el bot, Disable; después quita el bot del grupo y vuelve a añadirlo.",
    },
    deaf: {
      what: (groups) =>
        `El modo de privacidad está activado, pero /activation always está puesto en ${groups}.`,
      why: "Ahí Telegram solo pasa al bot comandos, menciones y respuestas dirigidas a él, así que se pierde los demás mensajes.",
      fix: "Haz al bot administrador del grupo. O bien @BotFather: /setprivacy, elige el bot, Disable; después quita el bot del grupo y vuelve a añadirlo.",
    },
    maybeDeaf: {
      what: (groups) =>
        `El modo de privacidad está activado y /activation always está puesto en ${groups}, pero no se ha podido comprobar si el bot es administrador ahí.`,
      why: "Si no lo es, Telegram solo le pasa ahí comandos, menciones y respuestas dirigidas a él, y se pierde los demás mensajes.",
    },
    otherPoller: {
      what: "Otro programa consulta mensajes con este token, y ningún proceso de esta instalación lo hace.",
      why: "Telegram solo atiende a uno: los mensajes llegarían a uno u otro al azar.",
      fix: "Detén el otro programa, o consigue para este un token propio en @BotFather (/newbot).",
    },
    polls: "Parley consulta Telegram, y ningún webhook lo impide.",
    canPoll:
      "No hay ningún webhook, así que Parley podrá consultar Telegram cuando esté en marcha.",
    strayWebhook: {
      what: (host) => `Este token tiene un webhook (${host}), aunque Parley consulta los mensajes.`,
      why: "Telegram envía los mensajes ahí, y mientras exista Parley no recibe ninguno.",
      fix: "npm run doctor -- --fix (borra el webhook; el próximo arranque de Parley también lo hace)",
    },
    posts: (host) => `Telegram envía a ${host}.`,
    lostWebhook: {
      unset: "No hay ningún webhook, aunque telegram.mode es webhook.",
      elsewhere: (host) => `El webhook lleva a ${host}, no a telegram.webhook.url.`,
      why: "Los mensajes de Telegram no llegan a Parley.",
      fix: "npm start (lo define)",
    },
    failingWebhook: {
      what: (host, waiting, cause) =>
        `Telegram no ha podido enviar a ${host} (actualizaciones en espera: ${n(waiting)}): ${cause}`,
      why: "Hasta que pueda, los mensajes esperan en Telegram.",
      fix: "Comprueba que telegram.webhook.url lleve al puerto HTTP de Parley, con un certificado en el que Telegram confíe.",
    },
  },
  discord: {
    knows: (username, servers) =>
      `Discord conoce al bot: ${username}, en ${counted(servers, { one: "servidor", other: "servidores" })}.`,
    refused: {
      what: "Discord no acepta DISCORD_TOKEN.",
      why: "Parley no puede arrancar con él.",
      fix: "Abre https://discord.com/developers/applications, página Bot, Reset Token, y cópialo en .env.",
    },
    unreachable: {
      what: (cause) => `No se puede conectar con Discord: ${cause}`,
      why: "No se recibe ni se envía nada.",
      fix: "Comprueba si esta máquina llega hasta ahí: curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "El bot no está en ningún servidor.",
      why: "Nadie puede encontrarlo.",
      fix: (link) => `Abre ${link}`,
    },
    lacks: {
      what: (server, permissions) =>
        `En el servidor «${server}» al bot le faltan permisos: ${permissions}.`,
      why: "Allí no puede responder a todo.",
      fix: (link) => `Da estos permisos al rol del bot, o vuelve a invitarlo: ${link}`,
    },
    noIntent: {
      what: "discord.messageContent es true, pero el intent está desactivado en el portal de Discord.",
      why: "Discord rechaza la conexión.",
      fix: (link) => `Activa Message Content Intent: ${link}`,
    },
    hasCommands: (count) =>
      `Discord muestra ${counted(count, { one: "comando", other: "comandos" })}.`,
    noCommands: {
      what: "Discord no muestra ningún comando del bot.",
      why: "Se registran cuando arranca Parley.",
    },
  },
  model: {
    demo: {
      what: "Responde la demostración integrada: no hay ningún modelo configurado.",
      why: "Solo repite y cuenta.",
      fix: "Define OLLAMA_MODEL, u OPENAI_API_KEY y OPENAI_MODEL, en .env.",
    },
    answers: (id, can) => `${id} responde: ${can}.`,
    can: {
      tools: "herramientas",
      noTools: "sin herramientas",
      pictures: "imágenes",
      noPictures: "sin imágenes",
      window: (tokens) => `ventana de ${n(tokens)} tokens`,
      price: (input, output) => `${input} / ${output} por millón de tokens`,
    },
    noPrice: {
      what: (id) => `El precio de ${id} es desconocido.`,
      why: "Su coste no aparece en /usage ni en el panel.",
      whyLimits: "Los límites de coste no cuentan lo que gasta, así que nunca lo detienen.",
      fix: "Define usdPerMillionTokens: { input: …, output: … } para él en models de parley.yaml; ambos son 0 si no cuesta nada.",
    },
    noTools: {
      what: (id) => `${id} no puede usar herramientas.`,
      why: "No puede consultar, calcular ni recordar nada.",
      fix: "Elige un modelo con herramientas, o define tools: true para él en models de parley.yaml.",
    },
    brokenCalls: {
      what: (id, times) =>
        `${id} ha usado mal las herramientas ${counted(times, { one: "vez", other: "veces" })} en las últimas 24 horas.`,
      why: "En lugar de una respuesta solo llegó una disculpa. Casi siempre, el modelo o su servidor escribe la petición como texto.",
      fix: "Activa el analizador de herramientas de su servidor (en vLLM: --enable-auto-tool-choice --tool-call-parser), actualiza su plantilla de chat, o elige otro modelo.",
    },
    smallWindow: {
      what: (taken, window, id) =>
        `El prompt y las herramientas ocupan unos ${n(taken)} de los ${n(window)} tokens de ${id}.`,
      why: "Queda poco para la conversación: se resume pronto y se olvida antes.",
      fix: "Aumenta contextWindow para él en models de parley.yaml, u ofrece menos herramientas.",
    },
    failing: {
      why: "En lugar de una respuesta solo llega una disculpa.",
      demo: "La demostración",
      server: (host) => `El servidor del modelo ${host}`,
      unknownHost: "en la dirección configurada",
      unreachable: (server, id, cause) => `${server} no responde, así que ${id} tampoco: ${cause}`,
      refusesKey: (server, id, cause) => `${server} rechaza la clave de ${id}: ${cause}`,
      noCredit: (server, id, cause) =>
        `${server} acepta la clave de ${id}, pero la cuenta no tiene saldo: ${cause}`,
      notPulled: (model) => `Ollama no tiene ${model}.`,
      notServed: (server, model, cause) => `${server} no ofrece ${model}: ${cause}`,
      busy: (server, id, cause) =>
        `${server} está ocupado o ha agotado su cuota, así que ${id} no responde: ${cause}`,
      refused: (server, id, cause) => `${server} ha rechazado una petición a ${id}: ${cause}`,
    },
    fix: {
      startOllama: "Arráncalo (ollama serve), o corrige OLLAMA_HOST.",
      start: "Arráncalo, o corrige su dirección (OPENAI_BASE_URL, o providers en parley.yaml).",
      key: "Corrige OPENAI_API_KEY (o apiKey del proveedor en parley.yaml).",
      login:
        "Corrige las credenciales en OLLAMA_HOST (http://user:password@host), o pregunta a la persona que administra el servidor.",
      credit:
        "Recarga la cuenta en la página de facturación del proveedor, o aumenta el límite de gasto de la clave.",
      pull: (model) => `Ejecuta: ollama pull ${model}`,
      name: "Cambia OPENAI_MODEL (o tiers en parley.yaml) a un modelo que tenga.",
      second: "Inténtalo más tarde, o añade un segundo modelo en tiers de parley.yaml.",
      seeLog: "Mira su registro.",
    },
  },
  memory: {
    made: (model, dimensions) =>
      `${model} genera embeddings (${counted(dimensions, dimensiones)}).`,
    failing: {
      what: (model, cause) => `${model} no genera embeddings: ${cause}`,
      why: "Lo dicho solo se encuentra por palabras clave.",
      fix: "Mira el registro del servidor, y memory.embeddings en parley.yaml.",
      fixModel: "Cambia memory.embeddings en parley.yaml a un modelo que genere embeddings.",
    },
    vectorsOf: (model, dimensions) => `${model} (${counted(dimensions, dimensiones)})`,
    inChats: (vectors, chats) => `${vectors} en ${n(chats)}`,
    stored: (vectors) => `Los vectores guardados son de ${vectors}.`,
    otherStored: {
      what: (vectors, others) =>
        `No todos los chats tienen vectores de ${vectors}. Otros: ${others}.`,
      why: "Hasta que se vuelvan a generar, en esos chats solo se busca por palabras clave.",
      fix: "Nada, si memory.embeddings se cambió a propósito: los vectores de un chat se vuelven a generar tras su próxima respuesta.",
    },
  },
  search: {
    works: (provider) => `La búsqueda web (${provider}) encuentra páginas.`,
    fails: (cause) => `La búsqueda web falla: ${cause}`,
    findsNothing: "La búsqueda web no encuentra nada.",
    why: "El modelo no puede consultar nada.",
    fix: {
      again: "Inténtalo dentro de un minuto; si sigue fallando, mira el estado del proveedor.",
      engines:
        "Mira la página …/stats de SearXNG: puede que los buscadores que consulta lo rechacen.",
      start: "Arranca SearXNG, o corrige webSearch.url.",
      address: "Corrige webSearch.url en parley.yaml: ahí responde otra cosa.",
      json: "Añade json a search.formats en el settings.yml de SearXNG (como en deploy/searxng).",
      login: "Pon en webSearch.url una dirección sin inicio de sesión.",
      account: (url) => `Revisa la clave y su plan en ${url}.`,
    },
  },
  mcp: {
    offers: (name, tools) => `El servidor MCP «${name}» ofrece ${counted(tools, herramientas)}.`,
    partly: {
      what: (name, tools, more, problem) =>
        `El servidor MCP «${name}» ofrece ${counted(tools, herramientas)}; otras que no se pueden usar: ${n(more)}. ${problem}`,
      why: "El modelo no ve las que no se pueden usar.",
      fix: "Corrige o actualiza el servidor.",
    },
    failing: {
      what: (name, cause) => `El servidor MCP «${name}» no se puede usar: ${cause}`,
      why: "El modelo no tiene ninguna de sus herramientas.",
      fixCommand: (setting, command) =>
        `Ejecuta su comando a mano, y corrige ${setting} en parley.yaml: ${command}`,
      fixUrl: (setting) => `Arráncalo, o corrige ${setting} en parley.yaml.`,
      fixHeaders: (setting) =>
        `Corrige el token o la clave en ${setting} en parley.yaml, o dale acceso al servidor.`,
      fixBusy: "Espera unos minutos: el servidor limita la frecuencia de las consultas.",
      fixServer: "Mira el registro del servidor o pregunta a quien lo administra.",
    },
  },
  personas: {
    usable: (count) =>
      `${counted(count, { one: "personaje se puede usar", other: "personajes se pueden usar" })}.`,
    folder: {
      what: (cause) => `La carpeta de personajes no se puede usar: ${cause}`,
      why: "Parley no arranca sin ella.",
      fix: "Cambia personas.folder en parley.yaml, o los permisos de lectura.",
    },
    leftOut: {
      what: (problem) => `Un personaje se queda fuera: ${problem}`,
      why: "Nadie puede elegirlo.",
      fix: (folder) => `Cambia el archivo en ${folder}; Parley se da cuenta solo.`,
    },
    noDefault: {
      what: (name, folder) =>
        `personas.default indica «${name}», pero en ${folder} no existe ese personaje.`,
      why: "Parley no arranca sin él.",
      fix: (file) => `Crea ahí ${file}, o cambia personas.default en parley.yaml.`,
    },
  },
  skills: {
    usable: (count) =>
      `${counted(count, { one: "habilidad se puede usar", other: "habilidades se pueden usar" })}.`,
    files: {
      what: (problems) => `Hay problemas en archivos de habilidades: ${problems}`,
      why: "Los archivos excluidos no se usan, y puede que el resto no sea lo que quería su autor.",
      fix: "Corrige esos archivos, o quítalos.",
    },
    waiting: {
      what: (names) => `Estas habilidades están pendientes de revisión: ${names}.`,
      why: "Hasta entonces ningún modelo las ve.",
      fix: "Envía /skills review al bot.",
    },
  },
  tools: {
    every: "todas las herramientas",
    auto: {
      what: (match, tools) => `La regla para ${match} permite auto para ${tools}.`,
      why: "Tras /settings permissions auto se ejecutan sin preguntar, y lo que hacen no se puede deshacer.",
      fix: "En tools.rules de parley.yaml, permite auto solo a herramientas que puedan ejecutarse sin supervisión.",
    },
  },
};
