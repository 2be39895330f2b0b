import type { Command } from 'commander'
import { operator, operatorFor, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { changeContactAction, createContactAction } from '../../../core/contacts/actions.ts'
import { splitPayers } from '../../../core/contacts/customer-fields.ts'
import { findContact } from '../../../core/contacts/details.ts'
import { NotFound } from '../../../core/refusals.ts'
import { parseLocalPhone } from '../../../lib/phone.ts'
import {
  chooseMember,
  chooseOrganization,
  jsonOption,
  organizationOption,
  parseFields,
  toCount,
} from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { completePhone, toTypedPhone } from '../../typed-phones.ts'

interface FieldOptions {
  firstName?: string
  lastName?: string
  email?: string
  type?: string
  number?: string
  tag?: string[]
  notes?: string
  payer?: string[]
  json?: boolean
}

/** The commands that write single contacts: `contacts create` and `contacts update`. */
export function addContactWriting(contacts: Command, terminal: Terminal): void {
  const create = contacts
    .command('create')
    .description('create a contact; a customer with a number may have no phone')
    .option('--phone <number>', 'the phone number of the contact', toTypedPhone)
    .requiredOption('--first-name <name>', 'the first name')
    .requiredOption('--last-name <name>', 'the last name')
  addFields(create)
    .addOption(organizationOption())
    .option('--user <email>', 'the user whose contact it is; not needed while the organization has one user')
    .addOption(jsonOption())
    .action((options: FieldOptions & { phone?: string; organization?: number; user?: string }) =>
      withApp(terminal, async (app) => {
        const organization = await chooseOrganization(app.db, options.organization)
        const member = await chooseMember(app.db, organization, options.user)
        const phone = options.phone && (await completePhone(app.db, options.phone, organization.id))
        const input = parseFields(createContactAction.input, {
          ...toFields(options, organization.country),
          phone_number: phone,
        })
        const made = await runAction(app, operatorFor(organization.id, member), createContactAction, input)
        printResult(terminal, made, { ...options, text: `Contact ${made.id} is created.` })
      }),
    )

  const update = contacts
    .command('update')
    .description(
      'change a contact; what is not given stays, and an empty text takes away number, tags, notes or payers',
    )
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .option('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
  addFields(update)
    .addOption(jsonOption())
    .action((id: number, options: FieldOptions) => withApp(terminal, (app) => change(terminal, app, id, options)))
}

function addFields(command: Command): Command {
  return command
    .option('--email <address>', 'the e-mail address')
    .option('--type <type>', 'employee, beneficiary, vendor or other')
    .option('--number <number>', 'the customer number, which payers type')
    .option('--tag <tags>', 'a group such as a class; several with commas, or the option again', collect)
    .option('--notes <text>', 'your own text about the contact')
    .option('--payer <payer>', 'who else pays: "Grace Nakato +256772000001"; the option again for each', collect)
}

function collect(text: string, earlier: string[] = []): string[] {
  return [...earlier, text]
}

async function change(terminal: Terminal, app: App, id: number, options: FieldOptions): Promise<void> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  const { country } = await getOrganization(app.db, contact.organization)
  const fields = toFields(options, country)
  const input = parseFields(changeContactAction.input, { ...fields, id })
  if (Object.values(fields).every((value) => value === undefined))
    throw new CommandError('Give at least one option to change.')
  const changed = await runAction(app, operator(null), changeContactAction, input)
  printResult(terminal, changed, { ...options, text: `Contact ${id} is changed.` })
}

/** The fields of a body. Phones of payers may lack their country code. */
function toFields(options: FieldOptions, country: string | null): Record<string, unknown> {
  const { firstName: first_name, lastName: last_name, email, type, number, tag, notes, payer } = options
  const payers = payer?.flatMap(splitPayers).map(({ name, phone_number }) => ({
    name,
    phone_number: (country === null ? undefined : parseLocalPhone(phone_number, country)?.number) ?? phone_number,
  }))
  return { first_name, last_name, email, type, number, tags: tag?.join(','), notes, payers }
}
