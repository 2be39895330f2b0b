import type { Catalogue } from '../catalogue.ts'

export const words: Catalogue['words'] = {
  state: {
    successful: 'Réussi',
    failed: 'Échoué',
    pending: 'En attente',
    cancelled: 'Annulé',
    expired: 'Expiré',
    active: 'Actif',
  },
}
