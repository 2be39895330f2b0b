import { Anchor, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Json } from '../../parts/json.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { ContactDetails, ContactOverview } from '../../wire.ts'
import { ContactMoneyPanel } from '../matching/contact-money.tsx'
import { NewCollectionRequest } from '../new-collection-request.tsx'
import { NewPayment } from '../payments/new-payment.tsx'
import { payerTexts } from './customer-file.ts'
import { EditContact } from './dialogs.tsx'
import { History } from './history.tsx'
import { Totals } from './totals.tsx'

/** Contact: open requests, totals, history, details, and actions. */
export default function ContactPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/contacts', id],
    queryFn: () => api.get<ContactDetails>(`/contacts/${id}`),
  })
  const overview = useQuery({
    queryKey: ['contact-history', id, 'overview'],
    queryFn: () => api.get<ContactOverview>(`/contacts/${id}/overview`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const erased = data.phone_number.startsWith('erased-')
  const { totals, lookup } = overview.data ?? {}
  return (
    <>
      <BackLink to="/contacts">{t('shell.nav.contacts')}</BackLink>
      <PageHead
        audited={['contact', data.id]}
        title={`${data.first_name} ${data.last_name}`}
        about={
          <Stack gap={6}>
            <State contact={data} totals={totals} />
            {erased ? t('contacts.erased') : <Numbers contact={data} overview={overview.data} />}
          </Stack>
        }
        actions={
          <>
            <Button variant="default" component={Link} to={`/contacts/${data.id}/statement`}>
              {t('receivables.statement.open')}
            </Button>
            {!erased && <Actions contact={data} />}
          </>
        }
      />
      <Stack>
        {replacesContent(overview.error, overview.data) ? (
          <Problem error={overview.error} retry={overview.refetch} />
        ) : (
          totals && <Totals totals={totals} />
        )}
        <ContactMoneyPanel contact={data.id} />
        <History contact={data.id} phone_number={data.phone_number} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Facts title={t('contacts.contact')} facts={factsOf(data)} />
          {data.phone_number !== '' && <Facts title={t('contacts.on_network')} facts={networkFacts(data, lookup)} />}
        </SimpleGrid>
        {Object.keys(data.metadata ?? {}).length > 0 && <Json value={data.metadata} label={t('fields.metadata')} />}
      </Stack>
    </>
  )
}

/** State of the contact, and its open requests: a person at the counter looks for them first. */
function State({ contact, totals = [] }: { contact: ContactDetails; totals?: ContactOverview['totals'] }) {
  return (
    <Group gap="xs">
      <Status state={contact.status} />
      {contact.tags.map((tag) => (
        <Anchor key={tag} component={Link} to={`/contacts?tag=${encodeURIComponent(tag)}`} fz="sm" underline="always">
          {tag}
        </Anchor>
      ))}
      {totals.map(
        ({ currency, open }) =>
          open > 0 && (
            <Badge key={currency} variant="dot" color="yellow" tt="none" fw={500} miw="max-content">
              {t('contacts.totals.open', { currency, count: open })}
            </Badge>
          ),
      )}
    </Group>
  )
}

function Numbers({ contact, overview }: { contact: ContactDetails; overview?: ContactOverview }) {
  const { phone_number, number } = contact
  const local = overview?.local_number
  const phone =
    local && local !== phone_number
      ? `${local} · ${t('contacts.international', { number: phone_number })}`
      : phone_number || t('contacts.no_phone')
  return (
    <>
      {number !== null && <span>{t('contacts.numbered', { number })}</span>}
      <span className="numeric">{phone}</span>
    </>
  )
}

function factsOf(data: ContactDetails): [string, React.ReactNode][] {
  const { national_id, national_id_type } = data
  const document = { number: national_id ?? '', type: formatWord(national_id_type ?? 'unknown') }
  return [
    [t('contacts.number'), data.number],
    [t('contacts.tags'), data.tags.join(', ')],
    [t('contacts.payers'), <Lines key="payers" text={payerTexts(data).join('\n')} />],
    [t('contacts.notes'), <Lines key="notes" text={data.notes} />],
    [t('fields.email'), data.email],
    [t('fields.type'), formatWord(data.type)],
    [t('contacts.document'), national_id && t('contacts.document_typed', document)],
    [t('fields.created'), <Time key="created" at={data.created} />],
    [t('fields.changed'), <Time key="modified" at={data.modified} />],
  ]
}

/** A text with its line ends. */
function Lines({ text }: { text: string }) {
  return (
    <Text fz="inherit" className="any-break" style={{ whiteSpace: 'pre-line' }}>
      {text || '—'}
    </Text>
  )
}

function networkFacts(data: ContactDetails, lookup?: ContactOverview['lookup']): [string, React.ReactNode][] {
  const { name_matches_network_status, name_matches_network_score: score } = data
  return [
    [t('fields.name_on_network'), data.name_on_network],
    [t('contacts.lookup'), lookup && t(`contacts.lookups.${lookup.state}`)],
    [t('contacts.looked_up'), <Time key="looked_up" at={lookup?.looked_up} />],
    ...(lookup?.next_attempt
      ? [[t('contacts.next_attempt'), <Time key="next" at={lookup.next_attempt} />] as [string, React.ReactNode]]
      : []),
    [t('fields.network'), data.network_name],
    [t('contacts.registered'), formatWord(data.phone_is_mm_registered)],
    [
      t('contacts.name_match'),
      name_matches_network_status === 'checked' ? t('contacts.score', { score }) : t('contacts.not_compared'),
    ],
  ]
}

/** Actions on the contact. The forms have its phone number, or its first payer's. */
function Actions({ contact }: { contact: ContactDetails }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { phone_number, payers, first_name, last_name } = contact
  const phonenumber = phone_number || (payers[0]?.phone_number ?? '')
  // The name of a payer does not belong to the contact.
  const payer = phone_number ? { phonenumber, ...knownNames(contact) } : { phonenumber, first_name: '', last_name: '' }
  return (
    <>
      {may('initiate_collections') && <NewCollectionRequest payer={payer} />}
      {may('initiate_payments') && <NewPayment phonenumber={phonenumber} secondary={may('initiate_collections')} />}
      {may('manage_contacts') && <EditContact contact={contact} />}
      {may('erase_contacts') && (
        <Confirm
          button={t('contacts.erase')}
          size="sm"
          danger
          title={t('contacts.erase_title', { name: `${first_name} ${last_name}` })}
          act={() => api.post(`/contacts/${contact.id}/erase`)}
          done={() => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })}
        >
          {t('contacts.erase_text')}
        </Confirm>
      )}
    </>
  )
}

/** The names without those that the service gives to contacts without a name (interface 2.6). */
function knownNames({ first_name, last_name }: ContactDetails): { first_name: string; last_name: string } {
  return {
    first_name: first_name === 'Anonymous' ? '' : first_name,
    last_name: last_name === 'Contact' ? '' : last_name,
  }
}
