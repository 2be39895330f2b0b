import type { Command } from 'commander'
import { operatorFor, runAction } from '../../../actions/run.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { changeContactAction, createContactAction } from '../../../core/contacts/actions.ts'
import { splitPayers } from '../../../core/contacts/customer-fields.ts'
import { findContact } from '../../../core/contacts/details.ts'
import { NotFound } from '../../../core/refusals.ts'
import { parseLocalPhone } from '../../../lib/phone.ts'
import { addActionCommand } from '../../action-command.ts'
import { chooseMember, parseFields } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, required, typed } from '../../typed.ts'
import { toTypedPhone } from '../../typed-phones.ts'

const FIELDS = {
  email: typed('--email <address>', 'the e-mail address'),
  type: typed('--type <type>', 'employee, beneficiary, vendor or other'),
  number: typed('--number <number>', 'the customer number, which payers type'),
  tag: typed('--tag <tags>', 'a group such as a class; several with commas, or the option again', collect),
  notes: typed('--notes <text>', 'your own text about the contact'),
  payer: typed('--payer <payer>', 'who else pays: "Grace Nakato +256772000001"; the option again for each', collect),
}
const NAMES = {
  first_name: typed('--first-name <name>', 'the first name'),
  last_name: typed('--last-name <name>', 'the last name'),
}

/** The commands that write single contacts: `contacts create` and `contacts update`. */
export function addContactWriting(contacts: Command, terminal: Terminal): void {
  addCommand(contacts, terminal, {
    name: 'create',
    description: 'create a contact; a customer with a number may have no phone',
    typed: {
      phone_number: typed('--phone <number>', 'the phone number of the contact', toTypedPhone),
      first_name: required(NAMES.first_name),
      last_name: required(NAMES.last_name),
      ...FIELDS,
      user: typed('--user <email>', 'the user whose contact it is; not needed while the organization has one user'),
    },
    organization: 'one',
    async run(app, { user, phone_number, ...fields }, { owner }) {
      const member = await chooseMember(app.db, owner, user)
      const body = { ...toFields(fields, owner.country), phone_number }
      const input = parseFields(createContactAction.input, body)
      const made = await runAction(app, operatorFor(owner.id, member), createContactAction, input)
      return { shown: made, text: `Contact ${made.id} is created.` }
    },
  })

  addActionCommand(contacts, terminal, changeContactAction, {
    words: { ...NAMES, ...FIELDS },
    async read(app, { id }, words) {
      const contact = await findContact(app.db, id!)
      if (!contact) throw new NotFound(`There is no contact ${id}.`)
      const { country } = await getOrganization(app.db, contact.organization)
      const fields = toFields(words, country)
      if (Object.values(fields).every((value) => value === undefined))
        throw new CommandError('Give at least one option to change.')
      return { ...fields, id }
    },
  })
}

function collect(text: string, earlier: string[] = []): string[] {
  return [...earlier, text]
}

/** The fields of a body. Phones of payers may lack their country code. */
function toFields({ tag, payer, ...fields }: Given<typeof NAMES & typeof FIELDS>, country: string | null) {
  const payers = payer?.flatMap(splitPayers).map(({ name, phone_number }) => ({
    name,
    phone_number: (country === null ? undefined : parseLocalPhone(phone_number, country)?.number) ?? phone_number,
  }))
  return { ...fields, tags: tag?.join(','), payers }
}
