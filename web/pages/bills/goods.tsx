import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { PurchaseDetail } from '../../wire.ts'

/**
 * Goods for the customer: the token or the PINs, to copy, to print and to send. Printing the page prints this alone.
 */
export function Goods({ purchase }: { purchase: PurchaseDetail }) {
  const client = useQueryClient()
  const { vended, currency, sms } = purchase
  if (!vended) return null
  return (
    <div className="print-alone">
      <Panel title={t('bills.vended.title')}>
        {vended.token && <Token token={inGroups(vended.token)} />}
        <Facts
          bare
          facts={[
            [t('bills.service'), purchase.service_name],
            [t('bills.for'), purchase.account_number || purchase.phone],
            [t('fields.amount'), formatMoney(purchase.amount, currency)],
            ...(vended.amount_of_power ? [[t('bills.vended.power'), vended.amount_of_power] as const] : []),
            ...vended.pins.map(
              ({ serial_number: serial, pin, expires_on: date }) =>
                [t('bills.vended.pin', { serial }), t('bills.vended.pin_until', { pin: inGroups(pin), date })] as const,
            ),
            [t('fields.reference'), purchase.agent_reference],
            [t('fields.created'), <Time key="created" at={purchase.created} />],
          ]}
        />
        <Group>
          <Button variant="default" onClick={() => window.print()}>
            {t('bills.vended.print')}
          </Button>
          {vended.token && sms.length === 0 && (
            <Confirm
              button={t('bills.vended.send')}
              title={t('bills.vended.send_title', { phone: purchase.phone })}
              size="sm"
              act={() => api.post(`/purchases/${purchase.id}/send-token`)}
              done={() => client.invalidateQueries({ queryKey: ['/purchases'] })}
            >
              {t('bills.vended.send_text')}
            </Confirm>
          )}
        </Group>
      </Panel>
    </div>
  )
}

function Token({ token }: { token: string }) {
  return (
    <Group justify="space-between">
      <Stack gap={2}>
        <Text fz="xs" c="dimmed">
          {t('bills.vended.token')}
        </Text>
        <Text fz="xl" fw={600} className="numeric">
          {token}
        </Text>
      </Stack>
      <CopyButton value={token}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {t(copied ? 'parts.copied' : 'parts.copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

/** Digits in groups of four, as people type them at a meter. */
function inGroups(digits: string): string {
  return digits.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')
}
