import type { Language } from '../../lib/text/languages.ts'

/** Columns of a class list. */
export const customerSumColumns = [
  { name: 'customer_number', kind: 'code' },
  { name: 'name', kind: 'text', width: 2 },
  { name: 'phone_number', kind: 'code' },
  { name: 'currency', kind: 'text', width: 0.6 },
  { name: 'invoiced', kind: 'amount' },
  { name: 'paid', kind: 'amount' },
  { name: 'open', kind: 'amount' },
  { name: 'state', kind: 'text', width: 0.7 },
] as const

interface Words {
  title: string
  customers: string
  total: string
  overdue: string
  states: Record<'none' | 'unpaid' | 'part' | 'paid', string>
  columns: Record<(typeof customerSumColumns)[number]['name'], string>
}

/** The words of a class list as a file. English files keep the API's states, for programs. */
export const customerSumWords: Record<Language, Words> = {
  en: {
    title: 'Customers of {tag}',
    customers: 'Customers',
    total: 'Total',
    overdue: 'overdue',
    states: { none: 'none', unpaid: 'unpaid', part: 'part', paid: 'paid' },
    columns: {
      customer_number: 'Number',
      name: 'Name',
      phone_number: 'Phone',
      currency: 'Currency',
      invoiced: 'Invoiced',
      paid: 'Paid',
      open: 'Open',
      state: 'State',
    },
  },
  sw: {
    title: 'Wateja wa {tag}',
    customers: 'Wateja',
    total: 'Jumla',
    overdue: 'imechelewa',
    states: { none: 'hakuna ankara', unpaid: 'haijalipwa', part: 'imelipwa kiasi', paid: 'imelipwa' },
    columns: {
      customer_number: 'Namba',
      name: 'Jina',
      phone_number: 'Simu',
      currency: 'Sarafu',
      invoiced: 'Kilichodaiwa',
      paid: 'Kilicholipwa',
      open: 'Deni',
      state: 'Hali',
    },
  },
  fr: {
    title: 'Clients de {tag}',
    customers: 'Clients',
    total: 'Total',
    overdue: 'en retard',
    states: { none: 'sans facture', unpaid: 'impayé', part: 'payé en partie', paid: 'payé' },
    columns: {
      customer_number: 'Numéro',
      name: 'Nom',
      phone_number: 'Téléphone',
      currency: 'Devise',
      invoiced: 'Facturé',
      paid: 'Payé',
      open: 'Ouvert',
      state: 'État',
    },
  },
}
