import type { AccountBody } from './biller-wire.ts'

/** The holder of an account number, as the simulated biller sends it. Amounts are texts in naira. */
export interface AccountHolder {
  name: string
  address: string | null
  outstanding_balance: string | null
  due_date: string | null
  district: string | null
  account_number: string
  minimum_amount: string | null
  raw_output: Record<string, unknown>
  more: Record<string, unknown>
}

/** Numbers with this start have no holder. */
const UNKNOWN_ACCOUNT = /^000/

/** Return true if the simulated biller knows this account number. Kinds without an account always return true. */
export function isKnownAccount(kind: string, account_number: string): boolean {
  return !['electricity', 'cabletv', 'exampin'].includes(kind) || !UNKNOWN_ACCOUNT.test(account_number)
}

/** Find the customer with this number. Every well-formed number has one, except those with UNKNOWN_ACCOUNT. */
export function findAccountHolder(
  { service_type, account_number, product_code }: AccountBody,
  now: Date,
): AccountHolder | undefined {
  if (UNKNOWN_ACCOUNT.test(account_number)) return undefined
  if (/_electric_/.test(service_type)) return meterHolder(service_type, account_number)
  if (TV_SUBSCRIPTIONS.has(service_type)) return tvHolder(service_type, account_number, now)
  if (product_code !== null || service_type === 'jamb') return examCandidate(account_number)
  return { ...basicHolder(generateName(account_number), account_number), raw_output: { accountNumber: account_number } }
}

const FIRST_NAMES = ['ADA', 'BOLA', 'CHIDI', 'EMEKA', 'FUNKE', 'HALIMA', 'IBRAHIM', 'NGOZI', 'SADE', 'TUNDE']
const LAST_NAMES = ['ABIOLA', 'BELLO', 'EZE', 'IDRIS', 'LAWAL', 'MUSA', 'NWOSU', 'OKAFOR', 'SULE', 'YUSUF']

/** The same number has the same name every time. */
function generateName(account_number: string): string {
  const sum = [...account_number].reduce((total, sign) => total * 7 + weightOf(sign), 0)
  return `${FIRST_NAMES[sum % 10]} ${LAST_NAMES[Math.floor(sum / 10) % 10]}`
}

/** The value of a digit, and the code of any other character. */
function weightOf(sign: string): number {
  return /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0)
}

function basicHolder(name: string, account_number: string): AccountHolder {
  return {
    name,
    address: null,
    outstanding_balance: null,
    due_date: null,
    district: null,
    account_number,
    minimum_amount: null,
    raw_output: {},
    more: {},
  }
}

function meterHolder(service_type: string, account_number: string): AccountHolder {
  const [name, address] =
    account_number === '04042404048'
      ? ['TESTMETER1', 'ABULE - EGBA BU ABULE']
      : [generateName(account_number), `${(Number(account_number.slice(-2)) || 0) + 1} SANDBOX STREET`]
  const minimum_amount = service_type.endsWith('_prepaid') ? '500' : '100'
  const raw_output = {
    canVend: true,
    name,
    address,
    meterNumber: account_number,
    accountNumber: account_number,
    customerAccountType: 'PRIME',
    minimumAmount: Number(minimum_amount),
    debtAmount: 0,
  }
  const district = service_type.split('_')[0]!.toUpperCase()
  return { ...basicHolder(name, account_number), address, district, minimum_amount, raw_output }
}

/** The subscriptions of simulated TV customers. */
const TV_SUBSCRIPTIONS: ReadonlyMap<string, { code: string; name: string; description: string; price: number }> =
  new Map([
    ['dstv', { code: 'COMPE36', name: 'DStv Compact', description: ' ', price: 12_500 }],
    ['gotv', { code: 'GOTVMAX', name: 'GOtv Max', description: ' ', price: 5_700 }],
    ['startimes', { code: 'novamonth', name: 'Nova', description: ' ', price: 1_700 }],
  ])
const SUBSCRIPTION_LEFT_MS = 7 * 86_400_000

function tvHolder(service_type: string, account_number: string, now: Date): AccountHolder {
  const bouquet = TV_SUBSCRIPTIONS.get(service_type)!
  const name = generateName(account_number)
  const [firstName, lastName] = name.split(' ')
  const due_date = new Date(now.getTime() + SUBSCRIPTION_LEFT_MS).toISOString().replace(/T.*/, 'T00:00:00+01:00')
  return {
    ...basicHolder(name, account_number),
    outstanding_balance: String(bouquet.price),
    due_date,
    raw_output: {
      accountStatus: 'OPEN',
      firstName,
      lastName,
      customerType: 'SUD',
      invoicePeriod: 1,
      dueDate: due_date,
      customerNumber: /^\d+$/.test(account_number) ? Number(account_number.slice(0, 15)) : account_number,
    },
    more: {
      hasDiscount: false,
      currentBouquetRaw: { amount: bouquet.price, items: [bouquet] },
      currentBouquet: bouquet.name,
    },
  }
}

/** The candidate of an exam with this confirmation code. The pin is sold only for the phone in `gsmNo`. */
function examCandidate(account_number: string): AccountHolder {
  const name = generateName(account_number)
  const [firstName, lastName] = name.split(' ')
  const gsmNo = account_number === '9678528341' ? '08000000000' : `080${account_number.slice(-8).padStart(8, '0')}`
  const raw_output = { firstName, lastName, middleName: 'SANDBOX', gsmNo, error: null }
  return { ...basicHolder(`${firstName} SANDBOX ${lastName}`, account_number), account_number, raw_output }
}
