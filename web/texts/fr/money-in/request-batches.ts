import type { Catalogue } from '../../catalogue.ts'

export const request_batches: Catalogue['request_batches'] = {
  button: 'Depuis un fichier',
  title: 'Demandes à plusieurs',
  about: 'Demandez de l’argent à de nombreux clients. Rien n’est enregistré avant que vous ayez vu à qui l’on demande.',
  from_file: 'Depuis un fichier',
  for_tag: 'Pour une étiquette',
  columns:
    'Les colonnes sont numéro de client, numéro de téléphone, montant, devise, motif, prénom, nom de famille, expiration et instructions. Un numéro ou un téléphone, et un montant sont obligatoires.',
  expiry: 'Expiration',
  expiry_about: 'Par exemple 31/12/2030 ou 24 hours. Vide : 24 heures.',
  instructions: 'Envoyer une invite ou des instructions',
  none: 'On ne peut demander à personne.',
  sum_one: '{{count}} demande par {{network}}, {{money}}',
  sum_many: '{{count}} de demandes par {{network}}, {{money}}',
  sum_other: '{{count}} demandes par {{network}}, {{money}}',
  same_file_about: 'Le {{time}} par {{name}} : {{made}} demandes.',
  duplicates: 'Clients avec une demande ouverte ou récente du même montant et du même motif',
  skip: 'Ne pas redemander',
  create: 'Demander encore une fois',
  submit: 'Demander l’argent',
  done: 'Les demandes sont créées',
  outcome: '{{made}} créées, {{skipped}} écartées comme doublons, {{refused}} refusées.',
  interrupted: 'Interrompu. Refaites la même chose : cela reprend après la dernière demande.',
  twice: 'Même téléphone, même montant et même motif que la ligne {{row}}',
  twice_tag: 'Même téléphone, même montant et même motif qu’un autre client',
  asked: 'Déjà demandé :',
}
