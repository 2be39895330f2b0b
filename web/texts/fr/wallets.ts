import type { Catalogue } from '../catalogue.ts'

export const wallets: Catalogue['wallets'] = {
  about: 'Vos soldes. Les encaissements y sont crédités, et les paiements débités.',
  none: 'Aucun portefeuille. Un opérateur les crée.',
  wallet: 'Portefeuille',
  holds: 'Solde : {{money}}',
  counterparty: 'Contrepartie',
  caused_by: 'Origine',
  entered_by: 'Saisi par {{name}}',
  entered_by_operator: 'Saisi par un opérateur',
  refund_id: 'Remboursement {{id}}',
  purchase_id: 'Achat {{id}}',
  invoice_id: 'Facture {{id}}',
  no_transactions: 'Aucune transaction pour l’instant.',
  time: 'Date',
  chart_about: 'Après chacune des dernières transactions.',
  chart_count_one: 'Après la dernière transaction.',
  chart_count_many: 'Après chacune des {{count}} dernières transactions.',
  chart_count_other: 'Après chacune des {{count}} dernières transactions.',
  now: 'Maintenant',
}
