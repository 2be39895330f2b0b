import type { Catalogue } from '../catalogue.ts'

export const webhooks: Catalogue['webhooks'] = {
  about: 'Les adresses qui reçoivent chaque événement d’un type.',
  none: 'Aucun webhook pour l’instant.',
  event: 'Événement',
  address: 'URL',
  retrying: 'En attente de nouvel essai',
  failed: 'Échouées',
  active: 'Actif',
  failing: 'En échec',
  since: 'depuis <time/>',
  webhook: 'Webhook',
  deliveries: 'Livraisons',
  delete: 'Supprimer',
  delete_title: 'Supprimer ce webhook ?',
  delete_text: '{{target}} ne recevra plus {{event}}. Les notifications en attente ne seront pas envoyées.',
  secret: {
    title: 'Secret',
    about: 'Votre récepteur vérifie les signatures avec ce secret, selon la spécification Standard Webhooks.',
    previous: 'Le secret précédent signe aussi jusqu’au <time/>.',
    show: 'Afficher',
    rotate: 'Renouveler le secret',
    rotate_title: 'Renouveler le secret ?',
    rotate_text:
      'Pendant 24 heures, les notifications sont signées avec les deux secrets, pour que vous puissiez mettre à jour votre récepteur. Ensuite, seul le nouveau secret est valable.',
  },
  new: {
    title: 'Ajouter un webhook',
    submit: 'Ajouter',
    done: 'Le webhook est actif.',
    address_about: 'Chaque événement est envoyé à cette URL, signé avec le secret du webhook.',
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
