import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyProblem } from '../../parts/notify.tsx'
import { useGoOn } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail, WaitingFile } from '../../wire.ts'
import { FileApproval } from '../approvals/files.tsx'
import { StartReview } from './start-review.tsx'

/** Actions on the whole file. */
export function Actions({ bulk }: { bulk: BulkPaymentDetail }) {
  const { may } = useSession()
  if (!may('initiate_payments')) return null
  const is_open = bulk.state === 'draft' || bulk.state === 'stopped'
  const failed = (bulk.states.failed ?? 0) + (bulk.states.refused ?? 0)
  return (
    <>
      {bulk.state === 'draft' && <Delete bulk={bulk} />}
      {is_open && (
        <>
          <Send bulk={bulk} verb="check" label={t('bulk.check')} />
          <Send bulk={bulk} verb="names" label={t('bulk.names.button')} />
          <StartReview bulk={bulk} />
        </>
      )}
      {bulk.state === 'created' && failed > 0 && <Retry bulk={bulk} failed={failed} />}
    </>
  )
}

/** Read the file and its rows again. */
function useReadAgain() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['/bulk-payments'] })
}

function Send({ bulk, verb, label }: { bulk: BulkPaymentDetail; verb: 'check' | 'names'; label: string }) {
  const readAgain = useReadAgain()
  const mutation = useMutation({
    mutationFn: () => api.post(`/bulk-payments/${bulk.id}/${verb}`),
    onSuccess: readAgain,
    onError: notifyProblem,
  })
  return (
    <Button variant="default" loading={mutation.isPending} onClick={() => mutation.mutate()}>
      {label}
    </Button>
  )
}

function Delete({ bulk }: { bulk: BulkPaymentDetail }) {
  const goOn = useGoOn()
  return (
    <Confirm
      button={t('bulk.delete.button')}
      size="sm"
      danger
      title={t('bulk.delete.title')}
      act={() => api.delete(`/bulk-payments/${bulk.id}`)}
      done={() => goOn('/bulk-payments')}
    >
      {t('bulk.delete.text')}
    </Confirm>
  )
}

function Retry({ bulk, failed }: { bulk: BulkPaymentDetail; failed: number }) {
  const goOn = useGoOn()
  const client = useQueryClient()
  return (
    <Confirm
      button={t('bulk.retry.button')}
      size="sm"
      title={t('bulk.retry.title')}
      act={async (key) => {
        const made = await api.postOnce<BulkPaymentDetail>(`/bulk-payments/${bulk.id}/retry`, {}, key)
        await client.invalidateQueries({ queryKey: ['/bulk-payments'] })
        if (made) goOn(`/bulk-payments/${made.id}`)
      }}
    >
      {t('bulk.retry.text', { count: failed })}
    </Confirm>
  )
}

/** Summary of what waits for a second person, and the buttons of a person who may decide. */
export function Approval({ bulk }: { bulk: BulkPaymentDetail }) {
  const { id, awaiting_approval: waiting, state } = bulk
  const { data } = useQuery({
    queryKey: ['/bulk-payments', 'approval', id, waiting, state],
    queryFn: () => api.get<{ file: WaitingFile | null }>(`/bulk-payments/${id}/approval`),
    enabled: waiting.length > 0,
  })
  return data?.file && waiting.length > 0 ? <FileApproval file={data.file} /> : null
}
