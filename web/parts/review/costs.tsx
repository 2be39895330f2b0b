import { Text } from '@mantine/core'
import { parseAmount } from '../../../src/lib/money.ts'
import { withCurrency } from '../../../src/lib/text/amount-texts.ts'
import { formatMoney } from '../../format.ts'
import { inWords, language, t } from '../../texts/index.ts'
import type { PaymentReview } from '../../wire.ts'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'
import { Time } from '../time.tsx'
import { placeName } from './places.ts'

/** The total in figures and in words, and the wallet before and after, for each wallet that pays. */
export function Costs({ review }: { review: PaymentReview }) {
  const { sums, recipients, start_date } = review
  const several = sums.length > 1
  return (
    <Panel title={t('review.costs')}>
      {sums.map((sum) => {
        const { account, account_name, currency } = sum
        const countries = [
          ...new Set(recipients.filter((one) => one.currency === currency).map(({ country }) => placeName(country))),
        ]
        return (
          <Facts
            key={account}
            bare
            {...(several && { title: account_name })}
            facts={[
              [t('fields.amount'), formatMoney(sum.amount, currency)],
              [t('review.fee'), formatMoney(sum.fee, currency)],
              [t('review.total'), <Total key="total" total={sum.total} currency={currency} />],
              [t('fields.currency'), currency],
              [t('fields.country'), countries.filter(Boolean).join(', ')],
              [t('fields.wallet'), account_name],
              [t('review.before'), formatMoney(sum.before, currency)],
              [t('review.after'), formatMoney(sum.after, currency)],
              [t('review.start'), start_date ? <Time key="start" at={start_date} /> : t('review.now')],
            ]}
          />
        )
      })}
    </Panel>
  )
}

/** A sum in figures and in words. */
export function Total({ total, currency }: { total: string; currency: string }) {
  return (
    <>
      <Text fw={700} fz="xl" className="numeric">
        {formatMoney(total, currency)}
      </Text>
      <Text fz="sm">{withCurrency(inWords(parseAmount(total)!), currency, language)}</Text>
    </>
  )
}
