import type { Cells } from '../../files/cells.ts'
import { type ChosenFile, type RowFile, readRowFile } from '../../files/row-file.ts'
import type { Workbook } from '../../files/template.ts'
import { type FileColumns, PHONE_TITLES } from '../../files/titles.ts'

/** The columns of a file of invoices, in the order of the template. */
export const columns = [
  ...(['customer_number', 'phone_number', 'name', 'text', 'quantity', 'unit_price', 'amount', 'tax_rate'] as const),
  ...(['currency', 'due_date', 'min_part', 'notes', 'language', 'invoice'] as const),
] as const
export type Column = (typeof columns)[number]

/** Titles that mean a column, in English, French and Swahili, as `plainTitle` writes them. */
const OTHER_TITLES: Readonly<Record<Column, readonly string[]>> = {
  customer_number: [
    'customerno',
    'customerid',
    'customercode',
    'clientno',
    'clientnumber',
    'account',
    'accountno',
    'accountnumber',
    'studentno',
    'studentnumber',
    'studentid',
    'pupilno',
    'pupilnumber',
    'admissionno',
    'admissionnumber',
    'admno',
    'admission',
    'regno',
    'registrationnumber',
    'memberno',
    'membernumber',
    'meterno',
    'code',
    'id',
    'numeroclient',
    'nclient',
    'codeclient',
    'matricule',
    'numeroeleve',
    'nambayamteja',
    'nambarimteja',
    'nambayamwanafunzi',
    'namba',
  ],
  phone_number: [],
  name: [
    'customer',
    'customername',
    'client',
    'clientname',
    'student',
    'studentname',
    'pupil',
    'pupilname',
    'fullname',
    'nom',
    'nomcomplet',
    'eleve',
    'jina',
    'jinakamili',
    'mteja',
    'mwanafunzi',
  ],
  text: [
    'description',
    'item',
    'details',
    'particulars',
    'narration',
    'product',
    'service',
    'reason',
    'for',
    'fee',
    'libelle',
    'designation',
    'objet',
    'motif',
    'maelezo',
    'bidhaa',
    'huduma',
    'sababu',
  ],
  quantity: ['qty', 'units', 'quantite', 'qte', 'idadi', 'kiasichabidhaa'],
  unit_price: ['price', 'rate', 'unitcost', 'prixunitaire', 'prix', 'pu', 'bei', 'beiyakimoja'],
  amount: [
    'total',
    'sum',
    'fees',
    'amountdue',
    'due',
    'balance',
    'charge',
    'linetotal',
    'invoiceamount',
    'montant',
    'somme',
    'kiasi',
    'kiasichafedha',
    'jumla',
    'ada',
  ],
  tax_rate: ['tax', 'vat', 'vatrate', 'taxpercent', 'vatpercent', 'tva', 'tauxtva', 'taxe', 'kodi', 'kiwangochakodi'],
  currency: ['devise', 'monnaie', 'sarafu'],
  due_date: [
    'duedate',
    'duedates',
    'dueon',
    'duebefore',
    'payby',
    'deadline',
    'paymentdate',
    'date',
    'echeance',
    'dateecheance',
    'datedecheance',
    'tarehe',
    'tareheyamwisho',
    'mwishowakulipa',
  ],
  min_part: ['leastpart', 'minimumpart', 'minimumpayment', 'minpayment', 'acompteminimum', 'sehemundogo'],
  notes: ['note', 'remarks', 'remark', 'comment', 'comments', 'remarques', 'remarque', 'maoni', 'kumbukumbu'],
  language: ['lang', 'langue', 'lugha'],
  invoice: ['invoiceno', 'invoicenumber', 'invoicegroup', 'group', 'facture', 'groupe', 'ankara', 'kundi'],
}

/** The columns of a file of invoices, by the titles that files have. */
export const invoiceColumns: FileColumns<Column> = {
  titles: {
    customer_number: 'Customer number',
    phone_number: 'Phone number',
    name: 'Name',
    text: 'Text',
    quantity: 'Quantity',
    unit_price: 'Unit price',
    amount: 'Amount',
    tax_rate: 'Tax rate',
    currency: 'Currency',
    due_date: 'Due date',
    min_part: 'Minimum payment',
    notes: 'Notes',
    language: 'Language',
    invoice: 'Invoice',
  },
  other_titles: {
    ...PHONE_TITLES,
    ...Object.fromEntries(columns.flatMap((column) => OTHER_TITLES[column].map((title) => [title, column]))),
  },
  required: [
    ['customer_number', 'phone_number'],
    ['amount', 'unit_price'],
  ],
}

/** The Excel template of a file of invoices. */
export const invoiceWorkbook: Workbook<Column> = {
  sheet: 'Invoices',
  widths: {
    customer_number: 18,
    phone_number: 18,
    name: 26,
    text: 30,
    quantity: 10,
    unit_price: 14,
    amount: 14,
    tax_rate: 10,
    currency: 10,
    due_date: 14,
    min_part: 14,
    notes: 30,
    language: 10,
    invoice: 10,
  },
  explanations: {
    customer_number:
      'The number of a customer. Give this or the phone number; where both are given, the number decides.',
    phone_number:
      'As people of the country write it, such as 0772 000001, or with the country code: +256772000001. A new number becomes a new customer.',
    name: 'The name of a new customer. The first word is the first name.',
    text: 'What is sold. Empty: the text chosen for the whole file.',
    quantity: 'Empty: 1.',
    unit_price: 'The price of one, without tax. Give this or the amount.',
    amount: 'The amount of the row, without tax: quantity times unit price.',
    tax_rate: 'In percent, such as 18. Empty: no tax.',
    currency: 'Such as UGX. Empty: the currency chosen for the whole file.',
    due_date: 'The last day to pay, such as 28/02/2030. Empty: the day chosen for the whole file.',
    min_part: 'Smallest part payment that the page of the invoice accepts. Empty: as chosen for the whole file.',
    notes: 'Text below the lines.',
    language: 'en, sw or fr: the language of the customer.',
    invoice: 'Rows of a customer with the same text here become one invoice. Empty: an invoice of its own.',
  },
}

/** The cells of a row. */
export type InvoiceCells = Cells<Column>

/** A file of invoices that could be read. */
export type InvoiceFile = RowFile<Column>

/** Reads a file of invoices. @throws Invalid with `file`, the fault of the file */
export function readInvoiceFile(file: ChosenFile): Promise<InvoiceFile> {
  return readRowFile(file, invoiceColumns)
}
