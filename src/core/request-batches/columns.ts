import { NAME_TITLES, NUMBER_TITLES } from '../contacts/import/titles.ts'
import type { Cells } from '../files/cells.ts'
import { type ChosenFile, type RowFile, readRowFile } from '../files/row-file.ts'
import type { Workbook } from '../files/template.ts'
import { type FileColumns, PHONE_TITLES } from '../files/titles.ts'

/** The columns of a file of collection requests, in the order of the template. */
export const columns = [
  'customer_number',
  'phone_number',
  'amount',
  'currency',
  'reason',
  'first_name',
  'last_name',
  'expiry',
  'send_instructions',
  'name',
] as const
export type Column = (typeof columns)[number]

/** Titles that mean a column, in English, French and Swahili, as `plainTitle` writes them. */
const OTHER_TITLES: Readonly<Partial<Record<Column, readonly string[]>>> = {
  customer_number: Object.keys(NUMBER_TITLES),
  amount: [
    'total',
    'sum',
    'fees',
    'amountdue',
    'due',
    'balance',
    'charge',
    'montant',
    'somme',
    'kiasi',
    'kiasichafedha',
    'jumla',
    'ada',
  ],
  currency: ['devise', 'monnaie', 'sarafu'],
  reason: [
    'description',
    'reference',
    'purpose',
    'narration',
    'details',
    'text',
    'item',
    'for',
    'motif',
    'libelle',
    'objet',
    'sababu',
    'maelezo',
    'marejeleo',
    'kumbukumbu',
  ],
  expiry: [
    'expirydate',
    'expires',
    'expireson',
    'validuntil',
    'until',
    'deadline',
    'payby',
    'expiration',
    'dateexpiration',
    'datedexpiration',
    'valablejusquau',
    'echeance',
    'mwisho',
    'tareheyamwisho',
    'mwishowakulipa',
  ],
  send_instructions: [
    'instructions',
    'instruct',
    'prompt',
    'sendprompt',
    'envoyerinstructions',
    'envoyerlesinstructions',
    'maelekezo',
    'tumamaelekezo',
  ],
}

/** The titles that contacts have for names. */
const NAMES = Object.fromEntries(
  Object.entries(NAME_TITLES).flatMap(([title, column]) =>
    column === 'first_name' || column === 'last_name' || column === 'name' ? [[title, column]] : [],
  ),
)

/** The columns of a file of collection requests, by the titles that files have. */
export const requestColumns: FileColumns<Column> = {
  titles: {
    customer_number: 'Customer number',
    phone_number: 'Phone number',
    amount: 'Amount',
    currency: 'Currency',
    reason: 'Reason',
    first_name: 'First name',
    last_name: 'Last name',
    expiry: 'Expiry',
    send_instructions: 'Send instructions',
    name: 'Name',
  },
  beyond_template: ['name'],
  other_titles: {
    ...PHONE_TITLES,
    ...NAMES,
    ...Object.fromEntries(columns.flatMap((column) => (OTHER_TITLES[column] ?? []).map((title) => [title, column]))),
  },
  beside: { title: 'nom', column: 'name', others: ['first_name'], means: 'last_name' },
  required: [['customer_number', 'phone_number'], ['amount']],
}

/** The Excel template of a file of collection requests. */
export const requestWorkbook: Workbook<Column> = {
  sheet: 'Requests',
  widths: { amount: 14, currency: 10, reason: 30, expiry: 18 },
  explanations: {
    customer_number:
      'The number of a customer. Give this or the phone number; where both are given, the number decides, and its phone is asked.',
    phone_number:
      'As people of the country write it, such as 0772 000001, or with the country code: +256772000001. A new number becomes a new customer.',
    amount: 'Required. What the customer is asked to pay.',
    currency: 'Such as UGX. Empty: the currency chosen for the whole file.',
    reason: 'What the money is for; networks show about 20 characters. Empty: the reason chosen for the whole file.',
    first_name: 'The first name of a new customer.',
    last_name: 'The last name of a new customer.',
    expiry:
      'The last day to pay, such as 28/02/2030, a time, or a span such as 24 hours. Empty: as chosen for the whole file.',
    send_instructions: 'yes or no: whether the customer gets a prompt. Empty: as chosen for the whole file.',
  },
}

/** The cells of a row. */
export type RequestCells = Cells<Column>

/** A file of collection requests that could be read. */
export type RequestFile = RowFile<Column>

/** Reads a file of collection requests. @throws Invalid with `file`, the fault of the file */
export function readRequestFile(file: ChosenFile): Promise<RequestFile> {
  return readRowFile(file, requestColumns)
}
