import type { Catalogue } from '../catalogue.ts'

export const changes: Catalogue['changes'] = {
  see_money: 'Ona makusanyo',
  about:
    'Mabadiliko ya nani anaweza kuhamisha pesa, na kiasi gani. Badiliko linalopunguza udhibiti linahitaji msimamizi wa pili.',
  empty: 'Bado hakuna mabadiliko.',
  change: 'Badiliko',
  state: 'Hali',
  requested: 'Limeombwa',
  decided: 'Limeamuliwa',
  operator: 'Mwendeshaji',
  at_once: 'Limetumika mara moja',
  expires: 'Muda unaisha <time/>',
  expired: 'Muda uliisha <time/>',
  withdraw: 'Ondoa ombi',
  withdraw_title: 'Uondoe ombi la badiliko hili?',
  reject: 'Kataa',
  reject_title: 'Ukatae badiliko hili?',
  confirm: 'Thibitisha',
  confirm_title: 'Uthibitishe badiliko hili?',
  invitation_mailed: 'Mwaliko umetumwa.',
  invitation_link: 'Mpe aliyealikwa kiungo hiki. Kinaonyeshwa sasa tu.',
}
