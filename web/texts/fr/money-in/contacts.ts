import type { Catalogue } from '../../catalogue.ts'

export const contacts: Catalogue['contacts'] = {
  about: 'Les personnes qui vous paient ou que vous payez. Un contact par numéro de téléphone.',
  none: 'Aucun contact pour l’instant.',
  contact: 'Contact',
  document: 'Pièce d’identité',
  document_typed: '{{number}} ({{type}})',
  on_network: 'Sur le réseau',
  registered: 'Compte mobile money',
  name_match: 'Correspondance des noms',
  score: '{{score}} sur 100',
  not_compared: 'Non comparés',
  requests: 'Demandes',
  payments: 'Paiements',
  erased: 'Effacé sur demande.',
  erase: 'Effacer',
  erase_title: 'Effacer {{name}} ?',
  erase_text:
    'Le nom, le numéro de téléphone et toutes les autres données personnelles sont effacés définitivement. Les montants et les dates restent dans les comptes.',
  add: 'Ajouter un contact',
  submit: 'Ajouter',
  added: 'Contact ajouté.',
  edit: 'Modifier',
  edit_title: 'Modifier le contact',
  edited: 'Contact modifié.',
}
