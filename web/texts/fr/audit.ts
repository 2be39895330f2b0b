import type { Catalogue } from '../catalogue.ts'

export const audit: Catalogue['audit'] = {
  about:
    'Actions des utilisateurs dans la console, modifications par clés API et actions des opérateurs en ligne de commande. Les entrées ne peuvent pas être modifiées.',
  empty: 'Aucune entrée pour l’instant.',
  archived:
    'Les entrées jusqu’au {{time}} sont archivées. Un opérateur peut les lire avec <code>npx kusanya archive search --kind audit</code>.',
  action: 'Action',
  time: 'Date',
  actor: 'Utilisateur',
  object: 'Objet',
  details: 'Détails',
  address: 'Adresse IP',
  key: 'Clé API {{name}} ({{user}})',
  person: 'Personne',
  object_type: 'Type d’objet',
  object_id: 'Identifiant de l’objet',
  link: 'Journal d’audit',
}
