import { Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { WaitingPurchase } from '../../wire.ts'

/** One bill that waits: how much, what for, who requested it, and the buttons to decide where it waits for this user. */
export function PurchaseLine({ purchase }: { purchase: WaitingPurchase }) {
  const { amount, fee, currency, author_name, created, obstacle, approvals_required, approved_by_names } = purchase
  return (
    <Group justify="space-between" align="flex-start" className="waiting-payment">
      <Stack gap={2} flex={1} miw={200}>
        <Text fz="sm" className="any-break">
          <Money amount={amount} currency={currency} /> {describeGoods(purchase)}
        </Text>
        <Text fz="xs" c="dimmed" component="div">
          <Trans
            i18nKey="approvals.requested_by"
            values={{ name: author_name }}
            components={{ time: <Time at={created} /> }}
          />
        </Text>
      </Stack>
      <Stack gap={4} align="flex-end">
        {approvals_required > 1 && (
          <Text fz="xs" ta="right">
            {t('payments.approvals_given', { count: approvals_required, given: approved_by_names.length })}
            {approved_by_names.length > 0 && <div>{approved_by_names.join(', ')}</div>}
          </Text>
        )}
        {Number(fee) > 0 && (
          <Text fz="xs" c="dimmed">
            {t('approvals.fee', { money: formatMoney(fee, currency) })}
          </Text>
        )}
        {obstacle === null ? (
          <PurchaseDecisions purchase={purchase} />
        ) : (
          <Text fz="xs" c="dimmed">
            {t(`payments.obstacles.${obstacle}`)}
          </Text>
        )}
      </Stack>
    </Group>
  )
}

/** What is bought and for whom, such as "Electricity, ikeja_electric_prepaid, 04123456789". */
function describeGoods({ kind, service_type, account_number, phone }: WaitingPurchase): string {
  return [formatWord(kind), service_type, account_number || phone].filter(Boolean).join(', ')
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
        look={{ variant: 'default' }}
        initial={{ reason: '' }}
        send={(values) => api.post(`/purchases/${id}/reject`, values)}
        done={t('payments.returned')}
        fields={(form) => (
          <TextInput label={t('fields.reason')} required data-autofocus {...form.getInputProps('reason')} />
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
