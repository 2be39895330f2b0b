import type { AccountBody } from './biller-wire.ts'

/** Whose number it is, in the words of the simulated biller; amounts are texts in naira. */
export interface Holder {
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

/** Numbers that begin so are nobody's. */
const NOBODY = /^000/

/** Whether the simulated biller has a customer with this number. Who buys for a phone or for nobody needs none. */
export function isKnown(kind: string, account_number: string): boolean {
  return !['electricity', 'cabletv', 'exampin'].includes(kind) || !NOBODY.test(account_number)
}

/** The customer with this number, or undefined. Any well-formed number has one. */
export function findHolder({ service_type, account_number, product_code }: AccountBody, now: Date): Holder | undefined {
  if (NOBODY.test(account_number)) return undefined
  if (/_electric_/.test(service_type)) return meterHolder(service_type, account_number)
  if (TELEVISION.has(service_type)) return viewer(service_type, account_number, now)
  if (product_code !== null || service_type === 'jamb') return candidate(account_number)
  return { ...nobodyKnowsMore(nameOf(account_number), account_number), raw_output: { accountNumber: account_number } }
}

const FIRST_NAMES = ['ADA', 'BOLA', 'CHIDI', 'EMEKA', 'FUNKE', 'HALIMA', 'IBRAHIM', 'NGOZI', 'SADE', 'TUNDE']
const LAST_NAMES = ['ABIOLA', 'BELLO', 'EZE', 'IDRIS', 'LAWAL', 'MUSA', 'NWOSU', 'OKAFOR', 'SULE', 'YUSUF']

/** The same number has the same name every time. */
function nameOf(account_number: string): string {
  const sum = [...account_number].reduce((total, digit) => total * 7 + Number(digit), 0)
  return `${FIRST_NAMES[sum % 10]} ${LAST_NAMES[Math.floor(sum / 10) % 10]}`
}

function nobodyKnowsMore(name: string, account_number: string): Holder {
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

function meterHolder(service_type: string, account_number: string): Holder {
  const [name, address] =
    account_number === '04042404048'
      ? ['TESTMETER1', 'ABULE - EGBA BU ABULE']
      : [nameOf(account_number), `${Number(account_number.slice(-2)) + 1} SANDBOX STREET`]
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
  return { ...nobodyKnowsMore(name, account_number), address, district, minimum_amount, raw_output }
}

/** What simulated viewers are subscribed to. */
const TELEVISION: ReadonlyMap<string, { code: string; name: string; description: string; price: number }> = new Map([
  ['dstv', { code: 'COMPE36', name: 'DStv Compact', description: ' ', price: 12_500 }],
  ['gotv', { code: 'GOTVMAX', name: 'GOtv Max', description: ' ', price: 5_700 }],
  ['startimes', { code: 'novamonth', name: 'Nova', description: ' ', price: 1_700 }],
])
const SUBSCRIPTION_LEFT_MS = 7 * 86_400_000

function viewer(service_type: string, account_number: string, now: Date): Holder {
  const bouquet = TELEVISION.get(service_type)!
  const name = nameOf(account_number)
  const [firstName, lastName] = name.split(' ')
  const due_date = new Date(now.getTime() + SUBSCRIPTION_LEFT_MS).toISOString().replace(/T.*/, 'T00:00:00+01:00')
  return {
    ...nobodyKnowsMore(name, account_number),
    outstanding_balance: String(bouquet.price),
    due_date,
    raw_output: {
      accountStatus: 'OPEN',
      firstName,
      lastName,
      customerType: 'SUD',
      invoicePeriod: 1,
      dueDate: due_date,
      customerNumber: Number(account_number.slice(0, 15)),
    },
    more: {
      hasDiscount: false,
      currentBouquetRaw: { amount: bouquet.price, items: [bouquet] },
      currentBouquet: bouquet.name,
    },
  }
}

/** A candidate of an exam, found by the confirmation code. The pin is sold only to the phone that is told here. */
function candidate(account_number: string): Holder {
  const name = nameOf(account_number)
  const [firstName, lastName] = name.split(' ')
  const gsmNo = account_number === '9678528341' ? '08000000000' : `080${account_number.slice(-8).padStart(8, '0')}`
  const raw_output = { firstName, lastName, middleName: 'SANDBOX', gsmNo, error: null }
  return { ...nobodyKnowsMore(`${firstName} SANDBOX ${lastName}`, account_number), account_number, raw_output }
}
