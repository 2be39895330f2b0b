import type { Catalogue } from '../../catalogue.ts'

export const request_batches: Catalogue['request_batches'] = {
  button: 'Kutoka faili',
  title: 'Maombi kwa wengi',
  about: 'Omba pesa kwa wateja wengi. Hakuna kinachohifadhiwa kabla hujaona nani wanaombwa.',
  from_file: 'Kutoka faili',
  for_tag: 'Kwa lebo',
  columns:
    'Safu ni namba ya mteja, namba ya simu, kiasi, sarafu, sababu, jina la kwanza, jina la mwisho, mwisho wa muda na maelekezo. Namba au simu, na kiasi ni lazima.',
  expiry: 'Mwisho wa muda',
  expiry_about: 'Kama 31/12/2030 au 24 hours. Tupu: saa 24.',
  instructions: 'Tuma ombi la simu au maelekezo',
  none: 'Hakuna anayeweza kuombwa.',
  sum_one: 'Ombi {{count}} kupitia {{network}}, {{money}}',
  sum_other: 'Maombi {{count}} kupitia {{network}}, {{money}}',
  same_file_about: 'Tarehe {{time}} na {{name}}: maombi {{made}}.',
  duplicates: 'Wateja wenye ombi lililo wazi au la karibuni lenye kiasi na sababu sawa',
  skip: 'Wasiombwe tena',
  create: 'Waombwe mara moja zaidi',
  submit: 'Omba pesa',
  done: 'Maombi yameundwa',
  outcome: '{{made}} yameundwa, {{skipped}} yameachwa kama nakala, {{refused}} yamekataliwa.',
  interrupted: 'Ilikatizwa. Fanya vilevile tena: inaendelea baada ya ombi la mwisho.',
  twice: 'Simu, kiasi na sababu sawa na mstari {{row}}',
  twice_tag: 'Simu, kiasi na sababu sawa na mteja mwingine',
  asked: 'Ameshaombwa:',
}
