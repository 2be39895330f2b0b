import type { Catalogue } from '../../catalogue.ts'

export const plans: Catalogue['plans'] = {
  about: 'Malipo yanayoombwa tena kwa tarehe maalum.',
  none: 'Bado hakuna maombi ya kujirudia. Chagua marudio unapoomba malipo.',
  plan: 'Ombi la kujirudia',
  plan_id: 'Ombi la kujirudia {{id}}',
  next_date: 'Tarehe inayofuata',
  collected: 'Yaliyokusanywa',
  failed: 'Yaliyoshindwa au kuisha muda',
  totals: 'Jumla',
  total: 'Jumla ya tarehe zote',
  total_of_one: 'Ombi {{number}}',
  total_of_other: 'Maombi {{number}}',
  paid_requests: 'Maombi yaliyolipwa',
  open_requests: 'Maombi yaliyo wazi',
  all_requests: 'Maombi yote',
  paused_since: 'Limesitishwa tangu',
  none_while_paused: 'Hakuna hadi liendelezwe',
  pause: {
    button: 'Sitisha',
    title: 'Usitishe ombi hili la kujirudia?',
    text: 'Hakuna maombi yatakayoundwa hadi uliendeleze. Tarehe zitakazopita zinarukwa. Maombi yaliyopo hayabadiliki.',
  },
  resume: {
    button: 'Endeleza',
    title: 'Uendeleze ombi hili la kujirudia?',
    text: 'Ombi lijalo litaundwa tarehe inayofuata. Tarehe zilizopita zinarukwa.',
  },
  stop: {
    button: 'Simamisha marudio',
    title: 'Usimamishe ombi hili la kujirudia?',
    text: 'Hakuna maombi mengine yatakayoundwa. Maombi yaliyopo hayabadiliki.',
  },
}
