import type { Catalogue } from '../catalogue.ts'

export const changes: Catalogue['changes'] = {
  see_money: 'Voir l’encaissement',
  about:
    'Modifications concernant qui peut déplacer de l’argent, et combien. Une modification qui affaiblit le contrôle exige un deuxième gestionnaire.',
  empty: 'Aucune modification pour l’instant.',
  change: 'Modification',
  state: 'État',
  requested: 'Demandée',
  decided: 'Décidée',
  operator: 'Un opérateur',
  at_once: 'Appliquée tout de suite',
  expires: 'Expire le <time/>',
  expired: 'Expirée le <time/>',
  withdraw: 'Retirer',
  withdraw_title: 'Retirer cette modification ?',
  reject: 'Refuser',
  reject_title: 'Refuser cette modification ?',
  confirm: 'Confirmer',
  confirm_title: 'Confirmer cette modification ?',
  invitation_mailed: 'L’invitation a été envoyée.',
  invitation_link: 'Donnez ce lien à la personne invitée. Il n’est affiché que maintenant.',
}
