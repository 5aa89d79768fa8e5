import { countedIn, moneyIn, numberIn } from "./counted.ts";
import type { Locale } from "./locale.ts";
import { findingsEs } from "./findings/es.ts";
import { pageEs } from "./page/es.ts";

const counted = countedIn("es");
const n = numberIn("es");
const { money, exactMoney } = moneyIn("es");

export const es: Locale = {
  ingress: {
    notAllowed: "Lo siento, solo atiendo a personas autorizadas.",
    adminsOnly: (command) => `Solo los administradores pueden usar /${command}.`,
    membersOnly: (command) =>
      `Solo los miembros pueden usar /${command}, y tú eres invitado. Pide a un administrador que te haga miembro.`,
    ownersOnly: (command) => `Solo los propietarios pueden usar /${command}.`,
    noCommand: (command) => `No conozco /${command}. /help all muestra todos los comandos.`,
    wroteNothing: "¿Sí? ¿Qué puedo hacer por ti?",
    tooLong: (length, limit) =>
      `El mensaje es demasiado largo (${n(length)} caracteres; el límite es ${n(limit)}). Envíalo por partes, por favor.`,
    full: "Voy con retraso en este chat y no he podido aceptar este mensaje. Envíalo de nuevo en unos minutos, por favor.",
    fullWhilePaused:
      "Ahora mismo estoy en pausa y en este chat ya esperan demasiados mensajes para guardar este. Envíalo de nuevo cuando vuelva, por favor.",
    leftOut: (count) =>
      `Sin aceptar a partir de aquí: ${counted(count, { one: "mensaje", other: "mensajes" })}.`,
    notKept: (errorId) =>
      `Lo siento, no me queda espacio y no he podido guardar tu mensaje. Envíalo de nuevo más tarde, por favor. (error ${errorId})`,
    notDone: (errorId) =>
      `Lo siento, no me queda espacio y ahora no puedo hacerlo. Inténtalo más tarde, por favor. (error ${errorId})`,
    tapTooOld: "Este botón ya no funciona.",
    tapTooLate: "Ha tardado demasiado. Pulsa otra vez, por favor.",
    notAllowedInGroup:
      "Lo siento, solo atiendo a personas autorizadas. Un administrador puede activarme en este grupo con /allow here.",
  },

  files: {
    noVoice: "Aquí no puedo escuchar mensajes de voz. Escríbelo, por favor.",
    noImage: (name) => `No puedo abrir ${name}. Puedo leer PNG, JPEG, GIF y WebP.`,
    noText: (name) =>
      `No puedo leer ${name}. Puedo leer imágenes (PNG, JPEG, GIF, WebP), PDF y archivos de texto.`,
    blind: {
      picture: (name) =>
        `No puedo ver imágenes, así que no puedo leer ${name}. Describe la imagen con palabras, por favor.`,
      file: (name) => `No puedo leer ${name}. Puedo leer PDF y archivos de texto.`,
      video: "No puedo ver vídeos. Descríbelo con palabras, por favor.",
    },
    reading: (name) => `leyendo ${name} …`,
    nameless: {
      image: "esta imagen",
      document: "este documento",
      voice: "este mensaje de voz",
    },
    tooMany: (count, limit) =>
      `Son demasiados archivos (${count}). Envía como máximo ${limit} a la vez.`,
    tooLarge: (name, megabytes, limit) =>
      `Lo siento, ${name} ocupa ${megabytes} MB. El límite es ${limit} MB.`,
    chatIsFull: (count, megabytes) =>
      `Este chat ha llegado al límite de archivos de hoy (${count} archivos o ${megabytes} MB). Inténtalo mañana, por favor.`,
    empty: (name) => `No hay nada en ${name}.`,
  },

  inPrivate: {
    askThere: "Mejor en privado. Escríbeme directamente.",
    full: "Lo siento, ya hay demasiados mensajes privados en cola para ti. Inténtalo más tarde, por favor.",
    answered: "Te he respondido en privado.",
    writeFirst: "¿No te ha llegado nada? Abre primero un chat conmigo y pregunta otra vez.",
    askedIn: (group) => `Para el grupo ${group}:`,
    topic: (thread) => `tema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} quiere usar este bot.`,
    code: (code) => `Código: ${code}`,
    allow: "Permitir",
    deny: "Rechazar",
    yourCode: (code) =>
      `¡Hola! Este bot es privado. Le he pedido al administrador que te dé acceso. Tu código, por si te lo pide: ${code}`,
    askedOwner: (code) =>
      `Ya tengo propietario y le he pedido que te dé acceso. Tu código, por si te lo pide: ${code}`,
    unknownCode: "No conozco este código. Puede que haya caducado o que ya se haya decidido.",
    isAdmin: (who) => `${who} ya es administrador.`,
    allowed: (who, admin) => `${admin} ha dado acceso a ${who}.`,
    denied: (who, admin) => `${admin} ha rechazado a ${who}.`,
    youMay: "¡Ya tienes acceso! Pregúntame lo que quieras.",
    mayUse: (who) => `${who} ya puede usar este bot.`,
    neither: (typed) =>
      `No reconozco ${typed}. Dame un código de 8 caracteres, un nombre como @sam o un ID como telegram:12345.`,
    adminsDecide: "Solo un administrador puede decidir esto.",
  },

  start: {
    youAreOwner: "Ahora este bot es tuyo. Saluda, o mira /help.",
    hello: "Hola, soy Parley. Pregúntame lo que quieras.",

    tools: (count) =>
      `Tengo ${counted(count, { one: "herramienta", other: "herramientas" })} (/tools).`,

    direct: "En los grupos, mencióname o responde a uno de mis mensajes.",
    mention: "En este grupo, mencióname o respóndeme.",
    always: "En este grupo respondo a todos los mensajes.",
    privacy: (model) =>
      `Tus mensajes se guardan y se envían al modelo de IA ${model}. /export para descargarlos, /forget para borrarlos, /help para saber más.`,
    question: "¿Qué hora es en Tokio?",
    showTools: "Muestra tus herramientas",
    showSettings: "Muestra los ajustes",
    wrongCode: "Ese código no es correcto. Copia otra vez la línea /start de la terminal.",
    asksFirst: "Antes de cambiar algo, te pregunto.",
    directOnDiscord: "En un servidor, mencióname o responde a uno de mis mensajes.",
  },

  help: {
    groups: {
      talk: "Conversación",
      choose: "Cómo trabajo",
      look: "Qué está pasando",
      data: "Tus datos",
      admin: "Para administradores",
    },
    more: "/help <comando> explica un comando.",
    alias: (names) => `También: ${names}.`,
    all: "/help all muestra todos los comandos.",
    terminal: "En la terminal",
    quit: "Salir de Parley",
  },

  contact: {
    noOwner:
      "¡Hola! Este bot es privado y todavía no tengo propietario. Si eres tú quien me ejecuta, abre el enlace de la terminal.",
    noOwnerOnDiscord:
      "¡Hola! Este bot es privado y todavía no tengo propietario. Si eres tú quien me ejecuta, envíame por mensaje privado el código /start de la terminal.",
    waiting: "Estas personas quieren usar este bot:",
    more: (count) => `… y ${n(count)} más.`,
    nobodyWaits: "No hay nadie esperando acceso.",
    howToAllow: "Con /allow y un código das acceso a alguien.",
    groupsWait: "Estos grupos quieren usar este bot:",
    hello: "Hola, soy Parley.",
    greeting: "Hola, soy Parley. Mencióname o respóndeme, y contestaré.",
    seeHelp: "/help muestra lo que sé hacer.",
    askedOwner: "Todavía no conozco este grupo. Le he pedido a mi propietario que lo acepte.",
    letIn: (place) => `¿Aceptar ${place}?`,
    addedBy: (who) => `${who} me ha añadido.`,
    leave: "Salir",
    stayQuiet: "Quedarse callado",
    placeAllowed: (place, admin) => `${admin} ha aceptado ${place}.`,
    placeLeft: (place, admin) => `${admin} me ha sacado de ${place}.`,
    placeQuiet: (place, admin) => `${admin} quiere que me quede callado en ${place}.`,
    alreadyDecided: (outcome) => `Esto ya está decidido. ${outcome}`,
    stillAtLimit: "Este límite todavía no se ha restablecido.",
    silent: "Esto tarda: el modelo todavía no ha dicho nada. /stop lo cancela.",
  },

  errors: {
    tellOperator: "Avisa a la persona que me administra, por favor.",
    toldOwner: "Ya he avisado a mi propietario.",
    cause: (cause) => `Causa: ${cause}`,
    fix: {
      "rate-limited": (when) =>
        `Inténtalo ${when ?? "en un minuto"}, o añade al nivel, en parley.yaml, un segundo modelo que responda en su lugar.`,
      overloaded: (when) =>
        `Inténtalo ${when ?? "más tarde"}, o añade al nivel, en parley.yaml, un segundo modelo que responda en su lugar.`,
      timeout:
        "El servidor del modelo es demasiado lento. Prueba un modelo más pequeño, o mira si el servidor está ocupado.",
      network:
        "Arranca el servidor del modelo (con Ollama: ollama serve), o corrige su dirección (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Usa un modelo con una ventana de contexto mayor, o menos herramientas.",
      auth: "Revisa la clave de API (OPENAI_API_KEY, o apiKey en parley.yaml; con Ollama, las credenciales en OLLAMA_HOST).",
      "no-credit":
        "La clave funciona, pero la cuenta no tiene saldo. Recárgala en la página de facturación del proveedor, o aumenta el límite de gasto de la clave.",
      "unknown-model":
        "Indica un modelo que el proveedor tenga (OPENAI_MODEL, OLLAMA_MODEL, o tiers en parley.yaml). Con Ollama, ollama pull lo descarga.",
      "invalid-request": "El proveedor ha rechazado la petición; la causa de arriba dice por qué.",
      moderated:
        "La moderación del proveedor ha marcado la petición. Si pasa a menudo, prueba otro modelo con /model.",
      "broken-call":
        "El modelo no usa bien las herramientas. Prueba otro modelo con /model, o revisa el analizador de herramientas y la plantilla de chat de su servidor.",
      refused: "El proveedor ha rechazado esta petición. Prueba otro modelo con /model.",
      empty: "El modelo no ha respondido nada. Prueba otro modelo con /model.",
      poisoned:
        "Un proceso se ha caído tres veces en este paso. Busca el código del error en el registro.",
    },
    heading: (id) => `Error ${id}`,
    latest: "Los errores más recientes (UTC):",
    when: (time) => `Cuándo: ${time} UTC`,
    model: (model) => `Modelo: ${model}`,
    inLog: (path) => `Los detalles están en ${path}.`,
    trace: (chat) => `Más en la consola: npm run trace -- ${chat}`,
    none: "Últimamente no ha habido errores.",
    unknown: (typed, days) =>
      `No conozco ningún error ${typed}. Recuerdo los más recientes durante ${n(days)} días; puede que el registro tenga más.`,
  },

  outage: {
    stopped: (model, since) => `Nadie recibe respuestas de ${model} desde ${since}.`,
    replaced: (model, since) => `${model} falla desde ${since}. Otro modelo responde en su lugar.`,
    cutOff: (platform, bot, since) =>
      `No tengo acceso a ${platform} desde ${since} (bot ${bot}). Allí nadie recibe respuestas.`,
    backAgain: (platform, bot, lasted) =>
      `Estoy de vuelta en ${platform} después de ${lasted} (bot ${bot}).`,
    page: (url) => `Panel: ${url}`,
    over: (model, lasted) => `${model} vuelve a responder, después de ${lasted}.`,
    unanswered: (count) =>
      `${counted(count, { one: "mensaje se quedó", other: "mensajes se quedaron" })} sin respuesta en ese tiempo.`,
  },

  menu: {
    pending: { description: "Quién pide usar este bot" },
    error: {
      description: "Lo que sé de un error",
      id: "El código entre paréntesis bajo el error; vacío para los más recientes",
    },
    pause: {
      pause: "Dejar de responder, en todas partes o en una plataforma",
      resume: "Reanudar después de /pause",
      platform: "Dónde (vacío = en todas partes)",
      now: "Detener también las respuestas en curso",
    },
    audit: {
      description: "Registro de auditoría, lo más reciente primero",
      count: "Cuántas líneas",
      who: "Solo esta persona, por @nombre o ID",
      what: "Solo este tipo, o «export» para un archivo completo",
    },
    stats: { description: "Estadísticas del bot" },
    doctor: { description: "Examinar esta instalación y decir qué hay que arreglar" },
    dashboard: {
      description: "Abrir el panel en el navegador",
      action: "off cierra la sesión en todos tus navegadores",
    },
    import: {
      description: "Importar datos y tareas programadas de otro bot",
      code: "El código que he mostrado",
    },
    broadcast: {
      description: "Enviar un mensaje a todos los chats",
      text: "El mensaje",
    },
    start: {
      description: "Qué puedo hacer",
      code: "El código de propietario que aparece al arrancar",
    },
    help: {
      description: "Qué puedes hacer",
      command: "Un comando, o «all» para todos",
    },
    new: { description: "Empezar una conversación nueva" },
    stop: { description: "Detener la respuesta actual" },
    retry: { description: "Volver a intentar tu último mensaje" },
    undo: { description: "Deshacer tu último mensaje y mi respuesta" },
    compact: {
      description: "Resumir la conversación para liberar espacio",
    },
    auto: {
      description: "Dejarme trabajar en un objetivo por mi cuenta",
      goal: "El objetivo, hasta 2000 caracteres",
      turns: (limit, usual) => `Número máximo de pasos, de 1 a ${limit} (por defecto: ${usual})`,
    },
    tier: {
      description: "Elegir rapidez o profundidad: fast, smart, deep …",
      tier: "El nivel, o «default» para restablecer",
    },
    model: {
      description: "Elegir el modelo",
      model: "Parte del nombre del modelo, o «default» para restablecer",
    },
    for: "«me» (por defecto) o «chat» para todos los de este chat",
    persona: {
      description: "Elegir quién responde, o crear un personaje",
      pick: "Elegir quién responde aquí",
      new: "Crear un personaje con cuatro preguntas",
      edit: "Cambiar un personaje",
      show: "Ver el prompt, las herramientas y el modelo de un personaje",
      delete: "Borrar un personaje",
      history: "Versiones anteriores de un personaje",
      name: "Un personaje, o new, edit, show, delete, history",
      persona: "Su nombre, o «default» para restablecer",
      for: "me (por defecto), chat para todos aquí, place para todo el grupo o servidor",
      newName: "Su nombre; déjalo vacío y busco uno",
    },
    settings: {
      description: "Ajustes de este chat",
      name: "Qué ajuste (vacío = todos)",
      value: "El valor nuevo, o «default» para restablecer",
    },
    activation: {
      description: "Cuándo respondo en este grupo",
      when: "mention = solo si me mencionan o me responden; always = todos los mensajes",
    },
    language: {
      description: "Mi idioma",
      language: "Un idioma, o «auto» para seguir tu app",
    },
    status: { description: "Qué estoy haciendo ahora" },
    approvals: {
      description: "Acciones que esperan aprobación",
      id: "Su ID: te muestra en privado los valores ocultos",
    },
    approve: {
      description: "Aprobar una acción",
      id: "Su ID, y un número para una de varias acciones (mira /approvals)",
      always: "Permitirlo un tiempo sin preguntar, p. ej. 1h (los administradores: también «any»)",
    },
    deny: {
      description: "Rechazar una acción",
      id: "Su ID, y un número para una de varias acciones (mira /approvals)",
      reason: "Motivo (yo lo veré)",
    },
    edit: {
      description: "Cambiar una acción antes de aprobarla",
      id: "Su ID (mira /approvals)",
      change: "Uno o más nombre=valor, o JSON con todos los argumentos",
    },
    grants: {
      description: "Qué puedo hacer aquí sin preguntar",
      revoke: "«revoke» y un número quita uno",
    },
    tools: { description: "Mis herramientas, y cuáles necesitan aprobación" },
    skills: {
      description: "Ver las habilidades, o activarlas y desactivarlas aquí",
      action: "Qué hacer: on u off; para administradores review, show, approve o deny",
      skill: "El nombre de la habilidad",
    },
    skill: {
      description: "Hacer una tarea con una habilidad",
      name: "El nombre de la habilidad",
      task: "Qué hay que hacer",
    },
    remind: {
      description: "Recordarte algo",
      when: "en 20m, mañana 9:00, 2027-01-05 09:00, cada lunes 9:00",
      text: "Qué quieres que te recuerde",
    },
    schedule: {
      description: "Recordatorios y tareas programadas de este chat",
      action: "Qué hacer: list, run, pause, resume, delete o zone",
      list: "Ver recordatorios y tareas programadas",
      run: "Ejecutar uno ahora",
      pause: "Pausar uno",
      resume: "Reanudar uno",
      delete: "Eliminar uno",
      zone: "Ver o elegir tu zona horaria",
      id: "Su ID, como aparece en la lista",
      city: "Por ejemplo, Europe/Madrid",
      page: "Qué parte de una lista larga",
    },
    memory: {
      description: "Lo que recuerdo de ti y de este chat",
      action: "Qué hacer: list, delete, edit o export",
      list: "Ver lo que recuerdo",
      delete: "Borrar algo",
      edit: "Cambiar algo",
      export: "Recibirlo todo en un archivo",
      id: "Su ID, como aparece en la lista",
      text: "El texto nuevo",
    },
    recall: {
      description: "Buscar en lo que se dijo en este chat",
      words: "Palabras que buscar",
    },
    todos: { description: "Ver la lista de tareas de este chat" },
    limits: {
      description: "Tus límites y cuánto has usado",
      set: "Fijar un límite para una persona, chat, rol, plataforma o todos",
      reset: "Volver al límite configurado",
      scope: "person, @name, un ID como telegram:1, chat, role:member, platform o global",
      metric: "Qué se limita",
      value: "Cuánto: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Tokens y coste de este chat",
    },
    export: {
      description: "Descargar esta conversación",
      format: "markdown (por defecto) o json",
    },
    forget: {
      description: "Borrar este chat o todos tus datos",
      what: "chat = este chat; me = todo sobre ti, en todas partes",
      confirmation: "El código de confirmación que te di",
    },
    whoami: { description: "Tu ID y tu rol" },
    role: {
      description: "Tu rol y lo que te permite",
      give: "Cambiar el rol de alguien",
      person: "Quién (vacío = tú)",
      role: "El nuevo rol",
    },
    allow: {
      description: "Dar acceso a alguien, o a todos en este chat",
      person: "Quién",
      code: "Su código o ID",
    },
    ban: {
      description: "Bloquear a alguien, o silenciarme en este chat",
      person: "Quién",
      reason: "Motivo (queda en el registro de auditoría)",
      place: "En lugar de una persona: este chat o todo el servidor",
    },
    unban: {
      description: "Desbloquear a alguien, o quitar la regla de este chat",
      person: "Quién",
      place: "En lugar de una persona: este chat o todo el servidor",
    },
    admins: { description: "Ver propietarios y administradores" },
  },

  /** Of `/persona`. */
  personas: {
    owners: {
      person: "tuyo",
      chat: "de este chat",
      everyone: "de todos",
      file: "del operador",
    },
    answers: (name, why) => `Aquí te responde ${name} (${why}).`,
    why: {
      person: "tu elección",
      chat: "elegido para este chat",
      place: "elegido para este grupo o servidor",
      default: "por defecto",
    },
    noneAnswers: "Aquí respondo como siempre, sin personaje.",
    listed: "Personajes:",
    noneYet: "Todavía no hay personajes.",
    more: (count) => `… y ${n(count)} más.`,
    how: "/persona <nombre> cambia, /persona default vuelve atrás.",
    howNew: "/persona new crea uno.",
    make: "Nuevo personaje",
    notAnonymously: "Quien escribe de forma anónima no puede tener un personaje propio.",
    notForChat: "Solo un administrador puede elegir el personaje de este chat.",
    notForPlace: "Solo un administrador puede elegir el personaje de todo el grupo o servidor.",
    noPlace: "Aquí no hay grupo ni servidor. Quítalo, o escribe chat.",
    badScope: (typed) => `${typed} no es ninguno de estos: me, chat, place.`,
    doesNotFit: (name) =>
      `${name} no se puede elegir para los demás: solo un personaje de este chat, de todos o del operador.`,
    chosen: {
      person: (name) => `Desde tu próximo mensaje te responde aquí ${name}.`,
      chat: (name) => `Desde el próximo mensaje responde en este chat ${name}.`,
      place: (name) => `Desde el próximo mensaje responde en todo el grupo o servidor ${name}.`,
    },
    cleared: {
      person: "Tu elección queda anulada.",
      chat: "La elección de este chat queda anulada.",
      place: "La elección de este grupo o servidor queda anulada.",
    },
    yoursFirst: (name) => `Para ti sigue valiendo tu propia elección: ${name}.`,
    starters: "Puedes empezar con:",
    noPersona: (typed) => `No conozco el personaje ${typed}.`,
    seeAll: "/persona los muestra todos.",
    gone: "Ese personaje ya no existe.",
    tools: (what) => `Herramientas: ${what}`,
    allTools: "todo lo que puedo usar aquí",
    noTools: "ninguna",
    model: (what) => `Modelo: ${what}`,
    automatic: "automático",
    skills: (what) => `Habilidades: ${what}`,
    temperature: (value) => `Temperatura: ${n(value)}`,
    modelCalls: (count) => `Peticiones al modelo por respuesta: ${n(count)} como máximo`,
    noMemory: "No ve notas, datos ni conversaciones anteriores.",
    saved: (when, number, by) =>
      `Versión ${n(number)}, ${when}${by === undefined ? "" : `, de ${by}`}`,
    fromFile: (name) =>
      `Viene del archivo personas/${name}.md del operador y solo se puede cambiar allí.`,
    prompt: "Su prompt:",
    about: (text) => `Descripción: ${text}`,
    ask: {
      purpose: "¿Para qué sirve? Puedes poner antes un nombre, como «chef: planea mis cenas».",
      style: "¿Cómo debe hablar? Por ejemplo: breve y amable, como un buen compañero.",
      tools:
        "¿Qué puede usar? Elige, o envía nombres de herramientas (/tools las muestra). Nunca tiene más de lo que tengo aquí, y sigo preguntando antes donde ya lo hago.",
      model:
        "¿Qué modelo debe responder? Elige, o envía el nombre de un modelo (/model los muestra).",
      name: "¿Cómo se llama?",
      description: "¿Qué es, en una línea?",
      prompt: "Envía el nuevo prompt.",
      extras:
        "Envía las líneas que quieres cambiar, como en el archivo de un personaje, por ejemplo «temperature: 0.5». Lo que no menciones se queda igual; sin valor vuelve al predeterminado. Así está ahora:",
    },
    begin:
      "Vamos a crear un personaje. Te hago cuatro preguntas y te muestro el resultado antes de guardarlo.",
    howToStop: "Cualquier comando lo termina, por ejemplo /stop.",
    replyToAnswer: "Responde a este mensaje.",
    none: "Sin herramientas",
    all: "Todo",
    auto: "Automático",
    cancel: "Cancelar",
    cancelled: "De acuerdo, descartado. No se ha guardado nada.",
    left: "El personaje que estabas creando queda descartado. /persona new empieza de nuevo.",
    wroteNothing: "Responde con algo de texto, por favor.",
    tooLong: (length, limit) =>
      `Es demasiado largo (${n(length)} caracteres; el límite es ${n(limit)}). Envía un texto más corto, por favor.`,
    badName: (typed, limit) =>
      `${typed} no puede ser un nombre. Usa letras y cifras, ${n(limit)} como máximo, con guiones entre las palabras.`,
    reservedName: (name) =>
      `«${name}» es una palabra de este comando. Elige otro nombre, por favor.`,
    lookalikeName: (name) =>
      `Este nombre tiene letras que solo se parecen a otras: ${name}. Elige otro nombre, por favor.`,
    taken: (name) => `Ya hay un personaje ${name}. Elige otro nombre, por favor.`,
    noTool: (typed) => `No tengo ninguna herramienta ${typed}.`,
    seeTools: "/tools las muestra.",
    noFields: "No lo entiendo. Envía líneas como «temperature: 0.5» o «memory: off».",
    noField: (typed) => `Aquí no hay ningún ajuste ${typed}.`,
    expectedStarters: (count, length) =>
      `Debe ser una lista de ${n(count)} mensajes como máximo, cada uno en una línea de hasta ${n(length)} caracteres`,
    expectedSkills:
      "Debe ser una lista de habilidades (/skills las muestra), como [pdf], o [] para ninguna",
    preview: (name) => `Tu nuevo personaje: ${name}`,
    previewOfChange: (name) => `Cambiado: ${name}`,
    nothingChanged: "No cambiaría nada.",
    before: "− antes, + después:",
    sampleFollows: (question) => `Ahora viene una respuesta de ejemplo a «${question}»`,
    sample: "¿Quién eres y cómo ayudas? Dame un ejemplo breve.",
    noSample: (why) => `Ahora mismo no puedo mostrar una respuesta de ejemplo. ${why}`,
    busy: "Hay demasiados mensajes en espera en este chat.",
    notSavedYet: "No se guarda nada hasta que lo apruebes.",
    approve: "Aprobar",
    approveChat: "Aprobar para este chat",
    approveEveryone: "Aprobar para todos",
    change: "Cambiar",
    whatToChange: "¿Qué quieres cambiar?",
    fields: {
      name: "Nombre",
      purpose: "Para qué sirve",
      style: "Cómo habla",
      tools: "Qué puede usar",
      model: "Modelo",
      description: "Descripción",
      prompt: "Prompt",
      extras: "Más ajustes",
    },
    back: "Atrás",
    formTitle: "Nuevo personaje",
    formTitleOfChange: (name) => `Cambiar ${name}`,
    isSaved: (name, owner) => `${name} está guardado (${owner}).`,
    alreadySaved: (name) => `${name} ya está guardado.`,
    use: "Usarlo aquí",
    howToUse: (name) => `/persona {name:${name}} cambia a él.`,
    noDraft: "Ya no hay nada que aprobar ni cambiar aquí. /persona new empieza de nuevo.",
    outdated: "Esa vista previa ya no vale. Usa la más reciente, por favor.",
    notYetDone: "Todavía queda una pregunta.",
    changedSince: (name) =>
      `Mientras tanto, otra persona ha cambiado ${name}. /persona edit {name:${name}} empieza de nuevo.`,
    mayNotMake:
      "Solo los miembros pueden crear personajes, y tú eres invitado. Pero sí puedes elegir uno.",
    mayNotSave: {
      chat: "Solo un administrador puede crear un personaje para este chat.",
      everyone: "Solo un administrador puede crear un personaje para todos.",
    },
    mayNotChange: (name, owner) =>
      `Solo un administrador puede cambiar ${name}, porque es ${owner}.`,
    tooMany: (limit) =>
      `El límite es de ${n(limit)} personajes. Borra antes uno, por favor: /persona delete <nombre>.`,
    tooLongToEdit: (name, limit) =>
      `El prompt de ${name} pasa de los ${n(limit)} caracteres que se pueden cambiar en un chat.`,
    which: (action) => `¿Cuál? /persona ${action} <nombre>`,
    delete: "Borrar",
    sureToDelete: (name, owner) => `¿Borrar ${name} (${owner}) y todas sus versiones?`,
    deleted: (name) => `${name} está borrado.`,
    history: (name) => `Versiones de ${name}:`,
    current: "actual",
    rollBack: (number) => `Volver a la ${n(number)}`,
    rolledBack: (name, number) => `${name} vuelve a la versión ${n(number)}.`,
    noVersion: (name, typed) => `${name} ya no tiene ninguna versión ${typed}.`,
    badTarget: (typed) => `${typed} no es ninguno de estos: me, chat, everyone.`,
    badAction: (typed) => `No conozco /persona ${typed}.`,
  },

  control: {
    full: "Hay demasiados mensajes en espera en este chat: se ha alcanzado el límite. Inténtalo más tarde, por favor.",
    begun: "Un momento.",
    dropped: (count) =>
      `He descartado ${counted(count, { one: "mensaje en espera", other: "mensajes en espera" })}.`,
    onlyTheirs: {
      stop: (name) => `Solo ${name} o un administrador puede detener esta respuesta.`,
      undo: (name) => `Solo ${name} o un administrador puede deshacer ese mensaje.`,
      retry: (name) => `Solo ${name} o un administrador puede repetir ese mensaje.`,
    },
    nothingToStop: "No hay nada en marcha.",
    stopped: "Detenido.",
    stoppedByAdmin: "Un administrador ha detenido esta respuesta.",
    stoppedAndDropped: (count) =>
      `Detenido. También he descartado ${counted(count, { one: "mensaje en espera", other: "mensajes en espera" })}.`,
    newAfterAnswer: "Termino la respuesta actual y después empiezo una conversación nueva.",
    newConversation: "Conversación nueva. Ya no veo lo que hablamos antes; sigue en /export.",
  },

  auto: {
    running: (step, of) =>
      `Ya estoy trabajando en un objetivo, paso ${step} de ${of}. /stop lo detiene.`,
    begun: (of) =>
      `Me pongo a ello. Trabajaré hasta ${counted(of, { one: "paso", other: "pasos" })}; /stop lo detiene antes.`,
    noGoal: "¿Cuál es el objetivo? Por ejemplo: /auto {goal:planea un viaje a Lisboa} {turns:5}",
    badTurns: (limit, typed) => `El número de pasos debe estar entre 1 y ${limit}, no ${typed}.`,
    numberHint: "Si forma parte del objetivo, añade los pasos al final: /auto {goal:…} {turns:10}",
    goalTooLong: (length, limit) =>
      `El objetivo es demasiado largo (${n(length)} caracteres; el límite es ${n(limit)}).`,
    ended: (step) =>
      `Dejo de trabajar en el objetivo, después de ${counted(step, { one: "paso", other: "pasos" })}.`,
    done: (step) =>
      `Objetivo cumplido, después de ${counted(step, { one: "paso", other: "pasos" })}.`,
    atLimit: (of) =>
      `Se ha alcanzado el límite de ${counted(of, { one: "paso", other: "pasos" })}. Envía /auto otra vez para continuar.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Tu nivel: ${value} (${reason}).`,
      chats: (value) => `Nivel de este chat: ${value}.`,
      yoursIsNow: (value) => `Tu nivel es ahora ${value}.`,
      chatsIsNow: (value) => `El nivel de este chat es ahora ${value}.`,
      yoursIsDefault: "Has vuelto al nivel por defecto.",
      chatsIsDefault: "Este chat ha vuelto al nivel por defecto.",
      notForChat: "Solo un administrador puede elegir el nivel de este chat.",
      notAnonymously: "Quien escribe de forma anónima no puede tener su propio nivel.",
      noneOfYours: "Nivel: automático (normalmente balanced).",
      noneOfChats: "Nivel de este chat: automático (normalmente balanced).",
    },
    model: {
      yours: (value, reason) => `Tu modelo: ${value} (${reason}).`,
      chats: (value) => `Modelo de este chat: ${value}.`,
      yoursIsNow: (value) => `Tu modelo es ahora ${value}.`,
      chatsIsNow: (value) => `El modelo de este chat es ahora ${value}.`,
      yoursIsDefault: "Has vuelto al modelo por defecto.",
      chatsIsDefault: "Este chat ha vuelto al modelo por defecto.",
      notForChat: "Solo un administrador puede elegir el modelo de este chat.",
      notAnonymously: "Quien escribe de forma anónima no puede tener su propio modelo.",
      noneOfYours: "Modelo: automático.",
      noneOfChats: "Modelo de este chat: automático.",
    },
    byYou: "lo elegiste tú",
    byChat: "fijado para este chat",
    byPersona: "lo fija el personaje",
    gone: (value) => `${value} estaba elegido, pero ya no está disponible.`,
    hidden: (count, command) => `… y ${n(count)} más. Escribe /${command} y parte del nombre.`,
    how: (command) =>
      `/${command} <nombre> para ti · /${command} <nombre> chat para todos los de este chat · /${command} default para restablecer`,
    notHere: "Quien escribe de forma anónima no puede cambiarlo.",
    adminsHere: "Aquí solo puede cambiarlo un administrador.",
    replacesYours: (model) => `Sustituye a tu propio modelo, ${model}.`,
    replacesChats: (model) => `Sustituye al modelo de este chat, ${model}.`,
    yoursFirst: (value) => `Para ti sigue valiendo tu propia elección: ${value}.`,
    noTier: (typed, tiers) => `No existe el nivel ${typed}. Disponibles: ${tiers}, default.`,
    noModel: (typed) => `No existe el modelo ${typed}.`,
    several: (typed, models) => `${typed} coincide con varios modelos: ${models}.`,
    thereAre: (names) => `Disponibles: ${names}.`,
    didYouMean: (name) => `¿Querías decir ${name}?`,
    andMore: (names, count) => `${names} y ${n(count)} más`,
    order: (models) => `Los consulto en este orden: ${models}.`,
    sameAs: (tiers, same) => `Aquí igual que ${same}: ${tiers}`,
  },

  settings: {
    heading: "Ajustes de este chat:",
    how: "Para cambiar uno: /settings <nombre> <valor>, o «default» para restablecerlo.",
    changes: (name, expected) => `Para cambiarlo: /settings {name:${name}} <valor>. ${expected}.`,
    isDefaultAgain: (name, value) => `${name} ha vuelto al valor por defecto: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} no puede ser ${typed}. ${expected}.`,
    isNow: (name, value) => `${name} ahora es ${value} en este chat.`,
    groups: {
      answers: "Respuestas",
      actions: "Herramientas y permisos",
      limits: "Límites",
      memory: "Memoria de la conversación",
      model: "Modelo",
    },
    modelsOwn: "el del modelo",
    noneChosen: (kind) => `${kind}: automático (mira /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (lo elegiste tú; mira /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (fijado para este chat; mira /${kind})`,
    personasChoice: (kind, value) => `${kind}: ${value} (lo fija el personaje; mira /persona)`,
    withPersona: (persona, value) => `con el personaje ${persona}: ${value}`,
    default: (name, value) => `${name}: ${value}`,
    own: (name, value, fallback) => `${name}: ${value} (por defecto: ${fallback})`,
    adminsOnly: (name) => `Solo un administrador puede cambiar ${name}.`,
    adminsInGroups: (name) => `En un grupo, solo un administrador puede cambiar ${name}.`,
    which: "¿Qué ajuste?",
    unknown: (typed) => `No existe el ajuste ${typed}.`,
    expectedCount: (min, max) => `Debe ser un número entero de ${n(min)} a ${n(max)}`,
    expectedDecimal: (min, max) => `Debe ser un número de ${n(min)} a ${n(max)}`,
    expectedDuration: "Debe ser una duración como 15m o 24h",
    expectedUsd: "Debe ser un importe en dólares, como 5usd",
    orOff: (expected) => `${expected}, u off`,

    expectedWords: (words) => `Puede ser ${words} o default`,
    about: {
      whileBusy: "si escribes mientras aún respondo",
      tools: "cuánto ves de mis herramientas",
      activation: "cuándo respondo en un grupo",
      thinking: "mostrar mi razonamiento",
      maxModelCalls: "máximo de consultas al modelo por respuesta",
      maxToolExecutions: "máximo de usos de herramientas por respuesta",
      deadline: "tiempo máximo por respuesta",
      maxTokens: "máximo de tokens por respuesta",
      maxCost: "gasto máximo por respuesta",
      toolFailure: "parar si falla una herramienta",
      confirmationDenied: "parar si alguien dice que no",
      policyDenied: "parar si una regla lo prohíbe",
      loopSameCall: "repeticiones de una acción que cuentan como bucle",
      loopSameTool: "usos seguidos de una herramienta que cuentan como bucle",
      loopHints: "avisos para salir de un bucle antes de parar",
      permissions: "si pregunto antes de actuar",
      compactAt: "cuánto se llena mi memoria antes de resumir, de 0 a 1",
      keepTurns: "cuántas respuestas conservan enteros los resultados de herramientas",
      strategy: "cómo acorto una conversación larga",
      temperature: "cuánto varío al redactar, 0 es lo mínimo",
      maxOutputTokens: "máximo de tokens por respuesta del modelo",
      repeatPenalty: "cuánto evito repetirme, 1 es nada",
    },
    values: {
      followup: "responderlo después",
      steer: "tenerlo en cuenta enseguida",
      interrupt: "parar y responder al mensaje nuevo",
      collect: "responder a todo junto",
      off: "no mostrar nada",
      names: "mostrar los nombres de las herramientas",
      full: "mostrar nombres y detalles",
      mention: "solo si me mencionan o me responden",
      always: "a cada mensaje",
      ask: "preguntar antes de cada acción que necesite aprobación",
      auto: "no preguntar donde una regla lo permita, p. ej. auto 30m",
      summarise: "resumir la parte antigua",
      agent: "dejar que un ayudante la lea y anote lo importante",
      truncate: "omitir la parte antigua",
    },
  },

  activation: {
    direct: "Este es un chat privado, así que respondo a todos los mensajes.",
    mention: "En este grupo respondo cuando alguien me menciona, me responde o envía un comando.",
    always: "Respondo a todos los mensajes de este grupo.",
    how: "Para cambiarlo: /activation mention o /activation always.",
    telegramHint:
      "Para ver todos los mensajes tengo que ser administrador del grupo o tener el modo de privacidad desactivado (@BotFather → Bot Settings → Group Privacy).",
    discordHint:
      "Para ver todos los mensajes necesito discord.messageContent: true en mi configuración. Díselo a la persona que me administra.",
    unknown: (typed) => `No entiendo ${typed}. Usa /activation mention o /activation always.`,
  },

  language: {
    name: "Español",
    isNow: "De acuerdo, hablaré español.",
    isAuto: "Sigo el idioma de tu app: español.",
    is: "Hablo español, como elegiste.",
    how: (codes) => `Para cambiarlo: /language <${codes}>, o /language auto para seguir tu app.`,
    unknown: (typed, codes) => `No hablo ${typed}. Disponibles: ${codes}, auto.`,
    notAnonymously: "Quien escribe de forma anónima no puede tener su propio idioma.",
  },

  status: {
    memory: {
      auto: "Memoria: busco por mi cuenta en mensajes anteriores (solo palabras clave)",
      tool: "Memoria: se busca en mensajes anteriores cuando hace falta (solo palabras clave)",
      off: "Memoria: no se busca en mensajes anteriores",
      autoMeaning:
        "Memoria: busco por mi cuenta en mensajes anteriores (palabras clave y significado)",
      toolMeaning:
        "Memoria: se busca en mensajes anteriores cuando hace falta (palabras clave y significado)",
      keywordsOnly:
        "Memoria: la búsqueda por significado no está disponible ahora, solo palabras clave",
    },
    idle: "No hay nada en marcha.",
    queued: "En cola.",
    running: "Preparando una respuesta.",
    waiting: "Espero a que alguien apruebe o rechace una acción.",
    auto: (step, of) => `/auto: paso ${step} de ${of}. /stop lo detiene.`,
    queue: (count) => `Mensajes en espera: ${n(count)}`,
    model: (models) => `Modelo: ${models}`,
    tier: (tier) => `Nivel: ${tier}`,
    persona: (name: string) => `Persona: ${name}.`,
    noTier: "Nivel: automático",
    remembered: (count) => `Mensajes y acciones en esta conversación: ${n(count)}`,
  },

  approvals: {
    none: "No hay nada pendiente de aprobación.",
    heading: (count) =>
      `${counted(count, { one: "acción espera", other: "acciones esperan" })} aprobación:`,
    askedFor: (person) => `para ${person}`,
    expiresIn: (time) => `caduca en ${time}`,
    more: (count) => `Y ${n(count)} más.`,
    hiddenValues: (tool) => `Valores ocultos de ${tool}:`,
    nothingHidden: "Ahí no hay nada oculto.",
  },

  decisions: {
    otherChat: "Este botón es de otro chat o demasiado antiguo.",
    otherMessage: "Este botón es de otro mensaje.",
    notAllowed: (who) => `Solo ${who} puede decidir esto.`,
    anAdmin: "un administrador",
    orAnAdmin: (name) => `${name} o un administrador`,
    anOwner: "un propietario",
    aMember: "un miembro",
    both: (one, other) => `${one} y ${other}`,
    counted: "Anotado: 1 de 2 aprobaciones. Falta otra persona.",
    countedBefore: "Ya lo has aprobado. Falta otra persona.",
    approved: "Aprobado.",
    denied: "Rechazado.",
    kept: "Guardado.",
    notKept: "No guardado.",
    approvedOf: (done, of) => `Aprobadas: ${done} de ${of}.`,
    deniedOf: (done, of) => `Rechazadas: ${done} de ${of}.`,
    approvedBy: (name) => `Aprobado por ${name}.`,
    deniedBy: (name) => `Rechazado por ${name}.`,
    deniedBecause: (name, reason) => `Rechazado por ${name}: ${reason}`,
    undecided: "Caducado. Nadie decidió a tiempo, así que no lo hice.",
    expired: "Esto ha caducado.",
    tooLate: "Ha tardado demasiado y no cuenta. Pulsa otra vez, por favor.",
    tooOld: "Este botón ya no funciona.",
    already: {
      pending: "Esto todavía no se ha decidido.",
      approved: "Esto ya está aprobado.",
      denied: "Esto ya está rechazado.",
      expired: "Esto ha caducado.",
      superseded: "Un mensaje más reciente ya lo ha sustituido.",
      cancelled: "Esto ya está cancelado.",
      changed: "Esto ya se ha cambiado; mira la tarjeta más nueva de abajo.",
    },
    changed: "Cambiado. Revísalo y apruébalo abajo.",
    changedBy: (name) => `Cambiado por ${name}; mira la tarjeta nueva de abajo.`,
    alreadyChangedBy: (name) => `${name} ya lo ha cambiado; mira la tarjeta más nueva de abajo.`,
    alreadyApprovedBy: (name) => `Esto ya fue aprobado por ${name}.`,
    alreadyDeniedBy: (name) => `${name} ya lo ha rechazado.`,
    superseded: "Cancelado por un mensaje más reciente.",
    stopped: "Cancelado.",
    unknownId: (id) => `Aquí no hay ninguna aprobación ${id} pendiente. Mira /approvals.`,
    whichCard:
      "No sé a qué responde eso. Responde a la tarjeta, pulsa uno de sus botones o envía /approve <id> o /deny <id>. /approvals muestra los ID.",
    noCall: (typed, command) =>
      `Esa tarjeta no tiene ninguna acción ${typed}. Indica una por su número: /${command} {id:<id> 1}. /approvals muestra lo que espera.`,
    which: (command) =>
      `Hay varias acciones pendientes. /approvals las muestra y /${command} <id> elige una.`,
  },

  cards: {
    approve: "Aprobar",
    deny: "Rechazar",
    keep: "Recordar",
    dontKeep: "No recordar",
    factOfYours: "Sobre ti. Solo lo uso en tus chats privados conmigo.",
    factOf: (name) => `Sobre ${name}. Solo lo uso en sus chats privados conmigo.`,
    factOfChat: "Sobre este chat. Lo pueden ver todos aquí.",
    factReplaces: (id) => `Reemplaza ${id}.`,
    approveAll: "Aprobar todas",
    denyAll: "Rechazar todas",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "día", other: "días" }),
    },
    characters: (count) => counted(count, { one: "carácter", other: "caracteres" }),
    needed: (title) => `¿${title}?`,
    neededFor: (count) =>
      `Hace falta aprobar ${counted(count, { one: "acción", other: "acciones" })}:`,
    calls: (count) => `${counted(count, { one: "acción", other: "acciones" })}:`,
    about: (sentence) => `«${sentence}»`,
    noArguments: "Sin argumentos.",
    secretsHidden: (id) =>
      `Los secretos se muestran en parte como ••••. \`/approvals {id:${id}}\` te los enseña en privado.`,
    secretsMasked: "Los secretos se muestran en parte como ••••.",
    showHidden: "Ver valores ocultos",
    lookalikes: (words) =>
      `Cuidado: estas palabras contienen letras que se parecen a otras: ${words}.`,
    details: (call) => `Datos completos de ${call}:`,
    decides: (who) => `Puede decidir ${who}.`,
    waitsForAdmins: "He pedido la aprobación de los administradores. /stop lo cancela.",
    waitsForOwner: "He pedido la aprobación de mi propietario. /stop lo cancela.",
    asksElsewhere: (who) => `${who} lo pide en un chat privado conmigo.`,
    youDecide: "Decides tú.",
    twoDecide: (who) => `Necesita dos aprobaciones, de ${who}.`,
    firstOfTwo: (name) => `1 de 2: aprobado por ${name}. Falta una más.`,
    expiresAt: (moment) => `Caduca: ${moment}.`,
    expiresIn: (duration) => `Caduca en ${duration}.`,
    id: (id) => `ID: \`${id}\``,
    typed: (id) => `Aquí no puedo mostrar botones: envía \`/approve ${id}\` o \`/deny ${id}\`.`,
    approved: (what) => `✓ ${what} aprobada`,
    approvedBy: (what, name) => `✓ ${what} aprobada por ${name}`,
    approvedFirst: (what, name) => `… ${what} aprobada por ${name}. Falta una más`,
    denied: (what) => `✗ ${what} rechazada`,
    deniedBy: (what, name) => `✗ ${what} rechazada por ${name}`,
    kept: (what) => `✓ ${what} guardado`,
    keptBy: (what, name) => `✓ ${what} guardado, lo aceptó ${name}`,
    notKept: (what) => `✗ ${what} no guardado`,
    expired: (what) => `✗ ${what} caducada, nadie decidió a tiempo`,
    superseded: (what) => `✗ ${what} cancelada por un mensaje más reciente`,
    stopped: (what) => `✗ ${what} cancelada`,
    edit: "Cambiar",
    allowFor: (span) => `Permitir durante ${span}`,
    changedNote: (name) => `${name} ha cambiado los argumentos.`,
    changedNoteOfYours: "Has cambiado los argumentos.",
    changedNoteOfNobody: "Alguien ha cambiado los argumentos.",
    changed: (what) => `✎ ${what} cambiada`,
    changedBy: (what, name) => `✎ ${what} cambiada por ${name}`,
    erased: "Borrado.",
  },

  toolTitles: {
    current_time: "Decir la hora",
    calculate: "Calcular",
    fetch_url: "Abrir una página web",
    web_search: "Buscar en la web",
    read_notes: "Leer las notas",
    write_note: "Escribir una nota",
    remember: "Recordar",
    recall: "Buscar en este chat",
    read_more: "Leer más de un resultado",
    todo_list: "Mostrar la lista de tareas",
    todo_write: "Cambiar la lista de tareas",
    find_tools: "Buscar herramientas",
    schedule: "Crear recordatorio o tarea programada",
    activate_skill: "Leer una habilidad",
    read_skill_file: "Leer un archivo de una habilidad",
  },

  toolDescriptions: {
    current_time: "La fecha y la hora en cualquier parte del mundo",
    calculate: "Cálculo exacto, también con unidades y fechas",
    fetch_url: "Lee una página cuya dirección me das",
    web_search: "Encuentra páginas y muestra un breve extracto",
    read_notes: "Lee las notas de este chat",
    write_note: "Añade una nota a este chat",
    remember: "Guarda un dato sobre ti o sobre este chat",
    recall: "Encuentra lo que se dijo antes en este chat",
    read_more: "Sigue leyendo un resultado largo",
    todo_list: "Muestra la lista de tareas de este chat",
    todo_write: "Añade tareas y las marca como hechas",
    find_tools: "Encuentra la herramienta adecuada entre muchas",
    schedule: "Crea, cambia y elimina recordatorios y tareas programadas",
    activate_skill: "Lee las instrucciones de una habilidad",
    read_skill_file: "Lee un archivo que pertenece a una habilidad",
  },

  delivery: {
    nothingToShow: "(respuesta vacía)",
    fileGone: "El archivo ya no está disponible.",
    fileRefused: "Lo siento, no he podido enviar el archivo aquí.",
    goesOn: (fileName) => `La respuesta completa está en ${fileName}.`,
    sentAgain: "enviado de nuevo; puede que lo veas dos veces",
    noButtons: "Aquí no puedo mostrar botones. /help indica qué puedes escribir en su lugar.",
    undelivered: (place, why) =>
      `No he podido publicar mi mensaje para ti en ${place}. ${why} Puedes volver a preguntarme aquí.`,
    notPosted: (place, why) => `No he podido publicar esto en ${place}. ${why}`,
    elsewhere: "el grupo donde preguntaste",
    why: {
      closed: "El tema o el hilo está cerrado.",
      gone: "El tema se ha eliminado o ya no se puede acceder al chat.",
      forbidden: "Falta el permiso para escribir allí.",
      blocked: "Los mensajes a esta persona están bloqueados.",
      moderated: "Un filtro del servidor ha bloqueado el texto.",
      other: "La plataforma no lo ha aceptado.",
    },
  },

  platform: {
    notAllowed: "No tienes permiso para hacer esto.",
    tryAgain: "Lo siento, no ha funcionado. Inténtalo de nuevo dentro de un momento, por favor.",
    notTaken: (errorId) => `Lo siento, no he podido procesar este mensaje. (error ${errorId})`,
    whatAboutThis: "¿Qué me puedes decir sobre esto?",
  },

  telegram: {
    buttonIsGone: "Este botón ya no funciona.",
    fileIsGone: "Lo siento, Telegram ya no tiene ese archivo. Envíalo otra vez, por favor.",
    fileOutOfReach:
      "Lo siento, no he podido descargar ese archivo de Telegram. Envíalo otra vez más tarde, por favor.",
    fileTooLarge: (megabytes) => `Ese archivo es demasiado grande. El límite es ${megabytes} MB.`,
    cannot: {
      animation: "Lo siento, no puedo ver GIF. Envía mejor una captura de pantalla.",
      video: "Lo siento, no puedo ver vídeos. Envía mejor una captura de pantalla.",
      sticker: "Lo siento, no puedo ver stickers. Dímelo con palabras, por favor.",
      paid_media: "Lo siento, no puedo abrir contenido de pago. Cuéntame de qué se trata.",
      story: "Lo siento, no puedo abrir historias. Cuéntame de qué se trata.",
      other:
        "Lo siento, no puedo leer este tipo de mensaje. Cuéntame con palabras de qué se trata.",
    },
    thisFile: "este archivo",
    cannotReadPicture: (name) =>
      `Lo siento, no puedo leer la imagen ${name}. Envíala como foto, o en JPEG, PNG, WebP o GIF.`,
    cannotReadFile: (name) =>
      `Lo siento, no puedo leer ${name}. Puedo leer texto, código, CSV, JSON y PDF.`,
  },

  discord: {
    admin: "Para los administradores de este bot",
    unknownCommand: "Este comando ya no está disponible.",
    unknownAction: "Lo siento, no sé qué hacer con eso.",
    elsewhere: "Solo puedo responder en un mensaje directo o en un servidor al que me haya unido.",
    onlyUserInstall: "No soy miembro de este servidor. Úsalo en un mensaje directo, por favor.",
    mayNotWrite: "No tengo permiso para escribir en este canal, así que no puedo responder aquí.",
    mayNotAttach:
      "No tengo permiso para enviar archivos en este canal, así que aquí no puedo hacerlo.",
    delayed: "Lo siento, ahora no puedo atenderlo. Lo seguiré intentando y responderé aquí.",
    unreadable: "No he podido leerlo. Inténtalo de nuevo, por favor.",
    done: "Hecho.",
    doneBefore: "Está hecho, pero mi respuesta se perdió. Pregunta de nuevo si la necesitas.",
    tooLate:
      "Lo siento, ha tardado demasiado y ya no puedo responderte en privado. Pregunta otra vez, por favor.",
    askAboutThis: "Preguntar sobre esto",
    yourQuestion: "Tu pregunta",
    forgotten: "Lo siento, he perdido de vista ese mensaje. Elígelo otra vez, por favor.",
    about: (link) => `sobre ${link}`,
    ask: "Pregúntame algo",
    askQuestion: "Tu pregunta o petición",
    askFile: "Un archivo para tu pregunta",
    video: (name) => `No puedo ver vídeos (${name}). Envía mejor una captura de pantalla.`,
    archive: (name) =>
      `No puedo abrir archivos comprimidos (${name}). Envía los archivos uno a uno, por favor.`,
    picture: (name) =>
      `No puedo abrir este tipo de imagen (${name}). Envía PNG, JPEG, GIF o WebP, por favor.`,
    otherFile: (name) =>
      `No puedo leer este tipo de archivo (${name}). Puedo leer imágenes, archivos de texto y PDF.`,
    sticker: "No puedo ver stickers. Dímelo con palabras, por favor.",
    fileIsGone: (name) => `Lo siento, Discord ya no tiene ${name}. Envíalo otra vez, por favor.`,
    fileFailed: (name) =>
      `Lo siento, no he podido descargar ${name} de Discord. Envíalo otra vez, por favor.`,
    fileTooLarge: (name, megabytes) => `${name} es demasiado grande. El límite es ${megabytes} MB.`,
  },

  tools: {
    none: "Ahora mismo no tengo herramientas.",
    free: "Estas las uso sin preguntar:",
    asking: "Antes de usar estas, pregunto:",
    sometimes: "Antes de usar estas, a veces pregunto:",
    more: (count) => `Y ${n(count)} más.`,
    noSearch:
      "Todavía no puedo buscar en la web. Un administrador puede activarlo con npm run init o en webSearch de parley.yaml.",
  },

  memory: {
    none: "No recuerdo nada de aquí. Di «recuerda que…» y te preguntaré antes de guardarlo.",
    aboutYou: "Sobre ti (solo se ve en tus chats privados):",
    aboutChat: "Sobre este chat:",
    note: "nota",
    more: "Más",
    howTo:
      "Para borrar algo: ✕ o /memory delete <ID>. Para cambiarlo: /memory edit <ID> <texto>. /memory export lo envía todo en un archivo.",
    which: "¿Cuál? /memory muestra los ID.",
    unknown: (typed) => `No conozco ${typed}. /memory muestra lo que recuerdo aquí.`,
    badAction: (typed) => `No conozco ${typed}. Usa /memory list, delete, edit o export.`,
    badText: (limit) => `Escribe el texto nuevo después del ID, hasta ${n(limit)} caracteres.`,
    notYours: "Solo puede cambiarlo quien lo dijo o un administrador.",
    full: "Aquí ya no cabe nada más. Borra algo primero: /memory",
    isDeleted: (text) => `He olvidado: ${text}`,
    isChanged: (text) => `Cambiado. Ahora recuerdo: ${text}`,
    isExported: "Aquí tienes lo que recuerdo, en un archivo.",
    title: "Lo que recuerda Parley",
    summaries: "Resúmenes de conversaciones anteriores",
    supersedes: (id) => `(sustituye a ${id})`,
  },

  recall: {
    none: "No encontré nada sobre eso en este chat.",
    bot: "Yo",
    indexing: "Todavía estoy indexando este chat. Inténtalo de nuevo en un minuto.",
    tooLong:
      "Este chat es demasiado largo para buscar en todo él, así que busqué en la parte más reciente.",
    off: "La búsqueda está desactivada aquí.",
  },

  todos: {
    none: "La lista de tareas está vacía. Pídeme algo que tenga varios pasos y los iré anotando aquí.",
    heading: (done, total) => `Lista de tareas: ${done} de ${total} hechas`,
  },

  usage: {
    heading: "Este chat hasta ahora:",
    turns: (count) => `Respuestas: ${n(count)}`,
    modelCalls: (count) => `Consultas al modelo: ${n(count)}`,
    inputTokens: (count) => `Tokens de entrada: ${n(count)}`,
    outputTokens: (count) => `Tokens de salida: ${n(count)}`,
    about: (amount) => `aprox. ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "consulta", other: "consultas" })}, ${input} tokens de entrada y ${output} de salida`,
    costUnknown: "coste desconocido",
    cost: (amount) => `Coste: ${amount}`,
    unknown: "desconocido",
    andUnpriced: (amount) => `${amount}, más modelos sin precio conocido`,
    spent: (messages, tokens) =>
      `${counted(messages, { one: "mensaje", other: "mensajes" })}, ${counted(tokens, { one: "token", other: "tokens" })}`,
  },

  limits: {
    whose: {
      you: "para ti",
      thisChat: "para este chat",
      everybody: "para todos juntos",
      eachPerson: "para cada persona",
      eachChat: "para cada chat",
      terminal: "para todos en la terminal",
    },
    role: (role) => `para ti, como ${role}`,
    platform: (platform) => `para todos en ${platform}`,
    ofPerson: (person) => `para ${person}`,
    ofChat: (chat) => `para el chat ${chat}`,
    hit: (limit, whose) => `Se ha alcanzado el límite de ${limit} (${whose}).`,
    needs: (amount, used, limit, whose) =>
      `No queda suficiente para una respuesta (hasta ${amount}): se ha usado ${used} del límite de ${limit} (${whose}).`,
    resets: (when) => `Se restablece ${when}.`,
    notKept: "Envía esto de nuevo entonces, por favor.",
    nearly: (percent, limit, whose, used) =>
      `Se ha usado el ${percent} % del límite de ${limit} (${whose}): ${used}.`,
    slowDown: (limit) =>
      `Un poco más despacio: el límite es ${limit}. Se restablece en menos de un minuto.`,
    heading: "Tus límites en este chat:",
    none: "No tienes límites en este chat.",
    used: (used, when) => `usado: ${used}, se restablece ${when}`,
    running: (count) => `en curso: ${n(count)}`,
    setHeading: "Fijados por administradores en los chats:",
    more: (count) => `… y ${n(count)} más`,

    how: "Fijar: /limits set <ámbito> <magnitud> <valor>. Volver al límite configurado: /limits reset <ámbito> [magnitud].\nÁmbitos: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Valores: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Solo los administradores pueden cambiar los límites.",
    adminsOfAll:
      "Solo los administradores del bot pueden cambiar este límite. Tú puedes fijar los de este chat.",
    badAction: (typed) => `No entiendo ${typed}. Usa /limits, /limits set o /limits reset.`,
    badScope: (typed) =>
      `No sé a quién se refiere ${typed}. Puede ser person, @name, un ID como telegram:1, chat, chats, role:member, platform:telegram o global.`,
    badMetric: (typed, metrics) => `No puedo limitar ${typed}. Puede ser ${metrics}.`,
    badAmount: (typed, example) => `No entiendo ${typed}. Usa un límite como ${example}, u off.`,
    badValue: (typed, metric, example, per) =>
      `No entiendo ${typed}. Para ${metric}, usa un límite como ${example}, por ${per}, u off.`,
    isNow: (whose, limit, before) =>
      `Nuevo límite ${whose}: ${limit} (antes: ${before}). Se aplica desde el próximo mensaje.`,
    isReset: (whose, limit, before) =>
      `El límite ${whose} vuelve a ser el configurado: ${limit} (antes: ${before}).`,
    unlimited: {
      messages: "mensajes sin límite",
      tokens: "tokens sin límite",
      cost: "gasto sin límite",
      turns: "respuestas sin límite",
      "model-calls": "consultas al modelo sin límite",
      "tool-executions": "usos de herramientas sin límite",
      deadline: "tiempo sin límite",
    },
    ofEach: (role) => `para cada uno con el rol de ${role}`,
    notSet: "ninguno",
    nothingSet: (whose) =>
      `No se había fijado en un chat ningún límite ${whose}, así que no hay nada que restablecer.`,
    yoursToday: (used) => `Tú, hoy: ${used}`,
    yoursThisMonth: (used) => `Tú, este mes: ${used}`,
    allToday: (used) => `Todos, hoy: ${used}`,
    allThisMonth: (used) => `Todos, este mes: ${used}`,

    amount: {
      messages: (count) => counted(count, { one: "mensaje", other: "mensajes" }),
      tokens: (count) => counted(count, { one: "token", other: "tokens" }),
      turns: (count) => counted(count, { one: "respuesta", other: "respuestas" }),
      "model-calls": (count) =>
        counted(count, { one: "consulta al modelo", other: "consultas al modelo" }),
      "tool-executions": (count) =>
        counted(count, { one: "uso de herramientas", other: "usos de herramientas" }),
    },
    per: {
      minute: (amount) => `${amount} por minuto`,
      hour: (amount) => `${amount} por hora`,
      day: (amount) => `${amount} al día`,
      month: (amount) => `${amount} al mes`,
      turn: (amount) => `${amount} por respuesta`,
      "at-once": (amount) => `${amount} a la vez`,
    },
    hitYours: (limit) => `Has alcanzado tu límite de ${limit}.`,
    nearlyYours: (percent, limit, used) =>
      `Has usado el ${percent} % de tu límite de ${limit} (${used}).`,
  },

  whoami: {
    name: (name) => `Nombre: ${name}`,
    id: (id) => `ID: ${id}`,
    role: (role) => `Rol: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Escribes de forma anónima, así que aquí no puedes decidir nada.",
    place: (place) => `ID del lugar: ${place}`,
    adminHere:
      "Administras este grupo, así que puedes cambiar sus ajustes y límites y decidir sobre las aprobaciones.",
    roles: {
      owner: "propietario",
      admin: "administrador",
      member: "miembro",
      guest: "invitado",
      stranger: "ninguno todavía",
      banned: "bloqueado",
    },
    may: {
      owner: "Este bot es tuyo. Puedes hacerlo todo.",
      admin:
        "Puedes hacerlo todo: hablar conmigo, aprobar acciones, cambiar ajustes y dar acceso a otros.",
      member: "Puedes hablar conmigo, aprobar lo que hago por ti y cambiar tus propios ajustes.",
      guest: "Puedes hablar conmigo aquí. Los miembros aprueban las acciones.",
      stranger: "Todavía no tienes acceso.",
      banned: "Tu acceso está bloqueado.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `No conozco a nadie llamado ${typed}. Si nunca me ha escrito, usa un ID como telegram:12345.`,
    whomOnDiscord: (command) =>
      `¿Quién? Elige a una persona en las opciones de /${command}, o un lugar.`,
    whom: (command) =>
      `¿Quién? Responde a uno de sus mensajes con /${command}, o usa @name o un ID: /${command} telegram:12345`,
    anonymous: (who) =>
      `${who} escribe de forma anónima, quizá en nombre de varias personas, así que no puede tener un rol.`,
    adminsOnly: "Solo un administrador puede cambiar los roles.",
    ownersOnly: "Solo los propietarios pueden añadir o quitar administradores.",
    ownerStays: (who) => `Este bot es de ${who}. Eso solo se cambia en la configuración del bot.`,
    fileBans: (who) => `${who} está bloqueado en la configuración del bot. Cámbialo allí.`,
    fileAllows: (who) => `${who} tiene acceso por la configuración del bot. Cámbialo allí.`,
    aRole: {
      owner: "propietario",
      admin: "administrador",
      member: "miembro",
      guest: "invitado",
      banned: "usuario bloqueado",
    },
    isNow: (who, role) => `${who} ahora es ${role}.`,
    isAlready: (who, role) => `${who} ya es ${role}.`,
    banned: (who) => `${who} está bloqueado.`,
    unbanned: (who) => `${who} ya no está bloqueado.`,
    notBanned: (who) => `${who} no está bloqueado.`,
    noRole: (typed) => `No existe el rol ${typed}. Puede ser admin, member o guest.`,
    whichRole: "¿Qué rol? Puede ser admin, member o guest.",
    placeAllowed: (place) => `Todos en ${place} pueden hablar conmigo ahora (como invitados).`,
    placeBanned: (place) => `Me quedaré callado en ${place}, salvo con los administradores.`,
    placeCleared: (place) => `He quitado la regla de ${place}.`,
    placeNotSet: (place) => `No hay ninguna regla para ${place}.`,
    noPlace: "Este es un chat privado. Nombra a una persona.",
    noServer: "Esto no es un servidor de Discord.",
    owners: "Propietarios:",
    admins: "Administradores:",
    noneNamed: "Nadie.",
    terminal: "Quien esté en mi terminal también es propietario.",
    thisChat: "este chat",
    thisServer: "este servidor",
  },

  export: {
    adminsOnly: "Solo un administrador puede exportar la conversación de un grupo.",
    badFormat: (typed) => `No puedo exportar como ${typed}. Usa /export json o /export markdown.`,
    full: "Lo siento, hay demasiados mensajes por enviar en este chat. Inténtalo más tarde, por favor.",
    nothing: "Todavía no hay nada que exportar.",
    done: (entries) =>
      `Aquí está la conversación, con ${counted(entries, { one: "elemento", other: "elementos" })}.`,
    doneIn: (entries, files) =>
      `Aquí está la conversación, con ${counted(entries, { one: "elemento", other: "elementos" })} en ${n(files)} archivos.`,
    shown: "Pueden verlo todos los de este chat.",
  },

  forget: {
    notAnonymously: "No puedes borrar nada en nombre de un grupo o canal.",
    inPrivateOnly: "Eso solo funciona en nuestro chat privado. Envíame allí /forget me.",
    adminsOnly:
      "En un grupo, solo los administradores pueden borrar el chat. Para borrar lo que escribiste aquí, envíame /forget me en privado.",
    badScope: (typed) =>
      `Puedo borrar «chat» (este chat) o «me» (todos tus datos), pero no conozco ${typed}.`,
    badCode: (typed) => `Ese código no es correcto: ${typed}. Tiene la forma yes-1234.`,
    yes: { chat: "Sí, borrar este chat", me: "Sí, borrarlo todo" },
    confirm: (confirmation) => `Para confirmar, envía ${confirmation} en los próximos 5 minutos.`,
    explained: {
      chat: "Esto borra para siempre todo lo que he guardado de este chat: mensajes, notas, tareas, ajustes, consumo, archivos y copias archivadas. También detiene lo que esté haciendo aquí.\nLos mensajes de la propia app se quedan. Solo tú puedes borrarlos allí.",
      me: "Esto borra tus datos para siempre y detiene lo que esté haciendo por ti.\nSe borra:\n• tus chats privados conmigo\n• tu perfil con tus elecciones y tu rol (puede que tengan que darte acceso otra vez)\n• en los grupos: lo que escribiste, lo que te respondí y donde repetí tus palabras\n• tus motivos y cambios cuando decidiste por otros\nSe queda:\n• las notas y tareas de los grupos\n• lo que otros escribieron sobre ti\n• el consumo de este mes\n• un bloqueo, si lo tienes (sin tu nombre)\n• los mensajes de la propia app",
    },
    expired: (scope) =>
      `Esa confirmación no es válida o ha caducado. Solo puede confirmar quien lo pidió, aquí y en un plazo de 5 minutos. Empieza de nuevo con /forget ${scope}.`,
    begun: "Un momento. Te aviso cuando todo esté borrado.",
    chatDone: "Listo. Todo en este chat se ha borrado.",
    meDone: "Listo. Se han borrado tus chats privados conmigo y tu perfil.",
    meDoneWith: (groups) =>
      `Listo. Se han borrado tus chats privados conmigo, tu perfil y lo que escribiste en ${counted(groups, { one: "grupo", other: "grupos" })}.`,
    but: (count) =>
      `No he podido leer o borrar ${counted(count, { one: "elemento que quizá forme parte de ello", other: "elementos que quizá formen parte de ello" })}. Quien me administra encontrará los detalles en mi registro.`,
  },

  end: {
    modelCalls: (limit) =>
      `Me he detenido aquí porque he llegado al límite de ${counted(limit, { one: "paso", other: "pasos" })}. Di «sigue» para continuar.`,
    toolExecutions: (limit) =>
      `Me he detenido aquí porque he llegado al límite de ${counted(limit, { one: "uso de herramientas", other: "usos de herramientas" })}. Di «sigue» para continuar.`,
    tokens: (limit) =>
      `Me he detenido aquí porque he llegado al límite de ${counted(limit, { one: "token", other: "tokens" })} por respuesta.`,
    cost: (limitUsd) =>
      `Me he detenido aquí porque he llegado al límite de gasto de ${exactMoney(limitUsd)} por respuesta.`,
    deadline: (limitSeconds) =>
      `Me he detenido aquí porque he llegado al límite de tiempo de ${counted(limitSeconds, { one: "segundo", other: "segundos" })} por respuesta.`,
    loop: "Estaba dando vueltas a lo mismo, así que me detuve. ¿Puedes decirlo de otra manera?",
    denied: "Me he detenido aquí porque eso no se aprobó.",
    notAllowed: "Me he detenido aquí porque eso no está permitido.",
    toolFailed: "Me he detenido aquí porque ha fallado una herramienta.",
    cut: "Me he detenido aquí, en el límite de longitud. Di «sigue» para el resto.",
    cutEmpty:
      "Me he detenido en el límite de longitud antes de poder responder. Di «sigue» y lo intento de nuevo.",
    filtered: "El filtro de contenido del servicio de IA ha detenido mi respuesta aquí.",
    downgraded: (tier) =>
      `Queda poco presupuesto, así que ha respondido un modelo más barato (${tier}).`,
    poisoned: (errorId) =>
      `Lo siento, lo he intentado tres veces sin éxito. Prueba de otra manera, por favor. (error ${errorId})`,
    stopped: "(detenido)",
    interrupted: "(interrumpido)",
  },

  modelFailed: {
    "rate-limited": (errorId, when) =>
      `Lo siento, el servicio de IA está muy ocupado ahora mismo. Inténtalo ${when ?? "en un minuto"}. (error ${errorId})`,
    overloaded: (errorId, when) =>
      `Lo siento, el servicio de IA tiene problemas. Inténtalo ${when ?? "más tarde"}. (error ${errorId})`,
    timeout: (errorId) =>
      `Lo siento, mi modelo de IA ha tardado demasiado. Inténtalo de nuevo, por favor. (error ${errorId})`,
    network: (errorId) =>
      `Lo siento, ahora mismo no puedo conectar con mi modelo de IA. Inténtalo más tarde. (error ${errorId})`,
    "context-overflow": (errorId) =>
      `Lo siento, esta conversación es demasiado larga para el modelo. /new empieza una nueva. (error ${errorId})`,
    "setup-too-long": (errorId) =>
      `Lo siento, mis instrucciones y herramientas por sí solas son demasiado largas para el modelo. Un administrador puede acortar el prompt o las herramientas, o elegir un modelo con una ventana de contexto mayor. (error ${errorId})`,
    "turn-too-long": (errorId) =>
      `Lo siento, esta petición es demasiado larga para el modelo. Acórtala o divídela en partes más pequeñas, por favor. (error ${errorId})`,
    auth: (errorId) => `Lo siento, mi clave de API ha sido rechazada. (error ${errorId})`,
    "invalid-request": (errorId) =>
      `Lo siento, el servicio de IA ha rechazado mi consulta. (error ${errorId})`,
    refused: (errorId) => `Lo siento, el modelo de IA no ha querido responder. (error ${errorId})`,
    "no-credit": (errorId) =>
      `Lo siento, mi cuenta en el servicio de IA se ha quedado sin saldo. (error ${errorId})`,
    moderated: (errorId) =>
      `Lo siento, el filtro de contenido del servicio de IA no ha dejado pasar esto. Dilo de otra forma, por favor, o empieza de nuevo con /new. (error ${errorId})`,
    "unknown-model": (errorId) =>
      `Lo siento, mi modelo de IA ya no está disponible. (error ${errorId})`,
    "broken-call": (errorId) =>
      `Lo siento, mi modelo de IA ha intentado usar una herramienta y se ha equivocado. Inténtalo de nuevo, por favor. (error ${errorId})`,
    empty: (errorId) =>
      `Lo siento, no he obtenido respuesta. Inténtalo de nuevo, por favor. (error ${errorId})`,
  },

  unreadable: {
    locked: "El archivo está protegido con contraseña.",
    damaged: "El archivo está dañado o no es un PDF legible.",
    "too-complicated": "El archivo es demasiado complejo para leerlo.",
    failed: "Algo salió mal al leerlo. Envíalo otra vez o usa /retry, por favor.",
    pictures: "No tiene texto. Sus páginas son probablemente imágenes.",
    empty: "No contiene texto.",
    unknown: "No puedo leer este tipo de archivo.",
    "no-transcription": "Aquí no puedo escuchar mensajes de voz.",
    "not-transcribed": "Lo siento, no he podido transcribir el mensaje de voz.",
    silent: "No he oído a nadie hablar en él.",
    gone: "Ya no está guardado. Los archivos se borran al cabo de un día.",
    refused: "El servicio de IA no acepta esta imagen.",
  },

  exported: {
    title: "Conversación",
    asOf: (chat, time) => `El chat ${chat}, a fecha de ${time}.`,
    sample: (persona, who) => `Muestra para el personaje ${persona}: ${who}`,
    asPersona: (model, persona) => `${model} como ${persona}`,
    edited: (who, time) => `${who} editó un mensaje, ${time}`,
    reading: "Texto del archivo adjunto",
    result: (number, tool) => `Resultado de la acción ${number}, ${tool}`,
    failed: (kind) => `falló: ${kind}`,
    ended: (reason) => `Fin de la respuesta: ${reason}`,
    endedAs: (reason, persona) => `Fin de la respuesta como ${persona}: ${reason}`,
    reset: (time) => `Una conversación nueva, ${time}`,
    sawNothing: "A partir de aquí, el modelo ya no veía nada de lo anterior.",
    auto: (step, of) => `Paso ${step} de ${of} como máximo, objetivo:`,
    threadBegan: "Este hilo empezó con:",
    inAnswerTo: "En respuesta a:",
    said: "Mensaje:",
    attached: (name, bytes) => `Adjunto: ${name}, ${n(bytes)} bytes`,
    cutOff: "interrumpido",
    noted: "Añadido por la plataforma:",
    thinking: "Razonamiento:",
    answer: "Respuesta:",
    call: (number, tool) => `Acción ${number}: ${tool}`,
    compaction: (strategy) => `Resumen: ${strategy}`,
    by: (model) => `por ${model}`,
    inPlaceOf: (from, to) =>
      `A partir de aquí, el modelo vio esto en lugar de los elementos ${from} a ${to} de arriba:`,
    shortened: (entries) => `Vio estos resultados acortados: ${entries}.`,
    undone: (time) => `Deshecho, ${time}`,
    sawNothingOf: (from, to) =>
      `A partir de aquí, el modelo ya no veía los elementos ${from} a ${to}.`,
    notUndone: "Lo que hicieron estas acciones no se deshizo:",
  },

  console: {
    demoModel: "modelo de demostración",
    hints: "Escribe un mensaje. /help muestra los comandos, /quit para salir.",
    earlier: "Antes:",
    working: (seconds) => `${seconds} s · Ctrl-C para detener`,
    outcomes: {
      approved: "aprobada",
      denied: "rechazada",
      expired: "caducada: nadie decidió a tiempo",
      superseded: "no ejecutada, porque escribiste algo nuevo",
      cancelled: "detenida",
      changed: "cambiada, se pregunta de nuevo abajo",
    },
    notHandedOver: "Todavía no he podido procesarlo. Está guardado y lo intentaré de nuevo.",
    questionIsOpen:
      "Esto sigue pendiente de la última vez. Responde y o n; cualquier otra cosa lo cancela.",
    questionReplaced: "Se ha cancelado la acción pendiente.",
    formGone: "Esto ya no espera respuesta. Tu cambio se ha descartado.",
    interruptAgain: "Pulsa Ctrl-C otra vez para salir",
    file: (path) => `Archivo: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Espero a que ${person} apruebe algo. Después me ocupo de tu mensaje, en ${counted(minutes, { one: "minuto", other: "minutos" })} como mucho.`,
    awaitsAdmin: (minutes) =>
      `Espero a que un administrador apruebe algo. Después me ocupo de tu mensaje, en ${counted(minutes, { one: "minuto", other: "minutos" })} como mucho.`,
    awaitsDecision: (minutes) =>
      `Espero una aprobación aquí. Después me ocupo de tu mensaje, en ${counted(minutes, { one: "minuto", other: "minutos" })} como mucho.`,
    brokeOff: (model) => `${model} se ha cortado a medias. Lo intento de nuevo …`,
    shortening: "resumiendo nuestra conversación …",
    shortened: (before, after) =>
      `He resumido la parte anterior de nuestra conversación para hacer sitio (unos ${before} → ${after} tokens). No se pierde nada: /export tiene cada palabra.`,
    nothingToShorten: "Todavía no hay nada que resumir.",
    nothingToUndo: "No hay nada que deshacer.",
    nothingToRetry: "No hay nada que volver a intentar.",
    cannotRetry:
      "No puedo volver a intentarlo porque ya se ha resumido. Envíalo otra vez, por favor.",
    undone: "Deshecho. He quitado tu último mensaje y todo lo que siguió.",
    undoneOf: (person) =>
      `Deshecho. He quitado el último mensaje de ${person} y todo lo que siguió.`,
    staysDone: (tools) => `Esto no se puede deshacer: ${tools}.`,
    messageKept:
      "Ahora mismo estoy algo ocupado. Tu mensaje está guardado y responderé en cuanto pueda.",
    waitsForPlace: (limit) =>
      `Ya estoy trabajando en ${counted(limit, { one: "respuesta", other: "respuestas" })}, que es el límite. La tuya es la siguiente; no hace falta reenviar.`,
    kept: (when, errorId) =>
      `Lo siento, mi modelo de IA no responde ahora mismo. Tu mensaje está guardado: volveré a preguntar ${when} y unas cuantas veces más durante la próxima hora y media. No hace falta reenviarlo. (error ${errorId})`,
    orderKept: (command) =>
      `Ahora mismo estoy algo ocupado. Tu /${command} está guardado y me ocuparé en cuanto pueda.`,
  },

  edits: {
    refused: (why) => `No puedo hacer ese cambio: ${why} Aquí está otra vez el original.`,
    refusedAndGone: (why) =>
      `No puedo hacer ese cambio: ${why} El original tampoco es posible ya, así que no lo haré.`,
    notJson: 'Eso no es JSON. Tiene que ser como {"name": "valor"}.',
    unknownName: (name, known) => `Aquí no hay ningún argumento ${name}. Disponibles: ${known}.`,
    expected: (path, what) => `${path} tiene que ser ${what}.`,
    isMissing: (path) => `Falta ${path}.`,
    isHidden: (path) => `${path} está oculto. Escribe el valor completo o déjalo igual.`,
    keptHidden: (path) =>
      `${path} está oculto. Solo quien lo pidió o un administrador puede cambiar el resto y conservarlo.`,
    same: "No cambia nada: esos son los valores actuales.",
    tooLong: (count) =>
      `Es demasiado largo. El límite es de ${counted(count, { one: "carácter", other: "caracteres" })}.`,
    how: (id) => `Para cambiarlo: /edit ${id} nombre=valor, o JSON con todos los argumentos.`,
    whichOne: "¿Qué acción quieres cambiar?",
    nothingToChange: "Estas acciones no tienen argumentos que cambiar.",
    change: "nombre=valor",
    newValue: (name) => `Responde a este mensaje con el nuevo valor de ${name}.`,
    newValues: (names) =>
      `Responde a este mensaje con lo que haya que cambiar, una línea nombre=valor por cada cambio. Puedes cambiar: ${names}.`,
    title: "Cambiar los argumentos",
    asJson: "Todos los argumentos, como JSON",
    noForm:
      "Es demasiado grande para un formulario. Responde a la tarjeta con nombre=valor, o con JSON que tenga todos los argumentos.",
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

  permissions: {
    auto: (until, by) => `auto hasta ${until}, lo activó ${by}`,
    status: (mode) => `Permisos: ${mode}`,
    isAuto: (until) =>
      `Hasta ${until} no preguntaré donde una regla lo permita. /settings permissions {value:ask} lo termina.`,
    onlyYours: "Solo administras este grupo, así que vale solo para lo que pidas tú.",
    isAsk: "De acuerdo, preguntaré antes de actuar.",
    expected: "Puede ser ask, auto o auto con una duración, como auto 30m",
    noRule: "Aquí ninguna regla permite auto, así que seguiré preguntando.",
    full: "Este chat ya tiene demasiados permisos. /grants los muestra y los quita.",
    inGrants: "auto: todo lo que una regla permite sin preguntar",
    ranByAuto: "hecho sin preguntar (auto)",
  },

  grants: {
    none: "En este chat siempre pregunto primero.",
    heading: "Lo que puedo hacer aquí sin preguntar:",
    exactly: (given) => `con exactamente ${given}`,
    alike: (given) => `con cualquier argumento como ${given}`,
    lasts: (span) => `durante ${span} más`,
    allowedBy: (name) => `lo permitió ${name}`,
    onlyFor: (name) => `solo cuando lo pide ${name}`,
    howTo: "Para quitar uno: /grants revoke <número>.",
    ownFacts: (name) =>
      `Solo ${name} puede permitir esto por más tiempo: para recordar algo necesito el consentimiento de quien lo dijo.`,
    revoked: (tool) => `Listo. Preguntaré antes de volver a usar ${tool}.`,
    noSuch: (number) => `Aquí no hay ningún número ${number}. Mira /grants.`,
    notYours: "Solo puede quitarlo un administrador o quien lo permitió.",
    given: (span) =>
      `Aprobado. Durante ${span} haré exactamente esto sin preguntar. /grants lo quita.`,
    givenAny: (span, tool) =>
      `Aprobado. Durante ${span} usaré ${tool} con cualquier argumento como estos sin preguntar. /grants lo quita.`,
    off: "Esto siempre necesita aprobación.",
    atMost: (span) => `Lo máximo permitido es ${span}.`,
    noSpan: (typed) => `No entiendo ${typed}. Prueba con 30m o 2h.`,
    adminsAny: "Solo los administradores pueden permitir otros argumentos.",
    full: "Aprobado, pero este chat ya tiene demasiados permisos para que recuerde este. /grants los muestra y los quita.",
    one: "¿Qué acción? /approve <id>.<número> always permite una de ellas.",
  },

  pause: {
    kept: "Ahora mismo estoy en pausa. Tu mensaje está guardado; responderé cuando vuelva.",
    halted:
      "Un administrador me ha puesto en pausa, así que me detuve aquí. Pregunta de nuevo más tarde, por favor.",
    scopes: {
      all: "en todas partes",
      telegram: "en Telegram",
      discord: "en Discord",
      console: "en la terminal",
    },
    begun: (what) =>
      `En pausa ${what}. Las respuestas en curso terminarán; los mensajes nuevos esperan. /resume para continuar.`,
    begunNow: (what) =>
      `En pausa ${what}. Las respuestas en curso se han detenido; los mensajes nuevos esperan. /resume para continuar.`,
    ended: (what) => `De vuelta ${what}. Los mensajes en espera se responderán enseguida.`,
    notPaused: (what) => `No estoy en pausa ${what}.`,
    stillAll: "Sigo en pausa en todas partes. /resume all la termina.",
    unknown: (typed) => `No entiendo ${typed}. Puede ser all, telegram, discord, console o now.`,
    since: (moment) => `En pausa desde ${moment}.`,
    sinceOf: (what, moment) => `En pausa ${what} desde ${moment}.`,
  },

  audit: {
    itself: "El propio Parley",
    heading: "Registro de auditoría (lo más reciente primero, UTC):",
    none: "No he encontrado nada en el registro de auditoría.",
    part: "Solo he mirado las 20.000 líneas más recientes. /audit export lo tiene todo.",
    unknown: (typed, kinds) =>
      `No entiendo ${typed}. Usa un número, una persona o un tipo: ${kinds}.`,
    exported: (count) =>
      `Te envío el registro de auditoría (${counted(count, { one: "línea", other: "líneas" })}) como archivo a nuestro chat privado.`,
    actions: {
      "approval-decided": "decidió sobre",
      "approval-edited": "cambió los argumentos de",
      "values-shown": "vio valores ocultos de",
      "contents-shown": "leyó lo dicho en",
      "grant-given": "permitió sin preguntar",
      "grant-revoked": "quitó un permiso para",
      "limit-set": "fijó un límite para",
      "limit-reset": "restableció un límite para",
      "role-set": "cambió el rol de",
      "pairing-decided": "decidió sobre el acceso de",
      paused: "puso en pausa",
      resumed: "reanudó",
      "setting-changed": "cambió el ajuste",
      "turn-stopped": "detuvo las respuestas",
      "schedule-changed": "cambió la programación",
      "skill-decided": "decidió sobre la habilidad",
      broadcast: "envió un mensaje a todos los chats",
      "page-login": "inició sesión en el panel con",
      "page-session-ended": "cerró sesión en el panel",
      "erasure-asked": "pidió borrar",
      "dead-letter-settled": "se ocupó de un mensaje no entregado",
      "attempt-denied": "se le denegó",
      "tool-executed": "ejecutó",
    },
    outcomes: {
      approved: "aprobado",
      denied: "rechazado",
      expired: "caducado",
      "approved 1 of 2": "aprobado, 1 de 2",
      "not entitled": "sin derecho",
      "another chat": "en otro chat",
      allowed: "admitido",
      allow: "todos tienen acceso",
      ban: "el bot se queda callado",
      none: "ninguno",
      done: "hecho",
      cancelled: "cancelado",
      "outcome-unknown": "resultado desconocido",
      unknown: "resultado desconocido",
      failed: "fallido",
      "tool-error": "fallido",
      timeout: "tardó demasiado",
      "invalid-arguments": "argumentos no válidos",
      "unknown-tool": "herramienta desconocida",
      "policy-denied": "prohibido por una regla",
      "confirmation-denied": "aprobación rechazada",
      "confirmation-expired": "aprobación caducada",
      superseded: "sustituido por un mensaje más reciente",
      "limit-reached": "límite alcanzado",
      deadline: "se agotó el tiempo de la respuesta",
      "asked-again": "preguntado de nuevo",
      refused: "rechazado",
      "not-asked": "no preguntado",
      "not-allowed": "no permitido",
      replayed: "enviado de nuevo",
      dropped: "descartado",
      yes: "sí",
      same: "los mismos argumentos",
      like: "argumentos parecidos",
      shell: "la consola",
      off: "desactivado",
    },
    facts: {
      requester: "pedido por",
      first: "primera aprobación de",
      persona: "persona",
      scope: "para",
      until: "hasta",
      before: "antes",
      now: "ahora",
      reason: "motivo",
      value: "valor",
      characters: "caracteres",
      role: "rol",
      asked: "pedido",
      changed: "cambiado",
      from: "desde",
      name: "nombre",
      version: "versión",
    },
  },

  skills: {
    none: "Todavía no tengo habilidades.",
    heading: "Habilidades en este chat:",
    howTo: "Para usar una: /skill <name> <task>",
    inUse: (names) => `Habilidades activas en este chat: ${names}. /skills las muestra todas.`,
    waiting: (names) =>
      `Pendientes de revisión: ${names}. Los administradores pueden verlas con /skills review.`,
    noneWaits: "Ninguna habilidad está pendiente de revisión.",
    alsoWait: (names) => `También pendientes: ${names}.`,
    unknown: (typed) => `No conozco la habilidad ${typed}.`,
    which: "¿Qué habilidad? Por ejemplo: /skills off {skill:pdf}",
    isOn: (name) => `La habilidad ${name} está activada en este chat.`,
    isOff: (name) => `La habilidad ${name} está desactivada en este chat.`,
    offHere: (name, command) =>
      `La habilidad ${name} está desactivada en este chat. Para activarla: ${command}`,
    notOfPersona: (name, persona) =>
      `El personaje ${persona} no usa la habilidad ${name}. /persona muestra quién más puede responder.`,
    personaUses: (persona, names) => `${persona} solo usa: ${names}.`,
    personaUsesNone: (persona) => `${persona} no usa ninguna.`,
    begun: (name) => `Me pongo a ello, con la habilidad ${name}.`,
    noTask: "¿Qué hago con ella? Por ejemplo: /skill {name:pdf} {task:rellena este formulario}",
    news: (names) =>
      `Hay habilidades pendientes de tu revisión: ${names}. Míralas con /skills review.`,
    isNew: (name) => `Habilidad nueva: ${name}`,
    hasChanged: (name) => `Habilidad modificada: ${name}`,
    wants: (tools) => `Pide estas herramientas, lo que no cambia nada: ${tools}`,
    mentions: (tools) => `Menciona estas herramientas: ${tools}`,
    hidden: (count) =>
      `Cuidado: ${counted(count, { one: "carácter oculto", other: "caracteres ocultos" })}, con códigos como \\u200b.`,
    leftOut: (count) =>
      `${counted(count, { one: "archivo queda fuera porque no es texto o es demasiado largo", other: "archivos quedan fuera porque no son texto o son demasiado largos" })}. Nunca leo esos archivos.`,
    cut: (command) => `Esto es solo el principio. Para leerlo todo y luego aprobarla: ${command}`,
    toDeny: (command) => `Para rechazarla: ${command}`,
    readFirst: (command) => `Antes de aprobarla hay que leer el resto: ${command}`,
    toDecide: (approve, deny) => `Para decidir: ${approve} o ${deny}`,
    files: {
      added: "Archivo nuevo",
      changed: "Archivo modificado",
      removed: "Archivo eliminado",
      same: "Archivo sin cambios",
    },
    approved: (name, admin) => `${admin} aprobó la habilidad ${name}.`,
    denied: (name, admin) => `${admin} rechazó la habilidad ${name}.`,
    noSuchVersion: "Esta versión de la habilidad ya no existe. Vuelve a mirar con /skills review.",
    privately: "Haz esto en un chat privado conmigo, por favor.",
    sent: (name) => `Te envío la habilidad ${name} como archivo.`,
  },

  dashboard: {
    off: "El panel está desactivado. Para activarlo, define PARLEY_PAGE_PORT donde me ejecuto.",
    directOnly: "Solo envío el enlace en un chat directo. Envíame allí /dashboard.",
    link: (url) =>
      `Con este enlace inicias sesión en el panel. Sirve una sola vez y durante 10 minutos, así que no lo compartas:\n${url}`,
    isOpenIn: (browsers) => `Sesiones abiertas: ${browsers}.`,
    end: (browser) => `Cerrar sesión en ${browser}`,
    ended: (browser) => `Sesión cerrada en ${browser}.`,
    endedBefore: "Ese navegador ya no tiene la sesión abierta.",
    allEnded: "Se cerró la sesión en todos tus navegadores y los enlaces sin usar ya no sirven.",
    someBrowser: "un navegador",
    newBrowser: (browser, when) =>
      `Alguien inició sesión en el panel con tu cuenta: ${browser}, ${when}. Si no fuiste tú, cierra esa sesión; /dashboard off cierra la sesión en todos tus navegadores.`,
    notMe: "No fui yo",
  },

  imports: {
    none: "No hay nada que importar. Ejecuta antes «npm run init -- --from openclaw» (o hermes).",
    directOnly: "Esto solo funciona en un chat directo. Envíame allí /import.",
    facts: "Lo que recordaría de ti:",
    schedules: "Tareas programadas para este chat, en pausa hasta que las reanudes:",
    question: "No se guarda nada hasta que lo aceptes.",
    take: "Importar todo",
    hasChanged: "La lista ha cambiado. Revísala de nuevo:",
    done: (facts: number, schedules: number) =>
      `Importado. Datos: ${n(facts)}, tareas programadas en pausa: ${n(schedules)}. Consulta /memory y /schedule.`,
    full: (count: number) =>
      `No había espacio para ${n(count)}. Borra algo con /memory o /schedule y vuelve a enviar /import.`,
  },

  doctor: {
    fine: (count: number) =>
      `Todo está en orden (${counted(count, { one: "comprobación", other: "comprobaciones" })}).`,
    found: (broken: number, warnings: number) =>
      `Averías: ${n(broken)}, advertencias: ${n(warnings)}`,
    fix: (how: string) => `Solución: ${how}`,
    rest: (count: number) => `En orden: ${n(count)}`,
    modelFails: (what: string, fix: string) =>
      `No puedo responder a nadie hasta que se arregle esto.\n${what}\n${fix}`,
    oneModelFails: (what: string, fix: string) =>
      `Uno de mis modelos no responde; otro lo sustituye.\n${what}\n${fix}`,
  },
  stats: {
    chats: (today, thisMonth) => `Chats activos: unos ${n(today)} hoy, ${n(thisMonth)} este mes`,
    today: (spent) => `Hoy: ${spent}`,
    thisMonth: (spent) => `Este mes: ${spent}`,
    turns: (active, waiting) => `Respuestas: ${n(active)} en curso, ${n(waiting)} en espera`,
    deliveries: (waiting) => `Mensajes por enviar: ${n(waiting)}`,
    deadLetters: (count) => `Envíos fallidos: ${n(count)}`,
    running: (version, span) => `Parley ${version}, en marcha desde hace ${span}`,
  },

  broadcast: {
    asks: (count) => `Esto va a ${counted(count, { one: "chat", other: "chats" })}:`,
    asksMore: (count) => `Esto va a más de ${counted(count, { one: "chat", other: "chats" })}:`,
    yes: "Enviarlo",
    confirm: (command) => `Para confirmar, envía ${command} en los próximos 5 minutos.`,
    begun: "Enviando. Te aviso cuando termine.",
    done: (count) => `Tu mensaje ha llegado a ${counted(count, { one: "chat", other: "chats" })}.`,
    nobody: "Todavía no hay chats a los que enviarlo.",
    tooLong: (length, limit) =>
      `Es demasiado largo (${n(length)} caracteres; el límite es ${n(limit)}).`,
    expired: "Esa confirmación no es válida o ha caducado. Empieza de nuevo con /broadcast.",
  },
  schedules: {
    when: {
      today: "hoy",
      tomorrow: "mañana",
      in: "en|dentro de",
      later: "después|más tarde",
      every: "cada|todos los|todas las|los",
      day: "día|días|dia|dias",
      workday: "día laborable|días laborables|dia laborable|dias laborables",
      at: "a las|a la|el",
      oclock: "en punto",
      dayParts:
        "de la mañana|de la tarde|de la noche|de la madrugada|por la mañana|por la tarde|por la noche|esta mañana|esta tarde|esta noche",
      and: "y|o|a|de|del|el|los|hasta|desde|este|próximo|proximo",
      weekdays:
        "lunes martes miércoles|miercoles jueves viernes sábado|sábados|sabado|sabados domingo|domingos",
      units:
        "s|seg|segundo|segundos m|min|minuto|minutos h|hora|horas d|día|días|dia|dias sem|semana|semanas",
    },
    zones:
      "Europe/Madrid America/Mexico_City America/Bogota America/Lima America/Santiago America/Argentina/Buenos_Aires",
    howTo:
      "Dime cuándo y qué. Por ejemplo: /remind {when:en 20m} {text:té}, o bien: /remind {when:mañana 9:00} {text:llamar al dentista}",
    noText: "¿Qué quieres que te recuerde? Por ejemplo: /remind {when:en 20m} {text:té}",
    tooLong: (length, limit) =>
      `Es demasiado largo (${n(length)} caracteres; el máximo es ${n(limit)}).`,
    forModel: (text) => `Pon un recordatorio: ${text}`,
    begun: "Déjame ver cuándo sería.",
    willRemind: (when) => `De acuerdo, te lo recuerdo: ${when}.`,
    problems: {
      impossible: "Esa fecha u hora no existe. Prueba con 2027-01-05 09:00 o mañana 9:00.",
      past: "Esa hora ya pasó. Elige una que esté por llegar.",
      soon: "Es demasiado pronto. Dame al menos 5 segundos.",
      far: "Está demasiado lejos. Elige un momento dentro de los próximos diez años.",
      never: "Esa regla no se cumpliría nunca. Prueba con cada lunes 9:00 o 0 9 * * 1.",
      often: "Es demasiado seguido. Deja al menos 5 minutos entre una vez y otra.",
    },
    tooMany: (limit) =>
      `Ya tienes ${n(limit)} recordatorios y tareas programadas entre todos los chats, que es el máximo. Elimina uno primero: /schedule`,
    none: "Aquí no tienes recordatorios ni tareas programadas. Para crear uno: /remind {when:en 20m} {text:té}",
    heading: "Recordatorios y tareas programadas de este chat:",
    more: "Más",
    buttons: "▶ ejecuta ahora, ⏸ pausa, ⏵ reanuda, ✕ elimina.",
    next: (when) => `próxima vez: ${when}`,
    over: "terminado",
    paused: {
      person: "en pausa",
      failures: "en pausa tras tres fallos",
      rights: "en pausa, porque su autor ya no puede usarlo",
      dead: "en pausa, porque ya no puedo escribir en ese chat",
    },
    dead: {
      someGroup: "uno de nuestros grupos",
      inGroup: (place) =>
        `Ya no puedo escribir en ${place}, así que he pausado lo que tenías programado allí:`,
      inPrivate: (platform) =>
        `Ya no puedo escribir en uno de nuestros chats privados de ${platform}, así que he pausado lo que tenías programado allí:`,
      goesOn:
        "Se reanudará por sí solo en cuanto pueda volver a escribir allí. Si prefieres tenerlo aquí, prográmalo de nuevo en este chat, por ejemplo con /remind.",
      ofPerson: (name, ids) =>
        `Ya no puedo escribir a ${name}, así que he pausado lo que tenía programado en nuestro chat privado (${ids}). Se reanudará por sí solo en cuanto pueda volver a escribir allí.`,
      ofGroup: (name, place, ids) =>
        `Ya no puedo escribir en ${place} y no he podido avisar a ${name} en privado. He pausado lo que tenía programado allí (${ids}). Se reanudará por sí solo en cuanto pueda volver a escribir allí.`,
      lost: (name, id, why) =>
        `No he podido enviar lo que ${name} tenía programado (${id}) ni avisar a esa persona por otra vía. ${why}`,
    },
    last: (outcomes) => `últimas veces: ${outcomes}`,
    outcomes: {
      sent: "enviado",
      asked: "respondido",
      unchanged: "sin cambios",
      late: "perdido",
      refused: "rechazado",
      failed: "con error",
    },
    run: "Ejecutar ahora",
    pause: "Pausar",
    resume: "Reanudar",
    delete: "Eliminar",
    which: "¿Cuál? /schedule muestra los ID.",
    unknown: (typed) => `No conozco ${typed}. /schedule muestra lo que tienes aquí.`,
    badAction: (typed) =>
      `No conozco ${typed}. Usa /schedule list, run, pause, resume, delete o zone.`,
    notYours: "Solo puede cambiarlo un administrador o quien lo creó.",
    justChanged: "Ha cambiado mientras tanto. Mira /schedule y vuelve a intentarlo.",
    isDeleted: (what) => `Eliminado: ${what}`,
    isPaused: (what) => `En pausa: ${what}`,
    isResumed: (what, when) => `Reanudado: ${what} (próxima vez: ${when})`,
    isRunning: (what) => `Se está ejecutando: ${what}`,
    isOver: "Su hora ya pasó. Crea otro con /remind.",
    zone: {
      is: (zone) =>
        `Tu zona horaria es ${zone}. Para cambiarla: /schedule zone {city:Europe/Madrid}`,
      isUnknown: "Todavía no sé tu zona horaria, así que uso UTC.",
      ask: "No sé tu zona horaria, así que esto está en UTC. ¿Dónde estás?",
      how: "Si no está entre ellas: /schedule zone {city:Europe/Madrid}",
      unknown: (typed) =>
        `No conozco la zona horaria ${typed}. Escribe una ciudad grande de tu zona horaria, por ejemplo: /schedule zone {city:Madrid}`,
      near: (typed, zones) =>
        `No conozco la zona horaria ${typed}. ¿Querías decir ${zones}? Si no, escribe una ciudad grande de tu zona horaria, por ejemplo: /schedule zone {city:Madrid}`,
      isNow: (zone) => `Tu zona horaria es ahora ${zone}.`,
      others: "Estos siguen en otra zona horaria. Elige el que quieras cambiar:",
      moved: (when) => `Lo he cambiado: ${when}.`,
      notAnonymously: "Quien escribe de forma anónima no puede tener zona horaria propia.",
    },
    rules: {
      every: (span) => `cada ${span}`,
      daily: (time) => `todos los días a las ${time}`,
      workdays: (time) => `de lunes a viernes a las ${time}`,
      weekly: (weekday, time) => `cada ${weekday} a las ${time}`,
      cron: (rule) => `según la regla ${rule}`,
    },
    card: {
      existing: (what) => `Actualmente: ${what}`,
      next: (times) => `Próximas veces: ${times}`,
      cost: (amount) => `Unos ${amount} al mes, según lo que cuestan las respuestas en este chat.`,
      costUnknown: "No se sabe cuánto costará al mes.",
      costNothing: "No cuesta nada: no se consulta ningún modelo de IA.",
    },
    reminder: (text) => `⏰ ${text}`,
    reminderFor: (name, text) => `⏰ ${name}: ${text}`,
    wasDue: (when) => `Tocaba el ${when}.`,
    noRights: (text) =>
      `He pausado la tarea programada «${text}» porque aquí ya no puedes tener tareas programadas.`,
    notRun: (text) => `Por eso la tarea programada «${text}» no se ha ejecutado esta vez.`,
    failed: (text) =>
      `He pausado la tarea programada «${text}» porque ha fallado tres veces seguidas. Puedes reanudarla con /schedule.`,
  },
  findings: findingsEs,
  page: pageEs,
  number: n,
  money,
  exactMoney,
};
