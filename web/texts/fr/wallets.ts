import type { Catalogue } from '../catalogue.ts'

export const wallets: Catalogue['wallets'] = {
  about: 'Vos soldes. Les encaissements arrivent ici, et les paiements en partent.',
  none: 'Aucun portefeuille. Un opérateur les crée.',
  wallet: 'Portefeuille',
  holds: 'Solde : {{money}}',
  statement: 'Relevé',
  no_transactions: 'Aucune transaction pour l’instant.',
  time: 'Date',
  chart_about: 'Après chacune des dernières transactions.',
  chart_count_one: 'Après la dernière transaction.',
  chart_count_many: 'Après chacune des {{count}} dernières transactions.',
  chart_count_other: 'Après chacune des {{count}} dernières transactions.',
  now: 'Maintenant',
}
