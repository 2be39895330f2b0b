import type { Language } from '../text/languages.ts'

interface Words {
  organization: string
  time_zone: string
  /** Name of the sheet of a workbook that describes the table. */
  about: string
  no_rows: string
  page: string
  written: string
  /** Words beside the balance at the top and at the foot of a page. */
  brought_forward: string
  carried_forward: string
}

/** The words around a table in its files. */
export const tableWords: Record<Language, Words> = {
  en: {
    organization: 'Organization',
    time_zone: 'Time zone',
    about: 'About',
    no_rows: 'There are no rows.',
    page: 'Page {page} of {pages}',
    written: '{title}, written {time} ({zone})',
    brought_forward: 'Opening balance, brought forward',
    carried_forward: 'Closing balance, carried forward',
  },
  fr: {
    organization: 'Organisation',
    time_zone: 'Fuseau horaire',
    about: 'À propos',
    no_rows: 'Il n’y a aucune ligne.',
    page: 'Page {page} sur {pages}',
    written: '{title}, établi le {time} ({zone})',
    brought_forward: 'Solde reporté de la page précédente',
    carried_forward: 'Solde à reporter',
  },
  sw: {
    organization: 'Shirika',
    time_zone: 'Saa za eneo',
    about: 'Kuhusu',
    no_rows: 'Hakuna mistari.',
    page: 'Ukurasa {page} kati ya {pages}',
    written: '{title}, iliandikwa {time} ({zone})',
    brought_forward: 'Salio kutoka ukurasa uliopita',
    carried_forward: 'Salio la kupeleka mbele',
  },
}
