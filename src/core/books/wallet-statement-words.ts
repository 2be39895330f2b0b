import type { Language } from '../../lib/text/languages.ts'

/** Columns of a wallet statement in a file, and on paper. */
export const statementColumns = [
  { name: 'time', kind: 'time' },
  { name: 'transaction', kind: 'count', width: 1.3 },
  { name: 'type', kind: 'text' },
  { name: 'description', kind: 'text', width: 1.4 },
  { name: 'counterparty_name', kind: 'text', width: 1.2 },
  { name: 'counterparty_phone', kind: 'code', width: 1.1 },
  { name: 'network', kind: 'text' },
  { name: 'network_reference', kind: 'code', width: 1.2 },
  { name: 'money_in', kind: 'amount' },
  { name: 'money_out', kind: 'amount' },
  { name: 'balance', kind: 'amount', width: 1.1 },
  { name: 'currency', kind: 'text', width: 0.7 },
  { name: 'network_fee', kind: 'amount', width: 0.9 },
  { name: 'object', kind: 'text' },
  { name: 'object_id', kind: 'count' },
  { name: 'invoice', kind: 'count' },
] as const
export const paperColumns = [
  { name: 'time', kind: 'time' },
  { name: 'reference', kind: 'code' },
  { name: 'description', kind: 'text' },
  { name: 'counterparty', kind: 'text' },
  { name: 'money_in', kind: 'amount' },
  { name: 'money_out', kind: 'amount' },
  { name: 'network_fee', kind: 'amount' },
  { name: 'balance', kind: 'amount' },
] as const

interface Words {
  title: string
  wallet: string
  period: string
  days: string
  currency: string
  opening: string
  closing: string
  entered_by: string
  entered_by_operator: string
  /** Cause of a fee; `{object}` is one of the objects. */
  fee_of: string
  objects: Record<'collection' | 'payment' | 'purchase' | 'refund' | 'return', string>
  columns: Record<(typeof statementColumns)[number]['name'], string>
  paper: Record<(typeof paperColumns)[number]['name'], string>
}

/** The words of a wallet statement. */
export const walletStatementWords: Record<Language, Words> = {
  en: {
    title: 'Statement of {wallet}',
    wallet: 'Wallet',
    period: 'Period',
    days: '{from} to {to}',
    currency: 'Currency',
    opening: 'Opening balance',
    closing: 'Closing balance',
    entered_by: 'Entered by {name}',
    entered_by_operator: 'Entered by an operator',
    fee_of: 'fee of {object}',
    objects: {
      collection: 'collection',
      payment: 'payment',
      purchase: 'purchase',
      refund: 'refund',
      return: 'return',
    },
    columns: {
      time: 'Time',
      transaction: 'Transaction',
      type: 'Type',
      description: 'Description',
      counterparty_name: 'Name',
      counterparty_phone: 'Phone number',
      network: 'Network',
      network_reference: 'Network reference',
      money_in: 'Money in',
      money_out: 'Money out',
      balance: 'Balance',
      currency: 'Currency',
      network_fee: 'Fee of the network',
      object: 'Caused by',
      object_id: 'Its id',
      invoice: 'Invoice',
    },
    paper: {
      time: 'Date and time',
      reference: 'Reference',
      description: 'Description',
      counterparty: 'Name and phone number',
      money_in: 'Money in',
      money_out: 'Money out',
      network_fee: 'Network fee',
      balance: 'Balance',
    },
  },
  sw: {
    title: 'Taarifa ya {wallet}',
    wallet: 'Pochi',
    period: 'Kipindi',
    days: '{from} hadi {to}',
    currency: 'Sarafu',
    opening: 'Salio la mwanzo',
    closing: 'Salio la mwisho',
    entered_by: 'Imeingizwa na {name}',
    entered_by_operator: 'Imeingizwa na mwendeshaji',
    fee_of: 'ada ({object})',
    objects: {
      collection: 'makusanyo',
      payment: 'malipo',
      purchase: 'ununuzi',
      refund: 'marejesho',
      return: 'urejesho',
    },
    columns: {
      time: 'Wakati',
      transaction: 'Muamala',
      type: 'Aina',
      description: 'Maelezo',
      counterparty_name: 'Jina',
      counterparty_phone: 'Namba ya simu',
      network: 'Mtandao',
      network_reference: 'Kumbukumbu ya mtandao',
      money_in: 'Fedha zilizoingia',
      money_out: 'Fedha zilizotoka',
      balance: 'Salio',
      currency: 'Sarafu',
      network_fee: 'Ada ya mtandao',
      object: 'Chanzo',
      object_id: 'Kitambulisho chake',
      invoice: 'Ankara',
    },
    paper: {
      time: 'Tarehe na saa',
      reference: 'Kumbukumbu',
      description: 'Maelezo',
      counterparty: 'Jina na namba ya simu',
      money_in: 'Fedha zilizoingia',
      money_out: 'Fedha zilizotoka',
      network_fee: 'Ada ya mtandao',
      balance: 'Salio',
    },
  },
  fr: {
    title: 'Relevé de {wallet}',
    wallet: 'Portefeuille',
    period: 'Période',
    days: 'du {from} au {to}',
    currency: 'Devise',
    opening: 'Solde initial',
    closing: 'Solde final',
    entered_by: 'Saisi par {name}',
    entered_by_operator: 'Saisi par un opérateur',
    fee_of: 'frais ({object})',
    objects: {
      collection: 'encaissement',
      payment: 'paiement',
      purchase: 'achat',
      refund: 'remboursement',
      return: 'retour',
    },
    columns: {
      time: 'Date',
      transaction: 'Transaction',
      type: 'Type',
      description: 'Description',
      counterparty_name: 'Nom',
      counterparty_phone: 'Numéro de téléphone',
      network: 'Réseau',
      network_reference: 'Référence du réseau',
      money_in: 'Entrée',
      money_out: 'Sortie',
      balance: 'Solde',
      currency: 'Devise',
      network_fee: 'Frais du réseau',
      object: 'Origine',
      object_id: 'Son identifiant',
      invoice: 'Facture',
    },
    paper: {
      time: 'Date et heure',
      reference: 'Référence',
      description: 'Description',
      counterparty: 'Nom et numéro de téléphone',
      money_in: 'Entrée',
      money_out: 'Sortie',
      network_fee: 'Frais du réseau',
      balance: 'Solde',
    },
  },
}
