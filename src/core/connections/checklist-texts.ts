/**
 * The English sentences of the go-live checklist, for the command line and the console (web/texts/en). The other languages
 * of the console have the same ones, so each item and each variant is written here first. Values stand in double braces,
 * and `count` chooses the plural form.
 */
export const checklistTexts = {
  /** Findings, by the name of the item and the variant. */
  found: {
    organization: {
      done_one: 'There is one organization.',
      done_other: 'There are {{count}} organizations.',
      missing: 'There is no organization.',
    },
    owner: {
      done: 'Every organization has a person who manages it.',
      missing: 'Without a manager: {{organizations}}.',
      none: 'No organization has a manager.',
    },
    api_key: {
      done: 'There is an API key.',
      missing: 'There is no API key.',
    },
    wallet: {
      done_one: 'There is one wallet.',
      done_other: 'There are {{count}} wallets.',
      missing: 'There is no wallet.',
    },
    wallet_funds: {
      done: 'Every wallet holds money.',
      missing: 'Without money, and so unable to collect: {{wallets}}.',
      all_missing: 'Without money, and so unable to collect: every wallet.',
    },
    collection_currencies: {
      done: 'Collections are accepted in {{currencies}}.',
      missing: 'Collections in {{currencies}} are refused: COLLECTION_CURRENCIES does not name it.',
    },
    connection: {
      done: 'In use: {{connections}}.',
      drafts_only: 'Drafts only: {{connections}}.',
      missing: 'No network is connected.',
    },
    connection_tested: {
      done: 'Every connection in use has passed its test.',
      missing: 'Without a passed test: {{connections}}.',
      none: 'Nothing was tested.',
    },
    places: {
      done: 'Every wallet uses a connection.',
      missing: 'Without a connection: {{wallets}}.',
      all_missing: 'Without a connection: every wallet.',
    },
    callback_address: {
      done: 'Networks report to {{url}}.',
      missing: 'PUBLIC_URL is not set, so no callback of a network arrives.',
      not_public: 'No network reaches {{url}}: it is not a public https address.',
    },
    second_factor: {
      done: 'Everybody who moves money or manages has a second factor.',
      missing: 'Without a second factor: {{users}}.',
      all_missing: 'Without a second factor: everybody.',
    },
    second_manager: {
      done: 'Every organization has a second manager.',
      missing: 'Without a second manager, who confirms what weakens control: {{organizations}}.',
      all_missing: 'Without a second manager, who confirms what weakens control: every organization.',
    },
    approval_rules: {
      done: 'Payments have approval rules or limits in every currency.',
      missing: 'Payments without approval and without limits: {{currencies}}.',
      all_missing: 'Payments without approval and without limits: all.',
    },
    fees: {
      done: 'Fees are set.',
      missing: 'No fees are set, so nothing is charged.',
    },
    backups: {
      own: 'The data is in your own PostgreSQL. Whether it is backed up cannot be seen from here.',
      embedded: 'The data is in the PostgreSQL that comes along, in {{folder}}: on this disk only.',
    },
    sms: {
      done: 'SMS are sent.',
      missing: 'No SMS provider is connected: no SMS reaches a customer.',
    },
    mail: {
      done: 'Mails are sent.',
      missing: 'SMTP_URL is not set: no mail is sent about changes, invitations and new passwords.',
    },
    proxy: {
      done: 'The addresses of callers are known.',
      missing: 'TRUST_PROXY is off: behind a proxy all callers count as one.',
    },
    disk: {
      done: 'There is enough room on the disk.',
      low: 'The disk of {{folder}} has {{megabytes}} MB ({{percent}} %) left.',
      full: 'The disk of {{folder}} has {{megabytes}} MB ({{percent}} %) left. Nothing is stored until there is more room.',
    },
  },
  /** Tasks, by the name of the item, if it takes more than a command. */
  todo: {
    collection_currencies: 'Set COLLECTION_CURRENCIES',
    callback_address: 'Set PUBLIC_URL, then {{first}}',
    second_factor: 'They set it up under "Your account"; {{first}} demands it',
    approval_rules: '{{first}}, {{second}}',
    backups:
      'Back up the database and SECRET_KEY every day, apart from this machine, and try a restore (docs/operating/backup.md)',
    sms: '{{first}}, with an SMS provider, or set SMS_URL',
    mail: 'Set SMTP_URL and MAIL_FROM',
    proxy: 'Set TRUST_PROXY if a proxy stands before the service',
    disk: 'Make room',
  },
  /** Two commands, one after the other. */
  steps: '{{first}}, then {{second}}',
  /** The last part of a list that is too long. */
  more_one: '{{count}} more',
  more_other: '{{count}} more',
} as const

type FindingTexts = typeof checklistTexts.found
export type ChecklistName = keyof FindingTexts
/** Variant of an item's sentence. */
export type ChecklistVariant<Name extends ChecklistName = ChecklistName> = Name extends ChecklistName
  ? WithoutPlural<keyof FindingTexts[Name]>
  : never
type WithoutPlural<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key

/** Values that a sentence names. The reader joins a list, in the order and with the words of a language. */
export type ChecklistValues = Record<string, string | number | readonly (string | number)[]>

/** Maximum number of list entries named. */
export const MAX_NAMED = 5

/** Writes the sentence of a finding in English. */
export function writeFound(name: ChecklistName, variant: string, values: ChecklistValues): string {
  const texts: Record<string, string> = checklistTexts.found[name]
  const text = texts[variant] ?? texts[`${variant}_${values.count === 1 ? 'one' : 'other'}`]!
  return fill(text, values)
}

/** Writes the task in English. */
export function writeTodo(name: string, [first, second]: readonly string[]): string {
  const texts: Record<string, string> = checklistTexts.todo
  const plain = second === undefined ? '{{first}}' : checklistTexts.steps
  return fill(texts[name] ?? plain, { ...(first && { first }), ...(second && { second }) })
}

function fill(text: string, values: ChecklistValues): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]!
    return typeof value === 'object' ? list(value) : String(value)
  })
}

function list(names: readonly (string | number)[]): string {
  const more = names.length - MAX_NAMED
  const named = names.slice(0, MAX_NAMED).join(', ')
  return more > 0 ? `${named} and ${fill(checklistTexts.more_other, { count: more })}` : named
}
