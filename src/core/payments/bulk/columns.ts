import type { Cells } from '../../files/cells.ts'
import { type ChosenFile, type RowFile, readRowFile } from '../../files/row-file.ts'
import { type FileColumns, PHONE_TITLES } from '../../files/titles.ts'

/** The columns of a file of payments, in the order of the template. */
export const columns = ['phone_number', 'name', 'amount', 'currency', 'reference', 'wallet'] as const
export type Column = (typeof columns)[number]

/** The titles of the template. */
export const titles: Readonly<Record<Column, string>> = {
  phone_number: 'Phone number',
  name: 'Name',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  wallet: 'Wallet',
}

/** The columns of a file of payments, by the titles that files have. */
export const paymentColumns: FileColumns<Column> = {
  titles,
  other_titles: {
    ...PHONE_TITLES,
    fullname: 'name',
    recipient: 'name',
    recipientname: 'name',
    customer: 'name',
    sum: 'amount',
    description: 'reference',
    reason: 'reference',
    purpose: 'reference',
    narration: 'reference',
    account: 'wallet',
    nom: 'name',
    nomcomplet: 'name',
    beneficiaire: 'name',
    destinataire: 'name',
    client: 'name',
    montant: 'amount',
    somme: 'amount',
    devise: 'currency',
    monnaie: 'currency',
    motif: 'reference',
    libelle: 'reference',
    objet: 'reference',
    portefeuille: 'wallet',
    compte: 'wallet',
    jina: 'name',
    jinakamili: 'name',
    mpokeaji: 'name',
    mteja: 'name',
    kiasi: 'amount',
    kiasichafedha: 'amount',
    sarafu: 'currency',
    marejeleo: 'reference',
    kumbukumbu: 'reference',
    rejea: 'reference',
    maelezo: 'reference',
    sababu: 'reference',
    pochi: 'wallet',
    mkoba: 'wallet',
    akaunti: 'wallet',
  },
  required: [['phone_number'], ['amount']],
}

/** The cells of a row. */
export type PaymentCells = Cells<Column>

/** A file of payments that could be read. */
export type PaymentFile = RowFile<Column>

/** The rows of a file of payments, read now or stored before. */
export type PaymentRows = Omit<PaymentFile, 'titles' | 'whole'>

/** Reads a file of payments. @throws Invalid with `file`, the fault of the file */
export function readPaymentFile(file: ChosenFile): Promise<PaymentFile> {
  return readRowFile(file, paymentColumns)
}
