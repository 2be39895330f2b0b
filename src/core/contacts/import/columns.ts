import type { Cells } from '../../files/cells.ts'
import { type ChosenFile, type RowFile, readRowFile } from '../../files/row-file.ts'
import type { Workbook } from '../../files/template.ts'
import { type FileColumns, PHONE_TITLES } from '../../files/titles.ts'

/** The columns of a file of contacts, in the order of the template. */
export const columns = ['phone_number', 'first_name', 'last_name', 'email', 'type', 'name'] as const
export type Column = (typeof columns)[number]

/** The columns of a file of contacts, by the titles that files have. */
export const importColumns: FileColumns<Column> = {
  titles: {
    phone_number: 'Phone number',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail',
    type: 'Type',
    name: 'Name',
  },
  other_titles: {
    ...PHONE_TITLES,
    givenname: 'first_name',
    forename: 'first_name',
    surname: 'last_name',
    familyname: 'last_name',
    emailaddress: 'email',
    mail: 'email',
    fullname: 'name',
    customer: 'name',
    customername: 'name',
    contact: 'name',
    contactname: 'name',
    prenom: 'first_name',
    nomdefamille: 'last_name',
    nom: 'name',
    nomcomplet: 'name',
    client: 'name',
    courriel: 'email',
    adresseemail: 'email',
    adressemail: 'email',
    jinalakwanza: 'first_name',
    jinalamwisho: 'last_name',
    jinalaukoo: 'last_name',
    ukoo: 'last_name',
    jina: 'name',
    jinakamili: 'name',
    mteja: 'name',
    baruapepe: 'email',
    aina: 'type',
  },
  beside: { title: 'nom', column: 'name', others: ['first_name'], means: 'last_name' },
  required: [['phone_number'], ['first_name', 'last_name', 'name']],
}

/** The Excel template of a file of contacts. */
export const importWorkbook: Workbook<Column> = {
  sheet: 'Contacts',
  widths: { phone_number: 20, first_name: 22, last_name: 22, email: 30, type: 14, name: 30 },
  explanations: {
    phone_number:
      'Required. As people of the country write it, such as 0772 000001, or with the country code: +256772000001.',
    first_name: 'At most 100 characters.',
    last_name: 'At most 100 characters.',
    email: 'May be empty.',
    type: 'employee, beneficiary, vendor or other. Empty: other.',
    name: 'The whole name, for files that have it in one column. The first word is the first name.',
  },
}

/** The cells of a row. */
export type ContactCells = Cells<Column>

/** A file of contacts that could be read. */
export type ContactFile = RowFile<Column>

/** Reads a file of contacts. @throws Invalid with `file`, which says what is wrong with the file */
export function readContactFile(file: ChosenFile): Promise<ContactFile> {
  return readRowFile(file, importColumns)
}
