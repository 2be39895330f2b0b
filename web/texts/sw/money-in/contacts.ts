import type { Catalogue } from '../../catalogue.ts'

export const contacts: Catalogue['contacts'] = {
  about: 'Watu wanaokulipa au unaowalipa. Anwani moja kwa kila namba ya simu.',
  none: 'Bado hakuna anwani.',
  contact: 'Anwani',
  document: 'Kitambulisho',
  document_typed: '{{number}} ({{type}})',
  on_network: 'Kwenye mtandao',
  registered: 'Akaunti ya pesa kwa simu',
  name_match: 'Ulinganifu wa majina',
  score: '{{score}} kati ya 100',
  not_compared: 'Hayajalinganishwa',
  requests: 'Maombi',
  payments: 'Malipo',
  erased: 'Imefutwa kwa ombi.',
  erase: 'Futa',
  erase_title: 'Umfute {{name}}?',
  erase_text:
    'Jina, namba ya simu na taarifa nyingine zote binafsi zinafutwa kabisa. Viasi na nyakati vinabaki kwenye vitabu.',
  add: 'Ongeza anwani',
  submit: 'Ongeza',
  added: 'Anwani imeongezwa.',
  edit: 'Hariri',
  edit_title: 'Hariri anwani',
  edited: 'Anwani imebadilishwa.',
}
