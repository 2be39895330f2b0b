import type { Catalogue } from '../catalogue.ts'

export const checklist: Catalogue['checklist'] = {
  found: {
    organization: {
      done_one: 'Il y a une organisation.',
      done_many: 'Il y a {{count}} d’organisations.',
      done_other: 'Il y a {{count}} organisations.',
      missing: 'Il n’y a pas d’organisation.',
    },
    owner: {
      done: 'Chaque organisation a une personne qui la gère.',
      missing: 'Personne ne gère {{organizations}}.',
      none: 'Personne ne gère une organisation.',
    },
    api_key: {
      done: 'Il y a une clé API.',
      missing: 'Il n’y a pas de clé API.',
    },
    wallet: {
      done_one: 'Il y a un portefeuille.',
      done_many: 'Il y a {{count}} de portefeuilles.',
      done_other: 'Il y a {{count}} portefeuilles.',
      missing: 'Il n’y a pas de portefeuille.',
    },
    wallet_funds: {
      done: 'Chaque portefeuille contient de l’argent.',
      missing: 'Sans argent, et donc incapables d’encaisser : {{wallets}}.',
      all_missing: 'Sans argent, et donc incapables d’encaisser : tous les portefeuilles.',
    },
    collection_currencies: {
      done: 'Les encaissements sont acceptés en {{currencies}}.',
      missing: 'Les encaissements en {{currencies}} sont refusés : COLLECTION_CURRENCIES ne les nomme pas.',
    },
    connection: {
      done: 'En service : {{connections}}.',
      drafts_only: 'Brouillons seulement : {{connections}}.',
      missing: 'Aucun réseau n’est connecté.',
    },
    connection_tested: {
      done: 'Chaque connexion en service a réussi son test.',
      missing: 'Sans test réussi : {{connections}}.',
      none: 'Rien n’a été testé.',
    },
    places: {
      done: 'Chaque portefeuille utilise une connexion.',
      missing: 'Sans connexion : {{wallets}}.',
      all_missing: 'Sans connexion : tous les portefeuilles.',
    },
    callback_address: {
      done: 'Les réseaux envoient leurs rappels à {{url}}.',
      missing: 'PUBLIC_URL n’est pas définie : aucun rappel d’un réseau n’arrive.',
      not_public: 'Aucun réseau ne peut joindre {{url}} : ce n’est pas une URL https publique.',
    },
    second_factor: {
      done: 'Tous ceux qui déplacent de l’argent ou gèrent ont activé l’authentification à deux facteurs.',
      missing: 'Sans authentification à deux facteurs : {{users}}.',
      all_missing: 'Sans authentification à deux facteurs : tous.',
    },
    second_manager: {
      done: 'Chaque organisation a un deuxième gestionnaire.',
      missing: 'Sans deuxième gestionnaire, qui confirme ce qui affaiblit le contrôle : {{organizations}}.',
      all_missing: 'Sans deuxième gestionnaire, qui confirme ce qui affaiblit le contrôle : toutes les organisations.',
    },
    approval_rules: {
      done: 'Les paiements ont des règles de validation ou des plafonds dans chaque devise.',
      missing: 'Paiements sans validation et sans plafonds : {{currencies}}.',
      all_missing: 'Paiements sans validation et sans plafonds : tous.',
    },
    fees: {
      done: 'Les frais sont fixés.',
      missing: 'Aucuns frais ne sont fixés : rien n’est facturé.',
    },
    backups: {
      own: 'Les données sont dans votre propre PostgreSQL. Le service ne peut pas voir si elles sont sauvegardées.',
      embedded: 'Les données sont dans le PostgreSQL fourni, dans {{folder}} : sur ce disque seulement.',
    },
    sms: {
      done: 'Les SMS sont envoyés.',
      missing: 'Aucun fournisseur de SMS n’est connecté : aucun SMS n’arrive chez un client.',
    },
    mail: {
      done: 'Les e-mails sont envoyés.',
      missing:
        'SMTP_URL n’est pas définie : aucun e-mail n’annonce les modifications, les invitations et les nouveaux mots de passe.',
    },
    proxy: {
      done: 'Les adresses des appelants sont connues.',
      missing: 'TRUST_PROXY est désactivé : derrière un proxy, tous les appelants comptent pour un seul.',
    },
    disk: {
      done: 'Il y a assez de place sur le disque.',
      low: 'Il reste {{megabytes}} Mo ({{percent}} %) sur le disque de {{folder}}.',
      full: 'Il reste {{megabytes}} Mo ({{percent}} %) sur le disque de {{folder}}. Rien n’est enregistré tant qu’il n’y a pas plus de place.',
    },
  },
  todo: {
    collection_currencies: 'Définir COLLECTION_CURRENCIES',
    callback_address: 'Définir PUBLIC_URL, puis {{first}}',
    second_factor: 'Ils l’activent sous « Votre compte » ; {{first}} l’exige',
    approval_rules: '{{first}}, {{second}}',
    backups:
      'Sauvegarder chaque jour la base de données et SECRET_KEY, hors de cette machine, et essayer une restauration (docs/operating/backup.md)',
    sms: '{{first}}, avec un fournisseur de SMS, ou définir SMS_URL',
    mail: 'Définir SMTP_URL et MAIL_FROM',
    proxy: 'Définir TRUST_PROXY si un proxy est placé devant le service',
    disk: 'Libérer de la place',
  },
  steps: '{{first}}, puis {{second}}',
  more_one: '{{count}} autre',
  more_many: '{{count}} d’autres',
  more_other: '{{count}} autres',
}
