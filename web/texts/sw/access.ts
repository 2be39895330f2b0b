import type { Catalogue } from '../catalogue.ts'

export const access: Catalogue['access'] = {
  email: 'Barua pepe',
  password: 'Nenosiri',
  new_password: 'Nenosiri jipya',
  sign_in: {
    title: 'Ingia',
    sandbox: 'Hii ni sandbox ya majaribio. Ilipoanza ilionyesha barua pepe na nenosiri la mmiliki wa mfano.',
    submit: 'Ingia',
    forgot: 'Umesahau nenosiri?',
    wrong: 'Barua pepe au nenosiri si sahihi',
    wrong_hint: 'Kagua zote mbili kisha ujaribu tena.',
  },
  reset: {
    title: 'Badilisha nenosiri ulilosahau',
    no_mail:
      'Mfumo huu hautumi barua pepe. Omba kiungo kwa msimamizi wa shirika lako, au mwombe mwendeshaji atumie <code>npx kusanya users password</code>.',
    sent: 'Ikiwa kuna akaunti yenye barua pepe hii, tumeitumia kiungo.',
    submit: 'Tuma kiungo',
    back: 'Rudi',
  },
  second_factor: {
    title: 'Uthibitishaji wa hatua mbili',
    code: 'Msimbo',
    recovery_code: 'Msimbo wa dharura',
    submit: 'Endelea',
    other_user: 'Ingia kama mtumiaji mwingine',
    about_app: 'Weka msimbo wa programu yako ya uthibitishaji, au mmoja wa misimbo yako ya dharura.',
    about_both:
      'Tumia passkey yako, au weka msimbo wa programu yako ya uthibitishaji au mmoja wa misimbo yako ya dharura.',
    about_passkey: 'Tumia passkey yako, au weka mmoja wa misimbo yako ya dharura.',
    use_passkey: 'Tumia passkey',
    or: 'au',
  },
  passkey: {
    needs_https: 'Passkey zinahitaji anwani ya https. Mwendeshaji wa huduma anaweza kuiweka.',
    works_at: 'Passkey zinafanya kazi kwenye',
    not_supported: 'Kivinjari hiki hakitumii passkey.',
    already_added: 'Kifaa hiki tayari kina passkey.',
    not_used: 'Hakuna passkey iliyotumika: imeghairiwa au muda umeisha.',
  },
  link: {
    broken: 'Kiungo hiki si halali',
    new_password_title: 'Chagua nenosiri jipya',
    welcome: 'Karibu {{service}}',
    invited: '{{organization}} imekualika, kama {{email}}.',
    open_console: 'Nenda kwenye konsoli',
    joined: 'Akaunti yako iko tayari. Sasa unaweza kuingia.',
    password_set: 'Nenosiri lako limewekwa. Sasa unaweza kuingia.',
    name: 'Jina lako',
    password_length: 'Angalau herufi 8.',
    join: 'Jiunge',
    set_password: 'Weka nenosiri',
  },
}
