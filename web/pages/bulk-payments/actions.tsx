import { Alert, Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { notifyProblem } from '../../parts/notify.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail } from '../../wire.ts'
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
  const navigate = useNavigate()
  return (
    <Confirm
      button={t('bulk.delete.button')}
      size="sm"
      danger
      title={t('bulk.delete.title')}
      act={() => api.delete(`/bulk-payments/${bulk.id}`)}
      done={() => navigate({ to: '/bulk-payments' })}
    >
      {t('bulk.delete.text')}
    </Confirm>
  )
}

function Retry({ bulk, failed }: { bulk: BulkPaymentDetail; failed: number }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return (
    <Confirm
      button={t('bulk.retry.button')}
      size="sm"
      title={t('bulk.retry.title')}
      act={async (key) => {
        const made = await api.postOnce<BulkPaymentDetail>(`/bulk-payments/${bulk.id}/retry`, {}, key)
        await client.invalidateQueries({ queryKey: ['/bulk-payments'] })
        if (made) navigate({ to: `/bulk-payments/${made.id}` })
      }}
    >
      {t('bulk.retry.text', { count: failed })}
    </Confirm>
  )
}

/** Approve or reject all payments of the file that wait for a second person. */
export function Approval({ bulk }: { bulk: BulkPaymentDetail }) {
  const { may } = useSession()
  const readAgain = useReadAgain()
  const { awaiting_approval: waiting, id } = bulk
  if (waiting.length === 0) return null
  return (
    <Alert color="yellow" title={t('payments.approval_title')}>
      {t('bulk.approval.text', { count: waiting.length })}
      {may('approve_payments') && bulk.state !== 'creating' && (
        <Group gap="xs" mt="sm">
          <Confirm
            button={t('bulk.approval.approve')}
            title={t('bulk.approval.approve_title')}
            act={() => api.post(`/bulk-payments/${id}/approve`)}
            done={readAgain}
          >
            {t('bulk.approval.approve_text', { count: waiting.length })}
          </Confirm>
          <FormDialog
            button={t('bulk.approval.reject')}
            title={t('bulk.approval.reject')}
            submit={t('bulk.approval.reject')}
            danger
            look={{ variant: 'default', size: 'xs' }}
            initial={{ reason: '' }}
            send={(values) => api.post(`/bulk-payments/${id}/reject`, values)}
            done={t('bulk.approval.rejected')}
            fields={(form) => <Textarea label={t('fields.reason')} required {...form.getInputProps('reason')} />}
          />
        </Group>
      )}
    </Alert>
  )
}
