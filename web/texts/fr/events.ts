import type { Catalogue } from '../catalogue.ts'

export const events: Catalogue['events'] = {
  about: 'Tout ce qui s’est passé, comme les webhooks le reçoivent. Les nouveaux événements s’affichent tout seuls.',
  none: 'Aucun événement pour l’instant.',
  live: 'En direct',
  event: 'Événement',
  object: 'Objet',
  object_about: 'Tel qu’il était au moment de l’événement.',
  time: 'Date',
}
