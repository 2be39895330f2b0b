import type { Catalogue } from '../catalogue.ts'

export const audit: Catalogue['audit'] = {
  about:
    'Les actions des utilisateurs dans la console, les modifications par clés API, et les actions des opérateurs en ligne de commande. Les entrées ne peuvent pas être modifiées.',
  empty: 'Aucune entrée pour l’instant.',
  action: 'Action',
  action_example: 'sign in',
  time: 'Date',
  actor: 'Utilisateur',
  object: 'Objet',
  details: 'Détails',
  address: 'Adresse IP',
  key: 'Clé API {{name}} ({{user}})',
}
