import type { Catalogue } from '../catalogue.ts'

export const webhooks: Catalogue['webhooks'] = {
  about: 'Les adresses qui reçoivent chaque événement d’un type.',
  none: 'Aucun webhook pour l’instant.',
  event: 'Événement',
  address: 'URL',
  retrying: 'En attente de nouvel essai',
  failed: 'Échouées',
  state: {
    unused: 'Aucune livraison',
    active: 'Actif',
    failing: 'En échec',
    paused: 'En pause',
  },
  since: 'depuis <time/>',
  webhook: 'Webhook',
  deliveries: 'Livraisons',
  delete: 'Supprimer',
  delete_title: 'Supprimer ce webhook ?',
  delete_text: '{{target}} ne recevra plus {{event}}. Les notifications en attente ne seront pas envoyées.',
  secret: {
    title: 'Secret',
    about: 'Votre récepteur vérifie les signatures avec ce secret, selon la spécification Standard Webhooks.',
    previous: 'Le secret précédent signe aussi jusqu’au <time/>.',
    show: 'Afficher',
    rotate: 'Renouveler le secret',
    rotate_title: 'Renouveler le secret ?',
    rotate_text:
      'Pendant 24 heures, les notifications sont signées avec les deux secrets, pour que vous puissiez mettre à jour votre récepteur. Ensuite, seul le nouveau secret est valable.',
  },
  new: {
    title: 'Ajouter un webhook',
    events: 'Événements',
    submit: 'Ajouter',
    done: 'Le webhook a été ajouté. Un événement de test montre si le récepteur fonctionne.',
    address_about: 'Chaque événement est envoyé à cette URL, signé avec le secret du webhook.',
  },
  unused_about: 'Aucune livraison conservée n’est arrivée. Un événement de test montre si le récepteur fonctionne.',
  paused_about:
    'Rien n’est envoyé depuis le <time/>. Les notifications sont conservées aussi longtemps que les événements, et envoyées dans l’ordre à la reprise.',
  description: 'Description',
  description_about: 'Ce qu’on lit à propos de ce webhook, comme le système qu’il alimente.',
  edit: 'Modifier',
  edit_title: 'Modifier le webhook',
  edit_submit: 'Enregistrer',
  edited: 'Le webhook a été modifié.',
  edit_event_about: 'Les événements à venir. Les notifications en attente gardent leur événement.',
  edit_target_about: 'Les notifications en attente sont aussi envoyées à la nouvelle URL.',
  pause: 'Mettre en pause',
  pause_title: 'Mettre ce webhook en pause ?',
  pause_text:
    'Rien n’est envoyé jusqu’à la reprise. Les notifications sont conservées aussi longtemps que les événements, en général 30 jours, puis envoyées dans l’ordre. Celles qui sont en cours d’envoi peuvent encore arriver.',
  resume: 'Reprendre',
  resume_title: 'Reprendre ce webhook ?',
  resume_text_one: '{{number}} notification conservée est envoyée maintenant.',
  resume_text_many: '{{number}} notifications conservées sont envoyées maintenant, dans l’ordre.',
  resume_text_other: '{{number}} notifications conservées sont envoyées maintenant, dans l’ordre.',
  test: {
    button: 'Envoyer un événement de test',
    title: 'Événement de test',
    about:
      'Un exemple de {{event}} est envoyé maintenant, une fois : signé comme les vraies notifications, avec <code>"test":true</code> dans le corps et tous les id à 0.',
    send: 'Envoyer maintenant',
    again: 'Envoyer encore',
    passed: 'Livré : réponse {{status}} après {{ms}} ms',
    failed: 'Échec après {{ms}} ms : {{failure}}',
    request: 'Ce qui a été envoyé',
    response: 'Réponse',
  },
  help: {
    local_title: 'Un récepteur sur votre machine',
    local:
      'Un webhook a besoin d’une URL https. Pour un programme sur votre machine, utilisez plutôt cette commande : elle affiche les notifications et les transmet, signées.',
    command: 'Commande',
    certificate:
      'Le certificat doit être reconnu : d’une autorité publique, avec toute sa chaîne, valable, et pour ce nom.',
    certificate_sandbox:
      'Dans le bac à sable, <code>?skip-cert-verify</code> à la fin de l’URL accepte tout certificat.',
  },
  credentials: {
    button: 'Identifiants',
    title: 'Identifiants pour toutes les notifications',
    set: 'Les notifications contiennent désormais les identifiants.',
    removed: 'Les notifications ne contiennent plus d’identifiants.',
    about:
      'Les notifications peuvent contenir un nom d’utilisateur et un mot de passe (HTTP Basic), pour les récepteurs qui les exigent.',
    current: 'Les notifications contiennent le nom d’utilisateur <user/> depuis le <time/>.',
    user: 'Nom d’utilisateur',
    password: 'Mot de passe',
    remove: 'Supprimer',
    save: 'Enregistrer',
  },
}
