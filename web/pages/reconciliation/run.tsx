import { Alert, Anchor, Stack, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatCount, formatMoney, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FileMenu } from '../../parts/files/file-menu.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { KeptFinding, ReconciliationRun } from '../../wire.ts'
import { EnterMoney, EntryDecision } from './entry.tsx'
import { periodOf } from './runs.tsx'

const kinds = [
  'missing_in_books',
  'missing_at_network',
  'amount_differs',
  'currency_differs',
  'status_differs',
  'repeated_in_statement',
  'fee_differs',
  'unreadable',
]
const states = ['open', 'asked', 'entered', 'resolved', 'explained']
const MAX_KEPT = 10_000

/** Comparison with a statement: its differences, and the actions on them. */
export default function RunPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/reconciliations', id],
    queryFn: () => api.get<ReconciliationRun>(`/reconciliations/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const url = `/reconciliations/${data.id}`
  return (
    <>
      <BackLink to="/reconciliation">{t('shell.nav.reconciliation')}</BackLink>
      <ListPage<KeptFinding>
        title={t('reconciliation.title', { id: data.id })}
        path={`${url}/findings`}
        csv={false}
        empty={t('reconciliation.all_agree')}
        actions={<FileMenu path={`${url}/file`} name={`reconciliation-${data.id}`} />}
        above={<About run={data} />}
        filters={[
          { name: 'kind', label: t('reconciliation.difference'), choices: kinds },
          { name: 'state', label: t('fields.state'), choices: states, noun: 'difference' },
        ]}
        columns={[
          { title: t('reconciliation.difference'), value: (row) => <Difference finding={row} /> },
          { title: t('reconciliation.in_statement'), value: (row) => <Stated finding={row} /> },
          { title: t('reconciliation.in_ledger'), value: (row) => <Booked finding={row} /> },
          { title: t('fields.state'), status: true, value: (row) => <State finding={row} /> },
          { title: t('users.actions'), value: (row) => <RowActions run={data.id} finding={row} /> },
        ]}
      />
    </>
  )
}

function About({ run }: { run: ReconciliationRun }) {
  const { lines, agreeing, differences, open } = run
  return (
    <>
      <Facts
        facts={[
          [t('reconciliation.statement'), run.file_name],
          [t('reconciliation.connection'), run.connection],
          [t('reconciliation.period'), periodOf(run)],
          ...(run.zone ? [[t('reconciliation.zone'), run.zone] as [string, string]] : []),
          ...run.sums.flatMap(sumFacts),
          [t('reconciliation.lines'), formatCount(lines)],
          [t('reconciliation.agreeing'), formatCount(agreeing)],
          [t('reconciliation.differences'), formatCount(differences)],
          [t('reconciliation.open'), formatCount(open)],
          [t('reconciliation.by'), run.author_name],
          [t('fields.created'), <Time key="created" at={run.created} />],
          [
            t('reconciliation.digest'),
            <Text key="digest" fz="xs" ff="monospace" className="any-break">
              {run.file_sha256}
            </Text>,
          ],
        ]}
      />
      {run.notes.map((note) => (
        <Alert key={note} color="yellow">
          {translateMessage(note)}
        </Alert>
      ))}
      {!run.sent && <Alert color="blue">{t('reconciliation.no_sent')}</Alert>}
      {differences > MAX_KEPT && (
        <Alert color="yellow">{t('reconciliation.kept', { most: formatCount(MAX_KEPT) })}</Alert>
      )}
    </>
  )
}

/** Sums of both sides in one currency. */
function sumFacts({ currency, ...sums }: ReconciliationRun['sums'][number]): [string, string][] {
  const sides = (stated: string, booked: string) =>
    t('reconciliation.sides', {
      stated: formatMoney(stated, currency || undefined),
      booked: formatMoney(booked, currency || undefined),
    })
  return [
    [`${t('reconciliation.received_sum')} ${currency}`, sides(sums.stated_received, sums.booked_received)],
    [`${t('reconciliation.sent_sum')} ${currency}`, sides(sums.stated_sent, sums.booked_sent)],
  ]
}

function Difference({ finding: { kind, remote_id, line } }: { finding: KeptFinding }) {
  return (
    <>
      <Text fz="sm">{formatWord(kind)}</Text>
      <Text fz="xs" c="dimmed" ff="monospace" className="any-break">
        {remote_id}
      </Text>
      {line !== null && (
        <Text fz="xs" c="dimmed">
          {t('reconciliation.line', { line })}
        </Text>
      )}
    </>
  )
}

function Side(props: {
  status: string
  amount: string
  currency: string | null
  fee: string | null
  at: string | null
}) {
  const { status, amount, currency, fee, at } = props
  return (
    <>
      <Text fz="sm" className="numeric">
        {formatMoney(amount, currency ?? undefined)}
      </Text>
      <Text fz="xs" c="dimmed">
        {formatWord(status)}
      </Text>
      {fee !== null && (
        <Text fz="xs" c="dimmed">
          {t('reconciliation.fee', { fee: formatMoney(fee) })}
        </Text>
      )}
      {at !== null && (
        <Text fz="xs" c="dimmed">
          <Time at={at} />
        </Text>
      )}
    </>
  )
}

function Stated({ finding }: { finding: KeptFinding }) {
  const { stated_status: status, stated_amount: amount } = finding
  if (finding.problem)
    return (
      <Text fz="sm" className="any-break">
        {translateMessage(finding.problem)}
      </Text>
    )
  if (status === null || amount === null)
    return (
      <Text fz="sm" c="dimmed">
        {t('reconciliation.nothing')}
      </Text>
    )
  const person = [finding.stated_phone, finding.stated_name].filter(Boolean).join(' · ')
  return (
    <>
      <Side
        {...{ status, amount, currency: finding.stated_currency, fee: finding.stated_fee, at: finding.stated_at }}
      />
      {person && (
        <Text fz="xs" c="dimmed" className="any-break">
          {person}
        </Text>
      )}
    </>
  )
}

function Booked({ finding }: { finding: KeptFinding }) {
  const { booked_status: status, booked_amount: amount, collection, payment } = finding
  return (
    <>
      {status === null || amount === null ? (
        <Text fz="sm" c="dimmed">
          {t('reconciliation.nothing')}
        </Text>
      ) : (
        <Side
          {...{ status, amount, currency: finding.booked_currency, fee: finding.booked_fee, at: finding.booked_at }}
        />
      )}
      {collection !== null && (
        <Anchor component={Link} to={`/collections/${collection}`} fz="sm" display="block">
          {t('fields.collection_id', { id: collection })}
        </Anchor>
      )}
      {payment !== null && (
        <Anchor component={Link} to={`/payments/${payment}`} fz="sm" display="block">
          {t('fields.payment_id', { id: payment })}
        </Anchor>
      )}
    </>
  )
}

/** State, with the answer or note. */
function State({ finding }: { finding: KeptFinding }) {
  const { state, answer, note, decided_by_name } = finding
  return (
    <Stack gap="xs" align="flex-start">
      <Status state={state} noun="difference" />
      {state === 'asked' && <Text fz="xs">{t('reconciliation.asked')}</Text>}
      {(note || answer) && <Text fz="xs">{note || answer}</Text>}
      {finding.state === 'entered' && (
        <Text fz="xs">
          {finding.entered_by_name}: {finding.entry_note}
        </Text>
      )}
      {decided_by_name && (
        <Text fz="xs" c="dimmed">
          {decided_by_name}
        </Text>
      )}
    </Stack>
  )
}

/** Actions on a difference that is open, or that waits for a second person. */
function RowActions({ run, finding }: { run: number; finding: KeptFinding }) {
  if (finding.state === 'open') return <Actions run={run} finding={finding} />
  return finding.state === 'entered' ? <EntryDecision run={run} finding={finding} /> : null
}

function Actions({ run, finding }: { run: number; finding: KeptFinding }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { id, can_ask, collection, unmatched, unassigned, order_is_open } = finding
  const url = `/reconciliations/${run}/findings/${id}`
  const again = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  return (
    <Stack gap="xs" align="flex-start">
      {unmatched && (
        <Anchor component={Link} to={`/collections/${collection}`} fz="sm">
          {t('reconciliation.match')}
        </Anchor>
      )}
      {unassigned && may('manage_organization') && (
        <Anchor component={Link} to="/unassigned" fz="sm">
          {t('reconciliation.assign')}
        </Anchor>
      )}
      {order_is_open && (
        <Anchor component={Link} to="/orders" fz="sm">
          {t('reconciliation.attest')}
        </Anchor>
      )}
      {may('initiate_payments') && can_ask && (
        <Confirm
          button={t('reconciliation.ask')}
          title={t('reconciliation.ask_title')}
          act={() => api.post(`${url}/ask`)}
          done={again}
        >
          {t('reconciliation.ask_text')}
        </Confirm>
      )}
      {finding.can_enter && (may('initiate_payments') || may('approve_payments')) && (
        <EnterMoney url={url} finding={finding} />
      )}
      {may('initiate_payments') && (
        <FormDialog
          button={t('reconciliation.explain')}
          title={t('reconciliation.explain_title')}
          submit={t('reconciliation.explain')}
          initial={{ note: '' }}
          look={{ size: 'xs', variant: 'default' }}
          send={(values) => api.post(`${url}/explain`, values)}
          done={t('reconciliation.explained')}
          fields={(form) => (
            <Textarea
              label={t('reconciliation.note')}
              description={t('reconciliation.note_about')}
              required
              autosize
              minRows={3}
              {...form.getInputProps('note')}
            />
          )}
        />
      )}
    </Stack>
  )
}
