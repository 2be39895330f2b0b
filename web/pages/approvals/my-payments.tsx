import { Button, Checkbox, Group, Kbd, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { WaitingPayment } from '../../wire.ts'
import { DecisionDialog, type Verdict } from './decision-dialog.tsx'
import { describePayment, PaymentLine } from './payment-line.tsx'

/** The payments that wait for this user. Several are decided at once, with the mouse or with keys. */
export function MyPayments({ payments }: { payments: readonly WaitingPayment[] }) {
  const [marked, setMarked] = useState<readonly number[]>([])
  const [deciding, setDeciding] = useState<{ verdict: Verdict; payments: readonly WaitingPayment[] }>()
  const chosen = payments.filter(({ id }) => marked.includes(id))
  const decide = (verdict: Verdict, focused?: WaitingPayment) => {
    const concerned = chosen.length > 0 ? chosen : focused ? [focused] : []
    if (concerned.length > 0) setDeciding({ verdict, payments: concerned })
  }
  const onKeyDown = useListKeys(payments, decide)
  return (
    <Panel
      title={t('approvals.mine.title')}
      about={payments.length > 0 && <Keys />}
      actions={payments.length > 0 && <Buttons count={chosen.length} decide={decide} />}
    >
      {payments.length === 0 && <Text fz="sm">{t('approvals.mine.none')}</Text>}
      {payments.length > 1 && (
        <Checkbox
          label={t('approvals.select_all')}
          checked={chosen.length === payments.length}
          indeterminate={chosen.length > 0 && chosen.length < payments.length}
          onChange={({ currentTarget }) => setMarked(currentTarget.checked ? payments.map(({ id }) => id) : [])}
        />
      )}
      {payments.length > 0 && (
        <Stack role="group" aria-label={t('approvals.mine.title')} onKeyDown={onKeyDown}>
          {payments.map((payment) => (
            <PaymentLine
              key={payment.id}
              payment={payment}
              mark={
                <Checkbox
                  aria-label={describePayment(payment)}
                  data-payment={payment.id}
                  checked={marked.includes(payment.id)}
                  onChange={({ currentTarget }) =>
                    setMarked(
                      currentTarget.checked ? [...marked, payment.id] : marked.filter((one) => one !== payment.id),
                    )
                  }
                />
              }
            />
          ))}
        </Stack>
      )}
      {deciding && (
        <DecisionDialog
          {...deciding}
          close={(decided) => {
            setMarked(marked.filter((id) => !decided.includes(id)))
            setDeciding(undefined)
          }}
        />
      )}
    </Panel>
  )
}

function Buttons({ count, decide }: { count: number; decide(verdict: Verdict): void }) {
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        disabled={count === 0}
        aria-haspopup="dialog"
        onClick={() => decide('reject')}
      >
        {t(count === 0 ? 'payments.reject' : 'approvals.reject', { count })}
      </Button>
      <Button size="xs" disabled={count === 0} aria-haspopup="dialog" onClick={() => decide('approve')}>
        {t(count === 0 ? 'payments.approve' : 'approvals.approve', { count })}
      </Button>
    </Group>
  )
}

/** A phone has no such keys. */
function Keys() {
  return (
    <Text component="span" inherit visibleFrom="sm">
      <Trans i18nKey="approvals.keys" components={{ kbd: <Kbd size="xs" /> }} />
    </Text>
  )
}

/** Keyboard shortcuts while a checkbox of the list has the focus; the space bar belongs to the checkbox. */
function useListKeys(
  payments: readonly WaitingPayment[],
  decide: (verdict: Verdict, focused?: WaitingPayment) => void,
) {
  const navigate = useNavigate()
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key } = event
    if (!(target instanceof HTMLInputElement) || event.ctrlKey || event.metaKey || event.altKey) return
    const focused = payments.find(({ id }) => String(id) === target.dataset.payment)
    const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>('input[data-payment]')]
    const move = (steps: number) => boxes[boxes.indexOf(target) + steps]?.focus()
    const actions = new Map<string, () => void>([
      ['arrowdown', () => move(1)],
      ['arrowup', () => move(-1)],
      ['a', () => decide('approve', focused)],
      ['r', () => decide('reject', focused)],
      ['enter', () => focused && navigate({ to: `/payments/${focused.id}` })],
    ])
    const act = actions.get(key.toLowerCase())
    if (!act) return
    event.preventDefault()
    act()
  }
}
