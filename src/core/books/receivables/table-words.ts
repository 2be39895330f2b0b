import type { Language } from '../../../lib/text/languages.ts'
import type { EntryKind } from './account-entries.ts'

/** Columns of the open amounts by age. */
export const ageingColumns = [
  { name: 'contact', kind: 'count' },
  { name: 'customer_number', kind: 'code' },
  { name: 'customer_name', kind: 'text', width: 1.6 },
  { name: 'phonenumber', kind: 'code', width: 1.3 },
  { name: 'tags', kind: 'text' },
  { name: 'currency', kind: 'text', width: 0.7 },
  { name: 'invoices', kind: 'count', width: 1.2 },
  { name: 'oldest_due_date', kind: 'day' },
  { name: 'not_due_amount', kind: 'amount' },
  { name: 'days_1_30_amount', kind: 'amount' },
  { name: 'days_31_60_amount', kind: 'amount' },
  { name: 'days_61_90_amount', kind: 'amount' },
  { name: 'days_over_90_amount', kind: 'amount' },
  { name: 'overdue_amount', kind: 'amount' },
  { name: 'open_amount', kind: 'amount' },
] as const

/** Columns of unmatched money. */
export const unmatchedColumns = [
  { name: 'collection', kind: 'count' },
  { name: 'payment_date', kind: 'time' },
  { name: 'days', kind: 'count' },
  { name: 'phonenumber', kind: 'code', width: 1.2 },
  { name: 'payer_name', kind: 'text', width: 1.4 },
  { name: 'reference', kind: 'code', width: 1.2 },
  { name: 'network', kind: 'text' },
  { name: 'remote_transaction_id', kind: 'code', width: 1.3 },
  { name: 'status', kind: 'text' },
  { name: 'currency', kind: 'text', width: 0.7 },
  { name: 'amount', kind: 'amount' },
  { name: 'left_amount', kind: 'amount' },
] as const

/** Columns of the statement of a customer. */
export const customerStatementColumns = [
  { name: 'time', kind: 'time' },
  { name: 'kind', kind: 'text' },
  { name: 'description', kind: 'text', width: 2 },
  { name: 'invoice_number', kind: 'text' },
  { name: 'receipt', kind: 'text' },
  { name: 'remote_transaction_id', kind: 'code', width: 1.3 },
  { name: 'phonenumber', kind: 'code', width: 1.1 },
  { name: 'payment_date', kind: 'time' },
  { name: 'charged_amount', kind: 'amount' },
  { name: 'credited_amount', kind: 'amount' },
  { name: 'balance', kind: 'amount' },
  { name: 'currency', kind: 'text', width: 0.7 },
  { name: 'collection', kind: 'count' },
  { name: 'refund', kind: 'count' },
] as const

type Titles<Columns extends readonly { name: string }[]> = Record<Columns[number]['name'], string>

interface Words {
  total: string
  day: string
  ageing: { title: string; tag: string; columns: Titles<typeof ageingColumns> }
  unmatched: {
    title: string
    /** `{currency}` has sums by age. */
    by_age: string
    ages: readonly [string, string, string, string]
    /** Without a word the file has the status of the API. */
    statuses: Partial<Record<'successful' | 'failed', string>>
    columns: Titles<typeof unmatchedColumns>
  }
  statement: {
    title: string
    customer: string
    period: string
    days: string
    opening: string
    closing: string
    /** Without a word the file has the kind of the API. */
    kinds: Partial<Record<EntryKind, string>>
    columns: Titles<typeof customerStatementColumns>
  }
}

