import type { Language } from '../../lib/text/languages.ts'
import type { FindingKind } from '../ledger/reconciliation.ts'
import type { FindingState } from './findings.ts'

/** Columns of the differences of a reconciliation in a file, and on paper. */
export const findingColumns = [
  { name: 'difference', kind: 'text', width: 1.3 },
  { name: 'network_reference', kind: 'code', width: 1.3 },
  { name: 'line', kind: 'count' },
  { name: 'phone', kind: 'text' },
  { name: 'name', kind: 'text' },
  { name: 'time', kind: 'time' },
  { name: 'currency', kind: 'text', width: 0.7 },
  { name: 'statement_status', kind: 'text', width: 0.9 },
  { name: 'statement_amount', kind: 'amount' },
  { name: 'statement_fee', kind: 'amount', width: 0.9 },
  { name: 'ledger_status', kind: 'text', width: 0.9 },
  { name: 'ledger_amount', kind: 'amount' },
  { name: 'ledger_fee', kind: 'amount', width: 0.9 },
  { name: 'state', kind: 'text', width: 0.9 },
  { name: 'note', kind: 'text', width: 1.6 },
  { name: 'by', kind: 'text' },
] as const
export const findingPaperColumns = [
  { name: 'line', kind: 'count' },
  { name: 'time', kind: 'time' },
  { name: 'network_reference', kind: 'code' },
  { name: 'counterparty', kind: 'text' },
  { name: 'difference', kind: 'text' },
  { name: 'statement', kind: 'amount' },
  { name: 'ledger', kind: 'amount' },
  { name: 'decision', kind: 'text' },
] as const

interface Words {
  title: string
  connection: string
  file: string
  digest: string
  period: string
  times: string
  file_zone: string
  note: string
  received: string
  sent: string
  sides: string
  lines: string
  agreeing: string
  differences: string
  open: string
  compared_by: string
  fee: string
  decided_by: string
  kinds: Record<FindingKind, string>
  states: Record<FindingState, string>
  /** Frequent statuses of a payment. Others stay codes. */
  statuses: Readonly<Record<string, string>>
  columns: Record<(typeof findingColumns)[number]['name'], string>
  paper: Record<(typeof findingPaperColumns)[number]['name'], string>
}

