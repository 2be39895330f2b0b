import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Amount, formatAmount, parseAmount } from '../../../src/lib/money.ts'
import { api } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { runBulk } from '../../parts/list/run-bulk.ts'
import { t } from '../../texts/index.ts'
import type { Payment, WaitingPayment } from '../../wire.ts'
import { needsApproval } from '../payment/decisions.tsx'
import { describePayment } from './payment-line.tsx'

export type Verdict = 'approve' | 'reject'

/** Result for one payment. `partly`: approved, and it waits for others. */
interface Outcome {
  payment: WaitingPayment
  end: 'approved' | 'partly' | 'rejected' | 'refused' | 'unknown'
  /** Reason why the service refused the decision, or gave no answer. */
  message?: string
}

interface DecisionDialogProps {
  verdict: Verdict
  payments: readonly WaitingPayment[]
  /** @param decided the payments that were decided */
  close(decided: readonly number[]): void
}

/**
 * Ask once before payments are approved or rejected, one after the other. Each is decided by itself, so one that is
 * refused leaves the others as they are.
 */
export function DecisionDialog({ verdict, payments, close }: DecisionDialogProps) {
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => decideAll(verdict, payments, reason),
    onSuccess: (outcomes) => {
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      for (const end of ['approved', 'partly', 'rejected'] as const) {
        const count = outcomes.filter((one) => one.end === end).length
        if (count > 0) notifications.show({ color: 'green', message: t(`approvals.done.${end}`, { count }) })
      }
      if (outcomes.every(isDecided) && outcomes.length === payments.length) close(payments.map(({ id }) => id))
    },
  })
  const undecided = (data ?? []).filter((outcome) => !isDecided(outcome))
  const left = data ? payments.length - data.length : 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const decided = () => (data ?? []).filter(isDecided).map(({ payment }) => payment.id)
  return (
    <Modal
      opened
      onClose={() => close(decided())}
      title={t(`approvals.${verdict}_title`, { count: payments.length })}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          {!data && payments.map((payment) => <Line key={payment.id} payment={payment} />)}
          {!data && payments.length > 1 && (
            <Text fz="sm" fw={600}>
              {t('approvals.total', { sums: describeSums(payments) })}
            </Text>
          )}
          {undecided.map(({ payment, end, message }) => (
            <Alert key={payment.id} color="red" role="alert" title={describePayment(payment)}>
              {end === 'unknown' ? t('lists.bulk.unknown', { name: `#${payment.id}` }) : message}
            </Alert>
          ))}
          {left > 0 && <Text fz="sm">{t('lists.bulk.left', { count: left, number: formatCount(left) })}</Text>}
          {verdict === 'reject' && !data && (
            <TextInput
              label={t('fields.reason')}
              required
              maxLength={500}
              data-autofocus
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(decided())}>
              {t(data ? 'parts.close' : 'parts.go_back')}
            </Button>
            {!data && (
              <Button
                type="submit"
                color={verdict === 'reject' ? 'red.9' : undefined}
                loading={isPending}
                data-autofocus={verdict === 'approve' || undefined}
              >
                {t(`payments.${verdict}`)}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Line({ payment }: { payment: WaitingPayment }) {
  const { recipients, name_on_network } = payment
  return (
    <Text fz="sm" className="any-break">
      {describePayment(payment)}
      {recipients === 1 && name_on_network !== '' && (
        <Text component="span" c="dimmed" inherit display="block">
          {name_on_network}
        </Text>
      )}
    </Text>
  )
}

/** The sums of payments by currency, without fees. */
function describeSums(payments: readonly WaitingPayment[]): string {
  const sums = new Map<string, Amount>()
  for (const { amount, currency } of payments)
    sums.set(currency, (sums.get(currency) ?? 0n) + (parseAmount(amount) ?? 0n))
  return [...sums].map(([currency, sum]) => formatMoney(formatAmount(sum), currency)).join(', ')
}

function isDecided({ end }: Outcome): boolean {
  return end !== 'refused' && end !== 'unknown'
}

/** Decide about the payments in turn. It ends at the first one without an answer, which may be decided or not. */
async function decideAll(verdict: Verdict, payments: readonly WaitingPayment[], reason: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const body = verdict === 'reject' ? { reason } : {}
  let decided: Payment | undefined
  await runBulk({
    rows: payments,
    act: async ({ id }) => {
      decided = await api.post<Payment>(`/payments/${id}/${verdict}`, body)
    },
    onOutcome(payment, outcome) {
      if (outcome.kind === 'done') {
        const end = verdict === 'reject' ? 'rejected' : needsApproval(decided!) ? 'partly' : 'approved'
        outcomes.push({ payment, end })
      } else outcomes.push({ payment, end: outcome.kind, message: outcome.message })
    },
    onWait: () => {},
    signal: new AbortController().signal,
  })
  return outcomes
}
