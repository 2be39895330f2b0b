import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Money } from '../../parts/money.tsx'
import { t } from '../../texts/index.ts'
import type { WaitingPurchase } from '../../wire.ts'
import { Demands, RequestedBy } from './demands.tsx'

/** Waiting bill: amount, purpose, requester, and the buttons for this user's decision. */
export function PurchaseLine({ purchase }: { purchase: WaitingPurchase }) {
  const { id, amount, currency, obstacle } = purchase
  return (
    <Group justify="space-between" align="flex-start" className="waiting-payment">
      <Stack gap={2} flex={1} miw={200}>
        <Text fz="sm" className="any-break">
          <Anchor component={Link} to={`/bills/${id}`} fw={600} fz="sm">
            <Money amount={amount} currency={currency} />
          </Anchor>{' '}
          {describeGoods(purchase)}
        </Text>
        <RequestedBy item={purchase} />
      </Stack>
      <Stack gap={4} align="flex-end">
        <Demands item={purchase} />
        {obstacle === null && <PurchaseDecisions purchase={purchase} />}
      </Stack>
    </Group>
  )
}

/** Name the goods and their receiver, such as "Electricity, Ikeja Prepaid, 04123456789". */
function describeGoods({ kind, service_name, account_number, phone }: WaitingPurchase): string {
  return [formatWord(kind), service_name, account_number || phone].filter(Boolean).join(', ')
}

function PurchaseDecisions({ purchase }: { purchase: WaitingPurchase }) {
  const client = useQueryClient()
  const { id, amount, currency } = purchase
  const refresh = () => {
    client.invalidateQueries({ queryKey: ['/approvals'] })
    client.invalidateQueries({ queryKey: ['/purchases'] })
  }
  return (
    <Group gap="xs">
      <FormDialog
        button={t('payments.reject')}
        title={t('approvals.bills.reject_title')}
        submit={t('payments.reject')}
        danger
        look={{ variant: 'default', size: 'xs' }}
        initial={{ reason: '' }}
        send={(values) => api.post(`/purchases/${id}/reject`, values)}
        done={t('payments.returned')}
        fields={(form) => (
          <>
            <Text fz="sm">{`${formatMoney(amount, currency)}: ${describeGoods(purchase)}`}</Text>
            <TextInput label={t('fields.reason')} required data-autofocus {...form.getInputProps('reason')} />
          </>
        )}
      />
      <Confirm
        button={t('payments.approve')}
        title={t('approvals.bills.approve_title')}
        act={async () => {
          const { waits } = await api.post<{ waits: boolean }>(`/purchases/${id}/approve`)
          notifications.show({ color: 'green', message: t(`approvals.bills.${waits ? 'partly' : 'approved'}`) })
        }}
        done={refresh}
      >
        {t('approvals.bills.approve_text', { money: formatMoney(amount, currency), goods: describeGoods(purchase) })}
      </Confirm>
    </Group>
  )
}
