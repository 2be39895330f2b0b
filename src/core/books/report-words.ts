import type { Language } from '../../lib/text/languages.ts'
import type { ReportGroup, ReportKind } from './report-kinds.ts'

interface Words {
  /** `{kind}` is a kind, `{group}` what its sums are grouped by. */
  title: string
  kinds: Record<ReportKind, string>
  /** Names of the groups within the title. */
  by: Record<ReportGroup, string>
  period: string
  days: string
  total: string
  columns: Record<ReportGroup | 'name' | 'currency' | 'count' | 'gross' | 'returned' | 'net', string>
}

/** The words of a report as a file. */
export const reportWords: Record<Language, Words> = {
  en: {
    title: '{kind} by {group}',
    kinds: {
      collections: 'Collections',
      payments: 'Payments',
      refunds: 'Refunds',
      bills: 'Bills',
      fees: 'Fees',
      network_fees: 'Network fees',
      settlements: 'Settlements',
    },
    by: { day: 'day', month: 'month', network: 'network', connection: 'connection', account: 'wallet' },
    period: 'Period',
    days: '{from} to {to}',
    total: 'Total',
    columns: {
      day: 'Day',
      month: 'Month',
      network: 'Network',
      connection: 'Connection',
      account: 'Wallet',
      name: 'Name',
      currency: 'Currency',
      count: 'Count',
      gross: 'Gross',
      returned: 'Returned',
      net: 'Net',
    },
  },
  sw: {
    title: '{kind} kwa {group}',
    kinds: {
      collections: 'Makusanyo',
      payments: 'Malipo',
      refunds: 'Marejesho',
      bills: 'Bili',
      fees: 'Ada',
      network_fees: 'Ada za mitandao',
      settlements: 'Uhamisho kwa mkono',
    },
    by: { day: 'siku', month: 'mwezi', network: 'mtandao', connection: 'muunganisho', account: 'pochi' },
    period: 'Kipindi',
    days: '{from} hadi {to}',
    total: 'Jumla',
    columns: {
      day: 'Siku',
      month: 'Mwezi',
      network: 'Mtandao',
      connection: 'Muunganisho',
      account: 'Pochi',
      name: 'Jina',
      currency: 'Sarafu',
      count: 'Idadi',
      gross: 'Kabla ya kurudi',
      returned: 'Zilizorudi',
      net: 'Halisi',
    },
  },
  fr: {
    title: '{kind} par {group}',
    kinds: {
      collections: 'Encaissements',
      payments: 'Paiements',
      refunds: 'Remboursements et retours',
      bills: 'Achats de services',
      fees: 'Frais',
      network_fees: 'Frais des réseaux',
      settlements: 'Règlements',
    },
    by: { day: 'jour', month: 'mois', network: 'réseau', connection: 'connexion', account: 'portefeuille' },
    period: 'Période',
    days: 'du {from} au {to}',
    total: 'Total',
    columns: {
      day: 'Jour',
      month: 'Mois',
      network: 'Réseau',
      connection: 'Connexion',
      account: 'Portefeuille',
      name: 'Nom',
      currency: 'Devise',
      count: 'Nombre',
      gross: 'Brut',
      returned: 'Retourné',
      net: 'Net',
    },
  },
}
