import type { Catalogue } from '../catalogue.ts'

export const audit: Catalogue['audit'] = {
  about:
    'Vitendo vya watumiaji kwenye konsoli, mabadiliko kwa funguo za API, na vitendo vya waendeshaji kwenye mstari wa amri. Maingizo hayawezi kubadilishwa.',
  empty: 'Bado hakuna maingizo.',
  action: 'Kitendo',
  action_example: 'sign in',
  time: 'Wakati',
  actor: 'Mtumiaji',
  object: 'Kitu',
  details: 'Maelezo',
  address: 'Anwani ya IP',
  key: 'Ufunguo wa API {{name}} ({{user}})',
}
