import type { Command } from 'commander'
import { contactList } from '../../../actions/lists/contacts.ts'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { eraseContactAction } from '../../../core/contacts/actions.ts'
import { type ContactDetails, findContact, formatNameMatch } from '../../../core/contacts/details.ts'
import { countMessages, MAX_CHUNK_MESSAGES } from '../../../core/contacts/message-erasure.ts'
import { NotFound } from '../../../core/refusals.ts'
import { eraseContactFromMessages } from '../../../jobs/erase-from-messages.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, addShow, confirm } from '../../command.ts'
import { addListCommand } from '../../list-command.ts'
import { startProgress } from '../../progress.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { addContactImport } from './import.ts'
import { addContactStatement } from './statement.ts'
import { addContactWriting } from './write.ts'

export function addContacts(program: Command, terminal: Terminal): void {
  const contacts = program
    .command('contacts')
    .description('the people who pay and who are paid')
    .addHelpText('after', EXAMPLES)

  addListCommand(contacts, terminal, contactList)

  addShow(contacts, terminal, 'show a contact, and what its network knows about it', async (app, id) => {
    const contact = await getContact(app, id)
    return { shown: contact, text: describe(contact) }
  })

  addContactWriting(contacts, terminal)
  addContactStatement(contacts, terminal)
  addContactImport(contacts, terminal)

  addErase(contacts, terminal)
}

async function getContact(app: App, id: number): Promise<ContactDetails> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  return contact
}

function describe(contact: ContactDetails): string[] {
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
  ]
}

function describePerson({ first_name, last_name, phone_number, number }: ContactDetails): string {
  return [`${first_name} ${last_name}`, phone_number || `number ${number}`].join(', ')
}

function addErase(contacts: Command, terminal: Terminal): void {
  addCommand(contacts, terminal, {
    name: 'erase',
    description: 'erase the personal data of a contact permanently; the ledger keeps its entries',
    typed: {
      id: typed('<id>', 'as `contacts list` shows it', toCount),
      yes: typed('--yes', 'do not ask for confirmation'),
    },
    by: true,
    help: ERASE_HELP,
    async run(app, { id, yes }, { actor }) {
      const contact = await getContact(app, id)
      const question = `This erases ${describePerson(contact)} permanently.`
      await confirm(terminal, { yes, question, refusal: 'Nothing was erased.' })
      const erased = await runAction(app, actor, eraseContactAction, { id })
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
      return { shown: { id, erased: true }, text: `The personal data of contact ${id} is erased.` }
    },
  })
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
