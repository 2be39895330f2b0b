import { ContactDetails, findContact, formatNameMatch, listContacts } from '../../core/contacts/details.ts'
import { contactFilters } from '../../core/contacts/filters.ts'
import { listImports } from '../../core/contacts/import/imports.ts'
import { ContactImport } from '../../core/contacts/import/row.ts'
import { typedSearch } from '../../core/typed-search/list-text.ts'
import { byTimes } from '../../http/lists.ts'
import { list, ownerOf } from './list.ts'

export const contactList = list({
  name: 'contacts',
  permission: 'view',
  filters: contactFilters,
  people: { search: typedSearch },
  searched: 'contacts',
  order: byTimes,
  view: ContactDetails,
  read: (db, asked) => listContacts(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    find: (db, { id }) => findContact(db, id),
    operation: 'getContact',
    summary: 'Get one contact',
    description: 'Returns the contact with its tags, notes and payers.',
  },
  api: {
    path: '/contacts',
    tag: 'Contacts',
    operation: 'listContacts',
    summary: 'List contacts',
    description: 'Returns your contacts with their tags, notes and payers.',
  },
  console: { path: '/customers' },
}).withCommand({
  path: 'contacts list',
  description: 'list the newest contacts',
  organization: 'one',
  typed: {
    phone_number: ['--phone <number>', 'the one with this number'],
    first_name: ['--first-name <name>', 'those with exactly this first name'],
    last_name: ['--last-name <name>', 'those with exactly this last name'],
    email: ['--email <address>', 'those with exactly this e-mail address'],
    number: ['--number <number>', 'the one with this customer number, however it is written'],
    tag: ['--tag <tag>', 'those with this tag'],
    payer: ['--payer <number>', 'those for whom this phone pays'],
  },
  limit: 'how many',
  none: 'There are no contacts.',
  columns: {
    id: 'id',
    number: 'number',
    phone: 'phone_number',
    'first name': 'first_name',
    'last name': 'last_name',
    tags: ({ tags }) => tags.join(', '),
    'name on network': 'name_on_network',
    alike: formatNameMatch,
    'mobile money': 'phone_is_mm_registered',
    'created (UTC)': 'created',
  },
})

export const contactImportList = list({
  name: 'files of contacts',
  permission: 'view',
  filters: {},
  view: ContactImport,
  read: (db, asked) => listImports(db, ownerOf(asked), asked.page),
  console: { path: '/contacts/imports' },
}).withCommand({
  path: 'contacts imports',
  description: 'list the newest files of contacts',
  organization: 'each',
  limit: 'how many of each organization',
  none: 'There are no files of contacts.',
  columns: {
    id: 'id',
    'created (UTC)': 'created',
    file: 'file_name',
    rows: 'rows',
    added: 'added',
    updated: 'updated',
    unchanged: 'unchanged',
    refused: 'refused',
    'finished (UTC)': 'finished',
    by: 'author_name',
  },
})
