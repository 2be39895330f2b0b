import type { Catalogue } from '../../catalogue.ts'

export const request_batches: Catalogue['request_batches'] = {
  button: 'Demander en groupe',
  title: 'Demandes groupées',
  about: 'Demandez des paiements à de nombreux clients. Vous vérifiez la liste avant tout enregistrement.',
  from_file: 'Depuis un fichier',
  for_tag: 'Pour une étiquette',
  columns:
    'Les colonnes sont numéro de client, numéro de téléphone, montant, devise, motif, prénom, nom de famille, expiration et instructions. Un numéro ou un téléphone, et un montant sont obligatoires.',
  expiry: 'Expiration',
  expiry_about: 'Par exemple 31/12/2030 ou 24 hours. Vide : 24 heures.',
  instructions: 'Envoyer une invite ou des instructions',
  none: 'Aucune demande ne peut être créée.',
  sum_one: '{{count}} demande par {{network}}, {{money}}',
  sum_many: '{{count}} de demandes par {{network}}, {{money}}',
  sum_other: '{{count}} demandes par {{network}}, {{money}}',
  same_file_about: 'Le {{time}} par {{name}} : {{made}} demandes.',
  duplicates: 'Clients avec une demande ouverte ou récente du même montant et du même motif',
  skip: 'Ignorer',
  create: 'Demander de nouveau',
  submit: 'Envoyer les demandes',
  done: 'Demandes créées',
  outcome: '{{made}} créées, {{skipped}} doublons ignorés, {{refused}} refusées.',
  interrupted: 'Interrompu. Recommencez pour reprendre après la dernière demande.',
  twice: 'Même téléphone, même montant et même motif que la ligne {{row}}',
  twice_tag: 'Même téléphone, même montant et même motif qu’un autre client',
  asked: 'Déjà demandé :',
}
