import type { Catalogue } from '../../catalogue.ts'

export const plans: Catalogue['plans'] = {
  about: 'Paiements demandés régulièrement à des dates fixes.',
  none: 'Aucune demande récurrente pour l’instant. Choisissez une fréquence quand vous demandez un paiement.',
  plan: 'Demande récurrente',
  plan_id: 'Demande récurrente {{id}}',
  next_date: 'Prochaine date',
  collected: 'Encaissé',
  failed: 'Échouées ou expirées',
  totals: 'Totaux',
  total: 'Total de toutes les échéances',
  total_of_one: '{{number}} demande',
  total_of_many: '{{number}} demandes',
  total_of_other: '{{number}} demandes',
  paid_requests: 'Demandes payées',
  open_requests: 'Demandes ouvertes',
  all_requests: 'Toutes les demandes',
  paused_since: 'En pause depuis',
  none_while_paused: 'Aucune avant la reprise',
  pause: {
    button: 'Mettre en pause',
    title: 'Mettre cette demande récurrente en pause ?',
    text: 'Aucune demande n’est créée avant la reprise. Les dates passées entre-temps sont ignorées. Les demandes existantes ne changent pas.',
  },
  resume: {
    button: 'Reprendre',
    title: 'Reprendre cette demande récurrente ?',
    text: 'La prochaine demande est créée à la prochaine date. Les dates passées sont ignorées.',
  },
  stop: {
    button: 'Arrêter la récurrence',
    title: 'Arrêter cette demande récurrente ?',
    text: 'Aucune autre demande n’est créée. Les demandes existantes ne changent pas.',
  },
}
