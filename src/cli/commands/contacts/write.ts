import { type Command, Option } from 'commander'
import { operatorFor, runAction } from '../../../actions/run.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { changeContactAction, createContactAction } from '../../../core/contacts/actions.ts'
import { splitPayers } from '../../../core/contacts/customer-fields.ts'
import { findContact } from '../../../core/contacts/details.ts'
import { NotFound } from '../../../core/refusals.ts'
import { parseLocalPhone } from '../../../lib/phone.ts'
import { addActionCommand } from '../../action-command.ts'
import { chooseMember, chooseOrganization, jsonOption, organizationOption, parseFields } from '../../arguments.ts'
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
  for (const option of fieldOptions()) create.addOption(option)
  create
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

  addActionCommand(contacts, terminal, changeContactAction, {
    options: [
      new Option('--first-name <name>', 'the first name'),
      new Option('--last-name <name>', 'the last name'),
      ...fieldOptions(),
    ],
    async read(app, { id }, options: FieldOptions) {
      const contact = await findContact(app.db, id!)
      if (!contact) throw new NotFound(`There is no contact ${id}.`)
      const { country } = await getOrganization(app.db, contact.organization)
      const fields = toFields(options, country)
      if (Object.values(fields).every((value) => value === undefined))
        throw new CommandError('Give at least one option to change.')
      return { ...fields, id }
    },
  })
}

function fieldOptions(): Option[] {
  return [
    new Option('--email <address>', 'the e-mail address'),
    new Option('--type <type>', 'employee, beneficiary, vendor or other'),
    new Option('--number <number>', 'the customer number, which payers type'),
    new Option('--tag <tags>', 'a group such as a class; several with commas, or the option again').argParser(collect),
    new Option('--notes <text>', 'your own text about the contact'),
    new Option('--payer <payer>', 'who else pays: "Grace Nakato +256772000001"; the option again for each').argParser(
      collect,
    ),
  ]
}

function collect(text: string, earlier: string[] = []): string[] {
  return [...earlier, text]
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
