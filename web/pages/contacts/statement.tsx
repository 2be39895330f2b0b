import { Anchor, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api, isMissing } from '../../api.ts'
import { formatDate, formatMoney, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FileMenu } from '../../parts/files/file-menu.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PeriodFields, useDays } from '../../parts/period.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { language as reader_language, t } from '../../texts/index.ts'
import { languages } from '../../texts/languages.ts'
import type { CustomerStatement } from '../../wire.ts'

type Entry = CustomerStatement['entries'][number]

/** Statement of a customer: invoices and payments of some days, and the debt. */
export default function StatementPage() {
  const { id } = useParams({ strict: false })
  const { currency, language }: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { chosen } = useDays()
  const path = `/contacts/${id}/statement`
  const query = { ...chosen, currency }
  const { data, error, refetch } = useQuery({
    queryKey: ['contact-history', id, 'statement', query],
    queryFn: () => api.get<CustomerStatement>(path, query),
    placeholderData: keepPreviousData,
  })
  const set = (values: Record<string, string | undefined>) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, ...values }) as never })
  if (replacesContent(error, data))
    return (
      <Stack>
        {!isMissing(error) && <PeriodFields shown={undefined} />}
        <Problem error={error} retry={refetch} />
      </Stack>
    )
  if (!data) return <Loading />
  const { customer_name: name, customer_number: number } = data
  return (
    <>
      <BackLink to={`/contacts/${id}`}>{t('contacts.contact')}</BackLink>
      <PageHead
        title={name ? t('receivables.statement.title', { name }) : t('receivables.statement.unnamed', { id })}
        about={
          <>
            {number && <div>{t('receivables.statement.number', { number })}</div>}
            {t('receivables.statement.about')}
          </>
        }
        actions={
          <FileMenu
            path={path}
            query={{ ...query, language }}
            tables={{ language: reader_language }}
            name={`statement-of-customer-${id}-${data.currency}-${data.first_day}-${data.last_day}`}
          />
        }
      />
      <Stack>
        <Group gap="sm" align="flex-end">
          <PeriodFields shown={{ from: data.first_day, to: data.last_day }} />
          {data.currencies.length > 1 && (
            <Select
              label={t('fields.currency')}
              data={data.currencies}
              value={data.currency}
              allowDeselect={false}
              onChange={(value) => set({ currency: value ?? undefined })}
            />
          )}
          <Select
            label={t('receivables.statement.pdf_language')}
            placeholder={t('receivables.statement.of_customer')}
            clearable
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            value={language ?? null}
            onChange={(value) => set({ language: value ?? undefined })}
          />
        </Group>
        <Facts facts={sumsOf(data)} />
        <Entries statement={data} />
      </Stack>
    </>
  )
}

function sumsOf(data: CustomerStatement): [string, React.ReactNode][] {
  const { currency } = data
  return [
    [t('receivables.statement.opening'), formatBalance(data.opening_balance, currency)],
    [t('receivables.statement.charged'), formatMoney(data.charged_amount, currency)],
    [t('receivables.statement.credited'), formatMoney(data.credited_amount, currency)],
    [
      t('receivables.statement.closing'),
      <strong key="closing">{formatBalance(data.closing_balance, currency)}</strong>,
    ],
    [t('receivables.statement.open_amount'), formatMoney(data.open_amount, currency)],
    [t('receivables.statement.credit'), formatMoney(data.credit_amount, currency)],
    ...(isSome(data.unmatched_amount)
      ? [[t('receivables.statement.unmatched'), formatMoney(data.unmatched_amount, currency)] as [string, string]]
      : []),
  ]
}

const isSome = (amount: string) => /[1-9]/.test(amount)

/** A balance in words where the customer has credit: a minus is easily overlooked. */
function formatBalance(balance: string, currency: string): string {
  if (!balance.startsWith('-')) return formatMoney(balance, currency)
  return t('receivables.statement.in_credit', { amount: formatMoney(balance.slice(1), currency) })
}

function Entries({ statement }: { statement: CustomerStatement }) {
  const { entries } = statement
  if (entries.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text ta="center" c="dimmed">
          {t('receivables.statement.none')}
        </Text>
      </Paper>
    )
  const rows = entries.map((entry, index) => ({ ...entry, index }))
  const shown = (amount: string) => (isSome(amount) ? formatMoney(amount) : '')
  return (
    <Paper withBorder>
      <DataTable
        title={t('receivables.statement.entries')}
        rows={rows}
        keyOf={({ index }) => index}
        columns={[
          { title: t('receivables.date'), value: ({ at }) => <Time at={at} /> },
          { title: t('receivables.statement.what'), value: (entry) => <What entry={entry} /> },
          {
            title: t('receivables.statement.charged'),
            align: 'right',
            value: ({ charged_amount }) => shown(charged_amount),
          },
          {
            title: t('receivables.statement.credited'),
            align: 'right',
            value: ({ credited_amount }) => shown(credited_amount),
          },
          { title: t('receivables.balance'), align: 'right', value: ({ balance }) => formatMoney(balance) },
        ]}
      />
    </Paper>
  )
}

/** Kind of an entry, with links to the invoice, the payment and the refund. */
function What({ entry }: { entry: Entry }) {
  const { kind, invoice, invoice_number, due_date, collection, remote_transaction_id, phonenumber, receipt } = entry
  const about = [
    kind === 'invoice' && due_date && t('receivables.statement.due', { day: formatDate(due_date) }),
    kind === 'payment' && invoice === null && t('receivables.statement.for_credit'),
    kind === 'payment' && phonenumber && t('receivables.statement.from_phone', { phone: phonenumber }),
    kind === 'payment' && receipt && t('receivables.statement.receipt', { number: receipt }),
  ].filter(Boolean)
  return (
    <>
      <Group gap="xs">
        <Text fz="sm">{formatWord(kind)}</Text>
        {collection !== null && <Page to={`/collections/${collection}`} text={remote_transaction_id ?? ''} />}
        {entry.refund !== null && <Page to={`/payments/${entry.refund}`} text={String(entry.refund)} />}
        {invoice !== null && <Page to={`/invoices/${invoice}`} text={invoice_number ?? ''} />}
      </Group>
      {about.length > 0 && (
        <Text fz="sm" c="dimmed" className="any-break">
          {about.join(', ')}
        </Text>
      )}
    </>
  )
}

function Page({ to, text }: { to: string; text: string }) {
  return (
    <Anchor component={Link} to={to} fz="sm" underline="always" className="any-break">
      {text}
    </Anchor>
  )
}
