import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAmount, parseAmount } from '../../../src/lib/money.ts'
import { api } from '../../api.ts'
import { formatMoney, formatTime } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { ContactMoney } from '../../wire.ts'
import { MatchDialog } from './match-dialog.tsx'

/** The credit of a customer, and money from its phones that matches nothing. */
export function ContactMoneyPanel({ contact }: { contact: number }) {
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/contacts', String(contact), 'money'],
    queryFn: () => api.get<ContactMoney>(`/contacts/${contact}/money`),
  })
  if (!data) return <Problem error={error} retry={refetch} />
  if (data.credit.length === 0 && data.unmatched.length === 0) return null
  return (
    <Panel title={t('matching.contact.title')}>
      {sumByCurrency(data.credit).map(([currency, sum]) => (
        <Text key={currency} fz="sm">
          {t('matching.contact.credit', { amount: formatMoney(formatAmount(sum), currency) })}
        </Text>
      ))}
      {data.unmatched.map(({ paid, ...money }) => (
        <Group key={money.collection} justify="space-between">
          <Text fz="sm" component="div" flex={1} miw={200}>
            <Trans
              i18nKey={money.reference ? 'matching.waiting.money_reference' : 'matching.waiting.money'}
              values={{ ...money, amount: formatMoney(money.amount, money.currency), time: formatTime(paid) }}
              components={{
                a: <Anchor component={Link} to={`/collections/${money.collection}`} inherit underline="always" />,
              }}
            />
          </Text>
          {may('initiate_collections') && <MatchDialog money={money} is_small />}
        </Group>
      ))}
    </Panel>
  )
}

function sumByCurrency(credit: ContactMoney['credit']): [currency: string, sum: bigint][] {
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of credit)
    sums.set(currency, (sums.get(currency) ?? 0n) + (parseAmount(amount) ?? 0n))
  return [...sums]
}
