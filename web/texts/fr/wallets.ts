import type { Catalogue } from '../catalogue.ts'

export const wallets: Catalogue['wallets'] = {
  about: 'Vos soldes. Les encaissements y sont crédités, et les paiements débités.',
  none: 'Aucun portefeuille. Un opérateur les crée.',
  open: {
    button: 'Ouvrir un portefeuille',
    submit: 'Ouvrir',
    name_about: 'Sans nom, il porte celui de sa devise.',
    done: 'Le portefeuille est ouvert.',
  },
  fund: {
    button: 'Ajouter de l’argent',
    title: 'Ajouter de l’argent à {{name}}',
    about:
      'C’est une écriture dans vos livres. Elle ne déplace pas d’argent sur un réseau. Saisissez ce que le compte marchand y contient.',
    opening: 'Solde d’ouverture',
    reason_about: 'Affiché dans les relevés et le journal d’audit.',
    done: 'L’argent a été ajouté à {{name}}.',
  },
  rename: {
    button: 'Renommer',
    title: 'Renommer {{name}}',
    done: 'Le portefeuille a été renommé.',
  },
  wallet: 'Portefeuille',
  holds: 'Solde : {{money}}',
  held: 'Réservé pour les paiements et les factures : {{money}}',
  balance_after: 'Solde après',
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
