import type { Command } from 'commander'
import { contactList } from '../../../actions/lists/contacts.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { eraseContactAction } from '../../../core/contacts/actions.ts'
import { type ContactDetails, findContact, formatNameMatch } from '../../../core/contacts/details.ts'
import { countMessages, MAX_CHUNK_MESSAGES } from '../../../core/contacts/message-erasure.ts'
import { NotFound } from '../../../core/refusals.ts'
import { eraseContactFromMessages } from '../../../jobs/erase-from-messages.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { byOption, findActor, jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addContactImport } from './import.ts'
import { addContactStatement } from './statement.ts'
import { addContactWriting } from './write.ts'

export function addContacts(program: Command, terminal: Terminal): void {
  const contacts = program
    .command('contacts')
    .description('the people who pay and who are paid')
    .addHelpText('after', EXAMPLES)

  addListCommand(contacts, terminal, contactList)

  contacts
    .command('show')
    .description('show a contact, and what its network knows about it')
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const contact = await getContact(app, id)
        printResult(terminal, contact, { ...options, text: describe(contact) })
      }),
    )

  addContactWriting(contacts, terminal)
  addContactStatement(contacts, terminal)
  addContactImport(contacts, terminal)

  contacts
    .command('erase')
    .description('erase the personal data of a contact permanently; the ledger keeps its entries')
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .option('--yes', 'do not ask for confirmation')
    .addOption(byOption())
    .addOption(jsonOption())
    .addHelpText('after', ERASE_HELP)
    .action((id: number, options: EraseOptions) => withApp(terminal, (app) => erase(terminal, app, id, options)))
}

interface EraseOptions {
  yes?: boolean
  by?: string
  json?: boolean
}

async function getContact(app: App, id: number): Promise<ContactDetails> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  return contact
}

function describe(contact: ContactDetails): string {
  const { national_id, national_id_type, email, network_name, name_on_network } = contact
  const { number, tags, notes, payers } = contact
  return [
    `Contact ${contact.id}: ${describePerson(contact)}`,
    `${contact.type}, ${contact.status}, since ${formatTimestamp(contact.created)}`,
    ...(number === null ? [] : [`number ${number}`]),
    ...(tags.length > 0 ? [tags.join(', ')] : []),
    ...payers.map(({ name, phone_number }) => `paid for by ${name} ${phone_number}`.replaceAll('  ', ' ')),
    ...(notes === '' ? [] : [notes]),
    ...(email ? [email] : []),
    ...(national_id ? [`${national_id_type} ${national_id}`] : []),
    `${network_name || 'no network'}: mobile money ${contact.phone_is_mm_registered}${name_on_network && `, ${name_on_network}`}${formatNameMatch(contact) && `, ${formatNameMatch(contact)} alike`}`,
    ...(contact.metadata ? [JSON.stringify(contact.metadata)] : []),
  ].join('\n')
}

function describePerson({ first_name, last_name, phone_number, number }: ContactDetails): string {
  return [`${first_name} ${last_name}`, phone_number || `number ${number}`].join(', ')
}

async function erase(terminal: Terminal, app: App, id: number, options: EraseOptions): Promise<void> {
  const contact = await getContact(app, id)
  await confirm(terminal, contact, options)
  const by = await findActor(app.db, options.by)
  const erased = await runAction(app, operator(null, by), eraseContactAction, { id })
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
  const person = describePerson(contact)
  if (!terminal.interactive) throw new CommandError(`This erases ${person} permanently. Confirm it with --yes.`)
  const answer = await terminal.ask(`Erase ${person} permanently? Type yes: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was erased.')
}

const EXAMPLES = `
Examples:
  $ npx kusanya contacts list --phone +256772000001
  $ npx kusanya contacts list --tag P5
  $ npx kusanya contacts create --first-name Betty --last-name Nakato --number P5-017 --tag P5 --payer "Grace Nakato +256772000001"
  $ npx kusanya contacts import customers.xlsx
  $ npx kusanya contacts statement 17 statement.pdf --from 2030-01-01 --to 2030-04-30
  $ npx kusanya contacts erase 17`

const ERASE_HELP = `
The command erases names, numbers, addresses, identity documents, reasons, references, metadata and texts from requests,
collections, payments, SMS, events, webhook deliveries and callbacks. Amounts, times, ids and the networks' ids of the
money stay, because the ledger must stay complete. docs/operating/contacts.md has the details.`
