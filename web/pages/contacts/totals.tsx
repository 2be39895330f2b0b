import { SimpleGrid, Text } from '@mantine/core'
import { formatCount } from '../../format.ts'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { ContactOverview } from '../../wire.ts'

/** Sums requested from a contact, paid by it and paid to it, by currency. */
export function Totals({ totals }: { totals: ContactOverview['totals'] }) {
  if (totals.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t('contacts.totals.none')}
      </Text>
    )
  return (
    <SimpleGrid cols={{ base: 1, lg: totals.length > 1 ? 2 : 1 }}>
      {totals.map((total) => (
        <Facts
          key={total.currency}
          title={t('contacts.totals.title', { currency: total.currency })}
          facts={factsOf(total)}
        />
      ))}
    </SimpleGrid>
  )
}

function factsOf(total: ContactOverview['totals'][number]): [string, React.ReactNode][] {
  const { currency, paid, open, failed } = total
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const counts = { paid: formatCount(paid), open: formatCount(open), failed: formatCount(failed) }
  return [
    [t('contacts.totals.requested'), money(total.requested_amount)],
    [t('contacts.totals.requests'), t('contacts.totals.states', counts)],
    [t('contacts.totals.collected'), money(total.collected)],
    [t('contacts.totals.given_back'), money(total.given_back)],
    [t('contacts.totals.paid_out'), money(total.paid_out)],
    [t('contacts.totals.first_paid'), <Time key="first" at={total.first_paid} />],
    [t('contacts.totals.last_paid'), <Time key="last" at={total.last_paid} />],
  ]
}
