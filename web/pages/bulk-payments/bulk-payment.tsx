import { Alert, Anchor, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FileNotes } from '../../parts/files/file-field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { BulkPaymentDetail } from '../../wire.ts'
import { Actions, Approval } from './actions.tsx'
import { Progress } from './progress.tsx'
import { Rows } from './rows.tsx'
import { Summary } from './summary.tsx'

/** File of payments: its faults and costs as a draft, then the state of each row. */
export default function BulkPaymentPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useQuery({
    queryKey: ['/bulk-payments', id],
    queryFn: () => api.get<BulkPaymentDetail>(`/bulk-payments/${id}`),
    refetchInterval: ({ state }) => pollTime(state.data),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/bulk-payments">{t('bulk.title')}</BackLink>
      <PageHead
        title={data.file_name}
        about={
          <Group gap="xs">
            <Progress bulk={data} />
            {data.description}
          </Group>
        }
        actions={<Actions bulk={data} />}
      />
      <Stack>
        <Notices bulk={data} />
        <Approval bulk={data} />
        <Summary bulk={data} />
        <Rows bulk={data} />
        <Facts title={t('bulk.details')} facts={factsOf(data)} />
      </Stack>
    </>
  )
}

/** While something changes by itself the page is read again. */
function pollTime(bulk: BulkPaymentDetail | undefined): number | false {
  const waits = bulk && (bulk.state === 'creating' || (bulk.states.waiting ?? 0) > 0 || (bulk.names?.pending ?? 0) > 0)
  return waits ? 2_000 : false
}

function Notices({ bulk }: { bulk: BulkPaymentDetail }) {
  const { problem, same_file, retry_of, retries, ignored_columns, notes } = bulk
  return (
    <>
      {problem && (
        <Alert color="red" title={t('bulk.stopped')}>
          {translateMessage(problem)} {t('bulk.stopped_about')}
        </Alert>
      )}
      {same_file.length > 0 && bulk.state === 'draft' && (
        <Alert color="orange" title={t('bulk.same_file')}>
          <Files ids={same_file} />
        </Alert>
      )}
      <FileNotes notes={notes} />
      {ignored_columns.length > 0 && (
        <Alert color="blue" title={t('bulk.ignored')}>
          {ignored_columns.join(', ')}
        </Alert>
      )}
      {retry_of !== null && (
        <Alert color="blue" title={t('bulk.retry.of')}>
          <Files ids={[retry_of]} />
        </Alert>
      )}
      {retries.length > 0 && (
        <Alert color="blue" title={t('bulk.retry.made')}>
          <Files ids={retries} />
        </Alert>
      )}
    </>
  )
}

function Files({ ids }: { ids: readonly number[] }) {
  return (
    <Group gap="sm">
      {ids.map((id) => (
        <Anchor key={id} component={Link} to={`/bulk-payments/${id}`} fz="sm" underline="always">
          {t('bulk.number', { id })}
        </Anchor>
      ))}
    </Group>
  )
}

function factsOf(bulk: BulkPaymentDetail): [string, React.ReactNode][] {
  return [
    [t('fields.id'), bulk.id],
    [t('bulk.rows'), bulk.rows],
    [t('bulk.by'), bulk.author_name],
    [t('fields.created'), <Time key="created" at={bulk.created} />],
    [t('bulk.started_by'), bulk.started_by_name],
    [t('bulk.started'), bulk.started && <Time key="started" at={bulk.started} />],
  ]
}
