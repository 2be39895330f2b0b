import type { Catalogue } from '../catalogue.ts'

export const events: Catalogue['events'] = {
  about: 'Yote yaliyotokea, kama webhook zinavyoyapokea. Matukio mapya yanaonekana yenyewe.',
  none: 'Bado hakuna matukio.',
  live: 'Moja kwa moja',
  event: 'Tukio',
  object: 'Kitu',
  object_about: 'Kama kilivyokuwa tukio lilipotokea.',
  time: 'Wakati',
}
