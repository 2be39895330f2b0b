import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { ContactDetails } from '../../wire.ts'
import { NewContact } from './dialogs.tsx'

/** The list of contacts: the people who pay and who are paid. */
export default function Contacts() {
  const { may } = useSession()
  return (
    <ListPage<ContactDetails>
      title="Contacts"
      about="The people that money comes from and goes to. One for each phone number."
      path="/contacts"
      rowLink={(row) => `/contacts/${row.id}`}
      actions={may('manage_contacts') && <NewContact />}
      empty="Nobody is known yet."
      filters={[
        { name: 'phone_number', label: 'Phone number', placeholder: '+256…' },
        { name: 'first_name', label: 'First name' },
        { name: 'last_name', label: 'Last name' },
        { name: 'email', label: 'E-mail' },
      ]}
      columns={[
        { title: 'Name', value: (row) => `${row.first_name} ${row.last_name}` },
        { title: 'Phone number', value: (row) => <span className="numeric">{row.phone_number}</span> },
        { title: 'Network', value: (row) => row.network_name || '—' },
        { title: 'Name on the network', value: (row) => row.name_on_network || '—' },
        { title: 'Status', value: (row) => <Status of={row.status} /> },
        { title: 'Known since', ordering: 'created', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}
