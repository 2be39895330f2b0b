import { Anchor, Badge, Button, Group, Select, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { StateNoun } from '../../texts/agreement.ts'
import { t } from '../../texts/index.ts'
import type { ContactHistory, HistoryEntry } from '../../wire.ts'

const PAGE_SIZE = 20
const kinds = ['request', 'collection', 'payment', 'refund', 'bill', 'invoice', 'sms'] as const

/** Everything with a contact, the newest first. */
export function History({ contact, phone_number }: { contact: number; phone_number: string }) {
  const { may } = useSession()
  const [kind, setKind] = useState<string | null>(null)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['contact-history', String(contact), 'entries', kind],
    queryFn: ({ pageParam }) =>
      api.get<ContactHistory>(`/contacts/${contact}/history`, {
        kind: kind ?? undefined,
        before: pageParam,
        limit: PAGE_SIZE,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const entries = data?.pages.flatMap(({ results }) => results) ?? []
  const choices = kinds.filter((one) => one !== 'bill' || may('pay_bills'))
  return (
    <Panel
      title={t('contacts.history.title')}
      actions={
        <Select
          aria-label={t('contacts.history.filter')}
          placeholder={t('contacts.history.all')}
          data={choices.map((value) => ({ value, label: t(`contacts.history.kinds.${value}`) }))}
          value={kind}
          onChange={setKind}
          clearable
        />
      }
    >
      {replacesContent(error, data) ? (
        <Problem error={error} retry={refetch} />
      ) : !data ? (
        <Loading />
      ) : entries.length === 0 ? (
        <Text c="dimmed" fz="sm">
          {t('contacts.history.none')}
        </Text>
      ) : (
        <Entries entries={entries} phone_number={phone_number} />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t('contacts.history.older')}
          </Button>
        </Group>
      )}
    </Panel>
  )
}

/** Nouns for the entries. Their states agree with them. */
const nouns: Partial<Record<HistoryEntry['kind'], StateNoun>> = {
  request: 'collectionrequest',
  collection: 'collection',
  payment: 'payment',
  bill: 'purchase',
  invoice: 'invoice',
}

function Entries({ entries, phone_number }: { entries: HistoryEntry[]; phone_number: string }) {
  return (
    <DataTable
      title={t('contacts.history.title')}
      rows={entries}
      keyOf={({ key }) => key}
      columns={[
        { title: t('fields.created'), value: ({ at }) => <Time at={at} /> },
        { title: t('contacts.history.what'), value: (entry) => <What entry={entry} phone_number={phone_number} /> },
        {
          title: t('fields.amount'),
          align: 'right',
          value: ({ amount, currency }) =>
            amount === null ? null : <Money amount={amount} currency={currency ?? ''} />,
        },
        {
          title: t('fields.state'),
          status: true,
          value: ({ state, kind }) => <Status state={state} noun={nouns[kind]} />,
        },
      ]}
    />
  )
}

/** Kind of an entry, with a link to its page, and its purpose. */
function What({ entry, phone_number }: { entry: HistoryEntry; phone_number: string }) {
  const { kind, about, unrequested } = entry
  const is_code = kind === 'bill' || kind === 'sms'
  return (
    <>
      <Group gap="xs">
        <Anchor component={Link} to={pageOf(entry, phone_number)} fz="sm" underline="always">
          {t(`contacts.history.kinds.${kind}`)}
        </Anchor>
        {unrequested && (
          <Badge variant="default" tt="none" fw={500} miw="max-content">
            {t('contacts.history.unrequested')}
          </Badge>
        )}
      </Group>
      {about && (
        <Text fz="sm" c="dimmed" className="any-break">
          {is_code ? formatWord(about) : about}
        </Text>
      )}
    </>
  )
}

/** Return the page of an entry. An SMS has none: the number's SMS are listed. */
function pageOf({ kind, id }: HistoryEntry, phone_number: string): string {
  if (kind === 'request') return `/collectionrequests/${id}`
  if (kind === 'collection') return `/collections/${id}`
  if (kind === 'bill') return `/bills/${id}`
  if (kind === 'invoice') return `/invoices/${id}`
  if (kind === 'sms') return `/sms?phonenumber=${encodeURIComponent(phone_number)}`
  return `/payments/${id}`
}
