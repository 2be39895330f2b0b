import type { Catalogue } from '../catalogue.ts'

export const audit: Catalogue['audit'] = {
  about:
    'Vitendo vya watumiaji kwenye konsoli, mabadiliko kwa funguo za API, na vitendo vya waendeshaji kwenye mstari wa amri. Maingizo hayawezi kubadilishwa.',
  empty: 'Bado hakuna maingizo.',
  archived:
    'Maingizo hadi {{time}} yamehifadhiwa kwenye kumbukumbu. Mwendeshaji anaweza kuyasoma kwa <code>npx kusanya archive search --kind audit</code>.',
  action: 'Kitendo',
  time: 'Wakati',
  actor: 'Mtumiaji',
  object: 'Kitu',
  details: 'Maelezo',
  address: 'Anwani ya IP',
  key: 'Ufunguo wa API {{name}} ({{user}})',
  person: 'Mtu',
  object_type: 'Aina ya kitu',
  object_id: 'Kitambulisho cha kitu',
  link: 'Kumbukumbu ya ukaguzi',
}
