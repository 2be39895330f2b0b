import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format.ts'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { WaitingPayment } from '../../wire.ts'
import { describeRecipients } from '../payments/describe-recipients.ts'
import { Demands, RequestedBy } from './demands.tsx'

/** A payment in words, such as for the name of its checkbox. */
export function describePayment(payment: WaitingPayment): string {
  const { id, amount, currency } = payment
  return t('approvals.payment', { id, money: formatMoney(amount, currency), recipients: describeRecipients(payment) })
}

/** Waiting payment: amount, recipient, purpose, requester, and doubts. @param props.mark a checkbox */
export function PaymentLine({ payment, mark }: { payment: WaitingPayment; mark?: ReactNode }) {
  const { id, amount, currency, description, start_date } = payment
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm" className="waiting-payment">
      {mark}
      <Group justify="space-between" align="flex-start" flex={1} miw={0}>
        <Stack gap={2} flex={1} miw={200}>
          <Group gap="xs">
            <Anchor component={Link} to={`/payments/${id}`} fw={600} fz="sm">
              <Money amount={amount} currency={currency} />
            </Anchor>
            <Recipient payment={payment} />
          </Group>
          <Text fz="sm" className="any-break">
            {description}
          </Text>
          <RequestedBy item={payment} />
          {start_date && (
            <Text fz="xs" c="dimmed" component="div">
              <Trans i18nKey="approvals.start" components={{ time: <Time at={start_date} /> }} />
            </Text>
          )}
        </Stack>
        <Stack gap={4} align="flex-end">
          <Demands item={payment} />
        </Stack>
      </Group>
    </Group>
  )
}

function Recipient({ payment }: { payment: WaitingPayment }) {
  const { recipients, name_on_network, doubtful_recipients } = payment
  return (
    <>
      <Text fz="sm" className="numeric">
        {describeRecipients(payment)}
      </Text>
      {recipients === 1 && name_on_network !== '' && <Text fz="sm">{name_on_network}</Text>}
      {doubtful_recipients > 0 && (
        <Badge variant="dot" color="red" tt="none" fw={500} miw="max-content">
          {t('approvals.doubtful', { count: doubtful_recipients })}
        </Badge>
      )}
    </>
  )
}
