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
      done: 'Every organization has a manager.',
      missing: 'No manager: {{organizations}}.',
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
      done: 'Every wallet has a balance.',
      missing: 'No opening balance, so no collections yet: {{wallets}}.',
      all_missing: 'No wallet has an opening balance, so none can collect.',
    },
    collection_currencies: {
      done: 'Collections are accepted in {{currencies}}.',
      missing: 'Collections in {{currencies}} are refused: not in COLLECTION_CURRENCIES.',
    },
    connection: {
      done: 'In use: {{connections}}.',
      drafts_only: 'Drafts only: {{connections}}.',
      missing: 'No network is connected.',
    },
    connection_tested: {
      done: 'Every connection in use has passed its test.',
      missing: 'No passed test: {{connections}}.',
      none: 'No connection is tested.',
    },
    places: {
      done: 'Every wallet uses a connection.',
      missing: 'No connection: {{wallets}}.',
      all_missing: 'No wallet uses a connection.',
    },
    callback_address: {
      done: 'Networks send callbacks to {{url}}.',
      missing: 'PUBLIC_URL is not set, so callbacks from networks cannot arrive.',
      not_public: 'Networks cannot reach {{url}}: it is not a public https address.',
    },
    second_factor: {
      done: 'Everyone who moves money or manages has a second factor.',
      missing: 'No second factor: {{users}}.',
      all_missing: 'Nobody has a second factor.',
    },
    second_manager: {
      done: 'Every organization has a second manager.',
      missing: 'No second manager to confirm changes that weaken control: {{organizations}}.',
      all_missing: 'No organization has a second manager to confirm changes that weaken control.',
    },
    approval_rules: {
      done: 'Payments have approval rules or limits in every currency.',
      missing: 'No approval rules or limits for payments: {{currencies}}.',
      all_missing: 'No currency has approval rules or limits for payments.',
    },
    fees: {
      done: 'Fees are set.',
      missing: 'No fees are set, so nothing is charged.',
    },
    backups: {
      own: 'The data is in your own PostgreSQL. This check cannot see whether it is backed up.',
      embedded: 'The data is in the embedded PostgreSQL in {{folder}}, on this disk only.',
    },
    sms: {
      done: 'SMS are set up.',
      missing: 'No SMS provider is connected, so customers get no SMS.',
    },
    mail: {
      done: 'E-mail is set up.',
      missing: 'SMTP_URL is not set, so no e-mail goes out about changes, invitations and new passwords.',
    },
    proxy: {
      done: 'The service sees the addresses of its clients.',
      missing: 'TRUST_PROXY is off: behind a proxy, all clients count as one.',
    },
    disk: {
      done: 'There is enough disk space.',
      low: 'The disk of {{folder}} has {{megabytes}} MB ({{percent}} %) left.',
      full: 'The disk of {{folder}} has {{megabytes}} MB ({{percent}} %) left. Nothing is stored until there is more space.',
    },
  },
  /** Tasks, by the name of the item, if it takes more than a command. */
  todo: {
    collection_currencies: 'Set COLLECTION_CURRENCIES',
    callback_address: 'Set PUBLIC_URL, then {{first}}',
    second_factor: 'Users set it up under "Your account"; {{first}} requires it',
    approval_rules: '{{first}}, {{second}}',
    backups:
      'Back up the database and SECRET_KEY daily to another machine, and test a restore (docs/operating/backup.md)',
    sms: '{{first}}, with an SMS provider, or set SMS_URL',
    mail: 'Set SMTP_URL and MAIL_FROM',
    proxy: 'Set TRUST_PROXY if the service runs behind a proxy',
    disk: 'Free up disk space',
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
