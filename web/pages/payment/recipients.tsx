import { Anchor, Badge, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { SearchInput } from '../../parts/fields/search-input.tsx'
import { ExportMenu } from '../../parts/files/export-menu.tsx'
import { readAll } from '../../parts/files/read-all.ts'
import { type Column, NO_VALUE } from '../../parts/list/column.ts'
import { PageChoice, usePageSize } from '../../parts/list/page-choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { PaymentDetails, PaymentRecipient, PaymentSummary } from '../../wire.ts'

const TYPING_MS = 300

/** Recipients, each with the account holder's name on the network, and the state of the money. */
export function Recipients({ payment, details }: { payment: PaymentSummary; details: PaymentDetails }) {
  const { id, currency, recipients } = payment
  const size = usePageSize()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS)
  const [show, setShow] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const filters = { search: search || undefined, show: show ?? undefined }
  const query = { ...filters, ordering: 'id', limit: size, offset: (page - 1) * size }
  const path = `/payments/${id}/recipients`
  const { data, error, refetch } = useQuery({
    queryKey: ['/payments', String(id), 'recipients', query],
    queryFn: () => api.get<List<PaymentRecipient>>(path, query),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title={t('payments.recipients')}
      actions={
        <ExportMenu
          size="xs"
          what={t('payments.recipients_of', { id })}
          columns={columnsOf(currency)}
          read={() => readAll<PaymentRecipient>(path, filters)}
          fileRow={(row) => toLine({ ...row }, currency)}
        />
      }
    >
      {recipients > 1 && (
        <>
          <Sums payment={payment} details={details} />
          <Group gap="xs">
            <SearchInput
              label={t('payments.search')}
              flex="1 1 14rem"
              value={typed}
              change={(text) => {
                setTyped(text)
                setPage(1)
              }}
            />
            <Show
              details={details}
              show={show}
              choose={(value) => {
                setShow(value)
                setPage(1)
              }}
            />
          </Group>
        </>
      )}
      {error ? (
        <Problem error={error} retry={refetch} />
      ) : data ? (
        <DataTable
          title={t('payments.recipients')}
          rows={data.results}
          keyOf={(row) => row.id}
          columns={columnsOf(currency)}
        />
      ) : (
        <Loading />
      )}
      {data?.count === 0 && <Text c="dimmed">{t('parts.no_match')}</Text>}
      {data && <PageChoice count={data.count} size={size} page={page} choose={setPage} />}
    </Panel>
  )
}

/** Number and sum of the recipients in each state, and the names to check. */
function Sums({
  payment: { currency, recipients, amount },
  details,
}: {
  payment: PaymentSummary
  details: PaymentDetails
}) {
  const { sums, doubtful_recipients: doubtful } = details
  return (
    <Stack gap={4}>
      <Text fz="sm">
        <Trans
          i18nKey="payments.sum_all"
          values={{ recipients: t('payments.phones', { count: recipients }) }}
          components={{ money: <Money amount={amount} currency={currency} /> }}
        />
      </Text>
      {sums.map(({ state, count, amount: sum }) => (
        <Group key={state} gap="xs">
          <Status state={state} label={t(`payments.show.${state}`)} />
          <Text fz="sm" className="numeric">
            {formatCount(count)}
          </Text>
          <Text fz="sm">
            <Money amount={sum} currency={currency} />
          </Text>
        </Group>
      ))}
      {doubtful > 0 && (
        <Group gap="xs">
          <Badge variant="dot" color="red" tt="none" fw={500} miw="max-content">
            {t('approvals.doubtful', { count: doubtful })}
          </Badge>
        </Group>
      )}
    </Stack>
  )
}

/** Choice of the recipients that are shown: those in one state, or those with a doubtful name. */
function Show(props: { details: PaymentDetails; show: string | null; choose(value: string | null): void }) {
  const { details, show, choose } = props
  const choices = [
    ...details.sums.map(({ state }) => state),
    ...(details.doubtful_recipients > 0 ? ['names' as const] : []),
  ]
  return (
    <Select
      aria-label={t('payments.show.label')}
      placeholder={t('payments.show.all')}
      data={choices.map((value) => ({ value, label: t(`payments.show.${value}`) }))}
      value={show}
      onChange={choose}
      clearable
      flex="1 1 10rem"
      maw={240}
    />
  )
}

function columnsOf(currency: string): Column<PaymentRecipient>[] {
  return [
    {
      title: t('fields.phone_number'),
      value: (row) => <Contact recipient={row} />,
      file: ({ phonenumber }) => phonenumber,
      beside: [{ title: t('fields.name'), file: ({ name }) => name }],
    },
    {
      title: t('fields.name_on_network'),
      value: (row) => <NetworkName recipient={row} />,
      file: ({ name_on_network }) => name_on_network,
    },
    {
      title: t('fields.amount'),
      align: 'right',
      value: (row) => <RecipientAmount recipient={row} currency={currency} />,
      file: ({ amount }) => ({ amount, currency }),
    },
    {
      title: t('fields.fee'),
      align: 'right',
      value: ({ fee }) => <Money amount={fee} currency={currency} />,
      file: ({ fee }) => ({ amount: fee, currency }),
    },
    {
      title: t('fields.state'),
      status: true,
      value: ({ state }) => <Status state={state} noun="payment" />,
      file: ({ state }) => formatWord(state, 'payment'),
    },
    { title: t('fields.problem'), value: ({ last_error }) => translateMessage(last_error ?? NO_VALUE) },
    { title: t('payments.network_id'), value: (row) => row.remote_transaction_id ?? NO_VALUE },
  ]
}

/** A recipient as a line of a file. The list of payments has only their number. */
function toLine(row: Record<string, unknown>, currency: string) {
  const { phonenumber, name, name_on_network, amount, fee, reversed_amount } = row
  const { state, last_error, remote_transaction_id, description } = row
  return {
    phonenumber,
    name,
    name_on_network,
    amount,
    currency,
    fee,
    reversed_amount,
    state,
    last_error,
    remote_transaction_id,
    description,
  }
}

function Contact({ recipient: { contact, phonenumber, name } }: { recipient: PaymentRecipient }) {
  return (
    <>
      <Anchor component={Link} to={`/contacts/${contact}`} className="numeric" inherit>
        {phonenumber}
      </Anchor>
      <Text fz="xs" c="dimmed">
        {name}
      </Text>
    </>
  )
}

function RecipientAmount({ recipient, currency }: { recipient: PaymentRecipient; currency: string }) {
  return (
    <>
      <Money amount={recipient.amount} currency={currency} />
      {hasComeBackInPart(recipient) && (
        <Text fz="xs" c="dimmed">
          <Trans
            i18nKey="payments.partly_returned"
            components={{ money: <Money amount={recipient.reversed_amount} currency={currency} /> }}
          />
        </Text>
      )}
    </>
  )
}

/** The name on the network, marked if it differs from the name of the contact. */
function NetworkName({ recipient: { check, name_on_network } }: { recipient: PaymentRecipient }) {
  return (
    <Stack gap={4} align="flex-start">
      {name_on_network !== '' && <Text fz="sm">{name_on_network}</Text>}
      <NameBadge check={check} />
    </Stack>
  )
}

function NameBadge({ check }: { check: PaymentRecipient['check'] }) {
  const look = {
    same: 'green',
    different: 'red',
    not_registered: 'red',
    not_compared: 'gray',
    not_known: 'gray',
  }
  return (
    <Badge variant="dot" color={look[check]} tt="none" fw={500} className="wrapping-badge">
      {t(`payments.names.${check}`)}
    </Badge>
  )
}

/** Return true if a part of the money has come back, but not all of it. */
function hasComeBackInPart({ state, reversed_amount }: PaymentRecipient): boolean {
  return state === 'complete' && !/^0\.0+$/.test(reversed_amount)
}
