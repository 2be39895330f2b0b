import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import { type ContactDetails, findContact, listContacts } from '../../core/contacts/details.ts'
import { eraseContact } from '../../core/contacts/erasure.ts'
import { countMessages, MAX_CHUNK_MESSAGES } from '../../core/contacts/message-erasure.ts'
import { NotFound } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { eraseContactFromMessages } from '../../jobs/erase-from-messages.ts'
import { leaseTimes } from '../../jobs/lease-times.ts'
import { formatTimestamp } from '../../lib/time.ts'
import {
  byOption,
  chooseOrganization,
  findActor,
  jsonOption,
  organizationOption,
  toCount,
  toPhone,
} from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addContacts(program: Command, terminal: Terminal): void {
  const contacts = program
    .command('contacts')
    .description('the people who are asked for money, and who send it')
    .addHelpText('after', EXAMPLES)

  contacts
    .command('list')
    .description('list the newest contacts')
    .addOption(organizationOption())
    .option('--phone <number>', 'the one with this number', toPhone)
    .option('--first-name <name>', 'those with exactly this first name')
    .option('--last-name <name>', 'those with exactly this last name')
    .option('--email <address>', 'those with exactly this e-mail address')
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  contacts
    .command('show')
    .description('show a contact, and what its network says about it')
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const contact = await getContact(app, id)
        printResult(terminal, contact, { ...options, text: describe(contact) })
      }),
    )

  contacts
    .command('erase')
    .description('erase the personal data of a contact, for good; the books stay')
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .option('--yes', 'do not ask')
    .addOption(byOption())
    .addOption(jsonOption())
    .addHelpText('after', ERASE_HELP)
    .action((id: number, options: EraseOptions) => withApp(terminal, (app) => erase(terminal, app, id, options)))
}

interface ListOptions {
  organization?: number
  phone?: string
  firstName?: string
  lastName?: string
  email?: string
  limit: number
  json?: boolean
}

interface EraseOptions {
  yes?: boolean
  by?: string
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const { firstName: first_name, lastName: last_name, phone: phone_number, email, limit } = options
  const filters = { first_name, last_name, email, phone_number }
  const slice = { field: 'id', descending: true, limit, offset: 0 } as const
  const { rows } = await withSnapshot(app.db, (tx) => listContacts(tx, organization.id, filters, slice))
  printRows(terminal, rows, {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'phone', value: (row) => row.phone_number },
      { title: 'first name', value: (row) => row.first_name },
      { title: 'last name', value: (row) => row.last_name },
      { title: 'name on network', value: (row) => row.name_on_network },
      { title: 'alike', value: formatNameMatch },
      { title: 'mobile money', value: (row) => row.phone_is_mm_registered },
      { title: 'made (UTC)', value: (row) => formatShortTime(row.created) },
    ],
  })
}

async function getContact(app: App, id: number): Promise<ContactDetails> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  return contact
}

function describe(contact: ContactDetails): string {
  const { national_id, national_id_type, email, network_name, name_on_network } = contact
  return [
    `Contact ${contact.id}: ${contact.first_name} ${contact.last_name}, ${contact.phone_number}`,
    `${contact.type}, ${contact.status}, since ${formatTimestamp(contact.created)}`,
    ...(email ? [email] : []),
    ...(national_id ? [`${national_id_type} ${national_id}`] : []),
    `${network_name || 'no network'}: mobile money ${contact.phone_is_mm_registered}${name_on_network && `, ${name_on_network}`}${formatNameMatch(contact) && `, ${formatNameMatch(contact)} alike`}`,
    ...(contact.metadata ? [JSON.stringify(contact.metadata)] : []),
  ].join('\n')
}

function formatNameMatch({ name_matches_network_status, name_matches_network_score }: ContactDetails): string {
  return name_matches_network_status === 'checked' ? `${name_matches_network_score} %` : ''
}

async function erase(terminal: Terminal, app: App, id: number, options: EraseOptions): Promise<void> {
  const contact = await getContact(app, id)
  await confirm(terminal, contact, options)
  const { user } = await findActor(app.db, options.by)
  const author = user ?? (await getOrganization(app.db, contact.organization)).service_user
  const { now, lease_end } = leaseTimes(app)
  const erased = await begin(app.db, (tx) => eraseContact(tx, now, id, { author, lease_end }))
  const progress = await startProgress(terminal, await countMessages(app.db, contact.organization), 'messages')
  let done = 0
  try {
    await eraseContactFromMessages(app, erased, () => {
      done += MAX_CHUNK_MESSAGES
      progress.update(done)
    })
  } finally {
    progress.stop()
  }
  printResult(terminal, { id, erased: true }, { ...options, text: `The personal data of contact ${id} is erased.` })
}

async function confirm(terminal: Terminal, contact: ContactDetails, { yes }: EraseOptions): Promise<void> {
  if (yes) return
  const who = `${contact.first_name} ${contact.last_name}, ${contact.phone_number}`
  if (!terminal.interactive) throw new CommandError(`This erases ${who} for good. Say so with --yes.`)
  const answer = await terminal.ask(`Erase ${who} for good? Type yes: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was erased.')
}

const EXAMPLES = `
Examples:
  $ npx kusanya contacts list --phone +256772000001
  $ npx kusanya contacts erase 17`

const ERASE_HELP = `
Erased are names, numbers, addresses, papers, reasons, references, metadata and texts, wherever they lie: with requests,
collections, payments, SMS, events, webhook deliveries and callbacks. Amounts, times, ids and the networks' ids of the
money stay, because the books must. docs/operating.md tells more.`
