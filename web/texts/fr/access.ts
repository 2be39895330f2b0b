import type { Catalogue } from '../catalogue.ts'

export const access: Catalogue['access'] = {
  email: 'E-mail',
  password: 'Mot de passe',
  new_password: 'Nouveau mot de passe',
  sign_in: {
    title: 'Connexion',
    sandbox:
      'Ceci est une sandbox. À son démarrage, elle a affiché l’e-mail et le mot de passe du propriétaire de démonstration.',
    submit: 'Se connecter',
    forgot: 'Mot de passe oublié ?',
    wrong: 'E-mail ou mot de passe incorrect',
    wrong_hint: 'Vérifiez les deux et réessayez.',
  },
  reset: {
    title: 'Réinitialiser le mot de passe',
    no_mail:
      'Cette installation n’envoie pas d’e-mails. Demandez un lien à un gestionnaire de votre organisation, ou demandez à l’opérateur d’exécuter <code>npx kusanya users password</code>.',
    sent: 'Si un compte a cet e-mail, nous y avons envoyé un lien.',
    submit: 'Envoyer le lien',
    back: 'Retour',
  },
  second_factor: {
    title: 'Authentification à deux facteurs',
    code: 'Code',
    recovery_code: 'Code de secours',
    submit: 'Continuer',
    other_user: 'Se connecter avec un autre compte',
    about_app: 'Saisissez le code de votre application d’authentification, ou l’un de vos codes de secours.',
    about_both:
      'Utilisez votre clé d’accès, ou saisissez le code de votre application d’authentification ou l’un de vos codes de secours.',
    about_passkey: 'Utilisez votre clé d’accès, ou saisissez l’un de vos codes de secours.',
    use_passkey: 'Utiliser une clé d’accès',
    or: 'ou',
  },
  passkey: {
    needs_https: 'Les clés d’accès exigent une adresse https. L’opérateur du service peut en configurer une.',
    works_at: 'Les clés d’accès fonctionnent à l’adresse',
    not_supported: 'Ce navigateur ne prend pas en charge les clés d’accès.',
    already_added: 'Cet appareil a déjà une clé d’accès.',
    not_used: 'Aucune clé d’accès utilisée : opération annulée ou délai dépassé.',
  },
  link: {
    broken: 'Ce lien n’est pas valable',
    new_password_title: 'Choisissez un nouveau mot de passe',
    welcome: 'Bienvenue sur {{service}}',
    invited: '{{organization}} vous a invité, avec l’adresse {{email}}.',
    open_console: 'Aller à la console',
    joined: 'Votre compte est prêt. Vous pouvez vous connecter.',
    password_set: 'Votre mot de passe est défini. Vous pouvez vous connecter.',
    name: 'Votre nom',
    password_length: 'Au moins 8 caractères.',
    join: 'Rejoindre',
    set_password: 'Définir le mot de passe',
  },
}
