import type { Cells } from '../../files/cells.ts'
import { type ChosenFile, type RowFile, readRowFile } from '../../files/row-file.ts'
import type { Workbook } from '../../files/template.ts'
import { type FileColumns, PHONE_TITLES } from '../../files/titles.ts'
import { type Column, NAME_TITLES, NUMBER_TITLES, PAYER_TITLES, TAG_TITLES } from './titles.ts'

/** The columns of a file of contacts, by the titles that files have. */
export const importColumns: FileColumns<Column> = {
  titles: {
    phone_number: 'Phone number',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail',
    type: 'Type',
    name: 'Name',
    number: 'Customer number',
    tags: 'Tags',
    notes: 'Notes',
    payer_1_name: 'Payer 1 name',
    payer_1_phone: 'Payer 1 phone',
    payer_2_name: 'Payer 2 name',
    payer_2_phone: 'Payer 2 phone',
    payer_3_name: 'Payer 3 name',
    payer_3_phone: 'Payer 3 phone',
    payers: 'Payers',
    class: 'Class',
    stream: 'Stream',
    group: 'Group',
    branch: 'Branch',
    route: 'Route',
    mother_name: 'Mother',
    mother_phone: 'Mother phone',
    father_name: 'Father',
    father_phone: 'Father phone',
    guardian_name: 'Guardian',
    guardian_phone: 'Guardian phone',
    sponsor_name: 'Sponsor',
    sponsor_phone: 'Sponsor phone',
  },
  beyond_template: [
    ...(['payers', 'class', 'stream', 'group', 'branch', 'route'] as const),
    ...(['mother_name', 'mother_phone', 'father_name', 'father_phone'] as const),
    ...(['guardian_name', 'guardian_phone', 'sponsor_name', 'sponsor_phone'] as const),
  ],
  other_titles: { ...PHONE_TITLES, ...NAME_TITLES, ...NUMBER_TITLES, ...TAG_TITLES, ...PAYER_TITLES },
  beside: { title: 'nom', column: 'name', others: ['first_name'], means: 'last_name' },
  required: [
    ['phone_number', 'number'],
    ['first_name', 'last_name', 'name'],
  ],
}

/** The Excel template of a file of contacts. */
export const importWorkbook: Workbook<Column> = {
  sheet: 'Contacts',
  widths: { first_name: 22, last_name: 22, email: 30, type: 14, name: 30, number: 18, notes: 30 },
  explanations: {
    phone_number:
      'Required without a customer number. As people of the country write it, such as 0772 000001, or with the country code: +256772000001.',
    first_name: 'At most 100 characters.',
    last_name: 'At most 100 characters.',
    email: 'May be empty.',
    type: 'employee, beneficiary, vendor or other. Empty: other.',
    name: 'The whole name, for files that have it in one column. The first word is the first name.',
    number:
      'The number that payers type, such as an admission number. A phone number of another customer becomes the number of a payer.',
    tags: 'Groups such as a class or a route, with commas between them. Columns such as Class, Stream and Route are read, too.',
    notes: 'At most 2,000 characters.',
    payer_1_name:
      'Who pays for the customer, such as Grace Nakato. Columns such as Mother and Mother phone are read, too.',
    payer_1_phone: 'As the phone number.',
  },
}

/** The cells of a row. */
export type ContactCells = Cells<Column>

/** A file of contacts that could be read. */
export type ContactFile = RowFile<Column>

/** Reads a file of contacts. @throws Invalid with `file`, the fault of the file */
export function readContactFile(file: ChosenFile): Promise<ContactFile> {
  return readRowFile(file, importColumns)
}
