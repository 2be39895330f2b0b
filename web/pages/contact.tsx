import { Button, SimpleGrid } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { ContactDetails } from '../wire.ts'
import { EditContact } from './contacts/dialogs.tsx'

/** One contact, with links to its collections and payments. */
export default function ContactPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/contacts', id],
    queryFn: () => api.get<ContactDetails>(`/contacts/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const erased = !data.phone_number.startsWith('+')
  const name = `${data.first_name} ${data.last_name}`
  return (
    <>
      <BackLink to="/contacts">{t('shell.nav.contacts')}</BackLink>
      <PageHead
        audited={['contact', data.id]}
        title={name}
        about={erased ? t('contacts.erased') : data.phone_number}
        actions={!erased && <Actions contact={data} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Facts
          title={t('contacts.contact')}
          facts={[
            [t('fields.status'), <Status key="status" of={data.status} />],
            [t('fields.phone_number'), data.phone_number],
            [t('fields.email'), data.email],
            [t('fields.type'), formatWord(data.type)],
            [
              t('contacts.document'),
              data.national_id &&
                t('contacts.document_typed', {
                  number: data.national_id,
                  type: formatWord(data.national_id_type ?? 'unknown'),
                }),
            ],
            [t('fields.created'), <Time key="created" at={data.created} />],
            [t('fields.changed'), <Time key="modified" at={data.modified} />],
          ]}
        />
        <Facts
          title={t('contacts.on_network')}
          facts={[
            [t('fields.network'), data.network_name],
            [t('contacts.registered'), formatWord(data.phone_is_mm_registered)],
            [t('fields.name_on_network'), data.name_on_network],
            [
              t('contacts.name_match'),
              data.name_matches_network_status === 'checked'
                ? t('contacts.score', { score: data.name_matches_network_score })
                : t('contacts.not_compared'),
            ],
          ]}
        />
        {Object.keys(data.metadata ?? {}).length > 0 && <Json value={data.metadata} label={t('fields.metadata')} />}
      </SimpleGrid>
    </>
  )
}

/** Links to the contact's collections and payments, and actions on its data. */
function Actions({ contact }: { contact: ContactDetails }) {
  const { may } = useSession()
  const client = useQueryClient()
  const number = encodeURIComponent(contact.phone_number)
  return (
    <>
      <Button variant="default" component={Link} to={`/collectionrequests?phonenumber=${number}`}>
        {t('contacts.requests')}
      </Button>
      <Button variant="default" component={Link} to={`/payments?phone_number=${number}`}>
        {t('contacts.payments')}
      </Button>
      {may('manage_contacts') && (
        <>
          <EditContact contact={contact} />
          <Confirm
            button={t('contacts.erase')}
            size="sm"
            danger
            title={t('contacts.erase_title', { name: `${contact.first_name} ${contact.last_name}` })}
            act={() => api.post(`/contacts/${contact.id}/erase`)}
            done={() => client.invalidateQueries({ queryKey: ['/contacts'] })}
          >
            {t('contacts.erase_text')}
          </Confirm>
        </>
      )}
    </>
  )
}
