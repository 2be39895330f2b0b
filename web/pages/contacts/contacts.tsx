import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../../format.ts'
import { searchFilter } from '../../parts/filters.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { ContactDetails } from '../../wire.ts'
import { contactFileRow } from './customer-file.ts'
import { NewContact } from './dialogs.tsx'

/** The list of contacts: the people who pay and who are paid. */
export default function Contacts() {
  const { may } = useSession()
  return (
    <ListPage<ContactDetails>
      title={t('shell.nav.contacts')}
      about={t('contacts.about')}
      path="/contacts"
      source="/customers"
      rowLink={(row) => `/contacts/${row.id}`}
      primary={may('manage_contacts') && <NewContact />}
      actions={
        may('manage_contacts') && (
          <Button variant="default" component={Link} to="/contacts/import" leftSection={<IconFileUpload size={16} />}>
            {t('contacts.import.title')}
          </Button>
        )
      }
      empty={t('contacts.none')}
      bulk={[]}
      rowName={(row) => row.number ?? row.phone_number}
      fileRow={contactFileRow}
      filters={[
        searchFilter(t('parts.search.contacts')),
        { name: 'tag', label: t('contacts.tag'), placeholder: t('contacts.tag_example') },
        { name: 'days', label: t('fields.created'), kind: 'days' },
        { name: 'number', label: t('contacts.number'), more: true },
        { name: 'phone_number', label: t('fields.phone_number'), placeholder: '+256…', more: true },
        { name: 'email', label: t('fields.email'), more: true },
        { name: 'payer', label: t('contacts.payer'), placeholder: '+256…', more: true },
      ]}
      columns={[
        { name: 'name', title: t('fields.name'), value: (row) => `${row.first_name} ${row.last_name}` },
        {
          name: 'phone_number',
          card: 'note',
          title: t('fields.phone_number'),
          value: (row) => <span className="numeric">{row.phone_number || '—'}</span>,
          file: (row) => row.phone_number,
        },
        { name: 'number', title: t('contacts.number'), value: (row) => row.number ?? '—' },
        { name: 'tags', title: t('contacts.tags'), value: (row) => row.tags.join(', ') || '—' },
        { name: 'network', title: t('fields.network'), value: (row) => row.network_name || '—' },
        { name: 'name_on_network', title: t('fields.name_on_network'), value: (row) => row.name_on_network || '—' },
        {
          name: 'status',
          title: t('fields.status'),
          status: true,
          value: (row) => <Status state={row.status} />,
          file: (row) => formatWord(row.status),
        },
        {
          name: 'created',
          title: t('fields.created'),
          ordering: 'created',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}
