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
      <BackLink to="/contacts">Contacts</BackLink>
      <PageHead
        title={name}
        about={erased ? 'Erased on request.' : data.phone_number}
        actions={!erased && <Actions contact={data} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Facts
          title="Contact"
          facts={[
            ['Status', <Status key="status" of={data.status} />],
            ['Phone number', data.phone_number],
            ['E-mail', data.email],
            ['Is to you', formatWord(data.type)],
            ['Identity document', data.national_id && `${data.national_id} (${data.national_id_type ?? 'unknown'})`],
            ['Known since', <Time key="created" at={data.created} />],
            ['Changed', <Time key="modified" at={data.modified} />],
          ]}
        />
        <Facts
          title="On the network"
          facts={[
            ['Network', data.network_name],
            ['Has mobile money', formatWord(data.phone_is_mm_registered)],
            ['Name there', data.name_on_network],
            [
              'Names are alike',
              data.name_matches_network_status === 'checked'
                ? `${data.name_matches_network_score} of 100`
                : 'Not compared',
            ],
          ]}
        />
        {Object.keys(data.metadata ?? {}).length > 0 && <Json value={data.metadata} label="Metadata" />}
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
        Requests
      </Button>
      <Button variant="default" component={Link} to={`/payments?phone_number=${number}`}>
        Payments
      </Button>
      {may('manage_contacts') && (
        <>
          <EditContact contact={contact} />
          <Confirm
            button="Erase"
            size="sm"
            danger
            title={`Erase ${contact.first_name} ${contact.last_name}?`}
            act={() => api.post(`/contacts/${contact.id}/erase`)}
            done={() => client.invalidateQueries({ queryKey: ['/contacts'] })}
          >
            Name, number and all that says who this was are erased everywhere, for good. Amounts and times stay in the
            books.
          </Confirm>
        </>
      )}
    </>
  )
}
