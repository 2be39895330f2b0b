import type { Catalogue } from '../../catalogue.ts'

export const request_batches: Catalogue['request_batches'] = {
  button: 'Omba kwa wengi',
  title: 'Maombi kwa wengi',
  about: 'Omba malipo kwa wateja wengi. Unakagua orodha kabla chochote hakijahifadhiwa.',
  from_file: 'Kutoka faili',
  for_tag: 'Kwa lebo',
  columns:
    'Safu ni namba ya mteja, namba ya simu, kiasi, sarafu, sababu, jina la kwanza, jina la mwisho, mwisho wa muda na maelekezo. Namba au simu, na kiasi ni lazima.',
  expiry: 'Mwisho wa muda',
  expiry_about: 'Kama 31/12/2030 au 24 hours. Tupu: saa 24.',
  instructions: 'Tuma ombi la simu au maelekezo',
  none: 'Hakuna ombi linaloweza kuundwa.',
  sum_one: 'Ombi {{count}} kupitia {{network}}, {{money}}',
  sum_other: 'Maombi {{count}} kupitia {{network}}, {{money}}',
  same_file_about: 'Tarehe {{time}} na {{name}}: maombi {{made}}.',
  duplicates: 'Wateja wenye ombi lililo wazi au la karibuni lenye kiasi na sababu sawa',
  skip: 'Ruka',
  create: 'Omba tena',
  submit: 'Tuma maombi',
  done: 'Maombi yameundwa',
  outcome: '{{made}} yameundwa, nakala {{skipped}} zimerukwa, {{refused}} yamekataliwa.',
  interrupted: 'Ilikatizwa. Rudia ili kuendelea baada ya ombi la mwisho.',
  twice: 'Simu, kiasi na sababu sawa na mstari {{row}}',
  twice_tag: 'Simu, kiasi na sababu sawa na mteja mwingine',
  asked: 'Tayari ameombwa:',
}
