/** Requests that a customer may send us by SMS. */
export type Meaning = 'stop' | 'start' | 'help'

/**
 * The words that customers send, in the languages of the countries that we serve: English, French, Portuguese, Swahili,
 * Luganda, Kinyarwanda, Hausa, Yoruba, Igbo, Amharic in Latin letters, Arabic, Shona, Zulu.
 */
export const smsWords: Readonly<Record<Meaning, readonly string[]>> = {
  stop: [
    'stop',
    'stopall',
    'end',
    'quit',
    'cancel',
    'unsubscribe',
    'optout',
    'arret',
    'arreter',
    'stopper',
    'desabonner',
    'parar',
    'pare',
    'sair',
    'cancelar',
    'acha',
    'simama',
    'sitisha',
    'ondoa',
    'komesha',
    'lekera awo',
    'hagarika',
    'guhagarika',
    'tsaya',
    'dakata',
    'duro',
    'kwusi',
    'akum',
    'misa',
    'yima',
    'توقف',
    'إلغاء',
  ],
  start: [
    'start',
    'unstop',
    'subscribe',
    'optin',
    'yes',
    'demarrer',
    'commencer',
    'oui',
    'iniciar',
    'sim',
    'anza',
    'ndiyo',
    'tandika',
    'tangira',
    'fara',
    'bere',
    'malite',
    'qala',
    'ابدأ',
  ],
  help: ['help', 'info', 'aide', 'ajuda', 'msaada', 'saidia', 'obuyambi', 'ubufasha', 'taimako', 'مساعدة'],
}

const MEANINGS = new Map(
  (Object.keys(smsWords) as Meaning[]).flatMap((meaning) => smsWords[meaning].map((word) => [word, meaning] as const)),
)

/** Words that say STOP also before a text. Others begin many texts: `END OF TERM`, `CANCEL ORDER 7`. */
const BEFORE_TEXT: ReadonlySet<string> = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'optout',
  'arret',
  'desabonner',
  'parar',
  'sitisha',
  'hagarika',
])

/**
 * Returns the meaning of a customer's SMS, if it is one of the words alone. A STOP word in capitals may have a text
 * after it. Accents, signs, blanks and the case of letters make no difference.
 */
export function meaningOf(text: string): { meaning: Meaning; word: string } | undefined {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const whole = MEANINGS.get(plain) ?? MEANINGS.get(plain.replaceAll(' ', ''))
  if (whole) return { meaning: whole, word: plain }
  // "STOP please" and "STOP DEMOSHOP" say it as well; "stop by at noon" does not begin with capitals.
  const first = /^\s*(\p{Lu}{3,})\b/u.exec(text)?.[1]?.toLowerCase()
  return first !== undefined && BEFORE_TEXT.has(first) ? { meaning: 'stop', word: first } : undefined
}