/** The words of files about customers' debts and unmatched money. English files keep the API's kinds, for programs. */
export const receivablesWords: Record<Language, Words> = {
  en: {
    total: 'Total',
    day: 'Day',
    ageing: {
      title: 'Open amounts by age',
      tag: 'Tag',
      columns: {
        contact: 'Customer',
        customer_number: 'Number',
        customer_name: 'Name',
        phonenumber: 'Phone number',
        tags: 'Tags',
        currency: 'Currency',
        invoices: 'Invoices',
        oldest_due_date: 'Oldest due date',
        not_due_amount: 'Not yet due',
        days_1_30_amount: '1–30 days',
        days_31_60_amount: '31–60 days',
        days_61_90_amount: '61–90 days',
        days_over_90_amount: 'Over 90 days',
        overdue_amount: 'Overdue',
        open_amount: 'Open',
      },
    },
    unmatched: {
      title: 'Unmatched money',
      by_age: '{currency} by age',
      ages: ['0–7 days', '8–30 days', '31–90 days', 'over 90 days'],
      statuses: {},
      columns: {
        collection: 'Payment',
        payment_date: 'Paid',
        days: 'Days',
        phonenumber: 'Phone number',
        payer_name: 'Name',
        reference: 'Reference',
        network: 'Network',
        remote_transaction_id: 'Network reference',
        status: 'Status',
        currency: 'Currency',
        amount: 'Received',
        left_amount: 'Left',
      },
    },
    statement: {
      title: 'Statement of a customer',
      customer: 'Customer',
      period: 'Period',
      days: '{from} to {to}',
      opening: 'Opening balance',
      closing: 'Closing balance',
      kinds: {},
      columns: {
        time: 'Time',
        kind: 'Kind',
        description: 'Description',
        invoice_number: 'Invoice',
        receipt: 'Receipt',
        remote_transaction_id: 'Network reference',
        phonenumber: 'Phone number',
        payment_date: 'Paid',
        charged_amount: 'Charged',
        credited_amount: 'Credited',
        balance: 'Balance',
        currency: 'Currency',
        collection: 'Payment id',
        refund: 'Refund id',
      },
    },
  },
  sw: {
    total: 'Jumla',
    day: 'Siku',
    ageing: {
      title: 'Madeni kwa umri',
      tag: 'Lebo',
      columns: {
        contact: 'Mteja',
        customer_number: 'Namba',
        customer_name: 'Jina',
        phonenumber: 'Namba ya simu',
        tags: 'Lebo',
        currency: 'Sarafu',
        invoices: 'Ankara',
        oldest_due_date: 'Tarehe ya zamani zaidi ya kulipa',
        not_due_amount: 'Muda haujafika',
        days_1_30_amount: 'Siku 1–30',
        days_31_60_amount: 'Siku 31–60',
        days_61_90_amount: 'Siku 61–90',
        days_over_90_amount: 'Zaidi ya siku 90',
        overdue_amount: 'Zilizochelewa',
        open_amount: 'Deni',
      },
    },
    unmatched: {
      title: 'Malipo yasiyolinganishwa',
      by_age: '{currency} kwa umri',
      ages: ['siku 0–7', 'siku 8–30', 'siku 31–90', 'zaidi ya siku 90'],
      statuses: { successful: 'Yamepokelewa', failed: 'Yamekataliwa' },
      columns: {
        collection: 'Malipo',
        payment_date: 'Yalilipwa',
        days: 'Siku',
        phonenumber: 'Namba ya simu',
        payer_name: 'Jina',
        reference: 'Kumbukumbu',
        network: 'Mtandao',
        remote_transaction_id: 'Kumbukumbu ya mtandao',
        status: 'Hali',
        currency: 'Sarafu',
        amount: 'Kilichopokelewa',
        left_amount: 'Kilichobaki',
      },
    },
    statement: {
      title: 'Taarifa ya mteja',
      customer: 'Mteja',
      period: 'Kipindi',
      days: '{from} hadi {to}',
      opening: 'Salio la mwanzo',
      closing: 'Salio la mwisho',
      kinds: {
        invoice: 'Ankara',
        void: 'Ankara imefutwa',
        payment: 'Malipo',
        moved: 'Yamehamishwa',
        reversal: 'Yamerudishwa na mtandao',
        refund: 'Marejesho',
        adjustment: 'Marekebisho',
      },
      columns: {
        time: 'Tarehe na saa',
        kind: 'Aina',
        description: 'Maelezo',
        invoice_number: 'Ankara',
        receipt: 'Risiti',
        remote_transaction_id: 'Kumbukumbu ya mtandao',
        phonenumber: 'Namba ya simu',
        payment_date: 'Ililipwa',
        charged_amount: 'Inayodaiwa',
        credited_amount: 'Iliyolipwa',
        balance: 'Salio',
        currency: 'Sarafu',
        collection: 'Kitambulisho cha malipo',
        refund: 'Kitambulisho cha marejesho',
      },
    },
  },
  fr: {
    total: 'Total',
    day: 'Jour',
    ageing: {
      title: 'Créances par ancienneté',
      tag: 'Étiquette',
      columns: {
        contact: 'Client',
        customer_number: 'Numéro',
        customer_name: 'Nom',
        phonenumber: 'Numéro de téléphone',
        tags: 'Étiquettes',
        currency: 'Devise',
        invoices: 'Factures',
        oldest_due_date: 'Échéance la plus ancienne',
        not_due_amount: 'Non échu',
        days_1_30_amount: '1–30 jours',
        days_31_60_amount: '31–60 jours',
        days_61_90_amount: '61–90 jours',
        days_over_90_amount: 'Plus de 90 jours',
        overdue_amount: 'En retard',
        open_amount: 'Ouvert',
      },
    },
    unmatched: {
      title: 'Paiements non rapprochés',
      by_age: '{currency} par ancienneté',
      ages: ['0–7 jours', '8–30 jours', '31–90 jours', 'plus de 90 jours'],
      statuses: { successful: 'Reçu', failed: 'Rejeté' },
      columns: {
        collection: 'Paiement',
        payment_date: 'Payé',
        days: 'Jours',
        phonenumber: 'Numéro de téléphone',
        payer_name: 'Nom',
        reference: 'Référence',
        network: 'Réseau',
        remote_transaction_id: 'Référence du réseau',
        status: 'Statut',
        currency: 'Devise',
        amount: 'Reçu',
        left_amount: 'Reste',
      },
    },
    statement: {
      title: 'Relevé d’un client',
      customer: 'Client',
      period: 'Période',
      days: 'du {from} au {to}',
      opening: 'Solde initial',
      closing: 'Solde final',
      kinds: {
        invoice: 'Facture',
        void: 'Facture annulée',
        payment: 'Paiement',
        moved: 'Réaffectation',
        reversal: 'Reprise par le réseau',
        refund: 'Remboursement',
        adjustment: 'Ajustement',
      },
      columns: {
        time: 'Date et heure',
        kind: 'Type',
        description: 'Description',
        invoice_number: 'Facture',
        receipt: 'Reçu',
        remote_transaction_id: 'Référence du réseau',
        phonenumber: 'Numéro de téléphone',
        payment_date: 'Payé',
        charged_amount: 'Débit',
        credited_amount: 'Crédit',
        balance: 'Solde',
        currency: 'Devise',
        collection: 'Identifiant du paiement',
        refund: 'Identifiant du remboursement',
      },
    },
  },
}