/** The words of a file with the differences of a reconciliation. */
export const findingsWords: Record<Language, Words> = {
  en: {
    title: 'Reconciliation {id}',
    connection: 'Connection',
    file: 'File',
    digest: 'SHA-256 of the file',
    period: 'Period',
    times: '{from} to {to}',
    file_zone: 'Time zone of the file',
    note: 'Note',
    received: 'Received {currency}',
    sent: 'Sent {currency}',
    sides: '{stated} in the statement, {booked} in the ledger',
    lines: 'Lines',
    agreeing: '{lines}, of which {agreeing} agree with the ledger',
    differences: 'Differences',
    open: '{differences}, of which {open} are open',
    compared_by: 'Compared by',
    fee: 'fee {amount}',
    decided_by: '{state} by {name}',
    kinds: {
      missing_in_books: 'missing in books',
      missing_at_network: 'missing at network',
      amount_differs: 'amount differs',
      currency_differs: 'currency differs',
      status_differs: 'status differs',
      repeated_in_statement: 'repeated in statement',
      fee_differs: 'fee differs',
      unreadable: 'unreadable',
    },
    states: {
      open: 'open',
      asked: 'asked',
      entered: 'entered',
      resolved: 'resolved',
      explained: 'explained',
    },
    statuses: {
      successful: 'successful',
      failed: 'failed',
      pending: 'pending',
      reversed: 'reversed',
      processing: 'processing',
    },
    columns: {
      difference: 'Difference',
      network_reference: 'Network reference',
      line: 'Line',
      phone: 'Phone',
      name: 'Name',
      time: 'Time',
      currency: 'Currency',
      statement_status: 'Statement',
      statement_amount: 'Amount (statement)',
      statement_fee: 'Fee (statement)',
      ledger_status: 'Ledger',
      ledger_amount: 'Amount (ledger)',
      ledger_fee: 'Fee (ledger)',
      state: 'State',
      note: 'Note',
      by: 'By',
    },
    paper: {
      line: 'Line',
      time: 'Date and time',
      network_reference: 'Network reference',
      counterparty: 'Name and phone number',
      difference: 'Difference',
      statement: 'Statement',
      ledger: 'Ledger',
      decision: 'State and note',
    },
  },
  sw: {
    title: 'Ulinganisho {id}',
    connection: 'Muunganisho',
    file: 'Faili',
    digest: 'SHA-256 ya faili',
    period: 'Kipindi',
    times: '{from} hadi {to}',
    file_zone: 'Saa za eneo za faili',
    note: 'Maelezo',
    received: 'Zilizopokelewa {currency}',
    sent: 'Zilizotumwa {currency}',
    sides: '{stated} kwenye taarifa, {booked} kwenye leja',
    lines: 'Mistari',
    agreeing: '{lines}, kati yake {agreeing} inalingana na leja',
    differences: 'Tofauti',
    open: '{differences}, kati yake {open} ziko wazi',
    compared_by: 'Aliyelinganisha',
    fee: 'ada {amount}',
    decided_by: '{state} na {name}',
    kinds: {
      missing_in_books: 'haimo kwenye leja',
      missing_at_network: 'haimo kwenye taarifa',
      amount_differs: 'kiasi kinatofautiana',
      currency_differs: 'sarafu inatofautiana',
      status_differs: 'hali inatofautiana',
      repeated_in_statement: 'imerudiwa kwenye taarifa',
      fee_differs: 'ada inatofautiana',
      unreadable: 'hausomeki',
    },
    states: {
      open: 'wazi',
      asked: 'imeulizwa',
      entered: 'inasubiri idhini',
      resolved: 'imetatuliwa',
      explained: 'imeelezwa',
    },
    statuses: {
      successful: 'imefaulu',
      failed: 'imeshindwa',
      pending: 'inasubiri',
      reversed: 'imerejeshwa',
      processing: 'inashughulikiwa',
    },
    columns: {
      difference: 'Tofauti',
      network_reference: 'Kumbukumbu ya mtandao',
      line: 'Mstari',
      phone: 'Simu',
      name: 'Jina',
      time: 'Wakati',
      currency: 'Sarafu',
      statement_status: 'Taarifa',
      statement_amount: 'Kiasi (taarifa)',
      statement_fee: 'Ada (taarifa)',
      ledger_status: 'Leja',
      ledger_amount: 'Kiasi (leja)',
      ledger_fee: 'Ada (leja)',
      state: 'Hali',
      note: 'Maelezo',
      by: 'Na',
    },
    paper: {
      line: 'Mstari',
      time: 'Tarehe na saa',
      network_reference: 'Kumbukumbu ya mtandao',
      counterparty: 'Jina na namba ya simu',
      difference: 'Tofauti',
      statement: 'Taarifa',
      ledger: 'Leja',
      decision: 'Hali na maelezo',
    },
  },
  fr: {
    title: 'Rapprochement {id}',
    connection: 'Connexion',
    file: 'Fichier',
    digest: 'SHA-256 du fichier',
    period: 'Période',
    times: 'du {from} au {to}',
    file_zone: 'Fuseau horaire du fichier',
    note: 'Note',
    received: 'Reçu {currency}',
    sent: 'Envoyé {currency}',
    sides: '{stated} dans le relevé, {booked} dans le grand livre',
    lines: 'Lignes',
    agreeing: '{lines}, dont {agreeing} concordent avec le grand livre',
    differences: 'Écarts',
    open: '{differences}, dont {open} restent ouverts',
    compared_by: 'Comparé par',
    fee: 'frais {amount}',
    decided_by: '{state} par {name}',
    kinds: {
      missing_in_books: 'absent du grand livre',
      missing_at_network: 'absent du relevé',
      amount_differs: 'montant différent',
      currency_differs: 'devise différente',
      status_differs: 'statut différent',
      repeated_in_statement: 'répété dans le relevé',
      fee_differs: 'frais différents',
      unreadable: 'illisible',
    },
    states: {
      open: 'ouvert',
      asked: 'demandé',
      entered: 'en attente de validation',
      resolved: 'résolu',
      explained: 'expliqué',
    },
    statuses: {
      successful: 'réussi',
      failed: 'échoué',
      pending: 'en attente',
      reversed: 'repris',
      processing: 'en cours',
    },
    columns: {
      difference: 'Écart',
      network_reference: 'Référence du réseau',
      line: 'Ligne',
      phone: 'Téléphone',
      name: 'Nom',
      time: 'Date',
      currency: 'Devise',
      statement_status: 'Relevé',
      statement_amount: 'Montant (relevé)',
      statement_fee: 'Frais (relevé)',
      ledger_status: 'Grand livre',
      ledger_amount: 'Montant (grand livre)',
      ledger_fee: 'Frais (grand livre)',
      state: 'État',
      note: 'Note',
      by: 'Par',
    },
    paper: {
      line: 'Ligne',
      time: 'Date et heure',
      network_reference: 'Référence du réseau',
      counterparty: 'Nom et numéro de téléphone',
      difference: 'Écart',
      statement: 'Relevé',
      ledger: 'Grand livre',
      decision: 'État et note',
    },
  },
}
