import { countedIn, groupedIn } from "./counted.ts";
import type { Locale } from "./locale.ts";

const counted = countedIn("es");
const grouped = groupedIn("es");
const turns = (count: number): string => counted(count, { one: "turno", other: "turnos" });
const waitingMessages = (count: number): string =>
  counted(count, {
    one: "mensaje que esperaba",
    other: "mensajes que esperaban",
  });
const entriesOf = (count: number): string => counted(count, { one: "entrada", other: "entradas" });
const minutesOf = (count: number): string => counted(count, { one: "minuto", other: "minutos" });

export const es: Locale = {
  ingress: {
    notAllowed: "No tienes permiso para usar este bot.",
    adminsOnly: (command) => `No tienes permiso para usar /${command}: es para administradores.`,
    membersOnly: (command) =>
      `No tienes permiso para usar /${command}: es para miembros, y tú eres invitado.`,
    ownersOnly: (command) => `No tienes permiso para usar /${command}: es para los propietarios.`,
    noCommand: (command) => `No existe el comando /${command}. /help los muestra todos.`,
    wroteNothing: "No has escrito nada. ¿Qué puedo hacer por ti?",
    tooLong: (length, limit) =>
      `Ese mensaje tiene ${length} caracteres; acepto hasta ${limit}. Envíalo por partes.`,
    full: "Hay demasiados mensajes en espera en este chat. Este no se guarda, ni los que sigan mientras no haya sitio: envíalos de nuevo más tarde, por favor.",
    notKept: (errorId) =>
      `Lo siento, mi almacenamiento está lleno. Tu mensaje no se guarda: envíalo de nuevo más tarde, por favor. (${errorId})`,
    notDone: (errorId) =>
      `Lo siento, mi almacenamiento está lleno: ahora no puedo hacerlo. Inténtalo más tarde, por favor. (${errorId})`,
    tapTooOld: "Este botón no es mío o es demasiado antiguo.",
    tapTooLate: "Eso llegó demasiado tarde. Tócalo otra vez, por favor.",
  },

  files: {
    noVoice: "Aquí no puedo escuchar mensajes de voz. Escríbelo, por favor: no se ha guardado.",
    noImage: (name) => `${name} no es una imagen que pueda leer: acepto PNG, JPEG, GIF y WebP.`,
    noText: (name) =>
      `${name} es de un tipo que no puedo leer. Acepto imágenes (PNG, JPEG, GIF, WebP), PDF y archivos de texto.`,
    reading: (name) => `leyendo ${name} …`,
    nameless: {
      image: "La imagen",
      document: "El documento",
      voice: "El mensaje de voz",
    },
    tooMany: (count, limit) => `Ese mensaje tiene ${count} archivos; acepto hasta ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} es demasiado grande: ${megabytes} MB. Acepto archivos de hasta ${limit} MB.`,
    chatIsFull: (count, megabytes) =>
      `Este chat ya tiene tantos archivos como guardo de uno: ${count}, o ${megabytes} MB al día. Vuelve a enviarlo más tarde.`,
    empty: (name) => `${name} no tiene contenido.`,
  },

  inPrivate: {
    askThere: "Eso es privado: escríbeme directamente y pregunta allí.",
    full: "Lo siento, ya hay demasiado en espera para enviarte en privado. Inténtalo más tarde, por favor.",
    answered: "Te he respondido en privado.",
    writeFirst: "Si no te ha llegado nada, escríbeme una vez directamente y pregunta de nuevo.",
    askedIn: (group) => `Has preguntado en el grupo ${group}; «este chat» es ese grupo:`,
    topic: (thread) => `tema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} pide usar este bot.`,
    code: (code) => `Código: ${code}`,
    allow: "Permitir",
    deny: "Rechazar",
    yourCode: (code) =>
      `Todavía no tienes permiso para usar este bot. Un administrador puede dejarte entrar: tu código es ${code}.`,
    unknownCode: "Este código es desconocido, ha caducado o ya se ha decidido.",
    isAdmin: (who) => `${who} ya es administrador.`,
    allowed: (who, admin) => `${who}: permitido por ${admin}.`,
    denied: (who, admin) => `${who}: rechazado por ${admin}.`,
    youMay: "Ya puedes usar este bot. Escríbeme lo que quieras.",
    mayUse: (who) => `${who} ya puede usar este bot.`,
    neither: (typed) =>
      `${typed} no es ni un código de 8 letras y cifras, ni un nombre como @sam, ni un identificador como telegram:12345.`,
    adminsDecide: "No tienes permiso para decidir esto: puede hacerlo un administrador.",
  },

  start: {
    youAreOwner: "Este bot ahora es tuyo. /help muestra lo que puedes hacer.",
    hello: (place) => `Respondo preguntas ${place}: solo escríbeme.`,
    places: {
      telegram: "aquí en Telegram",
      discord: "aquí en Discord",
      console: "en este terminal",
    },
    tools: (count) =>
      `Puedo usar ${counted(count, { one: "herramienta", other: "herramientas" })} (mira /tools). Lo que necesita aprobación solo lo hago cuando has tocado «Aprobar».`,
    noTools: "Lo que necesita aprobación solo lo hago cuando has tocado «Aprobar».",
    direct: "Aquí respondo a todo; en un grupo, mencióname o responde a un mensaje mío.",
    mention: "En este grupo respondo a quien me menciona, me responde o envía un comando.",
    always: "En este grupo respondo a todos los mensajes.",
    privacy: (model) =>
      `Lo que escribes se guarda y lo lee el modelo ${model}. /export te lo da todo, /forget lo borra, /help muestra el resto.`,
    question: "¿Qué hora es en Tokio?",
    showTools: "Muestra tus herramientas",
    showSettings: "Muestra los ajustes",
  },

  help: {
    groups: {
      talk: "Conversación",
      choose: "Cómo trabajo",
      look: "Qué está pasando",
      data: "Tus datos",
      admin: "Para administradores",
    },
    more: "/help <comando> dice más sobre uno.",
    alias: (names) => `También: ${names}.`,
  },

  contact: {
    noOwner:
      "¡Hola! Este bot es privado y todavía no tengo propietario. Si eres tú quien me ejecuta, abre el enlace de la terminal.",
    wrongCode: "Ese código no es correcto. Abre otra vez el enlace de la terminal.",
    waiting: "Estas personas quieren usar este bot:",
    more: (count) => `… y ${count} más.`,
    nobodyWaits: "Nadie espera a que le des acceso.",
    howToAllow: "/allow y un código da acceso a alguien.",
    greeting: "Hola, soy Parley. Mencióname o respóndeme, y contestaré.",
    seeHelp: "/help muestra lo que sé hacer.",
    askedOwner: "Todavía no conozco este grupo. Le he pedido a mi propietario que lo acepte.",
    letIn: (place) => `¿Aceptar ${place}?`,
    addedBy: (who) => `${who} me ha añadido.`,
    leave: "Salir",
    placeAllowed: (place, admin) => `${admin} ha aceptado ${place}.`,
    placeLeft: (place, admin) => `${admin} me ha sacado de ${place}.`,
    stillAtLimit: "Sigues en este límite.",
    silent: "Esto tarda: el modelo todavía no ha dicho nada. /stop lo cancela.",
  },

  errors: {
    cause: (cause) => `Causa: ${cause}`,
    fix: {
      "rate-limited":
        "Espera un minuto, o añade en parley.yaml un segundo modelo al nivel, que entonces responderá en su lugar.",
      overloaded:
        "Inténtalo más tarde, o añade en parley.yaml un segundo modelo al nivel, que entonces responderá en su lugar.",
      timeout:
        "El servidor del modelo es demasiado lento. Prueba un modelo más pequeño, o mira si el servidor está ocupado.",
      network:
        "Arranca el servidor del modelo (con Ollama: ollama serve), o corrige su dirección (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Usa un modelo con una ventana de contexto mayor, o menos herramientas.",
      auth: "Revisa la clave de API (OPENAI_API_KEY, o apiKey en parley.yaml) y el saldo de la cuenta.",
      "invalid-request":
        "Revisa el nombre del modelo (OPENAI_MODEL, OLLAMA_MODEL, o tiers en parley.yaml). Ollama necesita: ollama pull <modelo>",
      refused: "El proveedor ha rechazado esta petición. Prueba otro modelo con /model.",
      empty: "El modelo no ha respondido nada. Prueba otro modelo con /model.",
      poisoned:
        "Un worker se ha caído tres veces en este paso. Busca el código del error en el registro.",
    },
    heading: (id) => `Error ${id}`,
    latest: "Los errores más recientes (UTC):",
    when: (time) => `Cuándo: ${time} UTC`,
    model: (model) => `Modelo: ${model}`,
    trace: (chat) => `Más en la consola: npm run trace -- ${chat}`,
    none: "Últimamente no ha habido errores.",
    unknown: (typed, days) =>
      `No conozco ningún error ${typed}. Recuerdo los más recientes durante ${days} días; puede que el registro tenga más.`,
  },

  menu: {
    pending: { description: "Quién pide usar este bot" },
    error: {
      description: "Lo que sé de un error",
      id: "El código entre paréntesis bajo el error; vacío para los más recientes",
    },
    pause: {
      pause: "No abrir más turnos, en todas partes o en una plataforma",
      resume: "Continuar después de /pause",
      platform: "Dónde; si falta, en todas partes",
      now: "Detener también lo que está en marcha",
    },
    audit: {
      description: "Quién hizo qué, lo más nuevo primero",
      count: "Cuántas líneas",
      who: "Solo lo que toca a alguien, por @nombre o id",
      what: "Solo un tipo, o export para todo en un archivo",
    },
    stats: { description: "Cómo va esta instalación" },
    broadcast: {
      description: "Enviar un mensaje a todos los chats",
      text: "El mensaje",
    },
    start: {
      description: "Qué hace este bot",
      code: "Un código que te convierte en el primer administrador",
    },
    help: {
      description: "Todos los comandos",
      command: "Cuál; todos si no se indica",
    },
    new: { description: "Empezar una conversación nueva" },
    stop: { description: "Detener lo que estoy haciendo" },
    retry: { description: "Responder de nuevo a tu último mensaje" },
    undo: { description: "Olvidar tu último mensaje y mi respuesta" },
    compact: {
      description: "Resumir lo dicho para que vuelva a haber espacio",
    },
    auto: {
      description: "Trabajar por mi cuenta hacia un objetivo, en varios turnos",
      goal: "Qué hay que conseguir; hasta 2000 caracteres",
      turns: (limit, usual) =>
        `Cuántos turnos como máximo: de 1 a ${limit}, ${usual} si no se indica`,
    },
    tier: {
      description: "Cuánto modelo responde: fast, smart, deep …",
      tier: "Qué nivel; default anula la elección",
    },
    model: {
      description: "A qué modelo se pregunta primero",
      model: "El nombre de un modelo o parte de él; default anula la elección",
    },
    for: "me, o chat: para todos aquí; me si no se indica",
    settings: {
      description: "Cómo me comporto en este chat y cuánto puede costar un turno",
      name: "Cuál; todos si no se indica",
      value: "El nuevo valor; default lo anula",
    },
    activation: {
      description: "A qué mensajes de este grupo respondo",
      when: "mention: los que me mencionan o me responden; always: todos",
    },
    language: {
      description: "El idioma en el que te hablo",
      language: "Cuál; auto: el de tu aplicación",
    },
    status: { description: "Qué estoy haciendo en este chat" },
    approvals: {
      description: "Qué espera una aprobación en este chat",
      id: "Una llamada: te muestra sus valores ocultos solo a ti",
    },
    approve: {
      description: "Aprobar lo que he pedido",
      id: "Su ID, y un número para una de varias llamadas (ver /approvals)",
      always:
        "Cuánto tiempo puede repetirse sin preguntar, p. ej. 1h; los admins pueden añadir any",
    },
    deny: {
      description: "Rechazar lo que he pedido",
      id: "Su ID, y un número para una de varias llamadas (ver /approvals)",
      reason: "Por qué; me lo dirán",
    },
    edit: {
      description: "Cambiar lo que he pedido, antes de aprobarlo",
      id: "Cuál; /approvals las muestra",
      change: "nombre=valor, varios, o JSON con todos los argumentos",
    },
    grants: {
      description: "Lo que puedo hacer en este chat sin volver a preguntar",
      revoke: "revoke y un número retira un permiso",
    },
    tools: { description: "Qué puedo usar y qué de ello pregunta antes" },
    todos: { description: "Ver la lista de tareas de este chat" },
    limits: {
      description: "Límites de mensajes, tokens y coste, y cuánto se ha usado",
      set: "Fijar un límite para alguien, un chat, un rol, una plataforma o todos",
      reset: "Volver al límite del archivo del operador",
      scope:
        "person, @name, un identificador como telegram:1, chat, role:member, platform o global",
      metric: "Qué se limita",
      value: "Cuánto: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Qué ha usado este chat, por modelo, y cuánto ha costado",
    },
    export: {
      description: "Todo lo que hemos dicho, en un archivo",
      format: "json para máquinas; si no se indica, markdown, para personas",
    },
    forget: {
      description: "Borrar este chat o todo lo que guardo de ti",
      what: "chat: todo este chat; me: todo lo tuyo, en todas partes",
      confirmation: "Lo que te digo que escribas, por ejemplo yes-1234",
    },
    whoami: { description: "Quién eres para mí" },
    role: {
      description: "Tu rol y lo que te permite",
      give: "Dar un rol a alguien",
      person: "De quién; sin ello ves el tuyo",
      role: "El nuevo rol",
    },
    allow: {
      description: "Dejar entrar a alguien, o a todos en este chat",
      person: "A quién",
      code: "El código que le dio el bot, un identificador como telegram:12345, here o server",
    },
    ban: {
      description: "Excluir a alguien, o callar en este chat",
      person: "A quién",
      reason: "Por qué; queda en el registro de auditoría",
      place: "En lugar de una persona: este chat o todo el servidor",
    },
    unban: {
      description: "Retirar una exclusión, o lo dicho de este chat",
      person: "A quién",
      place: "En lugar de una persona: este chat o todo el servidor",
    },
    admins: { description: "Quién lleva este bot" },
  },

  control: {
    full: "Hay demasiados mensajes en espera en este chat: hay un límite. Inténtalo más tarde, por favor.",
    begun: "Un momento.",
    dropped: (count) =>
      count === 1
        ? `Descartado ${waitingMessages(count)}.`
        : `Descartados ${waitingMessages(count)}.`,
    onlyTheirs: {
      stop: (name) => `Solo ${name} o un administrador puede detener esta respuesta.`,
      undo: (name) => `Solo ${name} o un administrador puede deshacer ese mensaje.`,
      retry: (name) => `Solo ${name} o un administrador puede pedir otra respuesta a ese mensaje.`,
    },
    nothingToStop: "No hay nada que detener.",
    stopped: "Detenido.",
    stoppedAndDropped: (count) =>
      count === 1
        ? `Detenido, y descartado ${waitingMessages(count)}.`
        : `Detenido, y descartados ${waitingMessages(count)}.`,
    newAfterAnswer: "Termino la respuesta actual y después empiezo una conversación nueva.",
    newConversation: "Una conversación nueva: ya no veo lo que dijimos antes.",
  },

  auto: {
    running: (step, of) =>
      `/auto ya está trabajando en algo, turno ${step} de ${of}. /stop lo termina.`,
    begun: (of) =>
      of === 1
        ? `Trabajo en ello por mi cuenta, durante ${turns(of)}. /stop lo termina.`
        : `Trabajo en ello por mi cuenta, hasta ${turns(of)}. /stop lo termina.`,
    noGoal: "¿Cuál es el objetivo? Escribe /auto <objetivo> [turnos].",
    badTurns: (limit, typed) => `/auto acepta de 1 a ${limit} turnos, no ${typed}.`,
    numberHint: "Si el número es parte del objetivo, escribe detrás el número de turnos.",
    goalTooLong: (length, limit) =>
      `El objetivo tiene ${length} caracteres; el límite es ${limit}.`,
    ended: (step) => `/auto termina aquí, después de ${turns(step)}.`,
    done: (step) => `/auto ha acabado, después de ${turns(step)}.`,
    atLimit: (of) =>
      `/auto ha llegado a su límite de ${turns(of)}. Envía /auto otra vez para seguir.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Tu nivel es ${value}: ${reason}.`,
      chats: (value) => `El nivel de este chat es ${value}.`,
      yoursIsNow: (value) => `Tu nivel es ahora ${value}.`,
      chatsIsNow: (value) => `El nivel de este chat es ahora ${value}.`,
      yoursIsDefault: "Para ti vale otra vez el nivel habitual.",
      chatsIsDefault: "Para este chat vale otra vez el nivel habitual.",
      notForChat:
        "No tienes permiso para elegir el nivel de este chat: puede hacerlo un administrador.",
      notAnonymously: "Escribes de forma anónima, así que no se permite un nivel propio.",
      noneOfYours:
        "No has elegido ningún nivel: vale balanced, u otro cuando un mensaje lo necesita.",
      noneOfChats:
        "Este chat no tiene ningún nivel fijado: vale balanced, u otro cuando un mensaje lo necesita.",
    },
    model: {
      yours: (value, reason) => `Tu modelo es ${value}: ${reason}.`,
      chats: (value) => `El modelo de este chat es ${value}.`,
      yoursIsNow: (value) => `Tu modelo es ahora ${value}.`,
      chatsIsNow: (value) => `El modelo de este chat es ahora ${value}.`,
      yoursIsDefault: "Para ti vale otra vez el modelo habitual.",
      chatsIsDefault: "Para este chat vale otra vez el modelo habitual.",
      notForChat:
        "No tienes permiso para elegir el modelo de este chat: puede hacerlo un administrador.",
      notAnonymously: "Escribes de forma anónima, así que no se permite un modelo propio.",
      noneOfYours: "No has elegido ningún modelo: decide el nivel.",
      noneOfChats: "Este chat no tiene ningún modelo fijado: decide el nivel.",
    },
    byYou: "lo elegiste tú",
    byChat: "está fijado para este chat",
    gone: (value) => `Antes se había elegido ${value}, que ya no existe.`,
    hidden: (count, command) =>
      `Hay ${count} más que no se muestran: /${command} los encuentra por una parte de su nombre.`,
    how: (command) =>
      `/${command} <nombre> elige para ti, /${command} <nombre> chat para todos aquí, /${command} default lo anula.`,
    notHere: "No tienes permiso para cambiarlo aquí.",
    adminsHere: "No tienes permiso para cambiarlo aquí: puede hacerlo un administrador.",
    replacesYours: (model) => `Sustituye a tu propio modelo, ${model}.`,
    replacesChats: (model) => `Sustituye al modelo del chat, ${model}.`,
    yoursFirst: (value) => `Para ti sigue contando primero tu propia elección, ${value}.`,
    noTier: (typed, tiers) => `No existe el nivel ${typed}. Hay: ${tiers} y default.`,
    noModel: (typed) => `No existe el modelo ${typed}.`,
    several: (typed, models) => `${typed} puede referirse a más de un modelo: ${models}.`,
    thereAre: (names) => `Hay: ${names}.`,
    didYouMean: (name) => `¿Querías decir ${name}?`,
    andMore: (names, count) => `${names} y ${count} más`,
    order: (models) => `Se pregunta en este orden: ${models}.`,
    sameAs: (tier, same) => `${tier}: aquí es lo mismo que ${same}`,
  },

  settings: {
    heading: "En este chat:",
    how: "/settings <nombre> <valor> cambia uno, /settings <nombre> default lo anula.",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <valor> lo cambia.`
        : `/settings ${name} <valor> lo cambia: ${expected}.`,
    isDefaultAgain: (name, value) => `${name} vuelve a ser lo habitual: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} no puede ser ${typed}: ${expected}.`,
    isNow: (name, value) => `${name} es ahora ${value} en este chat.`,
    noneChosen: (kind) => `${kind}: sin elegir (mira /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (tu propia elección; mira /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (fijado para este chat; mira /${kind})`,
    default: (name, value) => `${name}: ${value} (lo habitual)`,
    own: (name, value, fallback) =>
      `${name}: ${value} (fijado para este chat; lo habitual: ${fallback})`,
    adminsOnly: (name) => `No tienes permiso para cambiar ${name}: puede hacerlo un administrador.`,
    adminsInGroups: (name) =>
      `No tienes permiso para cambiar ${name} en un grupo: puede hacerlo un administrador.`,
    which: "¿Qué ajuste?",
    unknown: (typed) => `No existe el ajuste ${typed}.`,
    expectedCount: (min, max) => `se espera un número entero de ${min} a ${max}`,
    expectedDuration: "se espera una duración como 15m o 24h",
    expectedUsd: "se esperan dólares estadounidenses, como 5usd",
    orOff: (expected) => `${expected}, u off`,
    expectedOther: "se espera otra cosa",
    expectedWords: (words) => `se espera ${words} o default`,
  },

  activation: {
    direct: "Aquí solo me escribes tú: respondo a todo.",
    mention: "Respondo a quien me menciona, me responde o envía un comando.",
    always: "Respondo a todos los mensajes de este grupo.",
    how: "/activation mention o /activation always lo cambia.",
    telegramHint:
      "Para eso tengo que ver todos los mensajes: hazme administrador de este grupo o desactiva mi modo de privacidad con @BotFather.",
    discordHint:
      "Para eso tengo que ver todos los mensajes: quien me opera activa discord.messageContent.",
    unknown: (typed) => `/activation acepta mention o always, no ${typed}.`,
  },

  language: {
    name: "Español",
    isNow: "Ahora te hablo en español.",
    isAuto: "Te hablo como diga tu aplicación: en español.",
    is: "Te hablo en español porque lo elegiste.",
    how: (codes) => `/language <${codes}> lo cambia, /language auto sigue a tu aplicación.`,
    unknown: (typed, codes) => `No tengo el idioma ${typed}. Hay: ${codes} y auto.`,
    notAnonymously: "Escribes de forma anónima, así que no se permite un idioma propio.",
  },

  status: {
    idle: "No hay nada en marcha.",
    queued: "Espero a un worker libre.",
    running: "Estoy trabajando.",
    waiting: "Espero a que alguien apruebe o rechace.",
    auto: (step, of) => `/auto: turno ${step} de ${of}. /stop lo termina.`,
    queue: (count) => `Mensajes en espera: ${count}.`,
    model: (models) => `Modelo: ${models}.`,
    tier: (tier) => `Nivel: ${tier}.`,
    noTier: "Nivel: balanced, u otro cuando un mensaje lo necesita.",
    remembered: (count) => `Entradas en esta conversación: ${count}.`,
  },

  approvals: {
    none: "En este chat nada espera una aprobación.",
    heading: (count) =>
      `${counted(count, { one: "llamada espera", other: "llamadas esperan" })} una aprobación:`,
    askedFor: (person) => `para ${person}`,
    expiresIn: (time) => `caduca en ${time}`,
    more: (count) => `Y ${count} más.`,
    hiddenValues: (tool) => `Valores ocultos de ${tool}:`,
    nothingHidden: "Ahí no hay nada oculto.",
  },

  decisions: {
    otherChat: "Este botón no es de este chat o es demasiado antiguo.",
    otherMessage: "Este botón no es de este mensaje.",
    notAllowed: (who) => `No tienes permiso para decidir esto: puede hacerlo ${who}.`,
    anAdmin: "un administrador",
    orAnAdmin: (name) => `${name} o un administrador`,
    anOwner: "un propietario",
    aMember: "cualquier miembro",
    both: (one, other) => `${one} y ${other}`,
    counted: "Contado: 1 de 2. Otra persona también debe aprobarlo.",
    countedBefore: "Ya lo has aprobado. Otra persona también debe aprobarlo.",
    approved: "Aprobado.",
    denied: "Rechazado.",
    approvedOf: (done, of) => `Aprobadas: ${done} de ${of}.`,
    deniedOf: (done, of) => `Rechazadas: ${done} de ${of}.`,
    approvedBy: (name) => `Aprobado por ${name}.`,
    deniedBy: (name) => `Rechazado por ${name}.`,
    deniedBecause: (name, reason) => `Rechazado por ${name}: ${reason}`,
    undecided: "Caducado: nadie decidió a tiempo, así que se rechazó.",
    expired: "Esto ha caducado.",
    tooLate: "Eso tardó demasiado y no cuenta. Tócalo otra vez, por favor.",
    tooOld: "Este botón es demasiado antiguo.",
    already: {
      pending: "Esto todavía no se ha decidido.",
      approved: "Esto ya está aprobado.",
      denied: "Esto ya está rechazado.",
      expired: "Esto ha caducado.",
      superseded: "Esto ya está reemplazado.",
      cancelled: "Esto ya está cancelado.",
      changed: "Esto ya se ha cambiado: la tarjeta más nueva de abajo pregunta por ello.",
    },
    changed: "Cambiado. La llamada se muestra otra vez, para aprobarla con el cambio.",
    changedBy: (name) => `Cambiado por ${name}: se pregunta de nuevo abajo.`,
    alreadyChangedBy: (name) =>
      `${name} ya ha cambiado esto: la tarjeta más nueva de abajo pregunta por ello.`,
    alreadyApprovedBy: (name) => `Esto ya fue aprobado por ${name}.`,
    alreadyDeniedBy: (name) => `${name} ya lo ha rechazado.`,
    superseded: "No ejecutado: lo reemplazó un mensaje más reciente.",
    stopped: "No ejecutado: detenido.",
    unknownId: (id) =>
      `Aquí no espera ninguna aprobación ${id}. /approvals muestra las que esperan.`,
    whichCard:
      "No sé a qué responde eso. Responde a la tarjeta, pulsa uno de sus botones o envía /approve <id> o /deny <id>. /approvals muestra los ID.",
    noCall: (typed, command) =>
      `Esa tarjeta no tiene ninguna llamada ${typed}. Indica una por su número: /${command} <id> 1. /approvals muestra lo que espera.`,
    which: (command) =>
      `Aquí esperan varias aprobaciones: /approvals las muestra, /${command} <id> elige una.`,
  },

  cards: {
    approve: "Aprobar",
    deny: "Rechazar",
    approveAll: "Aprobar todas",
    denyAll: "Rechazar todas",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "día", other: "días" }),
    },
    characters: (count) => grouped(count, { one: "carácter", other: "caracteres" }),
    needed: (tool) => `Hace falta una aprobación: ${tool}`,
    neededFor: (count) =>
      `Hace falta una aprobación para ${counted(count, { one: "llamada", other: "llamadas" })}:`,
    calls: (count) => `${counted(count, { one: "llamada", other: "llamadas" })}:`,
    about: (sentence) => `«${sentence}»`,
    noArguments: "Sin argumentos.",
    secretsHidden: (id) =>
      `Los secretos están ocultos en parte (••••). \`/approvals ${id}\` te los muestra en privado.`,
    showHidden: "Ver valores ocultos",
    lookalikes: (words) => `Cuidado: palabras con letras que parecen otras: ${words}.`,
    details: (call) => `Todo lo que recibiría ${call}:`,
    decides: (who) => `Decide: ${who}.`,
    twoDecide: (who) => `Deben aprobar dos personas distintas: ${who}.`,
    firstOfTwo: (name) => `1 de 2: aprobado por ${name}; falta otra persona.`,
    expiresAt: (moment) => `Caduca: ${moment}.`,
    expiresIn: (duration) => `Caduca en ${duration}.`,
    typed: (id) => `Por texto: \`/approve ${id}\` o \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Por texto: \`/approve ${id}\` para todas, \`/approve ${id}.1\` para la primera, y \`/deny\` igual.`,
    approved: (number) => `✓ ${number} aprobada`,
    approvedBy: (number, name) => `✓ ${number} aprobada por ${name}`,
    approvedFirst: (number, name) => `… ${number} aprobada por ${name}; falta otra persona`,
    denied: (number) => `✗ ${number} rechazada`,
    deniedBy: (number, name) => `✗ ${number} rechazada por ${name}`,
    expired: (number) => `✗ ${number} caducada: nadie decidió a tiempo`,
    superseded: (number) => `✗ ${number} no ejecutada: la reemplazó un mensaje más reciente`,
    stopped: (number) => `✗ ${number} no ejecutada: detenida`,
    edit: "Cambiar",
    allowFor: (span) => `Permitir durante ${span}`,
    changedNote: (name) => `${name} ha cambiado los argumentos.`,
    changedNoteOfNobody: "Alguien ha cambiado los argumentos.",
    howToChange: (id) => `Para cambiarlo antes: \`/edit ${id} nombre=valor\`.`,
    changed: (number) => `✎ ${number} cambiado`,
    changedBy: (number, name) => `✎ ${number} cambiado por ${name}`,
    erased: "Borrado.",
  },

  delivery: {
    nothingToShow: "(La respuesta no tiene nada que se pueda mostrar.)",
    fileGone: "El archivo ya no está disponible.",
    fileRefused: "Lo siento, no se pudo enviar el archivo aquí.",
    goesOn: (fileName) => `La respuesta sigue en el archivo ${fileName}, que la contiene entera.`,
    sentAgain: "enviado de nuevo: puede que ya hubiera llegado",
  },

  platform: {
    notAllowed: "No tienes permiso para hacer esto.",
    tryAgain: "Lo siento, no ha funcionado. Inténtalo de nuevo dentro de un momento, por favor.",
    notTaken: (errorId) => `Lo siento, no he podido aceptar este mensaje. (${errorId})`,
    whatAboutThis: "¿Qué me puedes decir sobre esto?",
  },

  telegram: {
    buttonIsGone: "Este botón ya no funciona.",
    fileIsGone: "Lo siento, Telegram no me da ese archivo. Envíalo otra vez, por favor.",
    fileOutOfReach:
      "Lo siento, no he podido obtener ese archivo de Telegram. Envíalo otra vez más tarde, por favor.",
    fileTooLarge: (megabytes) =>
      `Ese archivo es demasiado grande: acepto archivos de hasta ${megabytes} MB.`,
    cannot: {
      animation: "Lo siento, no puedo ver GIF. Envía una imagen en su lugar.",
      video: "Lo siento, no puedo ver vídeos. Envía una imagen, o el sonido como mensaje de voz.",
      sticker: "Lo siento, no puedo ver stickers. Envía una imagen o escríbelo.",
      paid_media: "Lo siento, no puedo abrir contenido de pago. Dime con palabras de qué se trata.",
      story: "Lo siento, no puedo abrir historias. Dime con palabras de qué se trata.",
      contact: "Lo siento, no puedo leer contactos compartidos. Escribe lo que debo saber.",
      venue: "Lo siento, no puedo leer lugares compartidos. Escribe la dirección.",
      location: "Lo siento, no puedo leer ubicaciones compartidas. Escribe el lugar.",
      poll: "Lo siento, no puedo leer encuestas. Escribe la pregunta.",
      checklist: "Lo siento, no puedo leer listas de tareas. Escríbela como una lista.",
      dice: "Lo siento, no puedo jugar a los dados. Escríbeme.",
      game: "Lo siento, no puedo jugar. Escríbeme.",
      rich_message:
        "Lo siento, no puedo leer mensajes con formato enriquecido. Envíalo como texto sencillo.",
    },
    thisFile: "este archivo",
    cannotReadPicture: (name) =>
      `Lo siento, no puedo leer la imagen ${name}. Envíala como foto, o como JPEG, PNG, WebP o GIF.`,
    cannotReadFile: (name) =>
      `Lo siento, no puedo leer ${name}. Leo texto, código, CSV, JSON, PDF, imágenes y voz.`,
  },

  discord: {
    admin: "Para los administradores de este bot",
    unknownCommand: "Este comando ya no está disponible.",
    unknownAction: "No puedo hacer nada con eso.",
    elsewhere:
      "Solo puedo responder en un mensaje directo conmigo, o en un servidor en el que esté.",
    onlyUserInstall: "Aquí no me he unido y no puedo hacerlo: úsalo en un mensaje directo conmigo.",
    mayNotWrite: "No tengo permiso para escribir en este canal, así que no puedo responder aquí.",
    mayNotAttach:
      "No tengo permiso para enviar archivos a este canal, así que no puedo hacerlo aquí.",
    delayed: "Lo siento, ahora mismo no puedo aceptarlo. Sigo intentándolo y responderé aquí.",
    unreadable: "No he podido leer eso. Inténtalo otra vez, por favor.",
    done: "Hecho.",
    doneBefore: "Lo he hecho, pero mi respuesta se perdió. Pregunta otra vez si la necesitas.",
    tooLate:
      "Lo siento, mi respuesta llegó demasiado tarde para mostrártela solo a ti. Pregunta otra vez, por favor.",
    askAboutThis: "Preguntar sobre esto",
    yourQuestion: "Tu pregunta",
    forgotten: "Lo siento, he olvidado de qué mensaje se trataba. Elígelo otra vez, por favor.",
    about: (link) => `sobre ${link}`,
    ask: "Pregúntame algo",
    askQuestion: "Lo que quieres saber o que haga",
    askFile: "Una imagen, un texto, un PDF o un archivo de sonido",
    video: (name) =>
      `No puedo ver vídeos (${name}). Acepto imágenes, textos, PDF y archivos de sonido.`,
    archive: (name) =>
      `No puedo abrir archivos comprimidos (${name}). Envía uno por uno los que contiene.`,
    picture: (name) => `No puedo ver imágenes de este tipo (${name}). Envía PNG, JPEG, GIF o WebP.`,
    otherFile: (name) =>
      `No puedo leer archivos de este tipo (${name}). Acepto imágenes, textos, PDF y archivos de sonido.`,
    sticker: "No puedo ver stickers. Dilo con palabras, por favor.",
    poll: "No puedo leer encuestas. Escribe la pregunta como mensaje, por favor.",
    fileIsGone: (name) => `Lo siento, Discord ya no tiene ${name}. Envíalo otra vez, por favor.`,
    fileFailed: (name) =>
      `Lo siento, no he podido obtener ${name} de Discord. Envíalo otra vez, por favor.`,
    fileTooLarge: (name, megabytes) =>
      `${name} es demasiado grande. Acepto archivos de hasta ${megabytes} MB.`,
  },

  tools: {
    none: "Ahora mismo no puedo usar ninguna herramienta.",
    free: "Esto lo uso por mi cuenta:",
    asking: "Para esto pido antes una aprobación:",
    sometimes: "Para esto pido una aprobación cuando importa:",
    more: (count) => `Y ${count} más.`,
  },

  todos: {
    none: "La lista de tareas está vacía. Pídeme algo que tenga varios pasos y los iré anotando aquí.",
    heading: (done, total) => `Lista de tareas: ${done} de ${total} hechas`,
  },

  usage: {
    heading: "Este chat ha usado:",
    turns: (count) => `turnos: ${count}`,
    modelCalls: (count) => `llamadas al modelo: ${count}`,
    inputTokens: (count) => `tokens de entrada: ${count}`,
    outputTokens: (count) => `tokens de salida: ${count}`,
    about: (amount) => `unos ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "petición", other: "peticiones" })}, ${input} tokens de entrada y ${output} de salida`,
    costUnknown: "coste desconocido",
    cost: (amount) => `coste: ${amount}`,
    unknown: "desconocido",
    andUnpriced: (amount) => `${amount}, más lo que no tiene precio conocido`,
  },

  limits: {
    whose: {
      you: "para ti",
      thisChat: "para este chat",
      everybody: "para todos juntos",
    },
    role: (role) => `para ti, con el rol ${role}`,
    platform: (platform) => `para todos en ${platform}`,
    ofPerson: (person) => `de ${person}`,
    ofChat: (chat) => `del chat ${chat}`,
    hit: (limit, whose, used) => `Se ha alcanzado un límite: ${limit} (${whose}). Usado: ${used}.`,
    needs: (amount) => `Una respuesta puede necesitar hasta ${amount}: más de lo que queda.`,
    resets: (when) => `Se restablece ${when}.`,
    notKept: "Este mensaje no se guarda.",
    nearly: (percent, limit, whose, used) =>
      `Se ha usado el ${percent} % de un límite: ${limit} (${whose}). Usado: ${used}.`,
    slowDown: (limit) =>
      `Demasiados comandos: el límite es ${limit}. Se restablece en un minuto como mucho.`,
    heading: "Estos límites valen para ti en este chat:",
    none: "En este chat no hay ningún límite para ti.",
    used: (used, when) => `usado: ${used}, se restablece ${when}`,
    running: (count) => `en marcha: ${count}`,
    setHeading: "Fijado desde los chats:",
    more: (count) => `… y ${count} más`,
    ofTurn: "de un turno",
    how: "/limits set <ámbito> <magnitud> <valor> fija un límite, /limits reset <ámbito> [magnitud] vuelve a lo que dice el archivo del operador.\nÁmbitos: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Valores: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "No tienes permiso para cambiar los límites: es para administradores.",
    adminsOfAll: "No tienes permiso para cambiar este límite: puedes fijar los de este chat.",
    badAction: (typed) => `/limits no sabe ${typed}: se esperaba set, reset o nada.`,
    badScope: (typed) =>
      `${typed} no es un ámbito: se esperaba person, @name, un identificador como telegram:1, chat, chats, role:member, platform:telegram o global.`,
    badMetric: (typed, metrics) => `${typed} no se puede limitar: se esperaba ${metrics}.`,
    badValue: (typed, metric, example, per) =>
      `${typed} no es un límite de ${metric}: se esperaba uno como ${example}, por ${per}, u off.`,
    isNow: (scope, limit, before) =>
      `El límite para ${scope} es ahora ${limit}. Antes: ${before}. Vale desde el próximo mensaje.`,
    isReset: (scope, limit, before) =>
      `El límite para ${scope} vuelve a ser el del archivo del operador: ${limit}. Antes: ${before}.`,
    notSet: "ninguno",
    nothingSet: (scope) =>
      `Para ${scope} no se había fijado nada desde un chat: no hay nada que restablecer.`,
    yoursToday: (used) => `Tú, hoy: ${used}.`,
    yoursThisMonth: (used) => `Tú, este mes: ${used}.`,
    allToday: (used) => `Todos, hoy: ${used}.`,
    allThisMonth: (used) => `Todos, este mes: ${used}.`,
    amounts: (messages, tokens, cost) => `mensajes: ${messages}, tokens: ${tokens}, coste: ${cost}`,
  },

  whoami: {
    name: (name) => `Nombre: ${name}`,
    id: (id) => `Identificador: ${id}`,
    role: (role) => `Rol: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Escribes de forma anónima: aquí no puedes decidir nada.",
    place: (place) => `En las listas de lugares: ${place}`,
    adminHere:
      "Administras este grupo: para sus ajustes, aprobaciones y límites cuentas aquí como administrador.",
    may: {
      owner: "Este bot es tuyo: puedes usarlo todo y nadie cambia eso desde un chat.",
      admin:
        "Puedes usarlo todo: hablar conmigo, decidir lo que pido, cambiar ajustes y dejar entrar a gente.",
      member: "Puedes hablar conmigo, decidir lo que te pido y cambiar lo que solo te afecta a ti.",
      guest: "Puedes hablar conmigo aquí; los miembros deciden lo que pido.",
      stranger: "Todavía no tienes permiso para hablar conmigo.",
      banned: "No tienes permiso para hablar conmigo.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `No conozco a nadie llamado ${typed}. Quien nunca me ha escrito debe nombrarse con un identificador como telegram:12345.`,
    whom: (command) =>
      `¿A quién te refieres? Responde a un mensaje suyo con /${command}, o nómbralo: /${command} @name, o un identificador como telegram:12345.`,
    anonymous: (who) =>
      `${who} escribe de forma anónima, quizá por muchos: a eso no se le puede dar un rol.`,
    adminsOnly: "No tienes permiso para cambiar roles: puede hacerlo un administrador.",
    ownersOnly:
      "No tienes permiso para hacer eso: solo los propietarios nombran administradores o los retiran.",
    ownerStays: (who) =>
      `No tienes permiso para cambiar eso: este bot es de ${who}, y ningún chat lo cambia.`,
    fileBans: (who) => `Los ajustes del operador excluyen a ${who}: hay que cambiarlo allí.`,
    fileAllows: (who) => `Los ajustes del operador dejan entrar a ${who}: hay que cambiarlo allí.`,
    isNow: (who, role) => `${who} tiene ahora el rol ${role}.`,
    isAlready: (who, role) => `${who} ya tiene el rol ${role}.`,
    banned: (who) => `${who} ya no puede usar este bot.`,
    unbanned: (who) => `${who} ya no está excluido.`,
    notBanned: (who) => `${who} no está excluido.`,
    noRole: (typed) => `${typed} no es un rol que se pueda dar: se esperaba admin, member o guest.`,
    whichRole: "¿Qué rol? Hay admin, member y guest.",
    placeAllowed: (place) =>
      `Todos en ${place} pueden ahora hablar conmigo. Quien no tiene un rol propio es allí un invitado.`,
    placeBanned: (place) =>
      `Ahora callo en ${place}. Lo que dicen los administradores lo sigo oyendo.`,
    placeCleared: (place) => `Ya no hay nada establecido para ${place}.`,
    placeNotSet: (place) => `Desde ningún chat se había establecido nada para ${place}.`,
    noPlace: "Este es un chat de dos: nombra a la persona.",
    noServer: "Aquí no hay ningún servidor de Discord.",
    owners: "Propietarios:",
    admins: "Administradores:",
    noneNamed: "No hay nadie nombrado.",
    terminal: "También es propietario quien está en el terminal donde funciono.",
  },

  export: {
    adminsOnly:
      "No tienes permiso para exportar lo que dijo un grupo: solo puede un administrador.",
    badFormat: (typed) => `${typed} no es un formato de /export: se espera json, markdown o nada.`,
    full: "Lo siento, hay demasiado en espera para enviar en este chat. Inténtalo más tarde, por favor.",
    nothing: "No hay nada que exportar: todavía no hemos dicho nada.",
    done: (entries) => `Todo lo que dijimos, ${entriesOf(entries)}, está en el archivo.`,
    doneIn: (entries, files) =>
      `Todo lo que dijimos, ${entriesOf(entries)}, está en ${files} archivos.`,
    shown: "Todos los que están aquí pueden verlo.",
  },

  forget: {
    notAnonymously: "No tienes permiso para borrar nada en nombre de un grupo o canal.",
    inPrivateOnly: "Eso no se permite aquí: escríbeme /forget me en nuestro chat privado.",
    adminsOnly:
      "No tienes permiso para borrar este chat: en un grupo pueden los administradores. /forget me en nuestro chat privado borra lo que escribiste aquí.",
    badScope: (typed) =>
      `Puedo borrar chat (todo este chat) o me (todo lo que guardo de ti), no ${typed}.`,
    badCode: (typed) =>
      `${typed} no confirma nada: se espera yes- y cuatro cifras, tal como te las di.`,
    yes: { chat: "Sí, borrar este chat", me: "Sí, borrarlo todo" },
    confirm: (confirmation) =>
      `Para confirmar, usa el botón o envía ${confirmation} en 5 minutos como máximo.`,
    explained: {
      chat: "Esto borra para siempre todo lo que guardo de este chat: lo que se dijo, notas, tareas, ajustes, consumo, archivos y copias. Lo que esté haciendo aquí termina.\nLos mensajes siguen en la propia aplicación: solo tú puedes borrarlos allí.",
      me: "Esto borra para siempre: todos tus chats privados conmigo, tu perfil con tus elecciones y tu rol (puede que tengan que dejarte entrar otra vez), y en los grupos lo que escribiste, lo que te respondí, tus motivos y cambios cuando decidiste por otros, y donde repetí tus palabras. Lo que esté haciendo para ti termina.\nLas notas y tareas de los grupos se quedan, porque nadie sabe quién las escribió; también lo que otros escribieron sobre ti y los mensajes en la propia aplicación. Un bloqueo se queda, sin tu nombre, y hasta fin de mes cuánto has usado.",
    },
    expired: (scope) =>
      `Eso no confirma nada o ha caducado: solo puede confirmar quien preguntó, aquí y en 5 minutos. Pregunta de nuevo con /forget ${scope}.`,
    begun: "Un momento. Avisaré cuando esté todo borrado.",
    chatDone: "Hecho: todo lo que guardaba de este chat está borrado.",
    meDone: "Hecho: tus chats privados conmigo y tu perfil están borrados.",
    meDoneWith: (groups) =>
      `Hecho: tus chats privados conmigo y tu perfil están borrados, y también lo que escribiste en ${counted(groups, { one: "grupo", other: "grupos" })}.`,
    but: (count) =>
      `Pero no pude leer o quitar ${counted(count, { one: "cosa", other: "cosas" })} que podrían formar parte de ello: quien me opera encuentra más en mi registro.`,
  },

  end: {
    modelCalls: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "llamada al modelo", other: "llamadas al modelo" })}.`,
    toolExecutions: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "uso de herramientas", other: "usos de herramientas" })}.`,
    tokens: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "token", other: "tokens" })}.`,
    cost: (limitUsd) =>
      `Me he detenido aquí: este turno llegó a su límite de coste de $${limitUsd}.`,
    deadline: (limitSeconds) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limitSeconds, { one: "segundo", other: "segundos" })} de trabajo.`,
    loop: "Me he detenido aquí porque hacía lo mismo una y otra vez sin avanzar.",
    denied: "Me he detenido aquí porque no se aprobó lo que quería hacer.",
    notAllowed: "Me he detenido aquí porque no se permite lo que quería hacer.",
    toolFailed: "Me he detenido aquí porque falló una herramienta.",
    cut: "Me he detenido aquí: la respuesta alcanzó el límite de longitud. Escribe «sigue» para ver el resto.",
    cutEmpty:
      "Me he detenido aquí: alcancé el límite de longitud antes de poder responder. Escribe «sigue» y lo intento de nuevo.",
    downgraded: (tier) =>
      `Queda poco presupuesto, así que ha respondido un modelo más barato (${tier}).`,
    poisoned: (errorId) =>
      `Lo siento, he tenido que abandonar este mensaje: el trabajo en él falló tres veces. Inténtalo de otra manera, por favor. (${errorId})`,
    stopped: "(detenido)",
    interrupted: "(interrumpido)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Lo siento, el servicio del modelo tiene ahora demasiadas peticiones. (${errorId})`,
    overloaded: (errorId) => `Lo siento, el servicio del modelo está sobrecargado. (${errorId})`,
    timeout: (errorId) => `Lo siento, el modelo tardó demasiado. (${errorId})`,
    network: (errorId) => `Lo siento, no se pudo contactar con el modelo. (${errorId})`,
    "context-overflow": (errorId) =>
      `Lo siento, esta conversación es demasiado larga para el modelo; /new empieza una nueva. (${errorId})`,
    "setup-too-long": (errorId) =>
      `Lo siento, mis instrucciones y herramientas ya son demasiado largas para el modelo. Un administrador puede acortar el prompt o las herramientas, o elegir un modelo con una ventana de contexto mayor. (${errorId})`,
    "turn-too-long": (errorId) =>
      `Lo siento, esta petición es demasiado larga para el modelo. Acórtala o divídela en partes más pequeñas. (${errorId})`,
    auth: (errorId) => `Lo siento, el servicio del modelo rechazó nuestra clave. (${errorId})`,
    "invalid-request": (errorId) =>
      `Lo siento, el servicio del modelo rechazó la petición. (${errorId})`,
    refused: (errorId) => `Lo siento, el modelo no quiso responder. (${errorId})`,
    empty: (errorId) => `Lo siento, el modelo dio una respuesta vacía. (${errorId})`,
  },

  unreadable: {
    locked: "Está protegido con contraseña.",
    damaged: "El archivo está dañado o no es un PDF que yo pueda leer.",
    "too-complicated": "El archivo es demasiado complicado para leerlo.",
    failed:
      "Algo salió mal al leerlo. No se volverá a intentar automáticamente: envíalo otra vez o usa /retry.",
    pictures: "No tiene texto: sus páginas son probablemente imágenes.",
    empty: "No contiene texto.",
    unknown: "Es de un tipo que no puedo leer.",
    "no-transcription": "Aquí no puedo escuchar mensajes de voz.",
    "not-transcribed": "Lo siento, no se pudo transcribir el mensaje de voz.",
    silent: "No se oye a nadie.",
    gone: "Ya no se conserva: los archivos se guardan un día.",
    refused: "El proveedor del modelo no acepta esta imagen.",
  },

  exported: {
    title: "Conversación",
    asOf: (chat, time) => `El chat ${chat}, tal como estaba el ${time}.`,
    edited: (who, time) => `${who} editó un mensaje, ${time}`,
    reading: "Texto de lo adjunto",
    result: (number, tool) => `Resultado de la llamada ${number}, ${tool}`,
    failed: (kind) => `falló: ${kind}`,
    ended: (reason) => `El turno terminó: ${reason}`,
    reset: (time) => `Una conversación nueva, ${time}`,
    sawNothing: "A partir de aquí el modelo no vio nada de lo que está más arriba.",
    auto: (step, of) => `Turno ${step} de ${of} como máximo, con el objetivo:`,
    inAnswerTo: "En respuesta a:",
    said: "Lo que se dijo:",
    attached: (name, bytes) => `Adjunto: ${name}, ${bytes} bytes`,
    cutOff: "interrumpido",
    noted: "Añadido debajo por la plataforma:",
    thinking: "Pensamientos:",
    answer: "Respuesta:",
    call: (number, tool) => `Llamada ${number}: ${tool}`,
    compaction: (strategy) => `Resumen: ${strategy}`,
    by: (model) => `por ${model}`,
    inPlaceOf: (from, to) =>
      `A partir de aquí el modelo vio esto en lugar de las entradas ${from} a ${to}, que están más arriba tal como eran:`,
    shortened: (entries) => `Vio abreviados estos resultados: ${entries}.`,
    undone: (time) => `Deshecho, ${time}`,
    sawNothingOf: (from, to) =>
      `A partir de aquí el modelo no vio nada de las entradas ${from} a ${to}.`,
    notUndone: "Lo que hicieron estas llamadas no se deshizo:",
  },

  console: {
    greeting: "Esto es Parley. Escribe algo; /help muestra todos los comandos, /quit termina.",
    notHandedOver: "Esto aún no se pudo entregar; se conserva y se vuelve a intentar.",
    questionIsOpen:
      "Una pregunta de una sesión anterior sigue abierta: tu próximo mensaje la reemplaza.",
    questionReplaced: "Tu mensaje reemplaza la pregunta abierta.",
    interruptAgain: "Pulsa Ctrl-C otra vez para salir",
    file: (path) => `Archivo: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Espero a que ${person} apruebe o rechace algo. Después me ocupo de tu mensaje, en ${minutesOf(minutes)} como máximo.`,
    awaitsAdmin: (minutes) =>
      `Espero a que un administrador apruebe o rechace algo. Después me ocupo de tu mensaje, en ${minutesOf(minutes)} como máximo.`,
    awaitsDecision: (minutes) =>
      `Espero a que aquí se apruebe o rechace algo. Después me ocupo de tu mensaje, en ${minutesOf(minutes)} como máximo.`,
    brokeOff: (model) => `${model} se cortó; pregunto de nuevo …`,
    shortening: "acorto nuestra conversación …",
    shortened: (before, after) =>
      `He acortado nuestra conversación anterior: unos ${before} → ${after} tokens. No se ha borrado nada; /export tiene cada palabra.`,
    nothingToShorten: "Todavía no hay nada que acortar.",
    nothingToUndo: "No hay nada que deshacer.",
    nothingToRetry: "No hay nada que reintentar.",
    cannotRetry:
      "No puedo intentarlo de nuevo: tu mensaje ya se ha resumido. Envíalo otra vez, por favor.",
    undone: "Deshecho: ya no veo tu último mensaje ni lo que le siguió.",
    undoneOf: (person) => `Deshecho: ya no veo el último mensaje de ${person} ni lo que le siguió.`,
    staysDone: (tools) => `Pero lo hecho, hecho está: ${tools}.`,
    messageKept:
      "Ahora mismo todos los workers están ocupados o caídos. Tu mensaje está guardado y tendrá respuesta.",
    waitsForPlace: (limit) =>
      `Tu mensaje espera: hay tantas respuestas en curso como permite el límite (${limit}). Lo atenderé sin que hagas nada.`,
    orderKept: (command) =>
      `Ahora mismo todos los workers están ocupados o caídos. Tu /${command} está guardado y se llevará a cabo.`,
  },

  edits: {
    refused: (why) =>
      `No se puede preguntar por ese cambio: ${why} Se pregunta otra vez por la llamada como estaba.`,
    refusedAndGone: (why) =>
      `No se puede preguntar por ese cambio: ${why} Tampoco ya por la llamada como estaba: no se ejecuta.`,
    notJson: 'Eso no es JSON: se espera un objeto como {"nombre": "valor"}.',
    unknownName: (name, known) => `Aquí no hay ningún argumento ${name}. Se espera: ${known}.`,
    expected: (path, what) => `${path}: se espera ${what}.`,
    isMissing: (path) => `Falta ${path}.`,
    isHidden: (path) => `${path} está oculto aquí: escríbelo entero de nuevo o déjalo como está.`,
    keptHidden: (path) =>
      `${path} está oculto aquí: solo quien preguntó, o un administrador, puede cambiar lo demás y conservarlo.`,
    same: "Eso no cambia nada: son los argumentos que he pedido.",
    tooLong: (count) => `Es demasiado largo: como máximo ${count} caracteres.`,
    how: "¿Qué hay que cambiar? /edit <id> nombre=valor, o JSON con todos los argumentos. También puedes responder así a la tarjeta.",
    which: "¿Qué llamada? Empieza con su número: 2 nombre=valor.",
    title: "Cambiar los argumentos",
    asJson: "Todos los argumentos, como JSON",
    noForm:
      "Estos argumentos no caben en un formulario. Responde a la tarjeta con nombre=valor o con JSON que los tenga todos.",
    types: {
      string: "un texto",
      number: "un número",
      integer: "un número entero",
      boolean: "true o false",
      object: "un objeto JSON",
      array: "una lista JSON",
      null: "null",
    },
    oneOf: (choices) => `uno de ${choices}`,
  },

  grants: {
    none: "En este chat nada se ejecuta sin preguntar: nadie lo ha permitido.",
    heading: "Lo que se ejecuta en este chat sin preguntar:",
    exactly: (given) => `con exactamente ${given}`,
    alike: (given) => `con cualquier argumento como ${given}`,
    lasts: (span) => `durante ${span} más`,
    allowedBy: (name) => `lo permitió ${name}`,
    onlyFor: (name) => `solo cuando pregunta ${name}`,
    howTo: "/grants revoke <número> retira un permiso.",
    revoked: (tool) => `Retirado: volveré a preguntar antes de usar ${tool} así.`,
    noSuch: (number) => `Aquí no hay ningún número ${number}. /grants muestra lo que hay.`,
    notYours: "Solo puede retirarlo un admin o quien lo permitió.",
    given: (span) =>
      `Aprobado. Durante ${span} la misma llamada se ejecuta sin preguntar; /grants lo retira.`,
    givenAny: (span, tool) =>
      `Aprobado. Durante ${span} ${tool} se ejecuta sin preguntar con cualquier argumento como estos; /grants lo retira.`,
    off: "El operador quiere que esto se pregunte cada vez.",
    atMost: (span) => `Como máximo ${span}: el operador no permite más tiempo.`,
    noSpan: (typed) => `${typed} no es un tiempo. Se espera: 30m, 2h.`,
    adminsAny: "Solo los admins pueden permitir otros argumentos que estos.",
    full: "Aprobado. En este chat no se puede permitir más: /grants muestra lo que hay y lo retira.",
    one: "¿Qué llamada? /approve <id>.<número> always permite una de ellas.",
  },

  pause: {
    kept: "Este bot está en pausa. Tu mensaje está guardado y se responderá cuando continúe.",
    halted:
      "He tenido que parar: un administrador ha puesto este bot en pausa. Vuelve a preguntar cuando continúe.",
    scopes: {
      all: "todo",
      telegram: "los chats de Telegram",
      discord: "los chats de Discord",
      console: "la terminal",
    },
    begun: (what) =>
      `En pausa: ${what}. No empieza ningún turno nuevo y los que están en marcha terminan. /resume lo levanta.`,
    begunNow: (what) =>
      `En pausa: ${what}. No empieza ningún turno nuevo y los que estaban en marcha se han detenido. /resume lo levanta.`,
    ended: (what) => `Continúa: ${what}. Lo que espera se responde en unos segundos.`,
    notPaused: (what) => `No está en pausa: ${what}.`,
    stillAll: "Todo sigue en pausa: /resume all lo levanta.",
    unknown: (typed) => `${typed} no es nada de esto: all, telegram, discord, console, now.`,
    since: (moment) => `En pausa desde ${moment}.`,
    sinceOf: (what, moment) => `En pausa desde ${moment}: ${what}.`,
  },

  audit: {
    itself: "Parley mismo",
    heading: (count) =>
      `Lo más nuevo del registro de auditoría, ${counted(count, { one: "línea", other: "líneas" })}, horas en UTC:`,
    none: "De eso no hay nada en el registro de auditoría.",
    part: "Solo he mirado las 20.000 líneas más nuevas; /audit export las tiene todas.",
    unknown: (typed, kinds) =>
      `${typed} no es un número, ni una persona, ni un tipo. Tipos: ${kinds}.`,
    exported: (count) =>
      `El registro de auditoría, ${grouped(count, { one: "línea", other: "líneas" })}, llega como archivo a nuestro chat privado.`,
    actions: {
      "approval-decided": "decidió una aprobación",
      "approval-edited": "cambió los argumentos de una aprobación",
      "values-shown": "vio los valores ocultos de una aprobación",
      "grant-given": "dio un permiso permanente",
      "grant-revoked": "retiró un permiso permanente",
      "limit-set": "fijó un límite",
      "limit-reset": "restableció un límite",
      "role-set": "dio un rol",
      "pairing-decided": "decidió un acceso",
      paused: "puso en pausa",
      resumed: "reanudó",
      "setting-changed": "cambió un ajuste",
      broadcast: "escribió a todos los chats",
      "erasure-asked": "pidió un borrado",
      "attempt-denied": "fue rechazado",
      "tool-executed": "hizo ejecutar una herramienta",
    },
  },

  stats: {
    spent: (messages, tokens, cost) =>
      `${grouped(messages, { one: "mensaje", other: "mensajes" })}, ${grouped(tokens, { one: "token", other: "tokens" })}, ${cost}`,
    chats: (today, thisMonth) => `Chats que escribieron: unos ${today} hoy, ${thisMonth} este mes`,
    today: (spent) => `Hoy: ${spent}`,
    thisMonth: (spent) => `Este mes: ${spent}`,
    turns: (active, waiting) => `Turnos: ${active} en marcha, ${waiting} en espera`,
    deliveries: (waiting) => `Entregas: ${waiting} en espera`,
    deadLetters: (count) => `Mensajes abandonados: ${count}`,
    running: (version, span) => `Parley ${version}, en marcha desde hace ${span}`,
  },

  broadcast: {
    asks: (count) => `Esto va a ${counted(count, { one: "chat", other: "chats" })}:`,
    asksMore: (count) => `Esto va a más de ${counted(count, { one: "chat", other: "chats" })}:`,
    yes: "Enviarlo",
    confirm: (command) => `Toca el botón o envía ${command} en los próximos 5 minutos.`,
    begun: "Está en camino. Aviso cuando lo tengan todos los chats.",
    done: (count) => `Tu mensaje fue a ${counted(count, { one: "chat", other: "chats" })}.`,
    nobody: "Aún no hay ningún chat al que pueda ir.",
    tooLong: (length, limit) => `Eso tiene ${length} caracteres; acepto hasta ${limit}.`,
    expired: "Esto no confirma nada, o ha caducado: pídelo otra vez con /broadcast.",
  },
};
